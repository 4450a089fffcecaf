"""One A2UI conversation, renderer side: messages and user input in, a new state and a list of effects out.

Sans-I/O: no clock of its own, no task, no socket. A session is plain data and pickles at any moment; the unpickled
one goes on as the first would.
"""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, Final, Literal

from ..catalogs.catalog import Catalog
from ..catalogs.registry import BASIC_0_9, BASIC_1_0, MINIMAL_0_9, get_catalog, register
from . import mcp_app, tool_results
from .actions import Clock, action_message, action_of, action_run, utc_now
from .app_host import respond
from .core import Core, McpClient, Unseen, View, action_diagnostics, rejection, tool_outcome
from .data_model import copy_json, format_pointer, put, resolve_pointer
from .effects import (
    DataModelUpdated,
    Effect,
)
from .errors import (
    A2uiError,
    A2uiStateError,
)
from .functions import coerce
from .messages import (
    VERSIONS,
    EnvelopeError,
    read_payload,
)
from .nodes import Patch
from .operations import apply, check_target, located_in, report
from .surface import Bindings, Surface
from .validation import Validation

DEFAULT_CATALOGS: Final = (BASIC_1_0, BASIC_0_9, MINIMAL_0_9)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one operation: effects in order, the error if there was one, the reply to an MCP app."""

    effects: list[Effect]
    error: A2uiError | None = None
    reply: dict[str, Any] | None = None

    @property
    def ok(self) -> bool:
        return self.error is None


class Session:
    """The surfaces an agent built, each with its resolved tree.

    Args:
        catalogs: Catalogs or ids of registered ones; default the basic catalogs of 0.9 and 1.0 (and 0.9's minimal).
        version: Protocol version of outbound messages that no surface decides.
        validation: ``strict``, ``relaxed`` or ``none`` (`definitions`).
        bindings: ``auto`` reads the bare ``path``/``call`` of early 1.0 agents as bindings; ``strict`` as literals.
        default_timeout_ms: How long an agent call may take; None or <= 0: no limit.
        clock: Gives the time for action timestamps; default UTC now. Must pickle if the session is to pickle.
        mcp_client: Runs MCP tools: an object whose ``call_tool(name, arguments)`` answers at once with a
            CallToolResult, or ``"effects"`` to get each call as a ``CallTool`` effect and answer with `tool_result`.
            None: an app's call is an action only, and its result empty.
        default_catalog: Lets a 1.0 surface that names no catalog use the session's first one (always so before 1.0).
        max_rows: Rows of one template that are rendered; the rest are counted.
    """

    def __init__(
        self,
        catalogs: Iterable[Catalog | str] | None = None,
        *,
        version: str = "1.0",
        validation: Validation = "relaxed",
        bindings: Bindings = "strict",
        default_timeout_ms: float | None = 30_000,
        clock: Clock | None = None,
        mcp_client: McpClient | Literal["effects"] | None = None,
        default_catalog: bool = False,
        max_rows: int = 1000,
    ):
        if version not in VERSIONS:
            raise ValueError(f"Unsupported protocol version {version!r}; supported are {', '.join(VERSIONS)}.")
        self._core = Core(
            version,
            tuple(_register(catalog) for catalog in (catalogs or DEFAULT_CATALOGS)),
            validation,
            bindings,
            default_timeout_ms,
            clock or utc_now,
            mcp_client,
            default_catalog,
            max_rows,
        )
        self._revision = 0

    # -- agent messages ---------------------------------------------------------------------------------------

    def handle_message(self, payload: Any, *, user_activated: bool = False, surface_id: str | None = None) -> Outcome:
        """Apply a message, a list of messages or ``{"messages": [...]}``, and resolve the surfaces they touch.

        An envelope fault applies nothing; after it, operations before a failing one stay applied. The effects of a
        failure include the ``error`` message for the agent when the error names a surface or a call.

        Args:
            user_activated: Whether a user's gesture stands behind the payload.
            surface_id: The only surface the payload may touch; others are an error.
        """
        try:
            operations = read_payload(payload)
        except EnvelopeError as error:
            return Outcome(report(self._core, error, error.located), error)
        effects: list[Effect] = []
        for operation in operations:
            try:
                if surface_id is not None:
                    check_target(operation, surface_id)
                effects += apply(self._core, operation, user_activated=user_activated)
            except A2uiError as error:
                effects += self._core.flush()
                return self._outcome(effects + report(self._core, error, located_in(operation)), error)
        return self._outcome(effects + self._core.flush())

    # -- user input -------------------------------------------------------------------------------------------

    def write(self, surface_id: str, ref: int, property: str, value: Any) -> Outcome:
        """A user's input through a two-way binding; an error when the node is gone or the property is not bound."""
        try:
            view, node = self._core.node(surface_id, ref)
            binding = node.component.bindings.get(property) if node.component else None
            if binding is None:
                raise A2uiStateError(f"Property '{property}' of '{node.component_id}' is not bound to a data path.")
            path = resolve_pointer(binding[0].pointer, node.scope)
            self._core.set_data(view, path, put(view.surface.data, path, coerce(binding[1], copy_json(value))))
        except A2uiError as error:
            return Outcome([], error)
        return self._outcome([DataModelUpdated(surface_id, format_pointer(path)), *self._core.flush()])

    def invoke(self, surface_id: str, ref: int, property: str) -> Outcome:
        """A user's click on the action in ``property``; an error when there is none or the checks fail."""
        try:
            view, node = self._core.node(surface_id, ref)
            action = action_of(node, property)
            if "functionCall" in action:
                run = action_run(action["functionCall"], node, view.surface, property, self._core.serial.call_id)
                effects = self._core.carry_on(view, run)
            else:
                effects = action_message(action, node, view.surface, self._core.clock)
        except A2uiError as error:
            return Outcome(action_diagnostics(error, surface_id, property), error)
        return self._outcome(effects + self._core.flush())

    # -- embedded apps ----------------------------------------------------------------------------------------

    def mcp_app_request(self, surface_id: str, ref: int, method: str, params: Any) -> Outcome:
        """A request or notification of the app in the ``McpApp`` node ``ref``.

        ``outcome.reply`` is the JSON-RPC ``{"result"}`` or ``{"error"}``; None for a notification, and while a tool is
        awaited (then the ``AppReply`` effect of `tool_result` carries it). An error when the node is gone or no app.
        """
        try:
            view, node = self._core.node(surface_id, ref)
            if node.type != "McpApp":
                raise A2uiStateError(f"Component '{node.component_id}' is no McpApp.")
            effects, reply = respond(self._core, view, node, method, params)
        except mcp_app.AppRefused as refused:
            return Outcome([], reply=refused.reply())
        except A2uiError as error:
            return Outcome([], error)
        return self._outcome(effects + self._core.flush(), reply=reply)

    # -- calls that are waited for ----------------------------------------------------------------------------

    def timeout_agent_call(self, call_id: str) -> Outcome:
        """The timer of ``AgentCallSent`` fired: a call that has settled meanwhile is left alone."""
        effects = self._core.settle(call_id, rejection("TIMEOUT", f"The agent did not answer call {call_id} in time."))
        return self._outcome(effects + self._core.flush())

    def tool_result(
        self, call_id: str, result: Mapping[str, Any], resource: Mapping[str, Any] | None = None
    ) -> Outcome:
        """The result of a ``CallTool`` effect, as MCP's CallToolResult; one with ``isError`` is a failure.

        ``resource`` is the contents of the UI resource that the tool names, if it names one (`tool_results`).
        """
        shown = tool_results.show(self._core, call_id, result, resource)
        return self._outcome(shown + self._core.settle(call_id, tool_outcome(result)) + self._core.flush())

    def dispose(self) -> Outcome:
        """Reject the pending agent calls and drop every resolved tree; the surfaces stay readable."""
        self._core.disposed = True
        effects: list[Effect] = []
        for call_id in list(self._core.pending):
            effects += self._core.settle(call_id, rejection("CANCELLED", "The session was disposed."))
        effects += self._core.flush()
        for view in self._core.views.values():
            view.resolver.drop()
        return self._outcome(effects)

    # -- reading ----------------------------------------------------------------------------------------------

    def surfaces(self) -> list[Surface]:
        """All surfaces, sorted by id."""
        return [self._core.views[surface_id].surface for surface_id in sorted(self._core.views)]

    def surface(self, surface_id: str) -> Surface | None:
        view = self._core.views.get(surface_id)
        return view.surface if view else None

    def surface_of(self, ref: int) -> str | None:
        """The surface that node ``ref`` is on, or None when the node is gone."""
        return next((id for id, view in self._core.views.items() if ref in view.resolver.nodes), None)

    def tree(self, surface_id: str) -> dict[str, Any] | None:
        """The resolved tree of a surface, nested; None when there is no such surface or nothing to show yet."""
        view = self._core.views.get(surface_id)
        if view is None or view.resolver.root is None:
            return None
        return view.resolver.nodes[view.resolver.root].tree(view.resolver.nodes)

    def client_data_model(self, version: str | None = None) -> dict[str, Any] | None:
        """The data models of the surfaces created with ``sendDataModel``, for the transport to attach.

        ``version`` chooses the protocol when surfaces of both ask (default the session's); None when none asks.
        """
        asking = [view.surface for view in self._core.views.values() if view.surface.send_data_model]
        families = {surface.family for surface in asking}
        only = families.pop() if version is None and len(families) == 1 else None
        family = only or VERSIONS.get(version or self._core.version)
        chosen = {surface.id: surface.data for surface in asking if surface.family == family}
        if not chosen:
            return None
        spelled = version or next(surface.version for surface in asking if surface.family == family)
        return {"version": spelled, "surfaces": chosen}

    def capabilities(self, *, inline_catalogs: bool = False) -> dict[str, Any]:
        """The value of ``a2uiRendererCapabilities`` for the transport: the catalogs by protocol version.

        ``inline_catalogs`` is for an agent that said ``acceptsInlineCatalogs``: the documents of all but the default
        catalogs, which the specification publishes, come along whole, with their ``instructions``.
        """
        spelled = {VERSIONS[view.surface.version]: view.surface.version for view in self._core.views.values()}
        found: dict[str, Any] = {}
        for catalog_id in self._core.catalog_ids:
            catalog = get_catalog(catalog_id)
            key = spelled.get(catalog.family, "v0.9" if catalog.family == "0.9" else "1.0")
            entry = found.setdefault(key, {"supportedCatalogIds": []})
            entry["supportedCatalogIds"].append(catalog_id)
            if inline_catalogs and catalog_id not in DEFAULT_CATALOGS:
                entry.setdefault("inlineCatalogs", []).append(deepcopy(catalog.document))
        return found

    def take_patch(self) -> Patch:
        """What changed since the last call, with a revision that grows when anything did."""
        nodes: dict[int, dict[str, Any] | None] = dict.fromkeys(self._core.unseen.refs)
        surfaces: dict[str, dict[str, Any] | None] = dict.fromkeys(self._core.unseen.surfaces)
        for surface_id, view in self._core.views.items():
            for ref in view.resolver.changed:
                node = view.resolver.nodes.get(ref)
                nodes[ref] = node.wire() if node else None
            view.resolver.changed.clear()
            entry = _entry(view)
            if entry != view.shown:
                view.shown = surfaces[surface_id] = entry
        self._core.unseen = Unseen()
        if nodes or surfaces:
            self._revision += 1
        return Patch(self._revision, nodes, surfaces)

    def snapshot(self) -> Patch:
        """Everything, for a browser that (re)connects; does not take what `take_patch` has yet to tell."""
        nodes: dict[int, dict[str, Any] | None] = {}
        for view in self._core.views.values():
            nodes.update((ref, node.wire()) for ref, node in view.resolver.nodes.items())
        return Patch(self._revision, nodes, {surface_id: _entry(view) for surface_id, view in self._core.views.items()})

    # -- inside -----------------------------------------------------------------------------------------------

    def _outcome(
        self, effects: list[Effect], error: A2uiError | None = None, reply: dict[str, Any] | None = None
    ) -> Outcome:
        return Outcome(tool_results.run_at_once(self._core, effects), error, reply)


def _register(catalog: Catalog | str) -> str:
    if isinstance(catalog, str):
        return get_catalog(catalog).id
    register(catalog)
    return catalog.id


def _entry(view: View) -> dict[str, Any]:
    entry: dict[str, Any] = {"root": view.resolver.root}
    if view.surface.theme:
        entry["theme"] = dict(view.surface.theme)
    return entry
