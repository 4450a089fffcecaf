"""The smallest right form of each basic component, for errors and for the guide."""

import json
from typing import Any

from ...catalogs.extended import EXTENDED_1_0
from ...catalogs.registry import BASIC_1_0

COMPONENTS: dict[str, dict[str, Any]] = {
    "Text": {"text": "Hello"},
    "Image": {"url": "https://example.com/a.png"},
    "Icon": {"name": "check"},
    "Video": {"url": "https://example.com/a.mp4"},
    "AudioPlayer": {"url": "https://example.com/a.mp3"},
    "Row": {"children": ["first", "second"]},
    "Column": {"children": ["first", "second"]},
    "List": {"children": {"componentId": "row", "path": "/items"}},
    "Card": {"child": "content"},
    "Tabs": {"tabs": [{"title": "One", "child": "one"}]},
    "Modal": {"trigger": "button", "content": "inside"},
    "Divider": {},
    "Button": {"child": "label", "action": {"event": {"name": "save", "context": {"name": {"@path": "/name"}}}}},
    "TextField": {"label": "Name", "value": {"@path": "/name"}},
    "CheckBox": {"label": "Agree", "value": {"@path": "/agree"}},
    "ChoicePicker": {"options": [{"label": "Red", "value": "red"}], "value": {"@path": "/colours"}},
    "Slider": {"label": "Size", "max": 10, "value": {"@path": "/size"}},
    "DateTimeInput": {"label": "When", "enableDate": True, "value": {"@path": "/when"}},
}


def component(type_: str, id: str = "root") -> dict[str, Any]:
    """A right component of that type; an empty one when it is none of the basic catalog."""
    return {"id": id, "component": type_, **COMPONENTS[type_]} if type_ in COMPONENTS else {}


FORM = {
    "surfaceId": "form",
    "data": {"name": ""},
    "components": [
        {"id": "root", "component": "Column", "children": ["name", "send"]},
        component("TextField", "name"),
        component("Button", "send"),
        {"id": "label", "component": "Text", "text": "Save"},
    ],
}
"""The arguments of `render_ui` that draw a form."""

TABLE = {
    "id": "files",
    "component": "Table",
    "catalogId": EXTENDED_1_0,
    "columns": [{"key": "name", "label": "Name"}, {"key": "size", "label": "Size", "format": "number"}],
    "rows": {"@path": "/files"},
}

CREATE = {
    "version": "v1.0",
    "createSurface": {
        "surfaceId": "hello",
        "catalogId": BASIC_1_0,
        "components": [{"id": "root", "component": "Text", "text": "Hello"}],
    },
}


def line(value: Any) -> str:
    """JSON on one line."""
    return json.dumps(value, ensure_ascii=False)
