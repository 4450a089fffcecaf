"""What a user's click comes to: an ``action`` message, a URL to open, or a function that runs here or at the agent."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from .agent_calls import NewCall
from .effects import Diagnostic, Effect, OpenUrl, Send
from .errors import A2uiError, A2uiExpressionError, A2uiStateError
from .functions import Call, Scope, check_caller, compile_call, compile_value, function_catalog, run
from .nodes import Node
from .surface import Surface

Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class Invocation:
    """The effects of an action, and the call it makes of its agent."""

    effects: list[Effect]
    call: NewCall | None = None


def utc_now() -> datetime:
    return datetime.now(UTC)


def action_of(node: Node, name: str) -> Mapping[str, Any]:
    """The action in property ``name``; raises A2uiStateError when there is none, or the node must not act now."""
    if node.component is None or name not in node.component.actions:
        raise A2uiStateError(f"Component '{node.component_id}' has no action '{name}'.")
    if not node.valid:
        raise A2uiStateError(f"Component '{node.component_id}' does not act while its checks fail.")
    return node.component.actions[name]


def invoke_action(
    action: Mapping[str, Any], node: Node, surface: Surface, clock: Clock, next_call_id: Callable[[], str]
) -> Invocation:
    """Run ``action`` of ``node`` as the user's gesture, its values resolved now (digest 5.1: at click time).

    Raises A2uiError when a function call cannot run; an event always goes out.
    """
    scope = Scope(surface, node.scope, node.index, user_activated=True)
    if "functionCall" in action:
        return _call_function(action["functionCall"], node, scope, next_call_id)
    event = action.get("event", action)  # the short form {name, context} is read too
    message = _action_message(event, node, scope, clock)
    diagnostics = [Diagnostic(surface.id, "error", problem) for problem in scope.problems.values()]
    return Invocation([*_relevant(diagnostics), Send(message)])


def _action_message(event: Mapping[str, Any], node: Node, scope: Scope, clock: Clock) -> dict[str, Any]:
    context = event.get("context")
    body = {
        "name": event.get("name", ""),
        "surfaceId": scope.surface.id,
        "sourceComponentId": node.component_id,
        "timestamp": _timestamp(clock()),
        "context": {
            name: _context_value(value, name, node, scope)
            for name, value in (context.items() if isinstance(context, dict) else ())
        },
    }
    if "userMessage" in event:
        body["userMessage"] = _context_value(event["userMessage"], "userMessage", node, scope)
    return {"version": scope.surface.version, "action": body}


def _context_value(raw: Any, name: str, node: Node, scope: Scope) -> Any:
    """One value of the context; what cannot be resolved is null, and the action still goes out."""
    try:
        return compile_value(raw, scope.surface.spelling).evaluate(scope)
    except A2uiError as error:
        scope.report_error(error, node.component_id, f"context/{name}")
        return None


def _relevant(diagnostics: list[Diagnostic]) -> list[Diagnostic]:
    """A field nobody has filled in is no fault of an action's context: its value is null."""
    return [found for found in diagnostics if found.payload["code"] != "MISSING_DATA_BINDING"]


def _call_function(raw: Mapping[str, Any], node: Node, scope: Scope, next_call_id: Callable[[], str]) -> Invocation:
    call = compile_call(raw, scope.surface.spelling)
    catalog = function_catalog(call, scope.surface)
    function = catalog.functions.get(call.name)
    if function is not None:
        check_caller(function, scope)
    if function is None and catalog.family == "0.9":
        raise A2uiExpressionError(f"Unrecognized function '{call.name}' (catalog {catalog.id}).")
    arguments = {name: argument.evaluate(scope) for name, argument in call.arguments}
    if function is None or function.execute is None:
        return Invocation([], _agent_call(call, arguments, scope, next_call_id))
    value = run(function, arguments)
    return Invocation([OpenUrl(value)] if call.name == "openUrl" else [])


def _agent_call(call: Call, arguments: dict[str, Any], scope: Scope, next_call_id: Callable[[], str]) -> NewCall:
    """The call an action makes; unlike a property's it is sent each time the action runs."""
    return NewCall(next_call_id(), scope.surface.id, None, call.name, call.catalog_id, arguments)


def _timestamp(moment: datetime) -> str:
    """ISO 8601 in UTC with ``Z``; a moment without a zone is taken as UTC."""
    zoned = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return zoned.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
