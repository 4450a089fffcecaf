"""`DebugRpcUI`: the UI protocol in typed envelopes, on a line that a debug script shares with its own messages."""

import asyncio
from collections.abc import Mapping
from typing import Any, ClassVar, Self
from weakref import WeakValueDictionary

from .dialects import DEBUG_RPC
from .stream_ui import TIMEOUT, StreamUI
from .wire import Writer

NAME = "CodingAgent.UI.DebugRPC"


class DebugRpcUI(StreamUI):
    """Asks on `writer` (default: stdout). The script reads stdin itself, and hands each ui_response to it.

    It works from the start; `start` only makes it known as `name` (None: no name), so that the script's parts can find
    it. There is no end of input here: the script calls `stop`.
    """

    _by_name: ClassVar[WeakValueDictionary[str, "DebugRpcUI"]] = WeakValueDictionary()

    def __init__(self, writer: Writer | None = None, timeout: float | None = TIMEOUT, name: str | None = NAME):
        super().__init__(DEBUG_RPC, writer, timeout)
        self.name = name
        self._running = True
        self._loop: asyncio.AbstractEventLoop | None = None

    @classmethod
    def find(cls, name: str = NAME) -> "DebugRpcUI | None":
        """Return the started adapter of that name, or None."""
        return cls._by_name.get(name)

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self.stop()

    async def start(self) -> None:
        """Take the name. Raises ValueError if another adapter that is still running has it."""
        self._loop = asyncio.get_running_loop()
        if self.name is None:
            return
        other = self._by_name.get(self.name)
        if other is not None and other is not self and other._loop is not None and not other._loop.is_closed():
            raise ValueError(f"a DebugRpcUI named {self.name!r} is running; stop it, or give this one another name")
        self._by_name[self.name] = self

    async def stop(self) -> None:
        """Give up the name, and end every open dialog with `Err(Reason.SERVER_SHUTDOWN)`."""
        if self.name is not None and self._by_name.get(self.name) is self:
            del self._by_name[self.name]
        await super().stop()

    def handle_response(self, response: Mapping[str, Any]) -> None:
        """Take a ui_response from the script; returns at once. Raises TypeError if it is no mapping."""
        if not isinstance(response, Mapping):
            raise TypeError(f"a ui_response is a mapping, not {type(response).__name__}")
        self._receive(response)
