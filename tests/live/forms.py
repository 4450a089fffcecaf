"""Messages that the tests of the live floor share."""

from typing import Any

CATALOG = "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json"


def create(
    *components: dict[str, Any], surface: str = "s", data: dict[str, Any] | None = None, **more: Any
) -> dict[str, Any]:
    """A createSurface on the basic catalog; the first component is the root."""
    first, *rest = components
    body = {"surfaceId": surface, "catalogId": CATALOG, "components": [{"id": "root", **first}, *rest], **more}
    if data is not None:
        body["dataModel"] = data
    return {"version": "1.0", "createSurface": body}


def set_data(path: str, value: Any, surface: str = "s") -> dict[str, Any]:
    """An updateDataModel."""
    return {"version": "1.0", "updateDataModel": {"surfaceId": surface, "path": path, "value": value}}


FIELD = {"component": "TextField", "label": "Name", "value": {"@path": "/name"}}


def button(**action: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """A button that is the root, and its label."""
    return {"component": "Button", "child": "label", "action": action}, {
        "id": "label",
        "component": "Text",
        "text": "Go",
    }


OPEN = {"functionCall": {"@call": "openUrl", "args": {"url": "https://example.com/a"}}}
EVENT = {"event": {"name": "go", "context": {"name": {"@path": "/name"}}}}
