"""The stage of a script: all that an agent can do, one method each.

Scripts know nothing of runs and options. What they show for the time of a turn (statuses, widgets, the working message)
is cleared when the turn is over, in whatever way.
"""

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from ..base import BackendError, Desk, ExecOptions, Message, MessageType
from ..dialogs import ALLOW_ONCE, ALLOW_SESSION, REJECT_ONCE, Dialogs, Permission, Request, UICall, tell
from ..run import Run
from .actions import Action, action_of
from .memory import Session

ORIGIN = "Demo agent"  # who asks, for the dialogs
WORD = 0.04  # seconds from one piece of a text to the next
THOUGHT = 0.02

_PIECES = re.compile(r"\s*\S+\s*")  # words with the space around them: a stream of text as models give it


class Stage:
    """What a script does, and what it may know: the prompt and the session."""

    def __init__(self, run: Run, options: ExecOptions, session: Session, prompt: str, pace: float) -> None:
        self.prompt = prompt
        self.session = session
        self.said = 0  # characters of all that was said, thought and done
        self._run = run
        self._options = options
        self._pace = pace
        self._ids = 0
        self._text: list[str] = []  # pieces of the last text
        self._shown: dict[tuple[str, str], None] = {}  # (operation, key) of what is to be cleared, in order
        self._dialogs = Dialogs(run, options, self._answered)
        self._answers: dict[str, asyncio.Future[Any]] = {}

    @property
    def answer(self) -> str:
        """The last text, as far as it was said."""
        return "".join(self._text)

    # --- telling ------------------------------------------------------------------------------------------------

    async def pause(self, seconds: float) -> None:
        """Wait for `seconds` at the usual pace; others get their turn at any pace."""
        await asyncio.sleep(seconds * self._pace)

    async def say(self, markdown: str, *, lines: bool = False, every: float = WORD) -> None:
        """Stream a text word by word, or line by line, a piece each `every` seconds."""
        block, self._text = self._next_id("text"), []
        for piece in markdown.splitlines(keepends=True) if lines else pieces(markdown):
            self._text.append(piece)
            self._emit(Message(MessageType.TEXT, piece, call_id=block))
            await self.pause(every)

    async def think(self, text: str) -> None:
        """Stream a thought."""
        block = self._next_id("thinking")
        for piece in pieces(text):
            self._emit(Message(MessageType.THINKING, piece, call_id=block))
            await self.pause(THOUGHT)

    async def tool(
        self, name: str, input: Mapping[str, Any], output: str = "", *, seconds: float = 0.8, failed: bool = False
    ) -> None:
        """Use a tool: it is named at once, then its input is known, and after `seconds` its result."""
        call = await self.start_tool(name, input)
        await self.pause(seconds)
        self.end_tool(call, output, failed=failed)

    async def start_tool(self, name: str, input: Mapping[str, Any]) -> str:
        """Start to use a tool; return the id of the call."""
        call = self._next_id("call")
        self._emit(Message(MessageType.TOOL_USE, tool=name, call_id=call))
        await self.pause(0.3)  # models write the input of a tool bit by bit
        self._emit(Message(MessageType.TOOL_USE, tool=name, call_id=call, input=input))
        return call

    def end_tool(self, call: str, output: str, *, failed: bool = False) -> None:
        """Tell the result of a tool."""
        self._emit(Message(MessageType.TOOL_RESULT, call_id=call, output=output, level="error" if failed else ""))

    def state(self, text: str, level: Literal["working", "retrying"] = "working") -> None:
        """Tell what goes on while nothing is said."""
        self._emit(Message(MessageType.STATUS, text, level=level))

    def fail(self, text: str) -> BackendError:
        """Tell an error, and return what to raise for the turn to end with it."""
        self._emit(Message(MessageType.ERROR, text))
        return BackendError(text)

    # --- the person's UI ----------------------------------------------------------------------------------------

    @property
    def can_ask(self) -> bool:
        """Whether a person can answer."""
        return self._options.ui is not None and self._options.ui.has_ui

    async def ask(self, operation: Literal["select", "confirm", "input", "editor"], **arguments: Any) -> Any:
        """Return the answer to a dialog of `AgentUI`, None when there is none; `timeout` is in seconds."""
        return await self._put(UICall(operation, {"origin": ORIGIN, **arguments}))

    async def permit(self, command: str, timeout: float | None = None) -> bool:  # noqa: ASYNC109 - as in AgentUI
        """Return whether `command` may run: this time, or all session. No answer in `timeout` seconds is a no."""
        if command in self.session.allowed:
            return True
        choices = (ALLOW_ONCE, ALLOW_SESSION, REJECT_ONCE)
        chosen = await self._put(Permission("Run this command?", command, choices), timeout)
        if chosen == ALLOW_SESSION:
            self.session.allowed.add(command)
        return chosen in (ALLOW_ONCE, ALLOW_SESSION)

    def notify(self, message: str, kind: Literal["info", "success", "warning", "error"] = "info") -> None:
        tell(self._options, "notify", message, kind)

    def set_title(self, title: str) -> None:
        tell(self._options, "set_title", title)

    def set_editor_text(self, text: str) -> None:
        """Put `text` into the person's prompt box."""
        tell(self._options, "set_editor_text", text)

    def set_working_message(self, message: str) -> None:
        self._show("set_working_message", "", message)

    def set_status(self, key: str, text: str) -> None:
        self._show("set_status", key, text)

    def set_widget(self, key: str, content: str | Sequence[str]) -> None:
        self._show("set_widget", key, content)

    async def leave(self) -> None:
        """Take away what was shown for the time of this turn, and every open dialog."""
        for operation, key in reversed(self._shown):
            tell(self._options, operation, *([key] if key else []), None)
        self._shown.clear()
        await self._dialogs.close()

    # --- surfaces -----------------------------------------------------------------------------------------------

    @property
    def desk(self) -> Desk | None:
        return self._options.desk

    def surface_id(self, name: str) -> str:
        """Return an id for a new surface: `name` with the first number that is free."""
        taken = {surface["surfaceId"] for surface in self._surfaces()}
        number = 1
        while f"{name}-{number}" in taken:
            number += 1
        return f"{name}-{number}"

    def data_of(self, surface_id: str) -> Any:
        """Return the data model of a surface, None when it is not there."""
        found = (surface["dataModel"] for surface in self._surfaces() if surface["surfaceId"] == surface_id)
        return next(found, None)

    def draw(self, *messages: Mapping[str, Any]) -> None:
        """Draw on the page. Raises BackendError when it does not take a message."""
        assert self.desk is not None
        for message, reply in zip(messages, self.desk.draw(list(messages)), strict=True):
            self.said += len(str(message))
            if reply.error is not None:
                raise self.fail(f"The page did not take what was drawn: {reply.error}")

    def close(self, surface_id: str) -> None:
        """Take a surface away."""
        assert self.desk is not None
        self.desk.close(surface_id)

    async def next_action(self, waiting: str, timeout: float | None = None) -> Action | None:  # noqa: ASYNC109
        """Return the next thing the person does on a surface, None after `timeout` seconds; `waiting` says for what."""
        assert self.desk is not None
        with self._run.waiting(waiting):
            message = await self.desk.next_action(timeout)
        return None if message is None else action_of(message)

    # --- inside -------------------------------------------------------------------------------------------------

    def _surfaces(self) -> list[dict[str, Any]]:
        return self.desk.state()["surfaces"] if self.desk is not None else []

    def _emit(self, message: Message) -> None:
        self.said += len(message.content) + len(message.output) + (len(str(message.input)) if message.input else 0)
        self._run.emit(message)

    def _next_id(self, kind: str) -> str:
        self._ids += 1
        return f"{kind}-{len(self.session.exchanges) + 1}.{self._ids}"

    def _show(self, operation: str, key: str, content: Any) -> None:
        self._shown[operation, key] = None
        tell(self._options, operation, *([key] if key else []), content)

    async def _put(self, request: Request, limit: float | None = None) -> Any:
        request_id = self._next_id("question")
        answer = self._answers[request_id] = asyncio.get_running_loop().create_future()
        self._dialogs.open(request_id, request)
        try:
            return await asyncio.wait_for(answer, limit)
        except TimeoutError:
            self._dialogs.withdraw(request_id)
            return None

    def _answered(self, request_id: str, answer: Any) -> None:
        waiting = self._answers.pop(request_id)
        if not waiting.done():  # the turn may have been cut off meanwhile
            waiting.set_result(answer)


def pieces(text: str) -> list[str]:
    """Return `text` in words, with the space around them: joined they are the text again."""
    return _PIECES.findall(text) or [text]
