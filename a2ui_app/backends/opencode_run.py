"""The lines of `opencode run --format json`, without I/O.

One process is one prompt, given on stdin. Tools are told when they are over; questions are not there, and permissions
that the configuration does not grant are rejected by opencode itself (see opencode_serve.py for asking).
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from .base import Message, MessageType, Outcome, Status, TokenUsage, Usage
from .line_backend import Event, Parser, Session
from .texts import events_of

LOST_SESSION = "session not found"
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")


class OpencodeRunParser(Parser):
    """The protocol of one `opencode run` process; `model` is only for the usage, since the events do not name it."""

    def __init__(self, resume: str | None = None, model: str | None = None) -> None:
        self._resume = resume
        self._model = model or ""
        self._session_id = ""
        self._output = ""
        self._failure = ""
        self._open_step = False
        self._reason = ""  # why the last step ended
        self._usage = TokenUsage()
        self._status = Status.FAILED
        self._error = "opencode ended before it gave an answer"

    def prompt(self, text: str) -> bytes:
        return text.encode()

    def receive(self, line: bytes) -> list[Event]:
        return events_of(line, self._event)

    def _event(self, event: Mapping[str, Any]) -> Iterator[Event]:
        session_id, part = event.get("sessionID", ""), event.get("part", {})
        if session_id and not self._session_id:
            self._session_id = session_id
            yield Session(session_id)
            yield Message(MessageType.STATUS, "Session started", input={"session_id": session_id}, level="session")
        match event.get("type"):
            case "step_start":
                self._open_step, self._output = True, ""
            case "text":
                self._output += part["text"]
                yield Message(MessageType.TEXT, part["text"], call_id=part["id"])
            case "reasoning":
                yield Message(MessageType.THINKING, part["text"], call_id=part["id"])
            case "tool_use":
                self._output = ""
                yield from tool_messages(part)
            case "step_finish":
                self._open_step, self._reason = False, part.get("reason", "")
                self._usage += token_usage(part.get("tokens"))
            case "error":
                self._failure = error_text(event.get("error"))
                yield Message(MessageType.ERROR, self._failure)
            case other:
                yield Message(MessageType.LOG, f"event {other}", level="debug")

    def ended(self, returncode: int | None, stderr: str) -> None:
        stderr = _COLOUR.sub("", stderr).strip()
        self.lost_session = bool(self._resume and not self._session_id and LOST_SESSION in stderr.lower())
        self._error = self._why(returncode, stderr)
        self._status = Status.FAILED if self._error else Status.COMPLETED

    def _why(self, returncode: int | None, stderr: str) -> str:
        """Return why the run failed, empty when it did not. The exit code is 0 also when nothing was done."""
        if self._failure:
            return self._failure
        if returncode != 0:
            return stderr or f"opencode ended with exit code {returncode}"
        if self._reason == "tool-calls":  # the model wanted to go on: a permission was rejected, or it was cut off
            return stderr or "opencode stopped after a tool call, before the answer"
        if self._open_step or not self._reason:
            return stderr or "opencode ended before it gave an answer"
        return ""

    def outcome(self) -> Outcome:
        usage: Usage = {self._model: self._usage} if self._usage else {}
        resumed = None if self._resume is None else self._session_id == self._resume
        return Outcome(self._status, self._output, self._error, self._session_id, usage, resumed)


def tool_messages(part: Mapping[str, Any]) -> Iterator[Message]:
    """Return what a tool part says: that it was called (with its input, once known), and how it ended."""
    state, call_id = part["state"], part["callID"]
    yield Message(MessageType.TOOL_USE, tool=part["tool"], call_id=call_id, input=state.get("input") or {})
    if state["status"] == "completed":
        yield Message(MessageType.TOOL_RESULT, call_id=call_id, output=str(state.get("output", "")))
    elif state["status"] == "error":
        yield Message(MessageType.TOOL_RESULT, call_id=call_id, output=str(state.get("error", "")), level="error")


def token_usage(tokens: Mapping[str, Any] | None) -> TokenUsage:
    """Return the usage of a step or message; opencode counts cached tokens outside of its input, reasoning too."""
    if not tokens:
        return TokenUsage()
    cache = tokens.get("cache") or {}
    output = (tokens.get("output") or 0) + (tokens.get("reasoning") or 0)
    return TokenUsage(tokens.get("input") or 0, output, cache.get("read") or 0, cache.get("write") or 0)


def error_text(error: Any) -> str:
    """Return what an error of opencode says."""
    if not isinstance(error, Mapping):
        return str(error)
    data = error.get("data")
    return str((data.get("message") if isinstance(data, Mapping) else None) or error.get("name") or "opencode failed")
