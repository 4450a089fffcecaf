"""The RPC protocol of pi, without I/O: commands out, events in, and its UI protocol."""

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from .base import Message, MessageType, Outcome, Status, TokenUsage, Usage
from .dialogs import UICall
from .line_backend import Ask, Event, Parser, Session, Tell, TurnEnded
from .texts import content_text, events_of

LOST_SESSION = ("no session found", "session not found", "no such session")


class PiParser(Parser):
    """The protocol of one `pi --mode rpc` process."""

    def __init__(self, resume: str | None = None) -> None:
        self._resume = resume
        self._session_id = ""
        self._counter = 0
        self._dialogs: dict[str, str] = {}  # open UI requests: id -> method
        self._turn = _TurnState()

    # --- out ----------------------------------------------------------------------------------------------------

    def open(self) -> bytes:
        return _line({"id": "state", "type": "get_state"})

    def prompt(self, text: str) -> bytes:
        self._turn = _TurnState()
        self._counter += 1
        return _line({"id": f"prompt-{self._counter}", "type": "prompt", "message": text})

    def interrupt(self) -> bytes:
        self._dialogs.clear()
        return _line({"type": "abort"})

    def answer(self, request_id: str, answer: Any) -> bytes:
        method = self._dialogs.pop(request_id, None)
        if method is None:
            return b""
        reply: dict[str, Any] = {"type": "extension_ui_response", "id": request_id}
        if answer is None:
            return _line({**reply, "cancelled": True})
        return _line({**reply, **({"confirmed": bool(answer)} if method == "confirm" else {"value": str(answer)})})

    # --- in -----------------------------------------------------------------------------------------------------

    def receive(self, line: bytes) -> list[Event]:
        return events_of(line, self._event)

    def _event(self, event: Mapping[str, Any]) -> Iterator[Event]:
        turn = self._turn
        match event.get("type"):
            case "message_update":
                yield from self._update(event["assistantMessageEvent"])
            case "message_start" if event["message"].get("role") == "assistant":
                turn.messages += 1
            case "message_end" if event["message"].get("role") == "assistant":
                turn.note(event["message"])
            case "tool_execution_start":
                if event["toolCallId"] not in turn.called:
                    yield _tool_use(event["toolName"], event["toolCallId"], event.get("args"))
            case "tool_execution_end":
                level = "error" if event.get("isError") else ""
                output = content_text((event.get("result") or {}).get("content"))
                yield Message(MessageType.TOOL_RESULT, call_id=event["toolCallId"], output=output, level=level)
            case "extension_ui_request":
                yield from self._ui(event)
            case "extension_error":
                yield Message(MessageType.LOG, f"an extension of pi failed: {event.get('error')}", level="warning")
            case "response":
                yield from self._response(event)
            case "session":
                yield from self._session(event["id"])
            case "auto_retry_start":
                yield _retrying(event)
            case "compaction_start" | "auto_compaction_start":
                yield Message(MessageType.STATUS, "Compacting the conversation", level="working")
            case "agent_settled":
                turn.aborted = turn.aborted or bool(event.get("aborted"))
                yield from self._end()

    def _update(self, update: Mapping[str, Any]) -> Iterator[Event]:
        block = f"{self._turn.messages}:{update.get('contentIndex', 0)}"
        match update["type"]:
            case "text_delta":
                yield Message(MessageType.TEXT, update["delta"], call_id=block)
            case "thinking_delta":
                yield Message(MessageType.THINKING, update["delta"], call_id=block)
            case "toolcall_start" if update.get("id"):
                yield _tool_use(update.get("toolName", ""), update["id"], None)  # its input follows
            case "toolcall_end":
                call = update["toolCall"]
                self._turn.called.add(call["id"])
                yield _tool_use(call["name"], call["id"], call.get("arguments"))

    def _response(self, event: Mapping[str, Any]) -> Iterator[Event]:
        command = event.get("command")
        if not event.get("success"):
            error = str(event.get("error") or f"pi refused the command {command}")
            yield Message(MessageType.LOG, error, level="warning")
            if command == "prompt" and event.get("id") == f"prompt-{self._counter}":
                self._turn.error = error
                yield from self._end()
        elif command == "prompt" and (event.get("data") or {}).get("disposition") == "handled":
            yield from self._end()  # by an extension: no model works on it, nothing will settle
        elif command == "get_state":
            yield from self._session(event["data"]["sessionId"])

    def _session(self, session_id: str) -> Iterator[Event]:
        if session_id == self._session_id:
            return
        self._session_id = session_id
        yield Session(session_id)
        yield Message(MessageType.STATUS, "Session started", input={"session_id": session_id}, level="session")

    def _ui(self, event: Mapping[str, Any]) -> Iterator[Event]:
        method, request_id = event["method"], event["id"]
        title = event.get("title", "")
        limit = {"timeout": event["timeout"] / 1000} if event.get("timeout") else {}  # pi answers itself then
        match method:
            case "select":
                options = [{"label": option, "value": option} for option in event.get("options", [])]
                yield self._ask(request_id, method, title=title, options=options, **limit)
            case "confirm":
                yield self._ask(request_id, method, title=title, message=event.get("message", ""), **limit)
            case "input":
                yield self._ask(request_id, method, title=title, placeholder=event.get("placeholder"), **limit)
            case "editor":
                yield self._ask(request_id, method, title=title, prefill=event.get("prefill"), **limit)
            case "notify":
                yield Tell("notify", (event.get("message", ""), event.get("notifyType") or "info"))
            case "setStatus":
                yield Tell("set_status", (event.get("statusKey", ""), event.get("statusText")))
            case "setWidget":
                yield Tell("set_widget", (event.get("widgetKey", ""), event.get("widgetLines")))
            case "setTitle":
                yield Tell("set_title", (title,))
            case "set_editor_text":
                yield Tell("set_editor_text", (event.get("text"),))
            case other:
                yield Message(MessageType.LOG, f"pi's UI request {other} is not known", level="debug")

    def _ask(self, request_id: str, method: Any, **arguments: Any) -> Ask:
        self._dialogs[request_id] = method
        return Ask(request_id, UICall(method, arguments))

    # --- the end of a turn --------------------------------------------------------------------------------------

    def _end(self) -> Iterator[Event]:
        turn = self._turn
        turn.settled = True
        if turn.error and not turn.aborted:
            yield Message(MessageType.ERROR, turn.error)
        yield TurnEnded()

    def ended(self, returncode: int | None, stderr: str) -> None:
        lost = any(phrase in stderr.lower() for phrase in LOST_SESSION)
        self.lost_session = bool(self._resume and not self._session_id and lost)
        self._turn.error = self._turn.error or stderr or f"pi ended (exit code {returncode}) before it gave an answer"

    def outcome(self) -> Outcome:
        turn = self._turn
        resumed = None if self._resume is None else self._session_id == self._resume
        status, error = Status.COMPLETED, ""
        if turn.aborted:
            status = Status.ABORTED
        elif turn.error or not turn.settled:  # the exit code is 0 even after HTTP 500
            status, error = Status.FAILED, turn.error or "pi ended before it gave an answer"
        return Outcome(status, turn.output, error, self._session_id, turn.usage(), resumed)


class _TurnState:
    """What is known about the prompt at work."""

    def __init__(self) -> None:
        self.messages = 0  # of the assistant, so far
        self.output = ""
        self.error = ""
        self.aborted = False
        self.called: set[str] = set()  # calls told with their input
        self.settled = False
        self._usage: Usage = {}

    def note(self, message: Mapping[str, Any]) -> None:
        """Take in a finished message of the assistant."""
        content = message.get("content") or []
        used = message.get("usage") or {}
        tokens = TokenUsage(*(used.get(name) or 0 for name in ("input", "output", "cacheRead", "cacheWrite")))
        model = str(message.get("model", ""))
        self._usage[model] = self._usage.get(model, TokenUsage()) + tokens
        calls = any(block.get("type") == "toolCall" for block in content)
        self.output = "" if calls else "".join(b["text"] for b in content if b.get("type") == "text")
        reason = message.get("stopReason")
        self.aborted = reason == "aborted"
        # A later message, after a retry, takes an error back.
        self.error = str(message.get("errorMessage") or "pi failed") if reason == "error" else ""

    def usage(self) -> Usage:
        return {model: tokens for model, tokens in self._usage.items() if tokens}


def _line(command: Mapping[str, Any]) -> bytes:
    return orjson.dumps(command) + b"\n"


def _tool_use(tool: str, call_id: str, arguments: Any) -> Message:
    return Message(MessageType.TOOL_USE, tool=tool, call_id=call_id, input=arguments or {})


def _retrying(event: Mapping[str, Any]) -> Message:
    text = f"The model's server failed ({event.get('errorMessage')}); attempt {event.get('attempt')} of"
    return Message(MessageType.STATUS, f"{text} {event.get('maxAttempts')}", level="retrying")
