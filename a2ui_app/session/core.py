"""The state of a session and the moves that all of its doors share: write data, make calls, resolve, report."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from ..catalogs.requests import DataUpdates
from . import mcp_app
from .actions import ActionRun, Clock
from .agent_calls import NewCall
from .data_model import Path, copy_json, delete, format_pointer, put, resolve_pointer
from .effects import (
    AgentCallSent,
    AppReply,
    CallTool,
    DataModelUpdated,
    Diagnostic,
    Effect,
    OpenUrl,
    RpcSettled,
    Send,
)
from .errors import (
    A2uiCatalogError,
    A2uiDataError,
    A2uiError,
    A2uiIntegrityError,
    A2uiStateError,
)
from .nodes import Node
from .resolver import Resolver, Serial
from .surface import Bindings, Surface
from .validation import Validation


class McpClient(Protocol):
    """Runs MCP tools at once. Must pickle if the session is to pickle.

    One that also has ``read_resource(uri)`` (MCP's ReadResourceResult) lets tools show what they name in their result.
    """

    def call_tool(self, name: str, arguments: dict[str, Any]) -> Mapping[str, Any]:
        """The tool's CallToolResult."""
        ...


@dataclass(slots=True)
class Pending:
    """A call without an answer yet, and who waits for it: a node or the run of an action."""

    call: NewCall
    waiting: int | ActionRun | None
    """None: an embedded app, which gets the reply."""


@dataclass(slots=True)
class View:
    """A surface with its resolved tree."""

    surface: Surface
    resolver: Resolver
    shown: dict[str, Any] | None = None
    """The surface's entry in the last patch."""


@dataclass(slots=True)
class Unseen:
    """What the next patch must tell beside the nodes of living surfaces."""

    refs: set[int] = field(default_factory=set)
    surfaces: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Core:
    """Everything a `Session` is, as plain data. The options are documented there."""

    version: str
    catalog_ids: tuple[str, ...]
    validation: Validation
    bindings: Bindings
    default_timeout_ms: float | None
    clock: Clock
    mcp_client: McpClient | Literal["effects"] | None
    default_catalog: bool
    max_rows: int
    views: dict[str, View] = field(default_factory=dict)
    serial: Serial = field(default_factory=Serial)
    pending: dict[str, Pending] = field(default_factory=dict)
    unseen: Unseen = field(default_factory=Unseen)
    disposed: bool = False

    def surface(self, surface_id: str) -> Surface | None:
        view = self.views.get(surface_id)
        return view.surface if view else None

    def write_data(self, view: View, path: Path, value: Any) -> Effect:
        """Write ``value`` at ``path``; null deletes. Raises A2uiDataError."""
        before = view.surface.data
        after = delete(before, path) if value is None else put(before, path, copy_json(value))
        self.set_data(view, path, after)
        return DataModelUpdated(view.surface.id, format_pointer(path))

    def set_data(self, view: View, path: Path, after: Any) -> None:
        """Make ``after`` the data model, changed at ``path``; raises A2uiDataError when it is no object."""
        if not isinstance(after, dict):
            raise A2uiDataError("The data model must be an object; write to a path in it, or write an object.", "/")
        surface, before = view.surface, view.surface.data
        surface.data = after
        view.resolver.data_changed(path, before, after)
        if not surface.has_data:
            surface.has_data = True
            view.resolver.data_arrived()

    def carry_on(self, view: View, run: ActionRun) -> list[Effect]:
        """Take an action's run as far as it goes now; raises A2uiError when a call failed."""
        value, done = run.step(view.surface)
        effects: list[Effect] = []
        for call in run.calls.end():
            effects += self.send_call(call, run)
        if not done:
            return effects
        if isinstance(value, DataUpdates):
            return effects + self.update_from(view, run, value)
        return effects + ([OpenUrl(value)] if run.call.name == "openUrl" else [])

    def update_from(self, view: View, run: ActionRun, asked: DataUpdates) -> list[Effect]:
        effects: list[Effect] = []
        for pointer, value in asked.updates.items():
            path = resolve_pointer(pointer, run.scope)
            effects.append(self.write_data(view, path, value))
        return effects

    def _call_tool(self, call_id: str, name: str, arguments: dict[str, Any], *, for_app: bool) -> list[Effect]:
        if self.mcp_client is None:
            return self.settle(call_id, rejection("NO_LISTENER", f"No MCP server is connected to run '{name}'."))
        return [CallTool(call_id, name, arguments, for_app)]

    def send_call(self, call: NewCall, waiting: int | ActionRun | None) -> list[Effect]:
        surface = self.views[call.surface_id].surface
        self.pending[call.call_id] = Pending(call, waiting)
        arguments = dict(call.arguments)
        if call.tool is not None:
            return self._call_tool(call.call_id, call.name, arguments, for_app=waiting is None)
        function: dict[str, Any] = {surface.spelling.call_key: call.name, "args": arguments}
        catalog_id = call.catalog_id if call.catalog_id is not None else surface.catalog_id
        if catalog_id is not None:
            function["catalogId"] = catalog_id
        body = {"surfaceId": call.surface_id, "functionCallId": call.call_id, "callFunction": function}
        timeout = self.default_timeout_ms
        return [
            Send({"version": surface.version, "callAgentFunction": body}),
            AgentCallSent(call.call_id, timeout if timeout and timeout > 0 else None),
        ]

    def settle(self, call_id: str, outcome: dict[str, Any]) -> list[Effect]:
        """A late, unknown or second answer changes nothing (digest 4.6)."""
        pending = self.pending.pop(call_id, None)
        if pending is None:
            return []
        effects: list[Effect] = [RpcSettled(call_id, outcome)]
        view = self.views.get(pending.call.surface_id)
        if view is None:
            return effects
        if pending.waiting is None:
            return [*effects, AppReply(call_id, _app_reply(outcome))]
        if isinstance(pending.waiting, int):
            view.resolver.call_settled(call_id, pending.waiting, outcome)
            return effects
        pending.waiting.calls.settle(call_id, outcome)
        try:
            return effects + self.carry_on(view, pending.waiting)
        except A2uiError as error:
            return effects + action_diagnostics(error, view.surface.id, pending.waiting.property)

    def flush(self) -> list[Effect]:
        effects: list[Effect] = []
        waiting = True
        while waiting:  # a call may fail at once, and what it leaves ask for more
            waiting = False
            for view in self.views.values():
                resolver = view.resolver
                resolver.flush()
                effects += resolver.diagnostics
                new_calls, resolver.new_calls, resolver.diagnostics = resolver.new_calls, [], []
                for ref, call in new_calls:
                    effects += self.send_call(call, ref)
                waiting = waiting or bool(new_calls)
        return effects

    def view_for_message(self, surface_id: str) -> View:
        view = self.views.get(surface_id)
        if view is None:
            raise A2uiIntegrityError(f"Surface not found for message: {surface_id}. Send createSurface first.")
        return view

    def node(self, surface_id: str, ref: int) -> tuple[View, Node]:
        view = self.views.get(surface_id)
        if view is None:
            raise A2uiStateError(f"Surface not found: {surface_id}.")
        node = view.resolver.nodes.get(ref)
        if node is None:
            raise A2uiStateError(f"Node {ref} is not on surface {surface_id} any more.")
        return view, node


def rejection(code: str, message: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": message}}


def tool_outcome(result: Mapping[str, Any]) -> dict[str, Any]:
    if not result.get("isError"):
        return {"value": copy_json(dict(result))}
    texts = [part.get("text", "") for part in result.get("content", ()) if isinstance(part, dict)]
    return rejection("EXECUTION_ERROR", " ".join(filter(None, texts)) or "The tool reported an error.")


def run_tool(client: McpClient, name: str, arguments: dict[str, Any]) -> Mapping[str, Any]:
    """The result of a tool; a client that fails is a tool that reports an error."""
    try:
        return client.call_tool(name, arguments)
    except Exception as error:  # the client belongs to the host
        return {"isError": True, "content": [{"type": "text", "text": f"{name}: {error}"}]}


def _app_reply(outcome: Mapping[str, Any]) -> dict[str, Any]:
    if "error" in outcome:
        error = outcome["error"]
        return {"error": {"code": mcp_app.INTERNAL_ERROR, "message": str(error.get("message"))}}
    return {"result": outcome["value"]}


def action_diagnostics(error: A2uiError, surface_id: str, name: str) -> list[Effect]:
    if isinstance(error, A2uiStateError):
        return []
    code = "CATALOG_ERROR" if isinstance(error, A2uiCatalogError) else "EXPRESSION_ERROR"
    return [Diagnostic(surface_id, "error", {"code": code, "message": str(error), "property": name})]
