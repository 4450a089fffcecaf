"""`codex app-server`: its JSON-RPC lines, without I/O.

The thread is started or resumed, its MCP servers are waited for (the first prompt would not know their tools
otherwise), and only then the prompt goes out.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from .base import Message, MessageType, Outcome, Status, TokenUsage, Usage
from .dialogs import Choice, Option, Permission, Question, Questions, Request
from .line_backend import Ask, Event, Parser, Session, TurnEnded, Withdraw, Write
from .texts import content_text, events_of

METHOD_NOT_FOUND = -32601

_DECISIONS = {
    "accept": Choice("accept", "Allow once", "allow_once"),
    "acceptForSession": Choice("acceptForSession", "Allow for this session", "allow_session"),
    "decline": Choice("decline", "Deny", "reject_once"),
}
_ELICITATION = (Choice("accept", "Allow once", "allow_once"), Choice("decline", "Deny", "reject_once"))
_NOT_TOOLS = ("userMessage", "agentMessage", "reasoning", "error")


class CodexParser(Parser):
    """One app-server process and its thread. ``thread`` are the parameters it is started or resumed with."""

    def __init__(self, thread: Mapping[str, Any], *, resume: str | None = None, trusted: tuple[str, ...] = ()):
        self._thread = thread
        self._resume = resume
        self._trusted = trusted
        self._sent = 0
        self._requests: dict[int, str] = {}  # our open requests: id -> method
        self._thread_id = ""
        self._model = ""
        self._starting = set((thread.get("config") or {}).get("mcp_servers") or {})  # servers that are not up yet
        self._prompt: str | None = None
        self._asked: dict[str, Any] = {}  # open requests of codex: our id -> its id
        self._kinds: dict[str, str] = {}  # and what they are about
        self._new_turn()

    def _new_turn(self) -> None:
        self._turn_id = ""
        self._status = ""
        self._error = ""
        self._output = ""
        self._told: set[str] = set()  # items whose text came in pieces
        self._items: dict[str, Mapping[str, Any]] = {}
        self._before: TokenUsage | None = None  # the thread's tokens before this turn
        self._total = TokenUsage()

    # -- for the driver --------------------------------------------------------------------------------------------

    def open(self) -> bytes:
        client = {"name": "a2ui-app", "title": "A2UI App", "version": "1"}
        hello = self._request("initialize", clientInfo=client, capabilities={"experimentalApi": True})
        return hello + _line({"method": "initialized"})

    def prompt(self, text: str) -> bytes:
        self._new_turn()
        self._prompt = text
        return self._start_turn()

    def interrupt(self) -> bytes:
        if not self._turn_id:
            return b""
        return self._request("turn/interrupt", threadId=self._thread_id, turnId=self._turn_id)

    def answer(self, request_id: str, answer: Any) -> bytes:
        id = self._asked.pop(request_id, None)
        kind = self._kinds.pop(request_id, "")
        if id is None:
            return b""
        if kind == "elicitation":
            result: dict[str, Any] = {"action": answer.id if answer else "decline", "content": {}, "_meta": None}
        elif kind == "questions":
            result = {"answers": {name: {"answers": given} for name, given in (answer or {}).items()}}
        else:
            result = {"decision": answer.id if answer else "decline"}
        return _line({"id": id, "result": result})

    def receive(self, line: bytes) -> list[Event]:
        return events_of(line, self._understand)

    def ended(self, returncode: int | None, stderr: str) -> None:
        if not self._status and not self._error:
            told = f": {stderr.strip()}" if stderr.strip() else ""
            self._error = f"codex ended before its answer (exit code {returncode}){told}"

    def outcome(self) -> Outcome:
        status = {"completed": Status.COMPLETED, "interrupted": Status.ABORTED}.get(self._status, Status.FAILED)
        error = (self._error or "codex gave no answer") if status is Status.FAILED else ""
        resumed = None if self._resume is None else not self.lost_session
        return Outcome(status, self._output, error, self._thread_id, self._usage(), resumed)

    def _usage(self) -> Usage:
        used = self._total - (self._before or TokenUsage())
        return {self._model: used} if used else {}

    # -- what codex sends ------------------------------------------------------------------------------------------

    def _understand(self, message: Mapping[str, Any]) -> Iterator[Event]:
        method, params = message.get("method"), message.get("params") or {}
        if method is None:
            asked = self._requests.pop(message.get("id"), "")  # type: ignore[arg-type]
            if "error" in message:
                yield from self._refused(asked, message["error"])
            else:
                yield from self._answered(asked, message.get("result") or {})
        elif "id" in message:
            yield from self._ask(message["id"], method, params)
        elif params.get("threadId", self._thread_id) in ("", self._thread_id):
            yield from self._notified(method, params)

    def _answered(self, asked: str, result: Mapping[str, Any]) -> Iterator[Event]:
        if asked == "initialize":
            if self._resume:
                # Without its turns: a long thread's answer would be longer than the longest line we read.
                yield Write(self._request("thread/resume", threadId=self._resume, excludeTurns=True, **self._thread))
            else:
                yield Write(self._request("thread/start", **self._thread))
        elif asked in ("thread/start", "thread/resume"):
            self._thread_id = str(result["thread"]["id"])
            self._model = str(result.get("model") or self._thread.get("model") or "")
            yield Session(self._thread_id)
            yield from self._go_on()
        elif asked == "turn/start":
            self._turn_id = str((result.get("turn") or {}).get("id") or "")

    def _refused(self, asked: str, error: Mapping[str, Any]) -> Iterator[Event]:
        if asked == "thread/resume":
            self.lost_session = True
            yield TurnEnded()
        elif asked != "turn/interrupt":
            self._error = str(error.get("message") or "codex refused")
            yield Message(MessageType.ERROR, self._error)
            yield TurnEnded()

    def _notified(self, method: str, params: Mapping[str, Any]) -> Iterator[Event]:
        match method:
            case "mcpServer/startupStatus/updated" if params.get("status") != "starting":
                self._starting.discard(params.get("name"))
                if params.get("error"):
                    text = f"the MCP server {params.get('name')} did not start: {params['error']}"
                    yield Message(MessageType.LOG, text, level="warning")
                yield from self._go_on()
            case "item/started":
                yield from self._item(params["item"], done=False)
            case "item/completed":
                yield from self._item(params["item"], done=True)
            case "item/agentMessage/delta":
                self._told.add(params["itemId"])
                yield Message(MessageType.TEXT, params["delta"], call_id=params["itemId"])
            case "item/reasoning/summaryTextDelta" | "item/reasoning/textDelta":
                self._told.add(params["itemId"])
                yield Message(MessageType.THINKING, params["delta"], call_id=params["itemId"])
            case "turn/plan/updated":
                call_id = f"plan-{params.get('turnId')}"
                plan = {"plan": [dict(step) for step in params.get("plan") or []]}
                yield Message(MessageType.TOOL_USE, tool="plan", call_id=call_id, input=plan)
                yield Message(MessageType.TOOL_RESULT, call_id=call_id)
            case "thread/tokenUsage/updated":
                self._count(params["tokenUsage"])
            case "serverRequest/resolved":
                yield from self._resolved(params.get("requestId"))
            case "error":
                yield from self._failed(params)
            case "turn/completed" if self._turn_id in ("", params["turn"].get("id") or self._turn_id):
                self._complete(params["turn"])
                yield TurnEnded()

    def _failed(self, params: Mapping[str, Any]) -> Iterator[Event]:
        text = str((params.get("error") or {}).get("message") or "codex failed")
        if params.get("willRetry"):
            yield Message(MessageType.STATUS, text, level="retrying")
        else:
            self._error = text
            yield Message(MessageType.ERROR, text)

    def _complete(self, turn: Mapping[str, Any]) -> None:
        self._status = str(turn.get("status") or "")
        self._turn_id = ""
        if turn.get("error"):
            self._error = str(turn["error"].get("message") or self._error)

    def _count(self, usage: Mapping[str, Any]) -> None:
        """The counters are the thread's, so what it had used before this turn is taken off."""
        self._total = _tokens(usage.get("total") or {})
        if self._before is None:
            self._before = self._total - _tokens(usage.get("last") or {})

    # -- items -----------------------------------------------------------------------------------------------------

    def _item(self, item: Mapping[str, Any], *, done: bool) -> Iterator[Message]:
        kind, id = str(item.get("type")), str(item["id"])
        self._items[id] = item
        if kind == "agentMessage" and done:
            self._output = str(item.get("text") or "")
            if id not in self._told and self._output:
                yield Message(MessageType.TEXT, self._output, call_id=id)
        elif kind == "reasoning" and done and id not in self._told:
            text = "\n".join(content_text(part) for part in item.get("summary") or item.get("content") or [])
            if text:
                yield Message(MessageType.THINKING, text, call_id=id)
        elif kind not in _NOT_TOOLS:
            tool, call = _call(kind, item)
            yield Message(MessageType.TOOL_USE, tool=tool, call_id=id, input=call)
            if done:
                level = "error" if item.get("status") in ("failed", "declined") or item.get("error") else ""
                yield Message(MessageType.TOOL_RESULT, call_id=id, output=_output(item), level=level)

    # -- what codex asks -------------------------------------------------------------------------------------------

    def _ask(self, id: Any, method: str, params: Mapping[str, Any]) -> Iterator[Event]:
        request_id = f"request-{id}"
        request = self._request_of(method, params)
        if request is None:
            error = {"code": METHOD_NOT_FOUND, "message": f"method not found: {method}"}
            yield Write(_line({"id": id, "error": error}))
            return
        self._asked[request_id] = id
        self._kinds[request_id] = {
            "mcpServer/elicitation/request": "elicitation",
            "item/tool/requestUserInput": "questions",
        }.get(method, "decision")
        yield Ask(request_id, request)

    def _request_of(self, method: str, params: Mapping[str, Any]) -> Request | None:
        match method:
            case "item/commandExecution/requestApproval":
                return Permission("Run this command?", str(params.get("command") or ""), _choices(params))
            case "item/fileChange/requestApproval":
                item = self._items.get(str(params.get("itemId")), {})
                paths = "\n".join(str(change.get("path")) for change in item.get("changes") or [])
                return Permission("Change these files?", paths or str(params.get("reason") or ""), _choices(params))
            case "mcpServer/elicitation/request":
                server = str(params.get("serverName"))
                about = params.get("_meta") or {}
                if about.get("codex_approval_kind") != "mcp_tool_call":
                    return Permission(f"{server} asks", str(params.get("message") or ""), _ELICITATION)
                title = f"Use {about.get('tool_name')} of {server}?"
                detail = orjson.dumps(about.get("tool_params") or {}).decode()[:500]
                return Permission(title, detail, _ELICITATION, trusted=server in self._trusted)
            case "item/tool/requestUserInput":
                return Questions([_question(one) for one in params.get("questions") or []])
        return None

    def _resolved(self, id: Any) -> Iterator[Event]:
        request_id = f"request-{id}"
        self._kinds.pop(request_id, None)
        if self._asked.pop(request_id, None) is not None:
            yield Withdraw(request_id)

    # -- sending ---------------------------------------------------------------------------------------------------

    def _go_on(self) -> Iterator[Event]:
        if data := self._start_turn():
            yield Write(data)

    def _start_turn(self) -> bytes:
        """Send the prompt once there is a thread whose servers are up."""
        if self._prompt is None or not self._thread_id or self._starting:
            return b""
        text, self._prompt = self._prompt, None
        return self._request("turn/start", threadId=self._thread_id, input=[{"type": "text", "text": text}])

    def _request(self, method: str, **params: Any) -> bytes:
        self._sent += 1
        self._requests[self._sent] = method
        return _line({"id": self._sent, "method": method, "params": params})


def _line(message: Mapping[str, Any]) -> bytes:
    return orjson.dumps({"jsonrpc": "2.0", **message}) + b"\n"


def _tokens(counts: Mapping[str, Any]) -> TokenUsage:
    """codex counts cached tokens as input, and reasoning as output."""
    cached = int(counts.get("cachedInputTokens") or 0)
    written = int(counts.get("cacheWriteInputTokens") or 0)
    fresh = max(0, int(counts.get("inputTokens") or 0) - cached - written)
    return TokenUsage(fresh, int(counts.get("outputTokens") or 0), cached, written)


def _choices(params: Mapping[str, Any]) -> list[Choice]:
    """The decisions that codex offers and that hold for the session at most; declining is always one."""
    offered = params.get("availableDecisions") or ["accept", "acceptForSession"]
    names = [name for name in offered if isinstance(name, str)]
    return [choice for name, choice in _DECISIONS.items() if name in names or name == "decline"]


def _question(one: Mapping[str, Any]) -> Question:
    return Question(
        id=str(one["id"]),
        text=str(one.get("question") or ""),
        header=str(one.get("header") or ""),
        options=[Option(str(o["label"]), str(o.get("description") or "")) for o in one.get("options") or []],
        free_text=one.get("isOther") is True,
        secret=one.get("isSecret") is True,
    )


def _call(kind: str, item: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    match kind:
        case "commandExecution":
            return "exec_command", {"command": item.get("command") or "", "cwd": item.get("cwd") or ""}
        case "fileChange":
            changes = [{"path": c.get("path"), "diff": c.get("diff") or ""} for c in item.get("changes") or []]
            return "patch_apply", {"changes": changes}
        case "mcpToolCall":
            return f"{item.get('server')}.{item.get('tool')}", dict(item.get("arguments") or {})
        case "webSearch":
            return "web_search", {"query": item.get("query") or ""}
    named = ("id", "type", "status", "result", "error", "startedAtMs", "completedAtMs", "durationMs")
    return kind, {name: value for name, value in item.items() if name not in named and value is not None}


def _output(item: Mapping[str, Any]) -> str:
    if item.get("error"):
        error = item["error"]
        return str(error.get("message") if isinstance(error, Mapping) else error)
    result = item.get("result")
    if isinstance(result, Mapping):
        return content_text(result.get("content"))
    return str(item.get("aggregatedOutput") or result or "")
