"""`TerminalUI`: plain questions and answers, line by line, for whoever sits at a terminal."""
# ruff: noqa: ASYNC109 - see protocol.py

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from .protocol import CALL_TIMEOUT, CallTimeout, Err, Ok, Reason, Result

CANCEL = "/cancel"
END = "."

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # a program must not steer the person's terminal


class TerminalUI:
    """Shows text through `write`, and is given what the person types through `receive_line` and `receive_end`.

    One question at a time, first come, first served.
    """

    has_ui = True

    def __init__(self, write: Callable[[str], object]):
        self._write = write
        self._turn = asyncio.Lock()
        self._waiting = 0
        self._prompt = ""
        self._line: asyncio.Future[str] | None = None  # set while a question waits for a line
        self._ended = False
        self._editor_text = ""

    def receive_line(self, line: str) -> bool:
        """Take a typed line without its line end. False if no question is open, so that it is for somebody else."""
        if self._line is None or self._line.done():
            return False
        self._line.set_result(line)
        return True

    def receive_end(self) -> None:
        """Take the end of the input: nobody will answer any more."""
        self._ended = True
        if self._line is not None and not self._line.done():
            self._line.set_exception(EOFError())

    async def select(
        self,
        title: str,
        options: Sequence[Mapping[str, Any]],
        *,
        timeout: float | None = CALL_TIMEOUT,
        **opts: Any,
    ) -> Result:
        return await self._dialog(lambda: self._select(title, options), timeout)

    async def confirm(self, title: str, message: str, *, timeout: float | None = CALL_TIMEOUT, **opts: Any) -> Result:
        return await self._dialog(lambda: self._confirm(title, message), timeout)

    async def input(
        self, title: str, placeholder: str | None = None, *, timeout: float | None = CALL_TIMEOUT, **opts: Any
    ) -> Result:
        return await self._dialog(lambda: self._input(title, placeholder), timeout)

    async def editor(
        self, title: str, prefill: str | None = None, *, timeout: float | None = CALL_TIMEOUT, **opts: Any
    ) -> Result:
        return await self._dialog(lambda: self._editor(title, prefill), timeout)

    def notify(self, message: str, type: str = "info", **opts: Any) -> None:
        self._say(f"[{type}] {message}")

    def set_status(self, key: str, text: str | None) -> None:
        if text is not None:
            self._say(f"[{key}] {text}")

    def set_widget(self, key: str, content: str | Sequence[str] | None, **opts: Any) -> None:
        if content is not None:
            lines = content.splitlines() if isinstance(content, str) else content
            self._say("\n  ".join([f"[{key}]", *lines]))

    def set_working_message(self, message: str | None) -> None:
        if message is not None:
            self._say(f"... {message}")

    def set_title(self, title: str) -> None:
        self._say(f"== {title} ==")

    def set_editor_text(self, text: str | None) -> None:
        self._editor_text = text or ""
        if text:
            self._say(f"[prompt] {text}")

    def get_editor_text(self) -> str:
        return self._editor_text

    async def _dialog(self, ask: Callable[[], Awaitable[Result]], timeout: float | None) -> Result:
        self._waiting += 1
        try:
            async with asyncio.timeout(timeout), self._turn:
                return await ask()
        except TimeoutError as error:
            raise CallTimeout(f"no answer within {timeout} seconds") from error
        except EOFError:
            return Err(Reason.CONNECTION_CLOSED)
        finally:
            self._waiting -= 1

    async def _select(self, title: str, options: Sequence[Mapping[str, Any]]) -> Result:
        """A number chooses, other text filters labels and descriptions, blanks show all again."""
        shown = list(options)
        while True:
            lines = [f"  {number}) {_label(option)}" for number, option in enumerate(shown, 1)]
            line = await self._ask("\n".join([title, *lines]), "Number, or text to filter (empty line cancels): ")
            if not line:
                return Ok(None)
            if line.strip().isdecimal() and 1 <= int(line) <= len(shown):
                return Ok(shown[int(line) - 1]["value"])
            wanted = line.strip().casefold()
            shown = [option for option in options if wanted in _label(option).casefold()]
            if not shown:
                self._say(f"Nothing matches {line.strip()}.")
                shown = list(options)

    async def _confirm(self, title: str, message: str) -> Result:
        while True:
            answer = (await self._ask(f"{title}\n{message}", "[y/N] ")).strip().casefold()
            if answer in ("y", "yes"):
                return Ok(True)
            if answer in ("", "n", "no"):
                return Ok(False)

    async def _input(self, title: str, placeholder: str | None) -> Result:
        hint = f"{placeholder}; {CANCEL} cancels" if placeholder else f"{CANCEL} cancels"
        line = await self._ask(title, f"({hint}) ")
        return Ok(None if line.strip() == CANCEL else line)

    async def _editor(self, title: str, prefill: str | None) -> Result:
        """Lines up to a single dot; a dot at once keeps what was there."""
        text = f"{title}\n{prefill}" if prefill else title
        help = f"Type the text and end it with a line of one dot; {CANCEL} cancels"
        lines = [await self._ask(text, f"{help}{'; a dot at once keeps the text above' if prefill else ''}:\n")]
        while lines[-1].strip() not in (END, CANCEL):
            lines.append(await self._ask(None, ""))
        if lines.pop().strip() == CANCEL:
            return Ok(None)
        return Ok("\n".join(lines) if lines else prefill or "")

    async def _ask(self, text: str | None, prompt: str) -> str:
        """Show `text`, how many other questions wait, and the prompt; return the next line. Raises EOFError."""
        if self._ended:
            raise EOFError
        if text is not None:
            others = self._waiting - 1
            self._say(f"\n? {text}" + (f"\n  ({others} more waiting)" if others else ""))
        self._prompt = _clean(prompt)
        self._write(self._prompt)
        self._line = asyncio.get_running_loop().create_future()
        try:
            return await self._line
        finally:
            self._line, self._prompt = None, ""

    def _say(self, text: str) -> None:
        """Write a text of its own lines; a prompt that it interrupts is shown again."""
        self._write(("\n" if self._prompt else "") + _clean(text) + "\n" + self._prompt)


def _label(option: Mapping[str, Any]) -> str:
    return f"{option['label']} - {option['description']}" if option.get("description") else str(option["label"])


def _clean(text: str) -> str:
    return _CONTROL.sub("", text)
