"""What a user's click comes to: an ``action`` message, a URL to open, or a function that runs here or at the agent."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from .agent_calls import Calls
from .data_model import Path
from .effects import Diagnostic, Effect, Send
from .errors import A2uiError, A2uiExpressionError, A2uiStateError
from .functions import Call, Scope, compile_call, compile_value
from .nodes import Node
from .surface import Surface

Clock = Callable[[], datetime]


@dataclass(slots=True)
class ActionRun:
    """One run of a function-call action. It waits while the agent or a tool owes an answer; each run asks anew."""

    surface_id: str
    component_id: str
    property: str
    call: Call
    scope: Path
    index: int | None
    calls: Calls

    def step(self, surface: Surface, *, user_activated: bool = True) -> tuple[Any, bool]:
        """What the function gives or asks for, and whether it is there yet; raises A2uiError when a call failed."""
        self.calls.begin()
        scope = Scope(surface, self.scope, self.index, self.calls, user_activated=user_activated)
        value = self.call.request(scope)
        return value, scope.pending == 0


def utc_now() -> datetime:
    return datetime.now(UTC)


def action_of(node: Node, name: str) -> Mapping[str, Any]:
    """The action in property ``name``; raises A2uiStateError when there is none, or the node must not act now."""
    if node.component is None or name not in node.component.actions:
        raise A2uiStateError(f"Component '{node.component_id}' has no action '{name}'.")
    if not node.valid:
        raise A2uiStateError(f"Component '{node.component_id}' does not act while its checks fail.")
    return node.component.actions[name]


def action_message(action: Mapping[str, Any], node: Node, surface: Surface, clock: Clock) -> list[Effect]:
    """The ``action`` message of an event, its values resolved now (digest 5.1: at click time), and what was wrong."""
    scope = Scope(surface, node.scope, node.index, user_activated=True)
    event = action.get("event", action)  # the short form {name, context} is read too
    message = _action_message(event if isinstance(event, dict) else {}, node, scope, clock)
    diagnostics = [Diagnostic(surface.id, "error", problem) for problem in scope.problems.values()]
    return [*_relevant(diagnostics), Send(message)]


def action_run(
    raw: Mapping[str, Any], node: Node, surface: Surface, name: str, next_call_id: Callable[[], str]
) -> ActionRun:
    """The run of a function-call action of ``node``; raises A2uiExpressionError when it names no function."""
    if not isinstance(raw, dict) or not isinstance(raw.get(surface.spelling.call_key), str):
        raise A2uiExpressionError(f"The action '{name}' of '{node.component_id}' names no function.")
    call = compile_call(raw, surface.spelling)
    return ActionRun(surface.id, node.component_id, name, call, node.scope, node.index, Calls(surface.id, next_call_id))


def _action_message(event: Mapping[str, Any], node: Node, scope: Scope, clock: Clock) -> dict[str, Any]:
    raw = event.get("context")
    context = {
        name: _context_value(value, name, node, scope) for name, value in (raw.items() if isinstance(raw, dict) else ())
    }
    message = action_body(scope.surface, str(event.get("name", "")), node.component_id, context, clock)
    if "userMessage" in event:
        message["action"]["userMessage"] = _context_value(event["userMessage"], "userMessage", node, scope)
    return message


def action_body(
    surface: Surface, name: str, component_id: str, context: dict[str, Any], clock: Clock
) -> dict[str, Any]:
    """An ``action`` message in the surface's version."""
    action = {
        "name": name,
        "surfaceId": surface.id,
        "sourceComponentId": component_id,
        "timestamp": _timestamp(clock()),
        "context": context,
    }
    return {"version": surface.version, "action": action}


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


def _timestamp(moment: datetime) -> str:
    """ISO 8601 in UTC with ``Z``; a moment without a zone is taken as UTC."""
    zoned = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return zoned.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
