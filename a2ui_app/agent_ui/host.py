"""The other side of RPC and DebugRPC: a program asks, any `AgentUI` answers.

`Host` takes the program's lines one by one. Which dialect a line speaks is seen from the line itself, and each request
is answered in its own; what is neither is the program's output.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from functools import partial
from typing import Any, Self

from .dialects import DEBUG_RPC, RPC, Dialect, Notification, Request
from .protocol import AgentUI, Err, Result
from .wire import decode, encode

log = logging.getLogger(__name__)

MAX_OPEN = 1000  # dialogs of one program; more than a person would ever answer

_LEVELS = {"warn": "warning", "warning": "warning", "success": "success", "error": "error"}  # any other is "info"
_NOT_OPTIONS = ("self", "title", "options", "message", "placeholder", "prefill", "key", "content", "timeout", "server")


class BadMessage(ValueError):
    """A message whose params do not fit its method; says where, what was found, and what is expected."""


class Host:
    """Serves one program: its requests become dialogs of `ui`, several at once; `write` sends answers to its stdin.

    A dialog is open as long as the program runs: its own time-out is not on the wire, and it ignores a late answer.
    Leaving the context, when the program is gone, cancels those that are open.
    """

    def __init__(self, ui: AgentUI, write: Callable[[bytes], object]):
        self.dialect: Dialect | None = None  # of the last message; None until there is one
        self._ui = ui
        self._write = write
        self._dialogs: set[asyncio.Task[Result]] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        dialogs = list(self._dialogs)
        for dialog in dialogs:
            dialog.cancel()
        await asyncio.gather(*dialogs, return_exceptions=True)

    @property
    def open_dialogs(self) -> int:
        """How many requests wait for an answer."""
        return len(self._dialogs)

    async def idle(self) -> None:
        """Wait until every request is answered."""
        while self._dialogs:
            await asyncio.wait(self._dialogs)

    def receive(self, line: bytes) -> str | None:
        """Take one line of the program: answer or apply it, or return its text if it is not a UI message."""
        message, dialect = read_line(line)
        if message is None or dialect is None:
            return line.decode(errors="replace").rstrip("\r\n")
        self.dialect = dialect
        if isinstance(message, Request):
            self._open(message, dialect)
            return None
        try:
            apply(self._ui, message)
        except BadMessage as error:
            log.warning("ignored %s: %s", message.method, error)
        return None

    def _open(self, request: Request, dialect: Dialect) -> None:
        if self.open_dialogs >= MAX_OPEN:
            self._respond(
                request, dialect, Err(f"{MAX_OPEN} requests are open; wait for an answer before asking again")
            )
            return
        try:
            dialog = ask(self._ui, request)
        except BadMessage as error:
            self._respond(request, dialect, Err(str(error)))
            return
        task = asyncio.get_running_loop().create_task(dialog)
        self._dialogs.add(task)
        task.add_done_callback(partial(self._close, request, dialect))

    def _close(self, request: Request, dialect: Dialect, dialog: asyncio.Task[Result]) -> None:
        """Answer the request, also when the UI broke: the program must not wait for ever."""
        self._dialogs.discard(dialog)
        if dialog.cancelled():
            return
        if error := dialog.exception():
            log.error("no answer to %s", request.method, exc_info=error)
            self._respond(request, dialect, Err(f"{request.method} failed: {error}"))
        else:
            self._respond(request, dialect, dialog.result())

    def _respond(self, request: Request, dialect: Dialect, result: Result) -> None:
        try:
            line = encode(dialect.response(request.id, result))
        except (TypeError, ValueError, RecursionError) as error:
            log.error("no answer to %s", request.method, exc_info=error)
            line = encode(dialect.response(request.id, Err(f"{request.method} failed: {error}")))
        self._write(line)


def read_line(line: bytes) -> tuple[Request | Notification | None, Dialect | None]:
    """Return the UI message on a program's line and its dialect, or (None, None)."""
    try:
        value = decode(line)
    except ValueError:
        return None, None
    if isinstance(value, Mapping):
        for dialect in (RPC, DEBUG_RPC):
            message = dialect.read_message(value)
            if message is not None:
                return message, dialect
    return None, None


def ask(ui: AgentUI, request: Request) -> Coroutine[Any, Any, Result]:
    """Return the dialog of `ui` that `request` asks for, without a time-out. Raises BadMessage."""
    params, opts = request.params, _opts(request.params)
    title = _text(params, "title") or ""
    match request.method:
        case "select":
            return ui.select(title, _choices(params), timeout=None, **opts)
        case "confirm":
            return ui.confirm(title, _text(params, "message") or "", timeout=None, **opts)
        case "input":
            return ui.input(title, _text(params, "placeholder"), timeout=None, **opts)
        case "editor":
            return ui.editor(title, _text(params, "prefill"), timeout=None, **opts)
    raise BadMessage(f"method: found {request.method!r}, expected select, confirm, input or editor")


def apply(ui: AgentUI, notification: Notification) -> None:
    """Pass `notification` on to `ui`; an empty key or an absent text changes nothing. Raises BadMessage."""
    params = notification.params
    match notification.method:
        case "notify":
            level = params.get("type")
            ui.notify(_text(params, "message") or "", _LEVELS.get(level, "info") if isinstance(level, str) else "info")
        case "set_status":
            if (key := _text(params, "key")) and "text" in params:
                ui.set_status(key, _text(params, "text"))
        case "set_widget":
            if (key := _text(params, "key")) and "content" in params:
                ui.set_widget(key, _content(params["content"]), **_opts(params))
        case "set_working_message":
            ui.set_working_message(_text(params, "message") or None)
        case "set_title":
            ui.set_title(_text(params, "title") or "")
        case "set_editor_text":
            ui.set_editor_text(_text(params, "text"))


def _text(params: Mapping[str, Any], key: str) -> str | None:
    value = params.get(key)
    if value is not None and not isinstance(value, str):
        raise BadMessage(f"params.{key}: found {_brief(value)}, expected a string or null")
    return value


def _choices(params: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    options = params.get("options")
    if not isinstance(options, list):
        raise BadMessage(f"params.options: found {_brief(options)}, expected a list of {{label, value, description?}}")
    for index, option in enumerate(options):
        if not isinstance(option, Mapping) or not isinstance(option.get("label"), str) or "value" not in option:
            raise BadMessage(
                f"params.options[{index}]: found {_brief(option)}, expected an object with a label (string) and a value"
            )
    return options


def _content(value: Any) -> str | Sequence[str] | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(line, str) for line in value):
        return value
    raise BadMessage(f"params.content: found {_brief(value)}, expected a string, a list of strings or null")


def _opts(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the hints of a message, without those that would shadow an argument."""
    opts = params.get("opts") or {}  # Elixir's adapter writes an empty list for none
    if not isinstance(opts, Mapping):
        raise BadMessage(f"params.opts: found {_brief(opts)}, expected an object")
    return {key: value for key, value in opts.items() if key not in _NOT_OPTIONS}


def _brief(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:77] + "..."
