"""What the pages share besides channels: the conversations of this process, and the store that keeps them."""

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

from ..backends.process import end_orphans
from ..live.archive import StoreArchive
from ..live.conversation import Conversation, ToolServer
from ..live.conversations import Conversations
from ..store import Store
from ..transports.agent_tools import AgentTools

KEPT_DELETED = 30 * 24 * 3600
"""Seconds that a deleted conversation can still be brought back."""

channel_token: Callable[[str], str] | None = None
"""Gives the bearer token of a channel; None where nothing asks for one (`a2ui_app.serve` sets it)."""

address: str | None = None
"""Where this process is reached from this machine, for the agents it starts (`a2ui_app.serve` sets it)."""

AGENT_TOOLS = AgentTools()
"""The MCP server at which agents reach the desk of their conversation."""

CONVERSATIONS = Conversations()
"""Empty until the app's lifespan gives it an archive and the agents' tools (`Conversations.start`)."""


@asynccontextmanager
async def lifespan() -> AsyncIterator[None]:
    """While the app runs. Raises StoreError, which says what to do, when the database cannot be used."""
    loop = asyncio.get_running_loop()

    def tell(text: str | None) -> None:
        loop.call_soon_threadsafe(CONVERSATIONS.tell_trouble, text)

    await asyncio.to_thread(end_orphans)
    store = await asyncio.to_thread(Store, os.environ.get("DATABASE_URL") or None, on_trouble=tell)
    await asyncio.to_thread(store.purge, time.time() - KEPT_DELETED)
    CONVERSATIONS.start(StoreArchive(store), _ToolServer())
    async with AGENT_TOOLS.lifespan():
        yield
        await CONVERSATIONS.shut_down()
    await asyncio.to_thread(store.close)


class _ToolServer(ToolServer):
    """The MCP server of this process, for conversations."""

    def open(self, conversation: Conversation) -> Mapping[str, Any] | None:
        if address is None:  # an app that is not told where it is reached cannot tell it to agents
            return None
        return AGENT_TOOLS.open(conversation.id, conversation.desk).mcp_config(address)

    async def close(self, conversation: Conversation) -> None:
        await AGENT_TOOLS.close(conversation.id)
