"""The state behind the list of conversations, and the form that begins one."""

import asyncio
import shlex
import time
from pathlib import Path
from typing import Any, TypedDict

import reflex as rx

from ... import backends
from ...live.conversation import Setup
from ...live.conversations import Row
from ..home import CONVERSATIONS

REFRESH_PAUSE = 0.2
"""Seconds between two refreshes of the list: what happens meanwhile is shown in one."""


class ListRow(TypedDict):
    """A conversation in the list."""

    id: str
    title: str
    agent: str
    when: str
    state: str
    unread: bool
    pinned: bool


class AgentRow(TypedDict):
    """An agent that can be chosen, or what to do so that it can."""

    name: str
    header: str
    version: str
    install: str
    available: bool


class LibraryState(rx.State):
    """What a tab's sidebar and start page show."""

    rows: rx.Field[list[ListRow]] = rx.field(default_factory=list)
    query: rx.Field[str] = rx.field("")
    archived: rx.Field[bool] = rx.field(False)
    deleted: rx.Field[str] = rx.field("")
    agents: rx.Field[list[AgentRow]] = rx.field(default_factory=list)
    missing: rx.Field[list[AgentRow]] = rx.field(default_factory=list)
    agent: rx.Field[str] = rx.field("demo")
    cwd: rx.Field[str] = rx.field("")
    model: rx.Field[str] = rx.field("")
    permissions: rx.Field[str] = rx.field("ask")
    arguments: rx.Field[str] = rx.field("")
    folders: rx.Field[list[str]] = rx.field(default_factory=list)
    problem: rx.Field[str] = rx.field("")
    trouble: rx.Field[str] = rx.field("")

    @rx.event(background=True)
    async def follow(self) -> None:
        """A page's ``on_load``: keep the list up with what happens."""
        async for _ in CONVERSATIONS.changes():
            async with self:
                await self._list()
            await asyncio.sleep(REFRESH_PAUSE)

    @rx.event(background=True)
    async def find_agents(self) -> None:
        """The start page's ``on_load``: which agents this machine has."""
        async with self:
            self.cwd = self.cwd or str(Path.home())
            if self.agents:
                return
        found = await backends.detect()
        async with self:
            self.agents = [_agent_row(agent) for agent in found if agent.available]
            self.missing = [_agent_row(agent) for agent in found if not agent.available]

    # -- the list ---------------------------------------------------------------------------------------------

    @rx.event
    async def search(self, query: str) -> None:
        """List the conversations that have ``query`` in their title or text."""
        self.query = query
        await self._list()

    @rx.event
    async def toggle_archived(self) -> None:
        """List what was archived, or what was not."""
        self.archived = not self.archived
        await self._list()

    @rx.event
    def pin(self, id: str, pinned: bool) -> None:
        """Keep a conversation at the top, or no longer."""
        CONVERSATIONS.mark(id, pinned=pinned)

    @rx.event
    def archive(self, id: str) -> None:
        """Put a conversation away, or back."""
        CONVERSATIONS.mark(id, archived=not self.archived)

    @rx.event
    def delete(self, id: str) -> None:
        """Delete a conversation; `undo` brings it back."""
        CONVERSATIONS.mark(id, deleted=True)
        self.deleted = id

    @rx.event
    def undo(self) -> None:
        """Bring back what was deleted last."""
        if self.deleted:
            CONVERSATIONS.mark(self.deleted, deleted=False)
            self.deleted = ""

    async def _list(self) -> None:
        rows = await CONVERSATIONS.rows(self.query, archived=self.archived)
        now = time.time()
        self.rows = [_list_row(row, now) for row in rows]
        self.trouble = CONVERSATIONS.trouble

    # -- a new conversation -----------------------------------------------------------------------------------

    @rx.event
    def choose_agent(self, name: str) -> None:
        """Begin with the agent ``name``."""
        self.agent = name
        self.problem = ""

    @rx.event
    def set_model(self, model: str) -> None:
        """Begin with ``model``; empty: the agent's own choice."""
        self.model = model.strip()

    @rx.event
    def set_arguments(self, arguments: str) -> None:
        """Begin with more command-line arguments."""
        self.arguments = arguments

    @rx.event
    def set_permissions(self, permissions: str) -> None:
        """Ask before tools run, or let them."""
        if permissions in ("ask", "auto"):
            self.permissions = permissions

    @rx.event
    def set_cwd(self, cwd: str) -> None:
        """Begin in the folder ``cwd``; folders that begin so are offered."""
        self.cwd = cwd
        self.folders = folders_like(cwd)
        self.problem = ""

    @rx.event
    def begin(self, text: str, files: list[str]) -> Any:
        """Begin a conversation with its first prompt, and go there."""
        try:
            setup = self._setup()
        except ValueError as error:
            self.problem = str(error)
            return None
        conversation = CONVERSATIONS.create(setup)
        conversation.send(text, files)
        return rx.redirect(f"/c/{conversation.id}")

    def _setup(self) -> Setup:
        """What was chosen. Raises ValueError with what to do."""
        folder = Path(self.cwd or "~").expanduser()
        if not folder.is_dir():
            raise ValueError(f"There is no folder {folder}. Choose one that exists.")
        try:
            arguments = tuple(shlex.split(self.arguments))
        except ValueError:
            raise ValueError("A quotation mark is missing in the extra arguments. Add it.") from None
        return Setup(self.agent, str(folder), self.model, "auto" if self.permissions == "auto" else "ask", arguments)


def folders_like(text: str, limit: int = 12) -> list[str]:
    """The folders whose path begins with ``text``, without hidden ones unless asked for."""
    folder, _, begin = text.rpartition("/")
    parent = Path(folder or "/").expanduser()
    try:
        inside = sorted(path.name for path in parent.iterdir() if path.name.startswith(begin) and path.is_dir())
    except OSError:  # no such folder, or not ours to read: nothing to offer
        return []
    shown = [name for name in inside if begin.startswith(".") or not name.startswith(".")]
    return [f"{folder}/{name}" for name in shown[:limit]]


def _agent_row(agent: backends.Agent) -> AgentRow:
    return AgentRow(
        name=agent.name,
        header=agent.header,
        version=agent.version,
        install=agent.install,
        available=agent.available,
    )


def _list_row(row: Row, now: float) -> ListRow:
    return ListRow(
        id=row.id,
        title=row.title or "New conversation",
        agent=row.agent,
        when=ago(now - row.updated),
        state=row.state,
        unread=row.unread,
        pinned=row.pinned,
    )


def ago(seconds: float) -> str:
    """How long ago something was, in a word."""
    for size, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds // size:.0f} {unit}"
    return "now"
