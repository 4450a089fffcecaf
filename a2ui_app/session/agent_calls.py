"""Calls that a surface waits for, of its agent or of an MCP tool: sent once for the same arguments.

Protocol 1.0, callAgentFunction and agentFunctionResponse. The property is null and its node busy until the answer.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..catalogs.requests import ToolRequest
from .errors import A2uiRpcError

if TYPE_CHECKING:
    from .functions import Scope


@dataclass(slots=True)
class AskedCall:
    """One call of a node: still pending while ``outcome`` is None, then ``{"value"}`` or ``{"error"}``."""

    call_id: str
    outcome: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class NewCall:
    """A call to send: to the agent, or to an MCP tool when ``tool`` says so."""

    call_id: str
    surface_id: str
    name: str
    arguments: Mapping[str, Any]
    catalog_id: str | None = None
    tool: ToolRequest | None = None


@dataclass(slots=True)
class Calls:
    """The calls of one node or one run of an action, by name and arguments.

    Those that a fill no longer makes are forgotten, and asked again when their arguments return.
    """

    surface_id: str
    next_id: Callable[[], str]
    asked: dict[str, AskedCall] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    new: list[NewCall] = field(default_factory=list)

    def ask_agent(self, name: str, catalog_id: str | None, arguments: Mapping[str, Any], scope: "Scope") -> Any:
        """The agent's answer when it is there, else None with the scope marked as pending; raises A2uiRpcError."""
        return self._ask(NewCall("", self.surface_id, name, arguments, catalog_id), scope)

    def ask_tool(self, request: ToolRequest, scope: "Scope") -> Any:
        """The tool's result likewise."""
        return self._ask(NewCall("", self.surface_id, request.name, request.arguments, tool=request), scope)

    def _ask(self, call: NewCall, scope: "Scope") -> Any:
        target = call.tool.target if call.tool else None
        key = json.dumps([call.name, call.catalog_id, call.arguments, call.tool is not None, target], sort_keys=True)
        self.used.add(key)
        asked = self.asked.get(key)
        if asked is None:
            asked = self.asked[key] = AskedCall(self.next_id())
            self.new.append(replace(call, call_id=asked.call_id))
        if asked.outcome is None:
            scope.pending += 1
            return None
        if "error" in asked.outcome:
            error = asked.outcome["error"]
            raise A2uiRpcError(f"{call.name} failed: {error.get('message')}", str(error.get("code", "UNKNOWN_ERROR")))
        return asked.outcome["value"]

    def begin(self) -> None:
        self.used.clear()

    def end(self) -> list[NewCall]:
        """The calls to send; what was not asked for since `begin` is forgotten."""
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
