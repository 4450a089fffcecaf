"""The host of an embedded MCP app: carries out what `mcp_app.decide` allows."""

from typing import Any

from ..catalogs.functions import open_url
from ..catalogs.registry import find_catalog
from ..catalogs.requests import DataUpdates, ToolRequest
from . import mcp_app
from .actions import ActionRun, action_body
from .agent_calls import Calls, NewCall
from .core import Core, View, run_tool
from .data_model import copy_json, get
from .effects import (
    Effect,
    OpenUrl,
    Send,
)
from .errors import (
    A2uiError,
)
from .functions import Call
from .functions import Literal as LiteralValue
from .nodes import Node, same
from .surface import Surface

Answer = tuple[list[Effect], dict[str, Any] | None]
"""Effects, and the JSON-RPC ``{"result"}`` or ``{"error"}`` (None: a notification, or a tool is awaited)."""


def respond(core: Core, view: View, node: Node, method: str, params: Any) -> tuple[list[Effect], dict[str, Any] | None]:
    surface = view.surface
    match mcp_app.decide(node, method, params):
        case mcp_app.ToolCall(name, arguments):
            return _app_tool(core, view, node, name, arguments)
        case mcp_app.FunctionCall(name, arguments):
            return _app_function(core, view, node, name, arguments)
        case mcp_app.WriteData(path, value):
            if same(get(surface.data, path), value):
                return [], _empty(method)
            return [core.write_data(view, path, value)], _empty(method)
        case mcp_app.Dispatch(name, context):
            return [_app_action(core, node, surface, name, context)], {"result": {}}
        case mcp_app.OpenLink(url):
            return [OpenUrl(_checked_url(url))], {"result": {}}
        case mcp_app.Answer(result):
            return [], None if result is None else {"result": result}


def _app_tool(
    core: Core, view: View, node: Node, name: str, arguments: dict[str, Any]
) -> tuple[list[Effect], dict[str, Any] | None]:
    sent = _app_action(core, node, view.surface, name, arguments)
    if core.mcp_client is None:
        return [sent], {"result": {"content": []}}
    if not isinstance(core.mcp_client, str):
        return [sent], {"result": dict(run_tool(core.mcp_client, name, arguments))}
    call = NewCall(core.serial.call_id(), view.surface.id, name, arguments, tool=ToolRequest(name, arguments))
    return [sent, *core.send_call(call, None)], None


def _app_function(
    core: Core, view: View, node: Node, name: str, arguments: dict[str, Any]
) -> tuple[list[Effect], dict[str, Any] | None]:
    literals = tuple((key, LiteralValue(value)) for key, value in arguments.items())
    call = Call(name, literals, _declaring_catalog(view.surface, node, name))
    calls = Calls(view.surface.id, core.serial.call_id)
    run = ActionRun(view.surface.id, node.component_id, "", call, node.scope, node.index, calls)
    try:
        value, done = run.step(view.surface, user_activated=False)
        effects = core.update_from(view, run, value) if isinstance(value, DataUpdates) else []
    except A2uiError as error:
        raise mcp_app.AppRefused(mcp_app.INTERNAL_ERROR, str(error)) from error
    if not done:
        message = f"Function '{name}' runs at the agent; call a tool instead."
        raise mcp_app.AppRefused(mcp_app.INTERNAL_ERROR, message)
    return effects, {"result": {"status": "success", "result": None if isinstance(value, DataUpdates) else value}}


def _declaring_catalog(surface: Surface, node: Node, name: str) -> str | None:
    """The first catalog that declares function ``name``: the surface's, the component's, then any it may mix in."""
    own = node.component.catalog_id if node.component else None
    for catalog_id in (surface.catalog_id, own, *sorted(surface.catalog_ids)):
        catalog = find_catalog(catalog_id) if catalog_id in surface.catalog_ids and catalog_id is not None else None
        if catalog is not None and catalog.family == surface.family and name in catalog.functions:
            return catalog.id
    return None


def _app_action(core: Core, node: Node, surface: Surface, name: str, context: dict[str, Any]) -> Send:
    return Send(action_body(surface, name, node.component_id, copy_json(context), core.clock))


def _checked_url(url: str) -> str:
    try:
        return open_url(url)
    except A2uiError as error:
        raise mcp_app.AppRefused(mcp_app.INVALID_PARAMS, str(error)) from error


def _empty(method: str) -> dict[str, Any] | None:
    """The reply to what has nothing to say; a notification gets none."""
    return None if method.startswith(("ui/notifications/", "notifications/")) else {"result": {}}
