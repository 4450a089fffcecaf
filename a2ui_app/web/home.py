"""What the pages share besides channels: the conversations of this process, and the store that keeps them."""

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from ..live.archive import StoreArchive
from ..live.conversations import Conversations
from ..store import Store

channel_token: Callable[[str], str] | None = None
"""Gives the bearer token of a channel; None where nothing asks for one (`a2ui_app.serve` sets it)."""

CONVERSATIONS = Conversations()
"""Empty until the app's lifespan gives it an archive and the agents' tools (`Conversations.start`)."""


@asynccontextmanager
async def lifespan() -> AsyncIterator[None]:
    """While the app runs. Raises StoreError, which says what to do, when the database cannot be used."""
    loop = asyncio.get_running_loop()

    def tell(text: str | None) -> None:
        loop.call_soon_threadsafe(CONVERSATIONS.tell_trouble, text)

    store = await asyncio.to_thread(Store, os.environ.get("DATABASE_URL") or None, on_trouble=tell)
    CONVERSATIONS.start(StoreArchive(store))
    yield
    await CONVERSATIONS.shut_down()
    await asyncio.to_thread(store.close)
