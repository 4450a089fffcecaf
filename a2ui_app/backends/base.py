"""The contract of every coding-agent backend: what goes in, what comes out, and the one method that joins them.

A backend turns a prompt into a `Run` (see run.py): a stream of `Message`s and exactly one `Result`. All backends are
alike on purpose; that is what lets the page treat every agent in the same way.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, Self

if TYPE_CHECKING:
    from a2ui_app.agent_ui.protocol import AgentUI

    from .run import Run


class MessageType(StrEnum):
    """What a `Message` is; each member equals its string."""

    TEXT = "text"
    THINKING = "thinking"
    TOOL_USE = "tool-use"
    TOOL_RESULT = "tool-result"
    STATUS = "status"
    ERROR = "error"
    LOG = "log"


class Status(StrEnum):
    """How a run ended; each member equals its string."""

    COMPLETED = "completed"
    FAILED = "failed"
    ABORTED = "aborted"
    TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class Message:
    """One thing an agent said or did.

    text, thinking: `content` is a piece to append; pieces of one block share a `call_id` (the agent's id of the block).
    tool-use: `tool`, `call_id`, `input`; a second one with the same `call_id` completes the input of the first.
    tool-result: `call_id`, `output`; `level` is "error" when the tool failed, "cancelled" when it never ended.
    status: `content` for people, `level` the state: session, working, waiting, retrying; details in `input`, for a
    session `session_id`, `model` and, to be written after a slash, `commands` (`[{"name", "description"}]`).
    error: `content`. log: `content`, and `level` debug, info, warning or error.
    """

    type: MessageType
    content: str = ""
    tool: str = ""
    call_id: str = ""
    input: Mapping[str, Any] = field(default_factory=dict)
    output: str = ""
    level: str = ""


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Tokens of one model in one run. The four counts exclude each other: `input_tokens` has no cached ones in it."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0

    def __add__(self, other: Self) -> Self:
        return type(self)(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cache_read_tokens + other.cache_read_tokens,
            self.cache_write_tokens + other.cache_write_tokens,
        )

    def __sub__(self, other: Self) -> Self:
        """What was used since `other`; never below zero, since a counter that went back was reset."""
        return type(self)(
            max(0, self.input_tokens - other.input_tokens),
            max(0, self.output_tokens - other.output_tokens),
            max(0, self.cache_read_tokens - other.cache_read_tokens),
            max(0, self.cache_write_tokens - other.cache_write_tokens),
        )

    def __bool__(self) -> bool:
        return bool(self.input_tokens or self.output_tokens or self.cache_read_tokens or self.cache_write_tokens)


Usage = dict[str, TokenUsage]  # model name -> tokens of this run; "" when the agent does not name the model


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a turn ended as its agent told it; the run may overrule the status (cancelled, timed out)."""

    status: Status = Status.COMPLETED
    output: str = ""
    error: str = ""
    session_id: str = ""
    usage: Usage = field(default_factory=dict)
    resumed: bool | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """How a run ended.

    `output` is the agent's last answer, whole whatever messages were dropped. `error` is empty on success.
    `session_id` continues this conversation (`ExecOptions.resume_session_id`); empty when there is none to continue.
    `resumed` is None when no session was to be resumed, True when it was, and False when the agent did not have it:
    then a completed run went on in a fresh session, without the earlier context.
    `dropped` counts messages the reader missed.
    """

    status: Status
    output: str = ""
    error: str = ""
    duration_ms: int = 0
    session_id: str = ""
    usage: Usage = field(default_factory=dict)
    resumed: bool | None = None
    dropped: int = 0


class Desk(Protocol):
    """Where an agent draws A2UI surfaces. Agents with a process reach it through our MCP server, the demo directly."""

    def draw(self, messages: Any) -> Sequence[Any]:
        """Apply A2UI messages; return one reply for each, whose `error` is None when it was taken."""
        ...

    def state(self) -> dict[str, Any]:
        """Return `{"surfaces": [{"surfaceId", "catalogId", "dataModel", "tree"}]}`."""
        ...

    async def next_action(self, timeout: float | None) -> dict[str, Any] | None:  # noqa: ASYNC109 - as in AgentUI
        """Return the oldest unread action of a person, or the next one; None after `timeout` seconds without any."""
        ...

    def close(self, surface_id: str) -> bool:
        """Take a surface away; False when it is not there."""
        ...


@dataclass(frozen=True)
class ExecOptions:
    """What a run may need besides its prompt; every field has a sensible default.

    `cwd` is the folder the agent works in. Times are seconds; None means no limit.
    `mcp_config` is the common form `{"mcpServers": {name: {"type": "http", "url": …} | {"command": …, "args": […]}}}`.
    `trusted_servers` names those of its servers whose tools run without asking: the app's own, never a person's.
    `ui` gets the agent's questions and permission requests; without it they are declined. `permissions="auto"` allows
    every tool once each time, without asking; nothing is ever granted for longer than the session.
    `desk` is where an agent of our own process draws.
    `fresh_after_failed_resume`: when the agent lost the session to resume, start a new one and say so.
    """

    cwd: str | Path = "."
    model: str | None = None
    system_prompt: str | None = None
    max_turns: int | None = None
    timeout: float | None = None
    resume_session_id: str | None = None
    custom_args: Sequence[str] = ()
    mcp_config: Mapping[str, Any] | None = None
    ui: "AgentUI | None" = field(default=None, kw_only=True)
    desk: Desk | None = field(default=None, kw_only=True)
    env: Mapping[str, str] = field(default_factory=dict, kw_only=True)
    trusted_servers: Sequence[str] = field(default=(), kw_only=True)
    permissions: Literal["ask", "auto"] = field(default="ask", kw_only=True)
    fresh_after_failed_resume: bool = field(default=True, kw_only=True)
    # Until the agent's first sign of life; for some that is the model's first word, which a local model keeps waiting.
    startup_timeout: float | None = field(default=300.0, kw_only=True)
    idle_timeout: float | None = field(default=1800.0, kw_only=True)  # silence while nothing is known to be going on
    tool_timeout: float | None = field(default=7200.0, kw_only=True)  # silence while a tool runs


class BackendError(Exception):
    """A run cannot start or go on; the text is for people and says what to do."""


class ExecutableNotFound(BackendError):
    """The agent's program is not on this machine, or cannot be run."""


class Backend(ABC):
    """One kind of coding agent. Stateless: any number of runs may be open at once."""

    name: ClassVar[str]  # what `backends.new` knows it by
    header: ClassVar[str]  # how it is launched, for people
    program: ClassVar[str]  # the executable looked for on PATH when none is given
    install: ClassVar[str]  # the command that installs it, told when it is missing

    def __init__(self, executable: str | Path | None = None) -> None:
        self.executable = str(executable) if executable is not None else None

    @abstractmethod
    async def execute(self, prompt: str, options: ExecOptions | None = None) -> "Run":
        """Start work on `prompt` and return at once.

        Raises ExecutableNotFound, or BackendError for options that cannot work (a folder that is not there); whatever
        happens after the start is told by the run's result.
        """

    async def models(self) -> list[str]:
        """Return the models this agent offers, best known first; empty when it cannot say."""
        return []
