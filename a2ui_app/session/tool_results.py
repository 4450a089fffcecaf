"""What a tool of ``callMcpTool`` shows beside its value: A2UI messages, and an app that goes into the data model.

A resource is MCP's resource contents as JSON: ``uri``, ``mimeType``, ``text``, ``_meta``.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Any, Final

import orjson

from .core import Core, McpClient, Pending, View, run_tool, tool_outcome
from .data_model import Path, resolve_pointer
from .effects import CallTool, Diagnostic, Effect
from .errors import A2uiError, A2uiValidationError, code_of
from .messages import CreateSurface, read_payload
from .operations import apply

A2UI_MIME: Final = "application/a2ui+json"
APP_MIME: Final = "text/html;profile=mcp-app"

MAX_IN_A_ROW: Final = 100
"""Calls of a client that answers at once, for one operation of the session."""

_TOO_MANY: Final = {"isError": True, "content": [{"type": "text", "text": "Too many tool calls, each after another."}]}

Resource = Mapping[str, Any]


def run_at_once(core: Core, effects: list[Effect]) -> list[Effect]:
    """The effects, with each ``CallTool`` carried out by the session's client if that answers at once.

    A result may lead to further calls; after `MAX_IN_A_ROW` they fail, so that a circle of them ends.
    """
    client = core.mcp_client
    if client is None or isinstance(client, str):
        return effects
    waiting, done, count = deque(effects), [], 0
    while waiting:
        effect = waiting.popleft()
        if not isinstance(effect, CallTool):
            done.append(effect)
            continue
        count += 1
        result = run_tool(client, effect.name, effect.arguments) if count <= MAX_IN_A_ROW else _TOO_MANY
        waiting += show(core, effect.call_id, result, _resource_of(client, result))
        waiting += core.settle(effect.call_id, tool_outcome(result)) + core.flush()
    return done


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


def _resource_of(client: McpClient, result: Mapping[str, Any]) -> Resource | None:
    """The contents of the UI resource that a result names; None when it names none, or it cannot be read."""
    read = getattr(client, "read_resource", None)
    ui = (result.get("_meta") or {}).get("ui")
    uri = ui.get("resourceUri") if isinstance(ui, Mapping) else None
    if read is None or not isinstance(uri, str) or not uri.startswith("ui://"):
        return None
    try:
        contents = read(uri).get("contents")
    except Exception:  # the client belongs to the host; the tool's result stands without what it shows
        return None
    return next((found for found in contents if found.get("mimeType") in (A2UI_MIME, APP_MIME)), None)


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
