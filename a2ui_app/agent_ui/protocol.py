"""`AgentUI`: what a coding agent may ask of, and tell, the person who watches it; and the results of asking.

Dialogs are coroutines that end in `Ok(value)` or `Err(reason)`; everything else returns at once.
"""

# ruff: noqa: ASYNC109 - the time-out of a call is an argument that adapters pass on, not only a limit of our own
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, Protocol, TypeAlias, TypeVar, runtime_checkable

CALL_TIMEOUT = 35.0  # seconds a caller waits by default; more than an adapter's own 30, which answers Err(TIMEOUT)

T = TypeVar("T")


class Reason(Enum):
    """Why a dialog failed on our side. A plain Enum: a client's own "timeout" must never equal `Reason.TIMEOUT`."""

    TIMEOUT = "timeout"
    CONNECTION_CLOSED = "connection_closed"
    SERVER_SHUTDOWN = "server_shutdown"
    INVALID_RESPONSE = "invalid_response"


@dataclass(frozen=True)
class Ok(Generic[T]):
    """The person's answer; `Ok(None)` says that they cancelled."""

    value: T


@dataclass(frozen=True)
class Err:
    """No answer: a `Reason` of ours, or the value that the client sent as its error, unchanged."""

    reason: Any


Result: TypeAlias = Ok[Any] | Err


class CallTimeout(TimeoutError):
    """The `timeout` of one call ended before the adapter's own timer. The dialog itself stays open until that timer."""


@runtime_checkable
class AgentUI(Protocol):
    """The twelve operations. `**opts` of a dialog or a widget are hints for the client, passed on as they are.

    `timeout` limits how long this caller waits, in seconds (None: no limit), and raises `CallTimeout`. An adapter that
    answers at once may ignore it, and one with a timer of its own ends the dialog with `Err(Reason.TIMEOUT)`.
    """

    @property
    def has_ui(self) -> bool:
        """Whether a person can answer."""
        ...

    async def select(
        self,
        title: str,
        options: Sequence[Mapping[str, Any]],
        *,
        timeout: float | None = CALL_TIMEOUT,
        **opts: Any,
    ) -> Result:
        """Ask for one of `options`, each `{"label", "value", "description"?}`; the result is the value."""
        ...

    async def confirm(self, title: str, message: str, *, timeout: float | None = CALL_TIMEOUT, **opts: Any) -> Result:
        """Ask yes or no; the result is True or False."""
        ...

    async def input(
        self, title: str, placeholder: str | None = None, *, timeout: float | None = CALL_TIMEOUT, **opts: Any
    ) -> Result:
        """Ask for one line of text."""
        ...

    async def editor(
        self, title: str, prefill: str | None = None, *, timeout: float | None = CALL_TIMEOUT, **opts: Any
    ) -> Result:
        """Ask for a longer text, which starts as `prefill`."""
        ...

    def notify(self, message: str, type: str = "info", **opts: Any) -> None:
        """Show a message; `type` is info, warning, error or success."""
        ...

    def set_status(self, key: str, text: str | None) -> None:
        """Show `text` as the status called `key`; None clears it."""
        ...

    def set_widget(self, key: str, content: str | Sequence[str] | None, **opts: Any) -> None:
        """Show a text or lines as the widget called `key`; None removes it."""
        ...

    def set_working_message(self, message: str | None) -> None:
        """Say what the agent is doing; None when it is doing nothing."""
        ...

    def set_title(self, title: str) -> None:
        """Set the title of the window or page."""
        ...

    def set_editor_text(self, text: str | None) -> None:
        """Put `text` into the person's prompt box; None empties it."""
        ...

    def get_editor_text(self) -> str:
        """Return what was last set; what the person typed since is not seen."""
        ...
