"""Calls from the agent to a function of the renderer (protocol 1.0, callRendererFunction). Every one is answered."""

from collections.abc import Callable
from typing import Any

from ..catalogs.functions import Function
from ..catalogs.registry import find_catalog
from ..catalogs.requests import DataUpdates, ToolRequest
from .effects import Send
from .errors import A2uiError, A2uiExpressionError, A2uiRpcError
from .functions import SPELLINGS, Scope, compile_call, run
from .messages import CallRendererFunction
from .surface import Surface


def answer_call(
    call: CallRendererFunction,
    catalog_ids: tuple[str, ...],
    find_surface: Callable[[str], Surface | None],
    *,
    user_activated: bool,
) -> Send:
    """Run the call and answer it: the value (null for void), or the error of the first rule it breaks."""
    try:
        body = {"value": _run(call, catalog_ids, find_surface, user_activated=user_activated)}
    except A2uiRpcError as error:
        return refuse(call.version, call.function_call_id, error.code, str(error))
    return Send(
        {"version": call.version, "rendererFunctionResponse": {"functionCallId": call.function_call_id, **body}}
    )


def refuse(version: str, function_call_id: str, code: str, message: str) -> Send:
    """The answer to a call that was not run (suite "rpc_functions": the response carries the error)."""
    error = {"code": code, "message": message}
    return Send({"version": version, "rendererFunctionResponse": {"functionCallId": function_call_id, "error": error}})


def _run(
    call: CallRendererFunction,
    catalog_ids: tuple[str, ...],
    find_surface: Callable[[str], Surface | None],
    *,
    user_activated: bool,
) -> Any:
    spelling = SPELLINGS["1.0" if "@call" in call.call else "0.9"]
    compiled = compile_call(call.call, spelling)
    function = _permitted(compiled.name, str(compiled.catalog_id), catalog_ids, user_activated=user_activated)
    surface = _surface(call.surface_id, find_surface)
    scope = Scope(surface, user_activated=user_activated)
    try:
        arguments = {name: argument.evaluate(scope) for name, argument in compiled.arguments}
        value = run(function, arguments)
        if isinstance(value, DataUpdates | ToolRequest):
            raise A2uiExpressionError(f"{compiled.name} works on a surface: it runs from an action there.")
        return value
    except A2uiError as error:
        raise A2uiRpcError(str(error), "EXECUTION_ERROR") from error


def _permitted(name: str, catalog_id: str, catalog_ids: tuple[str, ...], *, user_activated: bool) -> Function:
    """The function, when the agent may call it now; raises A2uiRpcError. The order of rules is the specification's."""
    catalog = find_catalog(catalog_id) if catalog_id in catalog_ids else None
    if catalog is None:
        raise _invalid(f"Catalog not found: {catalog_id}")
    function = catalog.functions.get(name)
    if function is None or function.execute is None:
        raise _invalid(f"Function not found: {name}")
    if function.allowed_callers == "rendererOnly":
        raise _invalid(f"Function '{name}' cannot be called by agent (allowedCallers is rendererOnly).")
    if function.requires_user_activation and not user_activated:
        raise _invalid(f"Function '{name}' requires user activation context to execute.")
    return function


def _surface(surface_id: str | None, find_surface: Callable[[str], Surface | None]) -> Surface:
    """Where the call's bindings are read: the surface it names, else nowhere (an empty data model)."""
    if surface_id is None:
        return Surface("", "1.0", "1.0", None, frozenset())
    surface = find_surface(surface_id)
    if surface is None:
        raise _invalid(f"Surface not found: {surface_id}")
    return surface


def _invalid(message: str) -> A2uiRpcError:
    return A2uiRpcError(message, "INVALID_FUNCTION_CALL")
