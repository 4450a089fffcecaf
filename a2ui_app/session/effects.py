"""What a session asks its host to do: small frozen values, in the order they came about."""

from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True)
class Send:
    """Deliver ``message`` (action, error, function call or response) to the agent."""

    message: dict[str, Any]


@dataclass(frozen=True)
class OpenUrl:
    """Open ``url`` in the browser of the person who clicked; its scheme is checked."""

    url: str


@dataclass(frozen=True)
class SurfaceCreated:
    surface_id: str


@dataclass(frozen=True)
class SurfaceDeleted:
    surface_id: str


@dataclass(frozen=True)
class ComponentsUpdated:
    surface_id: str
    component_ids: tuple[str, ...]


@dataclass(frozen=True)
class DataModelUpdated:
    surface_id: str
    path: str


@dataclass(frozen=True)
class RpcSettled:
    """A pending agent call came to its end: ``{"value": …}`` or ``{"error": {"code", "message"}}``."""

    call_id: str
    outcome: dict[str, Any]


@dataclass(frozen=True)
class AgentCallSent:
    """A ``callAgentFunction`` went out: start a timer that calls ``timeout_agent_call`` (None: no timer)."""

    call_id: str
    timeout_ms: float | None


@dataclass(frozen=True)
class CallTool:
    """Call MCP tool ``name`` and give the result to ``Session.tool_result`` under ``call_id``.

    With ``for_app`` an embedded app gets the result, and the tool's own UI is not wanted.
    """

    call_id: str
    name: str
    arguments: dict[str, Any]
    for_app: bool = False


@dataclass(frozen=True)
class AppReply:
    """The reply, ``{"result"}`` or ``{"error"}``, to the app's request that a ``CallTool`` with this id came from."""

    call_id: str
    reply: dict[str, Any]


@dataclass(frozen=True)
class Diagnostic:
    """What the resolver found; ``payload`` has code, message, and where known componentId, property, path."""

    surface_id: str
    level: Literal["error", "warning"]
    payload: dict[str, Any]


Effect = (
    Send
    | OpenUrl
    | SurfaceCreated
    | SurfaceDeleted
    | ComponentsUpdated
    | DataModelUpdated
    | RpcSettled
    | AgentCallSent
    | CallTool
    | AppReply
    | Diagnostic
)
