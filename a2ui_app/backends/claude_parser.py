"""The stream-json protocol of Claude Code, without I/O: lines in, events out."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson

from .base import Message, MessageType, Outcome, Status, TokenUsage, Usage
from .dialogs import ALLOW_ONCE, ALLOW_SESSION, REJECT_ONCE, Choice, Option, Permission, Question, Questions
from .line_backend import Ask, Event, Parser, Session, TurnEnded, Withdraw, Write
from .texts import content_text, events_of

LOST_SESSION = "no conversation found"
SYNTHETIC = "<synthetic>"  # the model named in messages that Claude Code makes up, such as API errors


class ClaudeParser(Parser):
    """The protocol of one `claude` process."""

    def __init__(self, resume: str | None = None, trusted_servers: Sequence[str] = ()) -> None:
        self._resume = resume
        self._trusted = tuple(f"mcp__{name}__" for name in trusted_servers)
        self._session_id = ""
        self._model = ""
        self.models: list[str] = []  # what Claude offers, from its answer to `initialize`
        self._baseline: Usage | None = None if resume else {}  # `modelUsage` before this turn; None: unknown
        self._requests: dict[str, Mapping[str, Any]] = {}  # open `can_use_tool` requests
        self._counter = 0
        self._turn = _TurnState()

    # --- out ----------------------------------------------------------------------------------------------------

    def open(self) -> bytes:
        return self._control({"subtype": "initialize", "hooks": None})

    def prompt(self, text: str) -> bytes:
        self._turn = _TurnState()
        return _line({"type": "user", "message": {"role": "user", "content": [{"type": "text", "text": text}]}})

    def interrupt(self) -> bytes:
        self._requests.clear()
        return self._control({"subtype": "interrupt"})

    def answer(self, request_id: str, answer: Any) -> bytes:
        request = self._requests.pop(request_id, None)
        if request is None:
            return b""
        if request.get("tool_name") == "AskUserQuestion":
            return _response(request_id, _question_reply(request, answer))
        return _response(request_id, _permission_reply(request, answer))

    def _control(self, request: Mapping[str, Any]) -> bytes:
        self._counter += 1
        return _line({"type": "control_request", "request_id": f"a2ui-{self._counter}", "request": request})

    # --- in -----------------------------------------------------------------------------------------------------

    def receive(self, line: bytes) -> list[Event]:
        return events_of(line, self._event)

    def _event(self, event: Mapping[str, Any]) -> Iterator[Event]:
        match event.get("type"):
            case "stream_event":
                yield from self._stream(event["event"], event.get("parent_tool_use_id"))
            case "assistant":
                yield from self._assistant(event)
            case "user":
                yield from self._user(event)
            case "system":
                yield from self._system(event)
            case "control_request":
                yield from self._request(event["request_id"], event["request"])
            case "control_cancel_request":
                self._requests.pop(event["request_id"], None)
                yield Withdraw(event["request_id"])
            case "control_response":
                self._note_models(event["response"])
            case "result":
                yield from self._result(event)
            case "tool_progress" | "rate_limit_event" | "keep_alive":
                pass  # signs of life
            case other:
                yield Message(MessageType.LOG, f"event {other}", level="debug")

    def _stream(self, event: Mapping[str, Any], parent: str | None) -> Iterator[Event]:
        """Pieces of a message as the model makes them."""
        turn = self._turn
        match event["type"]:
            case "content_block_delta":
                delta, block = event["delta"], f"{turn.streaming.get(parent, '')}:{event['index']}"
                if delta["type"] == "text_delta":
                    yield _text(delta["text"], block, parent)
                elif delta["type"] == "thinking_delta":
                    yield Message(MessageType.THINKING, delta["thinking"], call_id=block)
            case "message_start":
                message = event["message"]
                turn.streaming[parent] = message["id"]
                turn.streamed.add(message["id"])
                turn.count(message["id"], message.get("model"), message.get("usage"))
            case "message_delta":
                turn.count(turn.streaming.get(parent, ""), None, event.get("usage"))
            case "content_block_start" if event["content_block"]["type"] == "tool_use":
                block = event["content_block"]  # its input follows with the whole message
                yield Message(MessageType.TOOL_USE, tool=block["name"], call_id=block["id"])

    def _assistant(self, event: Mapping[str, Any]) -> Iterator[Event]:
        """A finished block; the blocks of one message come as events with the same message id and usage."""
        message, parent = event["message"], event.get("parent_tool_use_id")
        if event.get("is_api_error_message") or event.get("error") or message.get("model") == SYNTHETIC:
            # Said by Claude Code, not by the model. An error comes again in the result, as the reason of the failure.
            yield Message(MessageType.LOG, content_text(message["content"]), level="warning")
            return
        self._turn.count(message["id"], message.get("model"), message.get("usage"))
        for index, block in enumerate(message["content"]):
            match block["type"]:
                case "text":
                    if parent is None:
                        self._turn.say(message["id"], block["text"])
                    if message["id"] not in self._turn.streamed:
                        yield _text(block["text"], f"{message['id']}:{index}", parent)
                case "thinking":
                    if message["id"] not in self._turn.streamed:
                        yield Message(MessageType.THINKING, block["thinking"], call_id=f"{message['id']}:{index}")
                case "tool_use" | "server_tool_use" | "mcp_tool_use":
                    self._turn.acted = True
                    if parent is None:
                        self._turn.unsay(message["id"])
                    yield Message(MessageType.TOOL_USE, tool=block["name"], call_id=block["id"], input=block["input"])

    def _user(self, event: Mapping[str, Any]) -> Iterator[Event]:
        """Results of tools; text here is what Claude Code tells the model (or a replay), not what a person said."""
        content = event["message"]["content"]
        if isinstance(content, str) or event.get("isReplay"):
            yield Message(MessageType.LOG, content_text(content), level="debug")
            return
        for block in content:
            if str(block.get("type", "")).endswith("tool_result"):
                level = "error" if block.get("is_error") else ""
                output = content_text(block.get("content"))
                yield Message(MessageType.TOOL_RESULT, call_id=block["tool_use_id"], output=output, level=level)

    def _system(self, event: Mapping[str, Any]) -> Iterator[Event]:
        match event.get("subtype"):
            case "init":
                first = not self._session_id
                self._session_id, self._model = event["session_id"], event.get("model", "")
                self._turn.opened = True
                if first:
                    yield Session(self._session_id)
                    details = {"session_id": self._session_id, "model": self._model, "tools": event.get("tools", [])}
                    yield Message(MessageType.STATUS, "Session started", input=details, level="session")
                for server in event.get("mcp_servers", []):
                    if server.get("status") not in ("connected", "pending"):
                        text = f"the MCP server {server.get('name')} is {server.get('status')}"
                        yield Message(MessageType.LOG, text, level="warning")
            case "api_retry":
                yield _retrying(event)
            case "permission_denied":
                yield Message(MessageType.LOG, str(event.get("message", "permission denied")), level="warning")
            case "status":
                if event.get("status") == "compacting":
                    yield Message(MessageType.STATUS, "Compacting the conversation", level="working")
            case other:
                yield Message(MessageType.LOG, f"system {other}", level="debug")

    def _request(self, request_id: str, request: Mapping[str, Any]) -> Iterator[Event]:
        if request.get("subtype") != "can_use_tool":
            text = f"{request.get('subtype')} is not supported"
            error = {"subtype": "error", "request_id": request_id, "error": text}
            yield Write(_line({"type": "control_response", "response": error}))  # it waits for an answer
            return
        self._requests[request_id] = request
        if request["tool_name"] == "AskUserQuestion":
            yield Ask(request_id, _questions(request["input"]))
        else:
            yield Ask(request_id, _permission(request, request["tool_name"].startswith(self._trusted)))

    def _note_models(self, response: Mapping[str, Any]) -> None:
        offered = (response.get("response") or {}).get("models") or []
        if offered:
            self.models = [model["value"] for model in offered if isinstance(model, dict) and "value" in model]

    # --- the end of a turn --------------------------------------------------------------------------------------

    def _result(self, event: Mapping[str, Any]) -> Iterator[Event]:
        turn = self._turn
        errors = [str(error) for error in event.get("errors") or []]
        self.lost_session = bool(
            self._resume and not turn.acted and not turn.opened and LOST_SESSION in " ".join(errors).lower()
        )
        if not self.lost_session and turn.opened:  # a lost session's id is our own, given back
            self._session_id = event.get("session_id") or self._session_id
        turn.status, turn.error = _status(event, errors)
        if turn.status is Status.COMPLETED:
            turn.output = event.get("result") or turn.output
        if event.get("terminal_reason") == "prompt_too_long":
            self._session_id = ""  # going on in this session would fail again
        turn.usage = self._usage(event)
        if turn.status is Status.FAILED and not self.lost_session:
            yield Message(MessageType.ERROR, turn.error)
        yield TurnEnded()

    def _usage(self, event: Mapping[str, Any]) -> Usage:
        """This turn's tokens by model. `usage` is this turn's, `modelUsage` counts the whole session."""
        total = {model: _camel_usage(used) for model, used in (event.get("modelUsage") or {}).items()}
        baseline, self._baseline = self._baseline, {**(self._baseline or {}), **total}
        if total and baseline is not None:
            used = {model: count - baseline.get(model, TokenUsage()) for model, count in total.items()}
        else:  # resumed: what came before is unknown, so `usage`, shared out as the stream had it
            used = dict(self._turn.usage_by_model())
            own = _snake_usage(event.get("usage") or {})
            main = self._model or next(iter(used), "")
            others = sum((count for model, count in used.items() if model != main), TokenUsage())
            if own:
                used[main] = own - others
        used = {model: count for model, count in used.items() if count}
        return used or self._turn.usage_by_model()  # an interrupted turn reports zeros

    def ended(self, returncode: int | None, stderr: str) -> None:
        turn = self._turn
        self.lost_session = bool(self._resume and not turn.opened and LOST_SESSION in stderr.lower())
        turn.status = Status.FAILED
        turn.usage = turn.usage_by_model()
        turn.error = stderr or f"claude ended (exit code {returncode}) before it gave a result"

    def outcome(self) -> Outcome:
        turn = self._turn
        resumed = None if self._resume is None else turn.opened and self._session_id == self._resume
        usage = turn.usage or turn.usage_by_model()
        return Outcome(turn.status, turn.output, turn.error, self._session_id, usage, resumed)


class _TurnState:
    """What is known about the turn at work."""

    def __init__(self) -> None:
        self.status = Status.FAILED  # until a result says otherwise
        self.output = ""
        self.error = "claude ended before it gave a result"
        self.usage: Usage = {}
        self.opened = False  # `init` came: the session exists
        self.acted = False  # a tool was called
        self.streaming: dict[str | None, str] = {}  # subagent's tool call (None: the agent) -> message id
        self.streamed: set[str] = set()  # ids of messages whose text came in pieces
        self._speaker = ""  # id of the message `output` is from
        self._counts: dict[str, tuple[str, dict[str, int]]] = {}  # message id -> model, its latest counts

    def say(self, message_id: str, text: str) -> None:
        """Text of the agent: the answer, unless a tool call or another message follows."""
        self.output = self.output + text if self._speaker == message_id else text
        self._speaker = message_id

    def unsay(self, message_id: str) -> None:
        if self._speaker == message_id:
            self.output = ""

    def count(self, message_id: str, model: str | None, usage: Mapping[str, Any] | None) -> None:
        """Note the usage of a message; it is told again and again, and each field's highest value is its last."""
        known_model, counts = self._counts.get(message_id, ("", {}))
        for name in _SNAKE:
            counts[name] = max(counts.get(name, 0), (usage or {}).get(name) or 0)
        self._counts[message_id] = (model or known_model, counts)

    def usage_by_model(self) -> Usage:
        used: Usage = {}
        for model, counts in self._counts.values():
            used[model] = used.get(model, TokenUsage()) + _snake_usage(counts)
        return {model: count for model, count in used.items() if count}


# --- the shapes of the protocol ---------------------------------------------------------------------------------

_SNAKE = ("input_tokens", "output_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
_CAMEL = ("inputTokens", "outputTokens", "cacheReadInputTokens", "cacheCreationInputTokens")


def _snake_usage(usage: Mapping[str, Any]) -> TokenUsage:
    return TokenUsage(*(usage.get(name) or 0 for name in _SNAKE))


def _camel_usage(usage: Mapping[str, Any]) -> TokenUsage:
    return TokenUsage(*(usage.get(name) or 0 for name in _CAMEL))


def _line(frame: Mapping[str, Any]) -> bytes:
    return orjson.dumps(frame) + b"\n"


def _response(request_id: str, response: Mapping[str, Any]) -> bytes:
    body = {"subtype": "success", "request_id": request_id, "response": response}
    return _line({"type": "control_response", "response": body})


def _text(text: str, block: str, parent: str | None) -> Message:
    """A subagent's text is for its agent; it is told, but it is no part of the answer."""
    return Message(MessageType.TEXT if parent is None else MessageType.THINKING, text, call_id=block)


def _retrying(event: Mapping[str, Any]) -> Message:
    reason = event.get("error_status") or event.get("error") or "no connection"
    text = f"The model's server answered {reason}; attempt {event.get('attempt')} of {event.get('max_retries')}"
    return Message(MessageType.STATUS, text, level="retrying")


def _status(event: Mapping[str, Any], errors: Sequence[str]) -> tuple[Status, str]:
    """How a turn ended. `subtype` alone says nothing: it is "success" for HTTP errors too."""
    reason = str(event.get("terminal_reason") or "")
    if reason.startswith("aborted_"):
        return Status.ABORTED, ""
    subtype = str(event.get("subtype") or "")
    failed = event.get("is_error") or event.get("api_error_status") or subtype.startswith("error")
    if not failed and reason in ("", "completed"):
        return Status.COMPLETED, ""
    text = "; ".join(errors) or event.get("result") or reason or subtype or "claude reported an error"
    if reason == "prompt_too_long":
        text = "The conversation no longer fits into the model's context. Start a new one."
    elif subtype == "error_max_turns":
        text = f"The agent stopped after {event.get('num_turns')} steps, the limit that was set."
    return Status.FAILED, str(text)


def _permission(request: Mapping[str, Any], trusted: bool) -> Permission:
    title = f"Allow {request.get('display_name') or request['tool_name']}?"
    detail = request.get("description") or json.dumps(request.get("input", {}), ensure_ascii=False)
    if why := request.get("decision_reason"):
        detail = f"{detail}\n{why}"
    choices: tuple[Choice, ...] = (ALLOW_ONCE, REJECT_ONCE)
    if request.get("permission_suggestions"):
        choices = (ALLOW_ONCE, ALLOW_SESSION, REJECT_ONCE)
    return Permission(title, detail, choices, trusted)


def _permission_reply(request: Mapping[str, Any], choice: Choice | None) -> dict[str, Any]:
    if choice is None or choice.kind == "reject_once":
        return {"behavior": "deny", "message": "The person did not allow this."}
    reply: dict[str, Any] = {"behavior": "allow", "updatedInput": request.get("input", {})}
    if choice.kind == "allow_session":  # Claude would save some of its suggestions on disk
        suggestions = request.get("permission_suggestions") or []
        reply["updatedPermissions"] = [
            {**suggestion, "destination": "session"}
            for suggestion in suggestions
            if suggestion.get("type") != "setMode"
        ]
    return reply


def _questions(tool_input: Mapping[str, Any]) -> Questions:
    return Questions(
        [
            Question(
                id=item["question"],  # answers go by the text of the question
                text=item["question"],
                header=item.get("header", ""),
                options=[Option(o["label"], o.get("description", "")) for o in item.get("options", [])],
                multiple=bool(item.get("multiSelect")),
            )
            for item in tool_input.get("questions", [])
        ]
    )


def _question_reply(request: Mapping[str, Any], answers: Mapping[str, Sequence[str]] | None) -> dict[str, Any]:
    if answers is None:
        return {"behavior": "deny", "message": "The person did not answer. Go on with your best judgement."}
    texts = {question: ", ".join(answer) for question, answer in answers.items()}
    return {"behavior": "allow", "updatedInput": {**request.get("input", {}), "answers": texts}}
