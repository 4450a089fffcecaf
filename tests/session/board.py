"""A surface to test on: built in one call, its nodes found by component id."""

from typing import Any

from a2ui_app.catalogs.registry import BASIC_0_9, BASIC_1_0
from a2ui_app.session import Outcome, Session, effects

Wire = dict[str, Any]


class Board:
    """One surface ``s`` on the basic catalog; every outcome but the last is required to be ok."""

    def __init__(self, *components: Wire, data: Wire | None = None, version: str = "1.0", **options: Any):
        self.version = version
        self.session = Session(**options)
        old = version.lstrip("v").startswith("0.9")
        self.last = self.send(createSurface={"surfaceId": "s", "catalogId": BASIC_0_9 if old else BASIC_1_0})
        assert self.last.ok, self.last.error
        messages = []
        if components:
            messages.append(self.message(updateComponents={"surfaceId": "s", "components": list(components)}))
        if data is not None:
            messages.append(self.message(updateDataModel={"surfaceId": "s", "value": data}))
        if messages:
            self.last = self.session.handle_message(messages)

    def message(self, **body: Any) -> Wire:
        return {"version": self.version, **body}

    def send(self, **body: Any) -> Outcome:
        self.last = self.session.handle_message(self.message(**body))
        return self.last

    def update(self, *components: Wire) -> Outcome:
        return self.send(updateComponents={"surfaceId": "s", "components": list(components)})

    def data(self, path: str, value: Any) -> Outcome:
        return self.send(updateDataModel={"surfaceId": "s", "path": path, "value": value})

    @property
    def model(self) -> Any:
        surface = self.session.surface("s")
        assert surface is not None
        return surface.data

    def nodes(self, component_id: str) -> list[Wire]:
        """The nodes of a component in tree order, nested as `Session.tree` gives them."""
        tree = self.session.tree("s")
        return list(_walk(tree, component_id)) if tree else []

    def node(self, component_id: str) -> Wire:
        found = self.nodes(component_id)
        assert len(found) == 1, f"{len(found)} nodes of {component_id}"
        return found[0]

    def texts(self, component_id: str) -> list[Any]:
        return [node["props"]["text"] for node in self.nodes(component_id)]

    def write(self, component_id: str, value: Any, property: str = "value", row: int = 0) -> Outcome:
        self.last = self.session.write("s", self.nodes(component_id)[row]["ref"], property, value)
        return self.last

    def click(self, component_id: str, property: str = "action", row: int = 0) -> Outcome:
        self.last = self.session.invoke("s", self.nodes(component_id)[row]["ref"], property)
        return self.last

    @property
    def diagnostics(self) -> list[Wire]:
        """Of the last outcome."""
        return [effect.payload for effect in self.last.effects if isinstance(effect, effects.Diagnostic)]

    @property
    def sent(self) -> list[Wire]:
        """Messages for the agent in the last outcome."""
        return [effect.message for effect in self.last.effects if isinstance(effect, effects.Send)]


def _walk(node: Wire, component_id: str) -> Any:
    if node["id"] == component_id:
        yield node
    for child in node["children"]:
        yield from _walk(child, component_id)


def at(path: str) -> Wire:
    return {"@path": path}


def call(name: str, /, **args: Any) -> Wire:
    return {"@call": name, "args": args}


def text(id: str, value: Any) -> Wire:
    return {"id": id, "component": "Text", "text": value}


def column(*children: str, id: str = "root") -> Wire:
    return {"id": id, "component": "Column", "children": list(children)}


def rows(component_id: str, path: str, id: str = "root") -> Wire:
    return {"id": id, "component": "List", "children": {"componentId": component_id, "path": path}}


def field(id: str, path: str, **more: Any) -> Wire:
    return {"id": id, "component": "TextField", "label": "L", "value": at(path), **more}


def button(id: str, action: Wire, **more: Any) -> Wire:
    return {"id": id, "component": "Button", "child": "label", "action": action, **more}


def formatted(template: str) -> Wire:
    return call("formatString", value=template)
