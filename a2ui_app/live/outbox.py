"""What goes to the agent: the newest messages under growing ids, for a reader that may come back later."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Sent:
    """A message to the agent under its id; ids start at 1 and grow by one."""

    id: int
    message: dict[str, Any]


@dataclass(frozen=True)
class Gap:
    """Messages that a reader asked for and that are no longer kept: ids ``first`` to ``last``."""

    first: int
    last: int


class Outbox:
    """Keeps the newest ``size`` messages; what falls out is reported to a late reader as a `Gap`, never passed over."""

    def __init__(self, size: int = 1000):
        self.last_id = 0
        self._sent: deque[Sent] = deque(maxlen=size)
        self._news = asyncio.Event()

    def put(self, message: dict[str, Any]) -> Sent:
        """Add a message and wake every reader."""
        self.last_id += 1
        sent = Sent(self.last_id, message)
        self._sent.append(sent)
        self._news.set()
        self._news = asyncio.Event()
        return sent

    def after(self, last_id: int) -> list[Sent | Gap]:
        """The messages after ``last_id``, with a `Gap` first when some of them are gone.

        An id that was never given out comes from an earlier run of the server: everything kept is new to that reader.
        """
        if last_id > self.last_id:
            last_id = 0
        kept = [sent for sent in self._sent if sent.id > last_id]
        first = kept[0].id if kept else self.last_id + 1
        return [Gap(last_id + 1, first - 1), *kept] if first > last_id + 1 else list(kept)

    async def follow(self, last_id: int, idle: float) -> AsyncIterator[Sent | Gap | None]:
        """The messages after ``last_id`` and then every new one; None whenever ``idle`` seconds pass without any."""
        while True:
            news = self._news
            for item in self.after(last_id):
                yield item
                last_id = item.id if isinstance(item, Sent) else item.last
            if news.is_set():
                continue
            try:
                await asyncio.wait_for(news.wait(), idle)
            except TimeoutError:
                yield None
