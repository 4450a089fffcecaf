"""What a channel remembers for people: the messages it got and the effects they and the users had."""

import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, Literal

from ..session import effects

Kind = Literal[
    "received", "refused", "sent", "open_url", "surface", "agent_call", "tool_call", "diagnostic", "input_refused"
]

_KINDS: dict[type, Kind] = {
    effects.Send: "sent",
    effects.OpenUrl: "open_url",
    effects.SurfaceCreated: "surface",
    effects.SurfaceDeleted: "surface",
    effects.ComponentsUpdated: "surface",
    effects.DataModelUpdated: "surface",
    effects.AgentCallSent: "agent_call",
    effects.RpcSettled: "agent_call",
    effects.CallTool: "tool_call",
    effects.AppReply: "tool_call",
    effects.Diagnostic: "diagnostic",
}


@dataclass(frozen=True)
class Entry:
    """One line: ``number`` grows by one, ``time`` is in seconds since the epoch, ``body`` is plain JSON data."""

    number: int
    time: float
    kind: Kind
    title: str
    body: dict[str, Any]


class Log:
    """The newest ``size`` entries; ``total`` counts those that have fallen out, too."""

    def __init__(self, size: int = 1000, clock: Callable[[], float] = time.time):
        self.total = 0
        self._entries: deque[Entry] = deque(maxlen=size)
        self._clock = clock

    def add(self, kind: Kind, title: str, body: dict[str, Any]) -> Entry:
        """Append an entry."""
        self.total += 1
        entry = Entry(self.total, self._clock(), kind, title, body)
        self._entries.append(entry)
        return entry

    def add_effect(self, effect: effects.Effect) -> Entry:
        """Append an effect under its name."""
        return self.add(_KINDS[type(effect)], type(effect).__name__, asdict(effect))

    def after(self, number: int) -> list[Entry]:
        """The entries after ``number``, oldest first."""
        return [entry for entry in self._entries if entry.number > number]

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)
