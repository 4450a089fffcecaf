"""One A2UI conversation, renderer side: messages and user input in, a new state and a list of effects out.

Sans-I/O: no clock of its own, no task, no socket. A session is plain data and pickles at any moment; the unpickled
one goes on as the first would.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from ..catalogs.catalog import Catalog, Family
from ..catalogs.registry import BASIC_0_9, BASIC_1_0, MINIMAL_0_9, get_catalog, register
from ..catalogs.requests import DataUpdates
from .actions import ActionRun, Clock, action_message, action_of, action_run, utc_now
from .agent_calls import NewCall
from .data_model import Path, copy_json, delete, format_pointer, parse_pointer, put, resolve_pointer
from .definitions import read_definitions
from .effects import (
    AgentCallSent,
    CallTool,
    ComponentsUpdated,
    DataModelUpdated,
    Diagnostic,
    Effect,
    OpenUrl,
    RpcSettled,
    Send,
    SurfaceCreated,
    SurfaceDeleted,
)
from .errors import (
    A2uiCatalogError,
    A2uiDataError,
    A2uiError,
    A2uiIntegrityError,
    A2uiStateError,
    Located,
    error_body,
)
from .functions import coerce
from .messages import (
    VERSIONS,
    AgentFunctionResponse,
    CallRendererFunction,
    CreateSurface,
    DeleteSurface,
    EnvelopeError,
    Operation,
    UpdateComponents,
    UpdateDataModel,
    read_payload,
)
from .nodes import Node, Patch
from .renderer_calls import answer_call, refuse
from .resolver import Resolver, Serial
from .surface import Bindings, Surface
from .validation import Validation, find_surface_catalog

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


@dataclass(slots=True)
class _Pending:
    """A call without an answer yet, and who waits for it: a node or the run of an action."""

    call: NewCall
    waiting: int | ActionRun


@dataclass(slots=True)
class _View:
    """A surface with its resolved tree."""

    surface: Surface
    resolver: Resolver
    shown: dict[str, Any] | None = None
    """The surface's entry in the last patch."""


@dataclass(slots=True)
class _Unseen:
    """What the next patch must tell beside the nodes of living surfaces."""

    refs: set[int] = field(default_factory=set)
    surfaces: set[str] = field(default_factory=set)


class Session:
    """The surfaces an agent built, each with its resolved tree.

    Args:
        catalogs: Catalogs or ids of registered ones; default the basic catalogs of 0.9 and 1.0 (and 0.9's minimal).
        version: Protocol version of outbound messages that no surface decides.
        validation: ``strict``, ``relaxed`` or ``none`` (`definitions`).
        bindings: ``auto`` reads the bare ``path``/``call`` of early 1.0 agents as bindings; ``strict`` as literals.
        default_timeout_ms: How long an agent call may take; None or <= 0: no limit.
        clock: Gives the time for action timestamps; default UTC now. Must pickle if the session is to pickle.
        mcp_client: Runs the tools of embedded MCP apps.
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
        mcp_client: Any = None,
        default_catalog: bool = False,
        max_rows: int = 1000,
    ):
        if version not in VERSIONS:
            raise ValueError(f"Unsupported protocol version {version!r}; supported are {', '.join(VERSIONS)}.")
        self.version = version
        self.catalog_ids = tuple(_register(catalog) for catalog in (catalogs or DEFAULT_CATALOGS))
        self.validation: Validation = validation
        self.bindings: Bindings = bindings
        self.default_timeout_ms = default_timeout_ms
        self.clock = clock
        self.mcp_client = mcp_client
        self.default_catalog = default_catalog
        self.max_rows = max_rows
        self._views: dict[str, _View] = {}
        self._serial = Serial()
        self._pending: dict[str, _Pending] = {}
        self._unseen = _Unseen()
        self._revision = 0
        self._disposed = False

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
            return Outcome(self._report(error, error.located), error)
        effects: list[Effect] = []
        for operation in operations:
            try:
                if surface_id is not None:
                    _check_target(operation, surface_id)
                effects += self._apply(operation, user_activated=user_activated)
            except A2uiError as error:
                effects += self._flush()
                return Outcome(effects + self._report(error, _located(operation)), error)
        return Outcome(effects + self._flush())

    def _apply(self, operation: Operation, *, user_activated: bool) -> list[Effect]:
        match operation:
            case CreateSurface():
                return self._create(operation)
            case UpdateComponents():
                view = self._view_for_message(operation.surface_id)
                return self._update_components(view, operation.components)
            case UpdateDataModel():
                view = self._view_for_message(operation.surface_id)
                return [self._update_data(view, operation.path, operation.value)]
            case DeleteSurface():
                return self._delete(operation.surface_id)
            case AgentFunctionResponse():
                outcome = (
                    {"value": copy_json(operation.value)}
                    if operation.error is None
                    else {"error": dict(operation.error)}
                )
                return self._settle(operation.function_call_id, outcome)
            case CallRendererFunction():
                return [self._answer(operation, user_activated=user_activated)]

    def _create(self, operation: CreateSurface) -> list[Effect]:
        surface_id, family = operation.surface_id, VERSIONS[operation.version]
        if surface_id in self._views:
            raise A2uiIntegrityError(f"Surface {surface_id} already exists. Update it, or delete it first.")
        surface = Surface(
            surface_id,
            operation.version,
            family,
            operation.catalog_id if operation.catalog_id is not None else self._fallback_catalog(family),
            frozenset(self.catalog_ids),
            copy_json(operation.theme),
            operation.send_data_model,
        )
        if surface.catalog_id is not None:
            find_surface_catalog(surface.catalog_id, surface, "/catalogId")
        view = _View(surface, Resolver(surface, self._serial, self.max_rows))
        effects: list[Effect] = [SurfaceCreated(surface_id)]
        if operation.components:  # a fault here leaves no surface behind (decision 4)
            effects += self._update_components(view, operation.components)
        if operation.data_model is not None:
            effects.append(self._update_data(view, "/", operation.data_model))
        self._views[surface_id] = view
        return effects

    def _fallback_catalog(self, family: Family) -> str | None:
        """The session's first catalog of ``family``: before 1.0, or where the host allows it (decision 3)."""
        if family == "1.0" and not self.default_catalog:
            return None
        return next((id for id in self.catalog_ids if get_catalog(id).family == family), None)

    def _update_components(self, view: _View, components: list[Any]) -> list[Effect]:
        surface = view.surface
        found = read_definitions(components, surface, self.validation, self.bindings)
        surface.uses_at_spelling = found.uses_at_spelling
        surface.define(found.components)
        ids = tuple(definition["id"] for definition in found.components)
        view.resolver.components_changed(ids)
        return [ComponentsUpdated(surface.id, ids), *(_bare_binding(surface.id, *place) for place in found.bare)]

    def _update_data(self, view: _View, pointer: str, value: Any) -> Effect:
        return self._write_data(view, parse_pointer(pointer), value)

    def _write_data(self, view: _View, path: Path, value: Any) -> Effect:
        """Write ``value`` at ``path``; null deletes. Raises A2uiDataError."""
        before = view.surface.data
        after = delete(before, path) if value is None else put(before, path, copy_json(value))
        if not isinstance(after, dict):
            raise A2uiDataError("The data model must be an object; send its members by path, or an object.", "/")
        self._set_data(view, path, after)
        return DataModelUpdated(view.surface.id, format_pointer(path))

    def _set_data(self, view: _View, path: Path, after: Any) -> None:
        surface, before = view.surface, view.surface.data
        surface.data = after
        view.resolver.data_changed(path, before, after)
        if not surface.has_data:
            surface.has_data = True
            view.resolver.data_arrived()

    def _delete(self, surface_id: str) -> list[Effect]:
        view = self._views.pop(surface_id, None)
        if view is None:
            return []
        view.resolver.drop()
        self._unseen.refs.update(view.resolver.changed)
        self._unseen.surfaces.add(surface_id)
        cancelled = [id for id, pending in self._pending.items() if pending.call.surface_id == surface_id]
        effects: list[Effect] = [SurfaceDeleted(surface_id)]
        for call_id in cancelled:
            del self._pending[call_id]
            effects.append(RpcSettled(call_id, _rejection("CANCELLED", "The surface was deleted.")))
        return effects

    # -- user input -------------------------------------------------------------------------------------------

    def write(self, surface_id: str, ref: int, property: str, value: Any) -> Outcome:
        """A user's input through a two-way binding; an error when the node is gone or the property is not bound."""
        try:
            view, node = self._node(surface_id, ref)
            binding = node.component.bindings.get(property) if node.component else None
            if binding is None:
                raise A2uiStateError(f"Property '{property}' of '{node.component_id}' is not bound to a data path.")
            path = resolve_pointer(binding[0].pointer, node.scope)
            self._set_data(view, path, put(view.surface.data, path, coerce(binding[1], copy_json(value))))
        except A2uiError as error:
            return Outcome([], error)
        return Outcome([DataModelUpdated(surface_id, format_pointer(path)), *self._flush()])

    def invoke(self, surface_id: str, ref: int, property: str) -> Outcome:
        """A user's click on the action in ``property``; an error when there is none or the checks fail."""
        try:
            view, node = self._node(surface_id, ref)
            action = action_of(node, property)
            if "functionCall" in action:
                run = action_run(action["functionCall"], node, view.surface, property, self._serial.call_id)
                effects = self._continue(view, run)
            else:
                effects = action_message(action, node, view.surface, self.clock or utc_now)
        except A2uiError as error:
            return Outcome(_action_diagnostics(error, surface_id, property), error)
        return Outcome(effects + self._flush())

    def _continue(self, view: _View, run: ActionRun) -> list[Effect]:
        """Take an action's run as far as it goes now; raises A2uiError when a call failed."""
        value, done = run.step(view.surface)
        effects: list[Effect] = []
        for call in run.calls.end():
            effects += self._send_call(call, run)
        if not done:
            return effects
        if isinstance(value, DataUpdates):
            return effects + self._update_from(view, run, value)
        return effects + ([OpenUrl(value)] if run.call.name == "openUrl" else [])

    def _update_from(self, view: _View, run: ActionRun, asked: DataUpdates) -> list[Effect]:
        effects: list[Effect] = []
        for pointer, value in asked.updates.items():
            path = resolve_pointer(pointer, run.scope)
            effects.append(self._write_data(view, path, value))
        return effects

    # -- calls that are waited for ----------------------------------------------------------------------------

    def timeout_agent_call(self, call_id: str) -> Outcome:
        """The timer of ``AgentCallSent`` fired: a call that has settled meanwhile is left alone."""
        effects = self._settle(call_id, _rejection("TIMEOUT", f"The agent did not answer call {call_id} in time."))
        return Outcome(effects + self._flush())

    def tool_result(self, call_id: str, result: Mapping[str, Any]) -> Outcome:
        """The result of a ``CallTool`` effect, as MCP's CallToolResult; one with ``isError`` is a failure."""
        return Outcome(self._settle(call_id, _tool_outcome(result)) + self._flush())

    def _send_call(self, call: NewCall, waiting: int | ActionRun) -> list[Effect]:
        surface = self._views[call.surface_id].surface
        self._pending[call.call_id] = _Pending(call, waiting)
        arguments = dict(call.arguments)
        if call.tool is not None:
            return [CallTool(call.call_id, call.name, arguments)]
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

    def _settle(self, call_id: str, outcome: dict[str, Any]) -> list[Effect]:
        """A late, unknown or second answer changes nothing (digest 4.6)."""
        pending = self._pending.pop(call_id, None)
        if pending is None:
            return []
        effects: list[Effect] = [RpcSettled(call_id, outcome)]
        view = self._views.get(pending.call.surface_id)
        if view is None:
            return effects
        if isinstance(pending.waiting, int):
            view.resolver.call_settled(call_id, pending.waiting, outcome)
            return effects
        pending.waiting.calls.settle(call_id, outcome)
        try:
            return effects + self._continue(view, pending.waiting)
        except A2uiError as error:
            return effects + _action_diagnostics(error, view.surface.id, pending.waiting.property)

    def dispose(self) -> Outcome:
        """Reject the pending agent calls and drop every resolved tree; the surfaces stay readable."""
        self._disposed = True
        effects: list[Effect] = []
        for call_id in list(self._pending):
            effects += self._settle(call_id, _rejection("CANCELLED", "The session was disposed."))
        effects += self._flush()
        for view in self._views.values():
            view.resolver.drop()
        return Outcome(effects)

    # -- reading ----------------------------------------------------------------------------------------------

    def surfaces(self) -> list[Surface]:
        """All surfaces, sorted by id."""
        return [self._views[surface_id].surface for surface_id in sorted(self._views)]

    def surface(self, surface_id: str) -> Surface | None:
        view = self._views.get(surface_id)
        return view.surface if view else None

    def surface_of(self, ref: int) -> str | None:
        """The surface that node ``ref`` is on, or None when the node is gone."""
        return next((id for id, view in self._views.items() if ref in view.resolver.nodes), None)

    def tree(self, surface_id: str) -> dict[str, Any] | None:
        """The resolved tree of a surface, nested; None when there is no such surface or nothing to show yet."""
        view = self._views.get(surface_id)
        if view is None or view.resolver.root is None:
            return None
        return view.resolver.nodes[view.resolver.root].tree(view.resolver.nodes)

    def client_data_model(self, version: str | None = None) -> dict[str, Any] | None:
        """The data models of the surfaces created with ``sendDataModel``, for the transport to attach.

        ``version`` chooses the protocol when surfaces of both ask (default the session's); None when none asks.
        """
        asking = [view.surface for view in self._views.values() if view.surface.send_data_model]
        families = {surface.family for surface in asking}
        only = families.pop() if version is None and len(families) == 1 else None
        family = only or VERSIONS.get(version or self.version)
        chosen = {surface.id: surface.data for surface in asking if surface.family == family}
        if not chosen:
            return None
        spelled = version or next(surface.version for surface in asking if surface.family == family)
        return {"version": spelled, "surfaces": chosen}

    def capabilities(self) -> dict[str, Any]:
        """The value of ``a2uiRendererCapabilities`` for the transport: the catalogs by protocol version."""
        spelled = {VERSIONS[view.surface.version]: view.surface.version for view in self._views.values()}
        found: dict[str, Any] = {}
        for catalog_id in self.catalog_ids:
            family = get_catalog(catalog_id).family
            key = spelled.get(family, "v0.9" if family == "0.9" else "1.0")
            found.setdefault(key, {"supportedCatalogIds": []})["supportedCatalogIds"].append(catalog_id)
        return found

    def take_patch(self) -> Patch:
        """What changed since the last call, with a revision that grows when anything did."""
        nodes: dict[int, dict[str, Any] | None] = dict.fromkeys(self._unseen.refs)
        surfaces: dict[str, dict[str, Any] | None] = dict.fromkeys(self._unseen.surfaces)
        for surface_id, view in self._views.items():
            for ref in view.resolver.changed:
                node = view.resolver.nodes.get(ref)
                nodes[ref] = node.wire() if node else None
            view.resolver.changed.clear()
            entry = _entry(view)
            if entry != view.shown:
                view.shown = surfaces[surface_id] = entry
        self._unseen = _Unseen()
        if nodes or surfaces:
            self._revision += 1
        return Patch(self._revision, nodes, surfaces)

    def snapshot(self) -> Patch:
        """Everything, for a browser that (re)connects; does not take what `take_patch` has yet to tell."""
        nodes: dict[int, dict[str, Any] | None] = {}
        for view in self._views.values():
            nodes.update((ref, node.wire()) for ref, node in view.resolver.nodes.items())
        return Patch(self._revision, nodes, {surface_id: _entry(view) for surface_id, view in self._views.items()})

    # -- inside -----------------------------------------------------------------------------------------------

    def _flush(self) -> list[Effect]:
        effects: list[Effect] = []
        for view in self._views.values():
            resolver = view.resolver
            resolver.flush()
            effects += resolver.diagnostics
            new_calls, resolver.new_calls, resolver.diagnostics = resolver.new_calls, [], []
            for ref, call in new_calls:
                effects += self._send_call(call, ref)
        return effects

    def _view_for_message(self, surface_id: str) -> _View:
        view = self._views.get(surface_id)
        if view is None:
            raise A2uiIntegrityError(f"Surface not found for message: {surface_id}. Send createSurface first.")
        return view

    def _node(self, surface_id: str, ref: int) -> tuple[_View, Node]:
        view = self._views.get(surface_id)
        if view is None:
            raise A2uiStateError(f"Surface not found: {surface_id}.")
        node = view.resolver.nodes.get(ref)
        if node is None:
            raise A2uiStateError(f"Node {ref} is not on surface {surface_id} any more.")
        return view, node

    def _answer(self, call: CallRendererFunction, *, user_activated: bool) -> Send:
        if self._disposed:
            return refuse(call.version, call.function_call_id, "DISPOSED", "RpcHandler has been disposed.")
        return answer_call(call, self.catalog_ids, self.surface, user_activated=user_activated)

    def _report(self, error: A2uiError, located: Located) -> list[Effect]:
        if located.is_call and located.function_call_id is not None:
            version = located.version or self.version
            return [refuse(version, located.function_call_id, "INVALID_FUNCTION_CALL", str(error))]
        body = error_body(error, located)
        return [Send({"version": located.version or self.version, "error": body})] if body else []


def _register(catalog: Catalog | str) -> str:
    if isinstance(catalog, str):
        return get_catalog(catalog).id
    register(catalog)
    return catalog.id


def _entry(view: _View) -> dict[str, Any]:
    entry: dict[str, Any] = {"root": view.resolver.root}
    if view.surface.theme:
        entry["theme"] = dict(view.surface.theme)
    return entry


def _bare_binding(surface_id: str, component_id: str, name: str) -> Diagnostic:
    message = (
        f"'{name}' of '{component_id}' looks like a binding or a call in the older spelling and is taken literally; "
        "1.0 writes '@path' and '@call'."
    )
    payload = {"code": "BARE_BINDING", "message": message, "componentId": component_id, "property": name}
    return Diagnostic(surface_id, "warning", payload)


def _rejection(code: str, message: str) -> dict[str, Any]:
    return {"error": {"code": code, "message": message}}


def _tool_outcome(result: Mapping[str, Any]) -> dict[str, Any]:
    if not result.get("isError"):
        return {"value": copy_json(dict(result))}
    texts = [part.get("text", "") for part in result.get("content", ()) if isinstance(part, dict)]
    return _rejection("EXECUTION_ERROR", " ".join(filter(None, texts)) or "The tool reported an error.")


def _located(operation: Operation) -> Located:
    match operation:
        case AgentFunctionResponse() | CallRendererFunction():
            return Located(operation.version, None, operation.function_call_id)
        case _:
            return Located(operation.version, operation.surface_id)


def _check_target(operation: Operation, surface_id: str) -> None:
    target = getattr(operation, "surface_id", None)
    if target is not None and target != surface_id:
        raise A2uiIntegrityError(f"This payload may only touch surface {surface_id}, not {target}.")


def _action_diagnostics(error: A2uiError, surface_id: str, name: str) -> list[Effect]:
    if isinstance(error, A2uiStateError):
        return []
    code = "CATALOG_ERROR" if isinstance(error, A2uiCatalogError) else "EXPRESSION_ERROR"
    return [Diagnostic(surface_id, "error", {"code": code, "message": str(error), "property": name})]
