"""A conversation: one agent, its timeline, its surfaces and dialogs, and the prompts that wait for it.

It belongs to the server, not to a page: any number of pages watch its channel, and its runs go on without any.
"""

import asyncio
import logging
import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Literal, Protocol

from .. import backends
from ..agent_ui.surface import SurfaceUI
from ..backends import BackendError, ExecOptions, Message, MessageType, Result, Run, Status
from ..session import effects
from . import timeline_view
from .actions import Done, UnreadActions, prompt_of
from .channel import Channel
from .desk import DIALOG, Desk
from .drawing import Drawing, surface_of
from .timeline import Entry, Timeline
from .told_ui import ToldUI

log = logging.getLogger(__name__)

TITLE_LENGTH = 60


class State(StrEnum):
    """What a conversation is doing, as people are told."""

    IDLE = "idle"
    WORKING = "working"
    WAITING = "waiting"  # for the person
    RETRYING = "retrying"
    STOPPING = "stopping"


@dataclass(frozen=True)
class Setup:
    """What a conversation is made with. ``session_id`` continues one that the agent knows."""

    agent: str
    cwd: str = "."
    model: str = ""
    permissions: Literal["ask", "auto"] = "ask"
    custom_args: tuple[str, ...] = ()
    session_id: str = ""
    env: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Prompt:
    """Something to be sent to the agent. ``entry`` is what the timeline says of it already, if it does."""

    text: str
    files: tuple[str, ...] = ()
    entry: Entry | None = None

    def for_agent(self) -> str:
        """The text with the paths of its files."""
        return "\n".join([self.text, *(f"[attached file: {path}]" for path in self.files)])


class ToolServer(Protocol):
    """Gives an agent the page's tools for a run: the MCP server of the app."""

    def open(self, conversation: "Conversation") -> Mapping[str, Any] | None:
        """The MCP configuration of the run, or None when there is none."""
        ...

    async def close(self, conversation: "Conversation") -> None:
        """The run is over."""
        ...


class Listener:
    """Learns what becomes of conversations: the store, the list of them. Does nothing by itself."""

    def changed(self, conversation: "Conversation") -> None:
        """Its title, setup, state or queue is another."""

    def entry_changed(self, conversation: "Conversation", entry: Entry) -> None:
        """An entry is new, or not as it was."""

    def drew(self, conversation: "Conversation", number: int, message: dict[str, Any]) -> None:
        """The A2UI message ``number`` (it replaces an earlier one of that number); in order they make the surfaces."""

    def run_started(self, conversation: "Conversation", prompt: Entry) -> None:
        """A run answers ``prompt``."""

    def run_ended(self, conversation: "Conversation", result: Result) -> None:
        """The run is over."""


class Conversation:
    """See the module. ``desk`` is what its agent works on, ``screen`` what its person sees of that."""

    def __init__(
        self,
        id: str,
        setup: Setup,
        *,
        title: str = "",
        entries: Sequence[Entry] = (),
        drawn: Sequence[tuple[int, dict[str, Any]]] = (),
        tools: ToolServer | None = None,
        listener: Listener | None = None,
        clock: Callable[[], float] = time.time,
    ):
        self.id = id
        self.setup = setup
        self.title = title
        self.state = State.IDLE
        self.queue: list[Prompt] = []
        self.commands: list[dict[str, str]] = []  # what the agent offers after a slash
        self.channel = Channel(id)
        self.timeline = Timeline(entries, changed=self._entry_changed, clock=clock)
        self.screen = SurfaceUI(self.channel.post, changed=self._show_board)
        self._actions = UnreadActions()
        self.desk = Desk(self.channel, ToldUI(self.screen, self.timeline), self._actions)
        self._tools = tools
        self._listener = listener or Listener()
        self._clock = clock
        self._known = len(self.timeline)
        self._doing = ""
        self._last_sign = clock()
        self._run: Run | None = None
        self._work: asyncio.Task[None] | None = None
        self._redraw(drawn)
        self._drawing = Drawing(
            lambda number, message: self._listener.drew(self, number, message),
            self.channel.session.surface,
            first=drawn[-1][0] + 1 if drawn else 0,
        )
        self.channel.take_action = self._take_action
        self.channel.beside = self._everything
        self.channel.on_message = self._record
        self.channel.on_effect = self._happened

    # -- what people do ------------------------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Whether its agent works, or is about to."""
        return self._work is not None

    def send(self, text: str, files: Sequence[str] = ()) -> None:
        """Give the agent a prompt; while it works, the prompt waits in the queue."""
        self._enqueue(Prompt(text, tuple(files)))

    def edit_queued(self, index: int, text: str) -> None:
        """Change a prompt that waits; an empty text takes it out. One that has left the queue is left alone."""
        if 0 <= index < len(self.queue):
            if text.strip():
                self.queue[index] = replace(self.queue[index], text=text)
            else:
                del self.queue[index]
            self._show_run()

    def stop(self) -> None:
        """End the run; what waits in the queue stays there until the person sends it or something else."""
        if self._run is not None and not self._run.done:
            self._set_state(State.STOPPING)
            asyncio.get_running_loop().create_task(self._run.cancel())

    def resume_queue(self) -> None:
        """Go on with what waits, after a stop."""
        if self.queue and not self.busy:
            self._start()

    async def idle(self) -> None:
        """Wait until nothing is at work."""
        while self._work is not None:
            await asyncio.wait({self._work})

    async def shut_down(self) -> None:
        """End the run and everything that waits: the server stops."""
        self.screen.close()
        if self._run is not None:
            await self._run.cancel()
        if self._work is not None:
            self._work.cancel()
            await asyncio.gather(self._work, return_exceptions=True)
        self._drawing.flush()
        self.channel.close()

    def change_setup(self, **changes: Any) -> None:
        """Change the model, the permissions or other parts of the setup, for the runs to come."""
        self.setup = replace(self.setup, **changes)
        self._show_run()

    def rename(self, title: str) -> None:
        """Call it ``title``."""
        self.title = " ".join(title.split())
        self._show_run()

    # -- runs ----------------------------------------------------------------------------------------------------

    def _enqueue(self, prompt: Prompt) -> None:
        self.queue.append(prompt)
        if self.busy:
            self._show_run()
        else:
            self._start()

    def _start(self) -> None:
        self._work = asyncio.get_running_loop().create_task(self._work_off())
        self._set_state(State.WORKING)

    async def _work_off(self) -> None:
        """Answer the prompts of the queue, one run after the other."""
        try:
            while self.queue:
                result = await self._answer(self.queue.pop(0))
                if result is not None and result.status is Status.ABORTED:
                    return
                self.queue += [self._prompt_of(done) for done in self._actions.take_all()]
        finally:
            self._work = self._run = None
            self._doing = ""
            self._set_state(State.IDLE)

    async def _answer(self, prompt: Prompt) -> Result | None:
        entry = prompt.entry or self.timeline.add("prompt", prompt.text, files=list(prompt.files))
        if not self.title:
            self.title = title_of(prompt.text)
        self._set_state(State.WORKING)
        self._listener.run_started(self, entry)
        try:
            config = self._tools.open(self) if self._tools else None
            backend = self._backend()
            self._run = await backend.execute(prompt.for_agent(), self._options(config))
            async for message in self._run.messages:
                self._receive(message)
            result = await self._run.result
        except (BackendError, ValueError) as error:  # it could not start; the text says what to do
            result = Result(Status.FAILED, error=str(error))
        finally:
            if self._tools:
                await self._tools.close(self)
        if result.session_id:
            self.setup = replace(self.setup, session_id=result.session_id)
        self.timeline.end_turn(result)
        self._listener.run_ended(self, result)
        return result

    def _backend(self) -> backends.Backend:
        """The agent. Of "acp" the arguments are the whole command."""
        if self.setup.agent == "acp" and self.setup.custom_args:
            return backends.new("acp", shlex.join(self.setup.custom_args))
        return backends.new(self.setup.agent)

    def _options(self, mcp_config: Mapping[str, Any] | None) -> ExecOptions:
        setup = self.setup
        return ExecOptions(
            cwd=setup.cwd,
            model=setup.model or None,
            resume_session_id=setup.session_id or None,
            custom_args=() if setup.agent == "acp" else setup.custom_args,
            mcp_config=mcp_config,
            trusted_servers=tuple(mcp_config["mcpServers"]) if mcp_config else (),
            ui=self.desk.ui,
            desk=self.desk,
            env=setup.env,
            permissions=setup.permissions,
        )

    def _receive(self, message: Message) -> None:
        self._last_sign = self._clock()
        if message.type is MessageType.STATUS:
            self._take_status(message)
        else:
            self.timeline.receive(message)
            if self.state is State.RETRYING:
                self._set_state(State.WORKING)

    def _take_status(self, message: Message) -> None:
        if isinstance(commands := message.input.get("commands"), list):
            self.commands = commands
        if self._run is not None and self._run.session_id:
            self.setup = replace(self.setup, session_id=self._run.session_id)
        self._doing = message.content
        if message.level in (State.WORKING, State.WAITING, State.RETRYING) and self.state is not State.STOPPING:
            self._set_state(State(message.level))
        else:
            self._show_run()

    # -- what happens on the surfaces ----------------------------------------------------------------------------

    def _take_action(self, message: dict[str, Any]) -> bool:
        action = message.get("action")
        if not isinstance(action, dict):
            return False
        if self.screen.handle_action(action):
            return True
        told = {"surface": action.get("surfaceId"), "context": action.get("context") or {}}
        done = Done(action, self.timeline.add("action", str(action.get("name")), **told))
        if self.busy or self._actions.awaited:
            self._actions.put(done)
        else:
            self._enqueue(self._prompt_of(done))
        return True

    def _prompt_of(self, done: Done) -> Prompt:
        surface = self.channel.session.surface(str(done.action.get("surfaceId")))
        return Prompt(prompt_of(done.action, surface.data if surface else None), entry=done.entry)

    def _happened(self, effect: effects.Effect) -> None:
        if isinstance(effect, effects.SurfaceCreated) and not effect.surface_id.startswith(DIALOG):
            self.timeline.add("surface", effect.surface_id, surface=effect.surface_id)
        if isinstance(effect, effects.DataModelUpdated) and not effect.surface_id.startswith(DIALOG):
            self._drawing.data_changed(effect.surface_id)

    def _record(self, message: dict[str, Any]) -> None:
        if not surface_of(message).startswith(DIALOG):
            self._drawing.add(message)

    def _redraw(self, drawn: Sequence[tuple[int, dict[str, Any]]]) -> None:
        """Make the surfaces again that were there when the server stopped."""
        for _, message in drawn:
            for reply in self.channel.post(message):
                if reply.error is not None:
                    log.warning("conversation %s: a stored message was not applied again: %s", self.id, reply.error)

    # -- what pages see ------------------------------------------------------------------------------------------

    def _entry_changed(self, entry: Entry) -> None:
        new = entry.number >= self._known
        self._known = max(self._known, entry.number + 1)
        self.channel.show(timeline_view.changed(self.timeline, entry, new=new))
        self._listener.entry_changed(self, entry)

    def _set_state(self, state: State) -> None:
        self.state = state
        self._show_run()

    def _show_run(self) -> None:
        self.channel.show({"run": self._run_node()})
        self._listener.changed(self)

    def _show_board(self) -> None:
        self.channel.show({"board": self.screen.board.as_wire()})

    def _run_node(self) -> dict[str, Any]:
        """How the conversation stands, for the page's header and prompt box."""
        return {
            "state": self.state,
            "doing": self._doing,
            "sign": self._last_sign,
            "title": self.title,
            "agent": self.setup.agent,
            "model": self.setup.model,
            "cwd": self.setup.cwd,
            "permissions": self.setup.permissions,
            "queue": [prompt.text for prompt in self.queue],
            "commands": self.commands,
        }

    def _everything(self) -> dict[str, Any]:
        board = {"board": self.screen.board.as_wire()}
        return timeline_view.newest(self.timeline) | {"run": self._run_node()} | board


def title_of(prompt: str) -> str:
    """A name for a conversation that begins with ``prompt``: its first line, cut at a word."""
    first = next((line.strip() for line in prompt.splitlines() if line.strip()), "")
    if len(first) <= TITLE_LENGTH:
        return first
    return first[:TITLE_LENGTH].rsplit(" ", 1)[0].rstrip(" ,.;:") + " …"
