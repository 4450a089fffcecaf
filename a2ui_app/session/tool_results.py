"""What a tool of ``callMcpTool`` shows beside its value: A2UI messages, and an app that goes into the data model.

A resource is MCP's resource contents as JSON: ``uri``, ``mimeType``, ``text``, ``_meta``.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import orjson

from .core import Core, Pending, View
from .data_model import Path, resolve_pointer
from .effects import Diagnostic, Effect
from .errors import A2uiError, A2uiValidationError, code_of
from .messages import CreateSurface, read_payload
from .operations import apply

A2UI_MIME: Final = "application/a2ui+json"
APP_MIME: Final = "text/html;profile=mcp-app"

Resource = Mapping[str, Any]


def show(core: Core, call_id: str, result: Mapping[str, Any], resource: Resource | None) -> list[Effect]:
    """Apply what the tool shows; faults are diagnostics of the surface that called it.

    Messages of ``resource`` are a template: they are not applied when their surface exists. Those in the result's
    content always are. An app is written to the call's ``targetDataPath``.
    """
    pending = core.pending.get(call_id)
    view = core.views.get(pending.call.surface_id) if pending else None
    if pending is None or view is None or pending.waiting is None or result.get("isError"):
        return []
    effects: list[Effect] = []
    try:
        if resource is not None and resource.get("mimeType") == A2UI_MIME:
            effects += _draw(core, resource, template=True)
        for found in _embedded(result):
            effects += _draw(core, found)
        if resource is not None and resource.get("mimeType") == APP_MIME:
            effects += _write_app(core, view, pending, resource, result)
    except A2uiError as error:
        payload = {"code": code_of(error), "message": f"What tool '{pending.call.name}' shows is refused: {error}"}
        effects.append(Diagnostic(view.surface.id, "error", payload))
    return effects


def _draw(core: Core, resource: Resource, *, template: bool = False) -> list[Effect]:
    try:
        operations = read_payload(orjson.loads(resource.get("text") or ""))
    except orjson.JSONDecodeError as error:
        raise A2uiValidationError(f"{resource.get('uri')} is no JSON: {error}") from error
    created = (operation.surface_id for operation in operations if isinstance(operation, CreateSurface))
    if template and any(surface_id in core.views for surface_id in created):
        return []
    return [effect for operation in operations for effect in apply(core, operation, user_activated=False)]


def _embedded(result: Mapping[str, Any]) -> Iterator[Resource]:
    """The resources with A2UI messages in a result's content."""
    for part in result.get("content") or ():
        found = part.get("resource") if isinstance(part, Mapping) else None
        if isinstance(found, Mapping) and found.get("mimeType") == A2UI_MIME:
            yield found


def _write_app(core: Core, view: View, pending: Pending, resource: Resource, result: Mapping[str, Any]) -> list[Effect]:
    tool = pending.call.tool
    if tool is None or tool.target is None:
        return []
    ui = (resource.get("_meta") or {}).get("ui") or {}
    app = {
        "uri": resource.get("uri"),
        "htmlContent": resource.get("text"),
        "csp": ui.get("csp") or {},
        "permissions": ui.get("permissions") or {},
        "toolInput": dict(tool.arguments),
        "toolResult": dict(result),
    }
    return [core.write_data(view, resolve_pointer(tool.target, _scope(view, pending)), app)]


def _scope(view: View, pending: Pending) -> Path:
    """From where a relative path of the call counts."""
    if isinstance(pending.waiting, int):
        node = view.resolver.nodes.get(pending.waiting)
        return node.scope if node is not None else ()
    return pending.waiting.scope if pending.waiting is not None else ()
