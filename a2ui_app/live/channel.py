"""A channel: one A2UI session that an agent draws on and any number of pages view."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from ..catalogs.dialogs import dialogs_catalog
from ..catalogs.extended import extended_catalog
from ..catalogs.mcp import mcp_catalog
from ..session import Session, effects
from ..session.errors import A2uiError, code_of, path_of
from ..session.mcp_app import INTERNAL_ERROR, AppRefused
from ..session.nodes import Patch
from ..session.session import DEFAULT_CATALOGS
from ..session.validation import Validation
from .app_requests import SANDBOX_READY, Answer, AppRequests, JsonReply, html_of, read_params
from .log import Log
from .outbox import Outbox
from .viewer import Snapshot, Viewer

REMEMBERED_CLICKS = 1000


def new_session(*, tools: bool = False, validation: Validation = "relaxed") -> Session:
    """A session as the app's pages have it: every catalog and every spelling.

    With ``tools`` it asks for MCP tools to be called.
    """
    catalogs = (*DEFAULT_CATALOGS, extended_catalog(), dialogs_catalog(), mcp_catalog())
    return Session(catalogs, validation=validation, bindings="auto", mcp_client="effects" if tools else None)


class Tools(Protocol):
    """The MCP servers that a channel's surfaces and apps may use (`transports.mcp_client`)."""

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> Mapping[str, Any]:
        """The tool's CallToolResult; one that cannot be called is a result with ``isError``."""
        ...

    async def ui_of(self, name: str, result: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """The contents of the UI resource that the tool names, if it names one."""
        ...


class Timer(Protocol):
    """What `asyncio.loop.call_later` gives."""

    def cancel(self) -> None: ...


@dataclass(frozen=True)
class Reply:
    """What became of one message of a payload, by its place in it."""

    index: int
    error: A2uiError | None = None
    diagnostics: tuple[dict[str, Any], ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The reply for a wire: ``ok``, and the error with its code, path and remedy, which the message states."""
        reply: dict[str, Any] = {"index": self.index, "ok": self.error is None}
        if self.error is not None:
            reply["error"] = describe(self.error)
        if self.diagnostics:
            reply["diagnostics"] = list(self.diagnostics)
        return reply


@dataclass(frozen=True)
class InputResult:
    """What became of a user's write or click; ``open_urls`` are for the page that clicked, and for no other."""

    error: A2uiError | None = None
    open_urls: tuple[str, ...] = ()


class Channel:
    """The session and what runs around it: viewers, the agent's outbox, a log, the timers of agent calls.

    ``call_later(seconds, function)`` starts a timer; the default is the running event loop's. All methods belong to one
    event loop. Agents of any age post here, so by default bindings are read in every spelling and validation is
    relaxed.
    """

    process_tools: ClassVar[Tools | None] = None
    """The MCP servers of channels that are given none of their own; set by who serves (`serve --mcp-config`)."""

    def __init__(
        self,
        name: str,
        session: Session | None = None,
        *,
        call_later: Callable[[float, Callable[[], None]], Timer] | None = None,
        tools: Tools | None = None,
    ):
        self.name = name
        self._tools = tools if tools is not None else self.process_tools
        self.session = session if session is not None else new_session(tools=self._tools is not None)
        self.outbox = Outbox()
        self.log = Log()
        self.take_action: Callable[[dict[str, Any]], bool] | None = None
        """Is offered each message to the agent first; True says that it is dealt with and not for the outbox."""
        self.beside: Callable[[], dict[str, Any]] | None = None
        """All that pages show beside the surfaces, by key, as `show` sends it."""
        self.on_message: Callable[[dict[str, Any]], object] = lambda message: None
        """Is told each message of the agent that was applied."""
        self.on_effect: Callable[[effects.Effect], object] = lambda effect: None
        """Is told each effect, after the channel did its part."""
        self._call_later = call_later or (lambda delay, run: asyncio.get_running_loop().call_later(delay, run))
        self._viewers: set[Viewer] = set()
        self._timers: dict[str, Timer] = {}
        self._tool_calls: set[asyncio.Task[None]] = set()
        self._app_requests = AppRequests()
        self._clicks: deque[str] = deque(maxlen=REMEMBERED_CLICKS)

    @property
    def viewers(self) -> int:
        """How many pages are open."""
        return len(self._viewers)

    def post(self, payload: Any) -> list[Reply]:
        """Apply an agent's payload message by message: one that fails does not stop the next.

        A payload is a message, a list, or ``{"messages": [...]}``; the pages see the result of all of it at once.
        """
        replies = [self._receive(index, message) for index, message in enumerate(messages_of(payload))]
        self._publish()
        return replies

    def write(self, ref: int, property: str, value: Any) -> InputResult:
        """Take what a user entered in ``property`` of node ``ref``."""
        surface_id = self.session.surface_of(ref)
        if surface_id is None:
            return self._refuse(ref, property, gone(ref))
        outcome = self.session.write(surface_id, ref, property, value)
        self._act(outcome.effects)
        self._publish()
        return self._refuse(ref, property, outcome.error) if outcome.error else InputResult()

    def invoke(self, ref: int, property: str, click_id: str) -> InputResult:
        """Run the action in ``property`` of node ``ref``. A click seen before is answered, and not run again."""
        if click_id in self._clicks:
            return InputResult()
        self._clicks.append(click_id)
        surface_id = self.session.surface_of(ref)
        if surface_id is None:
            return self._refuse(ref, property, gone(ref))
        outcome = self.session.invoke(surface_id, ref, property)
        self._act(outcome.effects)
        self._publish()
        if outcome.error:
            return self._refuse(ref, property, outcome.error)
        return InputResult(open_urls=tuple(e.url for e in outcome.effects if isinstance(e, effects.OpenUrl)))

    def ask(self, ref: int, method: str, params: str, id: str, answer: Answer) -> tuple[str, ...]:
        """Act on what the app in node ``ref`` asks, once for each ``id``; ``answer`` gets the reply, now or later.

        ``params`` is JSON text. Returns the addresses to open in the page that asks.
        """
        if method == SANDBOX_READY:
            answer(id, self._app_html(ref))
            return ()
        if not self._app_requests.begin(id, answer):
            return ()
        try:
            asked = read_params(params)
        except AppRefused as refused:
            self._app_requests.reply(id, refused.reply())
            return ()
        outcome = self.session.mcp_app_request(self.session.surface_of(ref) or "", ref, method, asked)
        calls = [e.call_id for e in outcome.effects if isinstance(e, effects.CallTool)] if not outcome.reply else []
        for call_id in calls:
            self._app_requests.wait(id, call_id)
        self._act(outcome.effects)
        self._publish()
        if not calls:
            failed = {"error": {"code": INTERNAL_ERROR, "message": str(outcome.error)}}
            self._app_requests.reply(id, failed if outcome.error else outcome.reply)
        return tuple(e.url for e in outcome.effects if isinstance(e, effects.OpenUrl))

    def show(self, nodes: dict[str, Any]) -> None:
        """Send pages what is not the session's but belongs to the conversation around it, by key. None: it is gone."""
        for viewer in self._viewers:
            viewer.show_beside(nodes)

    @contextmanager
    def watch(self) -> Iterator[Viewer]:
        """A viewer, while the block runs: iterate over it for a snapshot and then every change."""
        viewer = Viewer(self._everything)
        self._viewers.add(viewer)
        try:
            yield viewer
        finally:
            self._viewers.discard(viewer)

    def restart(self, session: Session) -> None:
        """Go on with ``session`` in place of the present one. Open pages follow; nodes that keep their ref stay put."""
        self.close()
        self.session = session
        for viewer in self._viewers:
            viewer.start_over(self._everything)

    def close(self) -> None:
        """End the session's pending calls and all timers."""
        self._act(self.session.dispose().effects)
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        for call in self._tool_calls:
            call.cancel()

    def _everything(self) -> Snapshot:
        return self.session.snapshot(), self.beside() if self.beside is not None else {}

    def _receive(self, index: int, message: Any) -> Reply:
        outcome = self.session.handle_message(message)
        body = message if isinstance(message, dict) else {"payload": message}
        if outcome.error is None:
            self.log.add("received", action_of(message), body)
            self.on_message(body)
        else:
            self.log.add("refused", action_of(message), {"message": body, "error": describe(outcome.error)})
        self._act(outcome.effects)
        found = (effect for effect in outcome.effects if isinstance(effect, effects.Diagnostic))
        return Reply(
            index, outcome.error, tuple({"level": d.level, "surfaceId": d.surface_id} | d.payload for d in found)
        )

    def _act(self, happened: Sequence[effects.Effect]) -> None:
        """Do what a session asked for, except to open pages, which is for the page that clicked."""
        for effect in happened:
            self.log.add_effect(effect)
            match effect:
                case effects.Send(message):
                    if self.take_action is None or not self.take_action(message):
                        self.outbox.put(self._with_metadata(message))
                case effects.AgentCallSent(call_id, float() | int() as timeout_ms):
                    self._timers[call_id] = self._call_later(timeout_ms / 1000, lambda id=call_id: self._time_out(id))
                case effects.RpcSettled(call_id):
                    if timer := self._timers.pop(call_id, None):
                        timer.cancel()
                case effects.CallTool():
                    call = asyncio.ensure_future(self._call_tool(effect))
                    self._tool_calls.add(call)
                    call.add_done_callback(self._tool_calls.discard)
                case effects.AppReply(call_id, reply):
                    self._app_requests.reply_to_call(call_id, reply)
            self.on_effect(effect)

    async def _call_tool(self, call: effects.CallTool) -> None:
        result, shown = await self._ask_tool(call)
        self._act(self.session.tool_result(call.call_id, result, shown).effects)
        gone = {"error": {"code": INTERNAL_ERROR, "message": "The app's surface is gone."}}
        self._app_requests.reply_to_call(call.call_id, gone)
        self._publish()

    async def _ask_tool(self, call: effects.CallTool) -> tuple[Mapping[str, Any], Mapping[str, Any] | None]:
        """The tool's result, and what it shows."""
        if self._tools is None:
            text = f"No MCP server is connected to run '{call.name}'."
            return {"isError": True, "content": [{"type": "text", "text": text}]}, None
        result = await self._tools.call_tool(call.name, call.arguments)
        if call.for_app or result.get("isError"):
            return result, None
        return result, await self._tools.ui_of(call.name, result)

    def _app_html(self, ref: int) -> JsonReply:
        node = self.session.snapshot().nodes.get(ref)
        return {"result": {"html": html_of(node["props"].get("htmlContent"))}} if node else None

    def _with_metadata(self, message: dict[str, Any]) -> dict[str, Any]:
        """The message with what travels beside it: capabilities, and data models whose surface asked for that."""
        v1 = str(message.get("version")).lstrip("v").startswith("1")
        metadata = {"a2uiRendererCapabilities" if v1 else "a2uiClientCapabilities": self.session.capabilities()}
        if model := self.session.client_data_model(message.get("version")):
            metadata["a2uiRendererDataModel" if v1 else "a2uiClientDataModel"] = model
        return {**message, "metadata": metadata}

    def _time_out(self, call_id: str) -> None:
        self._timers.pop(call_id, None)
        self._act(self.session.timeout_agent_call(call_id).effects)
        self._publish()

    def _refuse(self, ref: int, property: str, error: A2uiError) -> InputResult:
        self.log.add("input_refused", property, {"ref": ref, "property": property, "error": describe(error)})
        for viewer in self._viewers:
            viewer.wake()
        return InputResult(error)

    def _publish(self) -> None:
        patch: Patch = self.session.take_patch()
        for viewer in self._viewers:
            if patch.nodes or patch.surfaces:
                viewer.show(patch)
            else:
                viewer.wake()


def messages_of(payload: Any) -> list[Any]:
    """The messages of a payload: a list, ``{"messages": [...]}``, or anything else, which is one message."""
    if isinstance(payload, dict) and isinstance(payload.get("messages"), list):
        return payload["messages"]
    return payload if isinstance(payload, list) else [payload]


def action_of(message: Any) -> str:
    """The name of a message's action, for a log."""
    if not isinstance(message, dict):
        return "not a message"
    return next((key for key in message if key != "version"), "no action")


def describe(error: A2uiError) -> dict[str, Any]:
    """An error as JSON: its code, what it says, and every place it names."""
    described: dict[str, Any] = {"code": code_of(error), "message": str(error), "path": path_of(error)}
    if len(error.details) > 1:
        described["details"] = [{"path": d.path, "code": d.code, "message": d.message} for d in error.details]
    return described


def gone(ref: int) -> A2uiError:
    """The error of input for a node that is no longer there."""
    return A2uiError(f"Node {ref} is gone: the agent removed it before this input arrived.")
