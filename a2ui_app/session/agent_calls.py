"""Calls from a surface to its agent: sent once for the same arguments, remembered by the node that asked.

Protocol 1.0, callAgentFunction and agentFunctionResponse. The property is null and its node busy until the answer.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .errors import A2uiRpcError

if TYPE_CHECKING:
    from .functions import Scope


@dataclass(slots=True)
class AskedCall:
    """One call of a node: still pending while ``outcome`` is None, then ``{"value"}`` or ``{"error"}``."""

    call_id: str
    name: str
    outcome: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class NewCall:
    """A call to send: the body of a ``callAgentFunction`` and the node that waits for it (None: an action)."""

    call_id: str
    surface_id: str
    ref: int | None
    name: str
    catalog_id: str | None
    arguments: dict[str, Any]


@dataclass(slots=True)
class Calls:
    """The calls of one node, by name and arguments; those that a fill no longer makes are forgotten."""

    surface_id: str
    ref: int
    next_id: Callable[[], str]
    asked: dict[str, AskedCall] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    new: list[NewCall] = field(default_factory=list)

    def ask(self, name: str, catalog_id: str | None, arguments: dict[str, Any], scope: "Scope") -> Any:
        """The answer when it is there, else None with the scope marked as pending; raises A2uiRpcError on a failure."""
        key = json.dumps([name, catalog_id, arguments], sort_keys=True)
        self.used.add(key)
        call = self.asked.get(key)
        if call is None:
            call = self.asked[key] = AskedCall(self.next_id(), name)
            self.new.append(NewCall(call.call_id, self.surface_id, self.ref, name, catalog_id, arguments))
        if call.outcome is None:
            scope.pending += 1
            return None
        if "error" in call.outcome:
            error = call.outcome["error"]
            raise A2uiRpcError(f"{name} failed: {error.get('message')}", str(error.get("code", "UNKNOWN_ERROR")))
        return call.outcome["value"]

    def begin(self) -> None:
        self.used.clear()

    def end(self) -> list[NewCall]:
        """The calls to send; arguments that are no longer asked for are forgotten, and asked again when they return."""
        self.asked = {key: call for key, call in self.asked.items() if key in self.used}
        new, self.new = self.new, []
        return new

    def settle(self, call_id: str, outcome: Mapping[str, Any]) -> bool:
        """Whether ``call_id`` was waited for here; a second answer changes nothing."""
        for call in self.asked.values():
            if call.call_id == call_id and call.outcome is None:
                call.outcome = outcome
                return True
        return False
