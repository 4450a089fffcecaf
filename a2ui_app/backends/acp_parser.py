"""The Agent Client Protocol, without I/O: JSON-RPC lines in, events and the lines to send out.

The client's side of version 1. The requests are made with the models of the official SDK, so they are what the
protocol's schema says; what agents send is read leniently, since they differ (see acp_presets.py).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson
from acp import PROTOCOL_VERSION, schema
from pydantic import BaseModel

from .acp_usage import usage_of
from .base import Message, MessageType, Outcome, Status, Usage
from .dialogs import Choice, ChoiceKind, Permission
from .line_backend import Ask, Event, Later, Parser, Session, TurnEnded, Withdraw, Write
from .texts import content_text, events_of

METHOD_NOT_FOUND = -32601
AUTH_REQUIRED = -32000
RISKY = ("execute", "edit", "delete", "move")
"""Kinds of tools that are never ours."""


class AcpParser(Parser):
    """One agent process. The prompt waits until there is a session, made new or loaded."""

    def __init__(
        self,
        cwd: str,
        servers: Mapping[str, Mapping[str, Any]],
        *,
        resume: str | None = None,
        model: str | None = None,
        mode: str = "",
        auth: str = "",
        trusted: Iterable[str] = (),
        bridge: Callable[[Mapping[str, Any]], Mapping[str, Any] | None] = lambda server: None,
        settle: float = 0.0,
    ):
        """``bridge`` gives the command that stands for an HTTP server, for agents that take only commands.

        ``settle``: seconds between a session with MCP servers and its first prompt.
        """
        self._cwd = str(Path(cwd).absolute())
        self._servers = servers
        self._resume = resume
        self._model = model
        self._mode = mode
        self._auth = auth
        self._trusted = _tool_titles(trusted)
        self._bridge = bridge
        self._settle = settle
        self._sent = 0  # requests, and the id of the last one
        self._requests: dict[int, str] = {}  # our open requests: id -> method
        self._capabilities: Mapping[str, Any] = {}
        self._agent = ""  # its own name
        self._logins = ""
        self._session_id = ""
        self._current_model = ""
        self._ready = False  # there is a session, in the right mode and with the right model
        self._settings: list[BaseModel] = []  # requests to send, one after the other, before the first prompt
        self._prompt: str | None = None  # waits for the session
        self._permissions: dict[str, Any] = {}  # open requests of the agent: our id -> its id
        self._tools: dict[str, dict[str, Any]] = {}  # call id -> what was told
        self._block = 0  # number of the text block that is being told
        self._kind = ""  # kind of that block
        self._new_turn()

    def _new_turn(self) -> None:
        self._output = ""
        self._worked = False  # whether a tool was used
        self._trouble = ""  # the last fault that codex-acp told
        self._error = ""
        self._stop_reason = ""
        self._chunk_usage: dict[str, Any] = {}
        self._usage: Usage = {}

    # -- for the driver --------------------------------------------------------------------------------------------

    def open(self) -> bytes:
        capabilities = schema.ClientCapabilities(
            fs=schema.FileSystemCapabilities(read_text_file=False, write_text_file=False), terminal=False
        )
        client = schema.Implementation(name="a2ui-app", title="A2UI App", version="1")
        request = schema.InitializeRequest(
            protocol_version=PROTOCOL_VERSION, client_capabilities=capabilities, client_info=client
        )
        return self._request("initialize", request)

    def prompt(self, text: str) -> bytes:
        self._new_turn()
        self._prompt = text
        return self._send_prompt() if self._ready else b""

    def interrupt(self) -> bytes:
        if not self._session_id:
            return b""
        cancelled = [
            _line({"jsonrpc": "2.0", "id": id, "result": {"outcome": {"outcome": "cancelled"}}})
            for id in self._permissions.values()
        ]  # the protocol wants them answered so
        self._permissions.clear()
        cancel = _line({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": self._session_id}})
        return b"".join([*cancelled, cancel])

    def answer(self, request_id: str, answer: Any) -> bytes:
        id = self._permissions.pop(request_id, None)
        if id is None:
            return b""
        chosen = {"outcome": "selected", "optionId": answer.id} if answer else {"outcome": "cancelled"}
        return _line({"jsonrpc": "2.0", "id": id, "result": {"outcome": chosen}})

    def receive(self, line: bytes) -> list[Event]:
        return events_of(line, self._understand)

    def ended(self, returncode: int | None, stderr: str) -> None:
        if not self._stop_reason and not self._error:
            told = f": {stderr.strip()}" if stderr.strip() else ""
            self._error = f"the agent ended before its answer (exit code {returncode}){told}"

    def outcome(self) -> Outcome:
        status, error = Status.COMPLETED, self._error
        if error:
            status = Status.FAILED
        elif self._stop_reason == "cancelled":
            status = Status.ABORTED
        elif self._stop_reason == "end_turn" and not (self._output or self._worked or self._usage):
            status, error = Status.FAILED, "the agent ended its turn without an answer; its model may be away"
        elif self._stop_reason != "end_turn":
            status, error = Status.FAILED, _STOPPED.get(self._stop_reason, "the agent gave no answer")
        resumed = None if self._resume is None else not self.lost_session
        return Outcome(status, self._output, error, self._session_id, dict(self._usage), resumed)

    # -- what the agent sends --------------------------------------------------------------------------------------

    def _understand(self, message: Mapping[str, Any]) -> Iterator[Event]:
        method = message.get("method")
        params = message.get("params") or {}
        if method == "session/update":
            yield from self._update(params.get("update") or {})
        elif method == "session/request_permission":
            yield from self._ask(message["id"], params)
        elif method == "$/cancel_request":
            yield from self._withdraw(params.get("id", params.get("requestId")))
        elif method is not None and "id" in message:
            error = {"code": METHOD_NOT_FOUND, "message": f"method not found: {method}"}
            yield Write(_line({"jsonrpc": "2.0", "id": message["id"], "error": error}))
        elif method is None and (asked := self._requests.pop(message.get("id"), None)):  # type: ignore[arg-type]
            if "error" in message:
                yield from self._refused(asked, message["error"])
            else:
                yield from self._answered(asked, message.get("result") or {})

    def _answered(self, asked: str, result: Mapping[str, Any]) -> Iterator[Event]:
        match asked:
            case "initialize":
                self._capabilities = result.get("agentCapabilities") or {}
                self._agent = str((result.get("agentInfo") or {}).get("name") or "")
                self._logins = ", ".join(str(m.get("name", m["id"])) for m in result.get("authMethods") or [])
                methods = [m["id"] for m in result.get("authMethods") or []]
                if self._auth in methods:
                    request = schema.AuthenticateRequest(method_id=self._auth)
                    yield Write(self._request("authenticate", request))
                else:
                    yield from self._begin()
            case "authenticate":
                yield from self._begin()
            case "session/new" | "session/load" | "session/resume":
                self._session_id = str(result.get("sessionId") or self._resume or "")
                yield Session(self._session_id)
                yield from self._choose(result)
                yield from self._go_on()
            case "session/prompt":
                self._stop_reason = str(result.get("stopReason") or "end_turn")
                self._usage = usage_of(result, self._chunk_usage, self._current_model)
                yield TurnEnded()
            case _:
                yield from self._go_on()

    def _refused(self, asked: str, error: Mapping[str, Any]) -> Iterator[Event]:
        text = _error_text(error)
        if error.get("code") == AUTH_REQUIRED:
            text = f"{text}. Sign in to the agent in a terminal first ({self._logins or 'see its documentation'})."
        elif asked in ("session/load", "session/resume"):
            self.lost_session = True
            yield TurnEnded()
            return
        elif asked not in ("initialize", "authenticate", "session/new", "session/prompt"):
            yield Message(MessageType.LOG, f"{asked} was refused: {text}", level="warning")
            yield from self._go_on()
            return
        self._error = text
        yield Message(MessageType.ERROR, text)
        yield TurnEnded()

    # -- the session -----------------------------------------------------------------------------------------------

    def _begin(self) -> Iterator[Event]:
        if not (self._capabilities.get("mcpCapabilities") or {}).get("http"):
            yield from self._use_commands_only()
        servers: list[Any] = list(self._mcp_servers())
        if self._resume is None:
            request: BaseModel = schema.NewSessionRequest(cwd=self._cwd, mcp_servers=servers)
            yield Write(self._request("session/new", request))
        elif "resume" in (self._capabilities.get("sessionCapabilities") or {}):
            request = schema.ResumeSessionRequest(cwd=self._cwd, mcp_servers=servers, session_id=self._resume)
            yield Write(self._request("session/resume", request))
        elif self._capabilities.get("loadSession"):
            request = schema.LoadSessionRequest(cwd=self._cwd, mcp_servers=servers, session_id=self._resume)
            yield Write(self._request("session/load", request))
        else:
            self.lost_session = True
            yield TurnEnded()

    def _use_commands_only(self) -> Iterator[Event]:
        """Put a bridge in place of each HTTP server; one that has none is left out, and that is told."""
        bridged: dict[str, Mapping[str, Any]] = {}
        for name, server in self._servers.items():
            command = server if "command" in server else self._bridge(server)
            if command is None:
                text = f"this agent takes no MCP servers over HTTP, so it does not get {name}"
                yield Message(MessageType.LOG, text, level="warning")
            else:
                bridged[name] = command
        self._servers = bridged

    def _mcp_servers(self) -> Iterator[Any]:
        for name, server in self._servers.items():
            if "command" in server:
                env = [schema.EnvVariable(name=n, value=str(v)) for n, v in (server.get("env") or {}).items()]
                arguments = [str(argument) for argument in server.get("args") or []]
                yield schema.McpServerStdio(name=name, command=server["command"], args=arguments, env=env)
            else:
                headers = [schema.HttpHeader(name=n, value=str(v)) for n, v in (server.get("headers") or {}).items()]
                yield schema.HttpMcpServer(type="http", name=name, url=server["url"], headers=headers)

    def _choose(self, result: Mapping[str, Any]) -> Iterator[Event]:
        """Note which settings have to be sent before the first prompt."""
        modes, models = result.get("modes") or {}, result.get("models") or {}
        self._current_model = str(models.get("currentModelId") or _option(result, "model").get("currentValue") or "")
        known = [mode["id"] for mode in modes.get("availableModes") or []]
        if self._mode in known and modes.get("currentModeId") != self._mode:
            self._settings.append(schema.SetSessionModeRequest(session_id=self._session_id, mode_id=self._mode))
        if self._model and self._model != self._current_model:
            if option := _option(result, "model"):
                self._settings.append(
                    schema.SetSessionConfigOptionSelectRequest(
                        session_id=self._session_id, config_id=str(option["id"]), value=self._model
                    )
                )
                self._current_model = self._model
            else:
                yield Message(MessageType.LOG, "this agent lets no model be chosen; its own is used", level="warning")

    def _go_on(self) -> Iterator[Event]:
        """Send the next setting, and when there is none left, the prompt."""
        if self._settings:
            setting = self._settings.pop(0)
            mode = isinstance(setting, schema.SetSessionModeRequest)
            yield Write(self._request("session/set_mode" if mode else "session/set_config_option", setting))
            return
        if self._settle and self._servers:
            yield Later(self._settle)
            return
        yield Write(self.wake())

    def wake(self) -> bytes:
        self._ready = True
        return self._send_prompt() if self._prompt is not None else b""

    def _send_prompt(self) -> bytes:
        block = schema.TextContentBlock(type="text", text=self._prompt or "")
        self._prompt = None
        return self._request("session/prompt", schema.PromptRequest(session_id=self._session_id, prompt=[block]))

    # -- what the agent says and does ------------------------------------------------------------------------------

    def _update(self, update: Mapping[str, Any]) -> Iterator[Event]:
        kind = update.get("sessionUpdate")
        if kind == "available_commands_update":
            commands = [
                {"name": str(command["name"]), "description": str(command.get("description") or "")}
                for command in update.get("availableCommands") or []
            ]
            yield Message(MessageType.STATUS, level="session", input={"commands": commands})
        elif not self._ready:
            return  # history that a loaded session plays again
        elif kind == "session_info_update":
            yield from self._codex_tells((update.get("_meta") or {}).get("codex") or {})
        elif kind in ("agent_message_chunk", "agent_thought_chunk"):
            yield from self._chunk(kind, update)
        elif kind in ("tool_call", "tool_call_update"):
            yield from self._tool(update)
        elif kind == "plan":
            entries = [dict(entry) for entry in update.get("entries") or []]
            call_id = f"plan-{self._block}"
            yield Message(MessageType.TOOL_USE, tool="plan", call_id=call_id, input={"entries": entries})
            yield Message(MessageType.TOOL_RESULT, call_id=call_id)

    def _codex_tells(self, told: Mapping[str, Any]) -> Iterator[Event]:
        """codex-acp ends a turn that failed as one that did not; only this says so."""
        if error := told.get("error"):
            level = "retrying" if error.get("willRetry") else ""
            if level:
                yield Message(MessageType.STATUS, str(error.get("message") or ""), level=level)
            self._trouble = str(error.get("additionalDetails") or error.get("message") or "")
        if (told.get("threadStatus") or {}).get("type") == "systemError":
            self._error = self._trouble or "codex failed"

    def _chunk(self, kind: str, update: Mapping[str, Any]) -> Iterator[Message]:
        if usage := (update.get("_meta") or {}).get("usage"):
            for name, count in usage.items():
                if isinstance(count, int):
                    self._chunk_usage[name] = self._chunk_usage.get(name, 0) + count
        text = content_text(update.get("content"))
        if not text:
            return
        if self._is_warning(text, update):
            yield Message(MessageType.LOG, text.strip(), level="warning")
            return
        block = f"{kind}:{update.get('messageId', '')}"
        if block != self._kind:
            self._kind = block
            self._block += 1
        if kind == "agent_message_chunk":
            self._output += text
            yield Message(MessageType.TEXT, text, call_id=f"text-{self._block}")
        else:
            yield Message(MessageType.THINKING, text, call_id=f"thought-{self._block}")

    def _is_warning(self, text: str, update: Mapping[str, Any]) -> bool:
        """Whether a text is the agent's own remark, which two agents send as if the model had said it."""
        claude = (update.get("_meta") or {}).get("claudeCode") or {}
        if claude.get("kind") == "informational":
            return True
        return self._agent.endswith("codex-acp") and "messageId" not in update and text.startswith("Warning:")

    def _tool(self, update: Mapping[str, Any]) -> Iterator[Message]:
        call_id = str(update["toolCallId"])
        told = self._tools.get(call_id)
        if told is None:  # some agents tell only that a call is over
            told = self._tools[call_id] = {"title": "", "input": None, "done": False}
            self._output, self._kind, self._worked = "", "", True
        title = str(update.get("title") or told["title"] or update.get("kind") or "tool")
        call = _tool_input(update, told["input"])
        if (title, call) != (told["title"], told["input"]) and not told["done"]:
            told |= {"title": title, "input": call}
            yield Message(MessageType.TOOL_USE, tool=title, call_id=call_id, input=call)
        status = update.get("status")
        if status in ("completed", "failed") and not told["done"]:
            told["done"] = True
            level = "error" if status == "failed" else ""
            yield Message(MessageType.TOOL_RESULT, call_id=call_id, output=_tool_output(update), level=level)

    def _ask(self, id: Any, params: Mapping[str, Any]) -> Iterator[Event]:
        call = params.get("toolCall") or {}
        yield from self._tool({**call, "status": "pending"}) if "toolCallId" in call else ()
        request_id = f"permission-{id}"
        self._permissions[request_id] = id
        choices = [choice for option in params.get("options") or [] if (choice := _choice(option))]
        title = str(call.get("title") or "Use a tool")
        detail = content_text([block.get("content") for block in call.get("content") or []]) or _brief(call)
        ours = bool(self._trusted.fullmatch(title)) and call.get("kind") not in RISKY
        yield Ask(request_id, Permission(title, detail, choices, trusted=ours))

    def _withdraw(self, id: Any) -> Iterator[Event]:
        request_id = f"permission-{id}"
        if self._permissions.pop(request_id, None) is not None:
            yield Withdraw(request_id)

    def _request(self, method: str, params: BaseModel) -> bytes:
        self._sent += 1
        self._requests[self._sent] = method
        body = params.model_dump(mode="json", by_alias=True, exclude_none=True)
        return _line({"jsonrpc": "2.0", "id": self._sent, "method": method, "params": body})


_STOPPED = {
    "max_tokens": "the model's answer was cut off: it reached its largest length",
    "max_turn_requests": "the agent reached its largest number of steps",
    "refusal": "the agent refused to go on",
}


def _line(message: Mapping[str, Any]) -> bytes:
    return orjson.dumps(message) + b"\n"


def _tool_titles(servers: Iterable[str]) -> re.Pattern[str]:
    """What agents call the tools of these MCP servers, as the whole title of a call."""
    names = "|".join(map(re.escape, servers)) or r"(?!)"
    return re.compile(rf"(?:mcp_{{1,2}})?(?:{names})(?:__|[_\-/:.] ?)\w+|\w+ \((?:{names}) MCP Server\)")


def _option(result: Mapping[str, Any], category: str) -> Mapping[str, Any]:
    options = result.get("configOptions") or []
    return next((option for option in options if category in (option.get("category"), option.get("id"))), {})


def _choice(option: Mapping[str, Any]) -> Choice | None:
    """An offered answer; None for one that holds for longer than the session: nothing is ever granted for good."""
    id, name, kind = str(option["optionId"]), str(option.get("name") or option["optionId"]), option.get("kind")
    if kind == "allow_always":
        lasts = "session" in f"{id} {name}".lower()
        return Choice(id, name, "allow_session") if lasts else None
    if kind == "reject_always":
        return None
    kinds: dict[Any, ChoiceKind] = {"allow_once": "allow_once", "reject_once": "reject_once"}
    return Choice(id, name, kinds[kind]) if kind in kinds else None


def _tool_input(update: Mapping[str, Any], before: Mapping[str, Any] | None) -> dict[str, Any]:
    """The input of a call: as the agent gives it, with the edits it shows."""
    given = update.get("rawInput")
    call = dict(given) if isinstance(given, Mapping) and given else dict(before or {})
    edits = [
        {"path": block.get("path"), "old_string": block.get("oldText") or "", "new_string": block.get("newText") or ""}
        for block in update.get("content") or []
        if isinstance(block, Mapping) and block.get("type") == "diff"
    ]
    return call | ({"edits": edits} if edits else {})


def _tool_output(update: Mapping[str, Any]) -> str:
    blocks = [block for block in update.get("content") or [] if isinstance(block, Mapping)]
    shown = "\n".join(content_text(block.get("content")) for block in blocks if block.get("type") == "content")
    raw = update.get("rawOutput")
    if shown or raw is None:
        delta = ((update.get("_meta") or {}).get("terminal_output_delta") or {}).get("data")
        return shown or str(delta or "")
    if isinstance(raw, Mapping):
        return str(raw.get("output") or raw.get("text") or orjson.dumps(raw).decode())
    return content_text(raw)


def _brief(call: Mapping[str, Any]) -> str:
    given = call.get("rawInput")
    return orjson.dumps(given).decode()[:500] if given else ""


def _error_text(error: Mapping[str, Any]) -> str:
    data = error.get("data")
    detail = (data.get("details") or data.get("detail") or data.get("message")) if isinstance(data, Mapping) else data
    message = str(error.get("message") or "the agent failed")
    return f"{message}: {detail}" if isinstance(detail, str) and detail not in message else message
