"""What each agent message does to a session."""

from typing import Any

from ..catalogs.catalog import Family
from ..catalogs.registry import get_catalog
from .core import Core, View, rejection
from .data_model import copy_json, parse_pointer
from .definitions import read_definitions
from .effects import (
    ComponentsUpdated,
    Diagnostic,
    Effect,
    RpcSettled,
    Send,
    SurfaceCreated,
    SurfaceDeleted,
)
from .errors import (
    A2uiError,
    A2uiIntegrityError,
    Located,
    error_body,
)
from .messages import (
    VERSIONS,
    AgentFunctionResponse,
    CallRendererFunction,
    CreateSurface,
    DeleteSurface,
    Operation,
    UpdateComponents,
    UpdateDataModel,
)
from .renderer_calls import answer_call, refuse
from .resolver import Resolver
from .surface import Surface
from .validation import check_theme, find_surface_catalog


def apply(core: Core, operation: Operation, *, user_activated: bool) -> list[Effect]:
    """Apply one operation; raises A2uiError with nothing of it applied."""
    match operation:
        case CreateSurface():
            return _create(core, operation)
        case UpdateComponents():
            view = core.view_for_message(operation.surface_id)
            return _update_components(core, view, operation.components)
        case UpdateDataModel():
            view = core.view_for_message(operation.surface_id)
            return [core.write_data(view, parse_pointer(operation.path), operation.value)]
        case DeleteSurface():
            return _delete(core, operation.surface_id)
        case AgentFunctionResponse():
            failed = operation.error is not None
            outcome = {"error": operation.error} if failed else {"value": operation.value}
            return core.settle(operation.function_call_id, copy_json(outcome))
        case CallRendererFunction():
            return [_answer(core, operation, user_activated=user_activated)]


def _create(core: Core, operation: CreateSurface) -> list[Effect]:
    surface_id, family = operation.surface_id, VERSIONS[operation.version]
    if surface_id in core.views:
        raise A2uiIntegrityError(f"Surface {surface_id} already exists. Update it, or delete it first.")
    surface = Surface(
        surface_id,
        operation.version,
        family,
        operation.catalog_id if operation.catalog_id is not None else _fallback_catalog(core, family),
        frozenset(core.catalog_ids),
        copy_json(operation.theme),
        operation.send_data_model,
    )
    if surface.catalog_id is not None:
        find_surface_catalog(surface.catalog_id, surface, "/catalogId")
    check_theme(surface.theme, surface, core.validation)
    view = View(surface, Resolver(surface, core.serial, core.max_rows))
    effects: list[Effect] = [SurfaceCreated(surface_id)]
    if operation.components:  # a fault here leaves no surface behind (decision 4)
        effects += _update_components(core, view, operation.components)
    if operation.data_model is not None:
        effects.append(core.write_data(view, (), operation.data_model))
    core.views[surface_id] = view
    return effects


def _fallback_catalog(core: Core, family: Family) -> str | None:
    """The session's first catalog of ``family``: before 1.0, or where the host allows it (decision 3)."""
    if family == "1.0" and not core.default_catalog:
        return None
    return next((id for id in core.catalog_ids if get_catalog(id).family == family), None)


def _update_components(core: Core, view: View, components: list[Any]) -> list[Effect]:
    surface = view.surface
    found = read_definitions(components, surface, core.validation, core.bindings)
    surface.uses_at_spelling = found.uses_at_spelling
    surface.define(found.components)
    ids = tuple(definition["id"] for definition in found.components)
    view.resolver.components_changed(ids)
    return [ComponentsUpdated(surface.id, ids), *(_bare_binding(surface.id, *place) for place in found.bare)]


def _delete(core: Core, surface_id: str) -> list[Effect]:
    view = core.views.pop(surface_id, None)
    if view is None:
        return []
    view.resolver.drop()
    core.unseen.refs.update(view.resolver.changed)
    core.unseen.surfaces.add(surface_id)
    cancelled = [id for id, pending in core.pending.items() if pending.call.surface_id == surface_id]
    effects: list[Effect] = [SurfaceDeleted(surface_id)]
    for call_id in cancelled:
        del core.pending[call_id]
        effects.append(RpcSettled(call_id, rejection("CANCELLED", "The surface was deleted.")))
    return effects


def _answer(core: Core, call: CallRendererFunction, *, user_activated: bool) -> Send:
    if core.disposed:
        return refuse(call.version, call.function_call_id, "DISPOSED", "RpcHandler has been disposed.")
    return answer_call(call, core.catalog_ids, core.surface, user_activated=user_activated)


def report(core: Core, error: A2uiError, located: Located) -> list[Effect]:
    """What the agent is told of an error: the answer to its call, or an ``error`` message when it names a place."""
    if located.is_call and located.function_call_id is not None:
        version = located.version or core.version
        return [refuse(version, located.function_call_id, "INVALID_FUNCTION_CALL", str(error))]
    body = error_body(error, located)
    return [Send({"version": located.version or core.version, "error": body})] if body else []


def _bare_binding(surface_id: str, component_id: str, name: str) -> Diagnostic:
    message = (
        f"'{name}' of '{component_id}' looks like a binding or a call in the older spelling and is taken literally; "
        "1.0 writes '@path' and '@call'."
    )
    payload = {"code": "BARE_BINDING", "message": message, "componentId": component_id, "property": name}
    return Diagnostic(surface_id, "warning", payload)


def located_in(operation: Operation) -> Located:
    """What an operation names, for the report of its failure."""
    match operation:
        case AgentFunctionResponse() | CallRendererFunction():
            return Located(operation.version, None, operation.function_call_id)
        case _:
            return Located(operation.version, operation.surface_id)


def check_target(operation: Operation, surface_id: str) -> None:
    """Raises A2uiIntegrityError when ``operation`` touches another surface."""
    target = getattr(operation, "surface_id", None)
    if target is not None and target != surface_id:
        raise A2uiIntegrityError(f"This payload may only touch surface {surface_id}, not {target}.")
