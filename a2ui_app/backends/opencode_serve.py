"""`opencode serve`: its server-sent events, without I/O, and the requests that answer them.

Unlike `opencode run` it streams text and asks: permissions and questions are answered by a POST.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from .base import Message, MessageType, Outcome, Status, TokenUsage, Usage
from .dialogs import ALLOW_ONCE, REJECT_ONCE, Choice, Option, Permission, Question, Questions
from .line_backend import Ask, Event, TurnEnded, Withdraw
from .opencode_run import error_text, token_usage, tool_messages
from .texts import not_understood

# opencode's "always" lasts as long as its server, which ends with the conversation.
_CHOICES = (ALLOW_ONCE, Choice("always", "Allow for this session", "allow_session"), REJECT_ONCE)
_REPLIES = {"allow_once": "once", "allow_session": "always", "reject_once": "reject"}


@dataclass(frozen=True)
class Post:
    """A request to the server."""

    path: str
    body: Mapping[str, Any]


class OpencodeServeParser:
    """One turn of one session, and of the sessions of its subagents."""

    def __init__(self, session_id: str, resumed: bool | None = None) -> None:
        self._session_id = session_id
        self._family = {session_id}  # with the subagents' sessions: their permissions are asked here, too
        self._resumed = resumed
        self._busy = False
        self._roles: dict[str, str] = {}  # message id -> role
        self._kinds: dict[str, str] = {}  # part id -> type
        self._told: dict[str, int] = {}  # part id -> characters told
        self._running: set[str] = set()  # calls whose input was told
        self._usage: dict[str, tuple[str, TokenUsage]] = {}  # message id -> model, tokens
        self._answer_id = ""  # message the output is from
        self._output = ""
        self._aborted = False
        self._error = ""
        self._ended = False

    def receive(self, data: bytes) -> list[Event]:
        """Return the events of the data of one server-sent event. Never raises."""
        try:
            event = orjson.loads(data)
            return list(self._event(event.get("type"), event.get("properties") or {}))
        except (AttributeError, KeyError, TypeError, ValueError) as error:  # orjson's own error is a ValueError
            return not_understood(error)

    def _event(self, kind: str, properties: Mapping[str, Any]) -> Iterator[Event]:
        if kind == "session.created" and properties["info"].get("parentID") in self._family:
            self._family.add(properties["sessionID"])
        if properties.get("sessionID") not in self._family:
            return
        ours = properties["sessionID"] == self._session_id
        match kind:
            case "message.updated":
                self._message(properties["info"], ours)
            case "message.part.updated":
                yield from self._part(properties["part"], ours)
            case "message.part.delta":
                yield from self._delta(properties["messageID"], properties["partID"], properties["delta"], ours)
            case "session.status":
                yield from self._status(properties["status"], ours)
            case "permission.asked":
                yield Ask(properties["id"], _permission(properties))
            case "question.asked":
                yield Ask(properties["id"], _questions(properties))
            case "permission.replied" | "question.replied" | "question.rejected":
                yield Withdraw(properties["requestID"])  # by whomever: nothing is left to answer
            case "session.error" if ours:
                yield from self._failed(properties.get("error"))
            case "session.idle" if ours and self._busy:
                self._ended = True
                yield TurnEnded()

    def _message(self, info: Mapping[str, Any], ours: bool) -> None:
        self._roles[info["id"]] = info["role"]
        if info["role"] != "assistant":
            return
        self._usage[info["id"]] = (str(info.get("modelID", "")), token_usage(info.get("tokens")))
        if ours and info["id"] != self._answer_id:
            self._answer_id, self._output = info["id"], ""

    def _part(self, part: Mapping[str, Any], ours: bool) -> Iterator[Message]:
        self._kinds[part["id"]] = part["type"]
        if self._roles.get(part["messageID"]) != "assistant":
            return  # the prompt, which comes back
        if part["type"] in ("text", "reasoning"):
            missing = part["text"][self._told.get(part["id"], 0) :]
            yield from self._delta(part["messageID"], part["id"], missing, ours)
        elif part["type"] == "tool":
            yield from self._tool(part, ours)

    def _delta(self, message_id: str, part_id: str, text: str, ours: bool) -> Iterator[Message]:
        if not text or self._roles.get(message_id) != "assistant":
            return
        self._told[part_id] = self._told.get(part_id, 0) + len(text)
        if self._kinds.get(part_id) == "text" and ours:
            self._output += text
            yield Message(MessageType.TEXT, text, call_id=part_id)
        elif self._kinds.get(part_id) in ("text", "reasoning"):  # a subagent talks to its agent
            yield Message(MessageType.THINKING, text, call_id=part_id)

    def _tool(self, part: Mapping[str, Any], ours: bool) -> Iterator[Message]:
        if ours:
            self._output = ""
        call_id, status = part["callID"], part["state"]["status"]
        if status == "running" and call_id in self._running:
            return  # only its progress
        if status == "running":
            self._running.add(call_id)
        yield from tool_messages(part)

    def _status(self, status: Mapping[str, Any], ours: bool) -> Iterator[Message]:
        if status["type"] == "busy" and ours:
            self._busy = True
        elif status["type"] == "retry":
            if ours:
                self._output = ""  # the next attempt says all of it again, in new parts of the same message
            text = f"The model's server failed ({status.get('message')}); attempt {status.get('attempt')}"
            yield Message(MessageType.STATUS, text, level="retrying")

    def _failed(self, error: Any) -> Iterator[Message]:
        if isinstance(error, Mapping) and error.get("name") == "MessageAbortedError":
            self._aborted = True
            return
        self._error = error_text(error)
        yield Message(MessageType.ERROR, self._error)

    def answer(self, request_id: str, answer: Any) -> Post:
        """Return the request that gives `answer` to an `Ask`."""
        if request_id.startswith("per"):
            kind = answer.kind if isinstance(answer, Choice) else "reject_once"
            return Post(f"/permission/{request_id}/reply", {"reply": _REPLIES[kind]})
        if answer is None:
            return Post(f"/question/{request_id}/reject", {})
        return Post(f"/question/{request_id}/reply", {"answers": list(answer.values())})

    def failed(self, error: str) -> None:
        """Note that the connection ended before the turn did."""
        self._error = self._error or error

    def outcome(self) -> Outcome:
        usage: Usage = {}
        for model, used in self._usage.values():
            usage[model] = usage.get(model, TokenUsage()) + used
        usage = {model: used for model, used in usage.items() if used}
        status, error = Status.COMPLETED, ""
        if self._aborted:
            status = Status.ABORTED
        elif self._error or not self._ended:
            status, error = Status.FAILED, self._error or "opencode ended before it gave an answer"
        return Outcome(status, self._output, error, self._session_id, usage, self._resumed)


def _permission(properties: Mapping[str, Any]) -> Permission:
    metadata = properties.get("metadata") or {}
    about = [str(metadata[key]) for key in ("command", "filepath", "filePath", "url") if metadata.get(key)]
    patterns = [str(pattern) for pattern in properties.get("patterns") or []]
    return Permission(f"Allow {properties.get('permission', 'this')}?", "\n".join(about or patterns), _CHOICES)


def _questions(properties: Mapping[str, Any]) -> Questions:
    return Questions(
        [
            Question(
                id=str(index),  # answers go by position
                text=item["question"],
                header=item.get("header", ""),
                options=[Option(o["label"], o.get("description", "")) for o in item.get("options") or []],
                multiple=bool(item.get("multiple")),
                free_text=item.get("custom", True),
            )
            for index, item in enumerate(properties["questions"])
        ]
    )
