"""The conversations of this process: made, opened when somebody looks, listed, and told to an archive."""

import asyncio
import uuid
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..backends import Result
from .conversation import Conversation, Listener, Setup, ToolServer
from .timeline import Entry


class ConversationNotFound(LookupError):
    """There is no conversation of that id."""


@dataclass(frozen=True)
class Row:
    """A conversation in a list; ``updated`` in seconds since the epoch."""

    id: str
    title: str
    agent: str
    updated: float
    state: str = "idle"
    unread: bool = False
    pinned: bool = False
    archived: bool = False


@dataclass(frozen=True)
class Kept:
    """What an archive knows of a conversation. ``drawn`` are A2UI messages under their numbers."""

    setup: Setup
    title: str
    entries: Sequence[Entry]
    drawn: Sequence[tuple[int, dict[str, Any]]]


class Archive(Listener, ABC):
    """Keeps conversations beyond the process."""

    @abstractmethod
    def created(self, conversation: Conversation) -> None:
        """A conversation has begun."""

    @abstractmethod
    def load(self, id: str) -> Kept | None:
        """What is kept of the conversation ``id``; None when there is none."""

    @abstractmethod
    def rows(self, query: str, *, archived: bool) -> list[Row]:
        """Those whose title or text has ``query``: pinned ones first, then the newest."""

    @abstractmethod
    def mark(self, id: str, **flags: Any) -> None:
        """Set ``title``, ``pinned``, ``archived``, ``deleted`` or ``read`` (number of the newest entry seen)."""


class Conversations(Listener):
    """See the module. Nothing can be opened before `start`."""

    def __init__(self) -> None:
        self.trouble = ""
        self._open: dict[str, Conversation] = {}
        self._news = asyncio.Event()

    def start(self, archive: Archive, tools: ToolServer | None = None) -> None:
        """Keep conversations in ``archive``; their agents get ``tools``."""
        self._archive = archive
        self._tools = tools

    def create(self, setup: Setup) -> Conversation:
        """Begin a conversation."""
        conversation = Conversation(f"c{uuid.uuid4().hex[:12]}", setup, tools=self._tools, listener=self)
        self._open[conversation.id] = conversation
        self._archive.created(conversation)
        self._wake()
        return conversation

    def open(self, id: str) -> Conversation:
        """The conversation ``id``, as it was left, if this process has not seen it yet. Raises ConversationNotFound."""
        if id in self._open:
            return self._open[id]
        kept = self._archive.load(id)
        if kept is None:
            raise ConversationNotFound("This conversation is not here. It may have been deleted.")
        conversation = Conversation(
            id,
            kept.setup,
            title=kept.title,
            entries=kept.entries,
            drawn=kept.drawn,
            tools=self._tools,
            listener=self,
        )
        self._open[id] = conversation
        return conversation

    async def rows(self, query: str = "", *, archived: bool = False) -> list[Row]:
        """The conversations whose title or text has ``query``: pinned ones first, then the newest."""
        rows = await asyncio.to_thread(self._archive.rows, query, archived=archived)
        return [self._with_state(row) for row in rows]

    def mark(self, id: str, **flags: Any) -> None:
        """Set flags of a conversation, see `Archive.mark`."""
        self._archive.mark(id, **flags)
        self._wake()

    async def changes(self) -> AsyncIterator[None]:
        """An item at once, and whenever a list of conversations may be another."""
        while True:
            news = self._news
            yield
            await news.wait()

    def tell_trouble(self, text: str | None) -> None:
        """Say on every page that nothing can be kept at the moment, and why; None: it can again."""
        self.trouble = text or ""
        self._wake()

    async def shut_down(self) -> None:
        """End all runs: the server stops."""
        await asyncio.gather(*(conversation.shut_down() for conversation in self._open.values()))

    # -- as the listener of each conversation ----------------------------------------------------------------------

    def changed(self, conversation: Conversation) -> None:
        self._archive.changed(conversation)
        self._wake()

    def entry_changed(self, conversation: Conversation, entry: Entry) -> None:
        self._archive.entry_changed(conversation, entry)

    def drew(self, conversation: Conversation, number: int, message: dict[str, Any]) -> None:
        self._archive.drew(conversation, number, message)

    def run_started(self, conversation: Conversation, prompt: Entry) -> None:
        self._archive.run_started(conversation, prompt)

    def run_ended(self, conversation: Conversation, result: Result) -> None:
        self._archive.run_ended(conversation, result)
        self._wake()

    def _with_state(self, row: Row) -> Row:
        conversation = self._open.get(row.id)
        if conversation is None:
            return row
        return replace(row, title=conversation.title or row.title, state=conversation.state)

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()
