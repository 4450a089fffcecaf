"""One open page that shows a channel: a snapshot first, then what changed, merged while the page was busy."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

from ..session.nodes import Patch

Beside = dict[str, Any]
"""What is shown beside the session's surfaces, by key; None: it is gone."""

Snapshot = tuple[Patch, Beside]


@dataclass(frozen=True)
class Update:
    """What a page has to show next.

    ``patch`` and ``beside`` are everything when ``snapshot``, else what changed. ``acks`` names the page's own writes
    and clicks that are done, ``replies`` the requests of its apps with what they get; what they changed is in the same
    or in an earlier update.
    """

    patch: Patch
    acks: tuple[str, ...] = ()
    replies: dict[str, Any] = field(default_factory=dict)
    snapshot: bool = False
    beside: Beside = field(default_factory=dict)


class Viewer:
    """An async iterator of `Update`; `Channel.watch` makes and closes it. An update may be empty: the log grew."""

    def __init__(self, snapshot: Callable[[], Snapshot]):
        self._snapshot: Callable[[], Snapshot] | None = snapshot
        self._patch: Patch | None = None
        self._beside: Beside = {}
        self._acks: list[str] = []
        self._replies: dict[str, Any] = {}
        self._news = asyncio.Event()

    def show(self, patch: Patch) -> None:
        """Add ``patch`` to what the page has to show."""
        self._patch = patch if self._patch is None else merge(self._patch, patch)
        self._news.set()

    def show_beside(self, nodes: Beside) -> None:
        """Add ``nodes`` to what the page has to show."""
        self._beside |= nodes
        self._news.set()

    def acknowledge(self, delivery: str) -> None:
        """Tell the page that its write or click ``delivery`` is done."""
        self._acks.append(delivery)
        self._news.set()

    def reply(self, request: str, reply: dict[str, Any] | None) -> None:
        """Give the page the reply to the ``request`` of an app."""
        self._replies[request] = reply
        self._news.set()

    def start_over(self, snapshot: Callable[[], Snapshot]) -> None:
        """Show another session: the next update is its ``snapshot``."""
        self._snapshot = snapshot
        self._news.set()

    def wake(self) -> None:
        """Make the iterator go on although no node changed."""
        self._news.set()

    async def __aiter__(self) -> AsyncIterator[Update]:
        while True:
            yield self._next()
            await self._news.wait()

    def _next(self) -> Update:
        self._news.clear()
        if self._snapshot is not None:
            (patch, beside), snapshot = self._snapshot(), True  # it includes what was to be shown
        else:
            patch, beside, snapshot = self._patch or NOTHING, self._beside, False
        acks, self._acks = tuple(self._acks), []
        replies, self._replies = self._replies, {}
        self._snapshot, self._patch, self._beside = None, None, {}
        return Update(patch, acks, replies, snapshot, beside)


NOTHING = Patch(0, {}, {})


def merge(first: Patch, then: Patch) -> Patch:
    """One patch that does what ``first`` and ``then`` do in order."""
    return Patch(then.revision, first.nodes | then.nodes, first.surfaces | then.surfaces)
