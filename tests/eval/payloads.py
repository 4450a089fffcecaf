"""What models send to `render_ui` when they get it wrong: one payload for each kind of mistake."""

from typing import Any

TEXT = {"id": "root", "component": "Text", "text": "Hello"}

PAYLOADS: dict[str, dict[str, Any]] = {
    "Nothing at all": {},
    "A property's name is wrong": {"components": [{"id": "root", "component": "Text", "content": "Hello"}]},
    "A property that the component does not have": {"components": [{**TEXT, "color": "red"}]},
    "A component that does not exist": {"components": [{"id": "root", "component": "Table", "rows": []}]},
    "No component has the id root": {"components": [{"id": "main", "component": "Text", "text": "Hello"}]},
    "A string where a list is wanted": {
        "components": [{"id": "root", "component": "Column", "children": "a"}, {**TEXT, "id": "a"}]
    },
    "Children nested instead of named": {
        "components": [{"id": "root", "component": "Column", "children": [{**TEXT, "id": "a"}]}]
    },
    "A child that is not there": {"components": [{"id": "root", "component": "Card", "child": "content"}]},
    "A Button with a label of its own": {
        "components": [{"id": "root", "component": "Button", "label": "Save", "action": {"event": {"name": "save"}}}]
    },
    "An action that is a name": {
        "components": [
            {"id": "root", "component": "Button", "child": "label", "action": "save"},
            {**TEXT, "id": "label"},
        ]
    },
    "The literal strings of 0.8": {
        "components": [{"id": "root", "component": "Text", "text": {"literalString": "Hi"}}]
    },
    "The component objects of 0.8": {
        "components": [{"id": "root", "component": {"Text": {"text": {"literalString": "Hi"}}}}]
    },
    "The messages of 0.8": {"messages": [{"surfaceUpdate": {"surfaceId": "s", "components": []}}]},
    "A path without its object": {
        "components": [{"id": "root", "component": "TextField", "label": "Name", "value": {"@path": 7}}]
    },
    "JSON that is cut off": {"components": '[{"id": "root", "component": "Text"'},
    "JSON with a remark behind it": {"components": '[{"id": "root", "component": "Divider"}]\n\nI hope this helps!'},
    "HTML": {"components": "<form><input name='a'></form>"},
    "An unknown version": {"messages": [{"version": "2.0", "deleteSurface": {"surfaceId": "s"}}]},
    "A message that is none": {"messages": ["createSurface"]},
    "A surface in a circle": {"components": [{"id": "root", "component": "Card", "child": "root"}]},
    "The same id twice": {"components": [TEXT, TEXT]},
    "Data that is a list": {"components": [TEXT], "data": [1, 2]},
}
