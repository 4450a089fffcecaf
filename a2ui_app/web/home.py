"""What the pages share besides channels: the conversations of this process."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from ..live.conversation import Conversation
from ..live.conversations import Archive, Conversations, Kept, Row

CONVERSATIONS = Conversations()
"""Empty until the app's lifespan gives it an archive and the agents' tools (`Conversations.start`)."""


class Memory(Archive):
    def __init__(self) -> None:
        self.all: dict[str, Conversation] = {}
        self.flags: dict[str, dict[str, Any]] = {}

    def created(self, conversation: Conversation) -> None:
        self.all[conversation.id] = conversation
        self.flags[conversation.id] = {"updated": time.time()}

    def load(self, id: str) -> Kept | None:
        return None

    def rows(self, query: str, *, archived: bool) -> list[Row]:
        return [
            Row(c.id, c.title, c.setup.agent, self.flags[c.id]["updated"])
            for c in reversed(self.all.values())
            if query in c.title and not self.flags[c.id].get("deleted")
        ]

    def mark(self, id: str, **flags: Any) -> None:
        self.flags[id] |= flags


@asynccontextmanager
async def lifespan() -> AsyncIterator[None]:
    """While the app runs."""
    CONVERSATIONS.start(Memory())
    yield
    await CONVERSATIONS.shut_down()
