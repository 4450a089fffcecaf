"""The messages that made a conversation's surfaces, numbered for a store: applied in order they make them again.

What people entered is no message of the agent. It is added as an ``updateDataModel`` of the whole model a moment after
the last change, and replaces the one before it when no other message came between.
"""

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from ..session.surface import Surface

PAUSE = 0.5
"""Seconds between a change of a data model and its message."""

Save = Callable[[int, dict[str, Any]], object]


class Drawing:
    """Numbers messages and passes them to ``save``; ``find`` gives a surface by its id."""

    def __init__(self, save: Save, find: Callable[[str], Surface | None], first: int = 0):
        self._save = save
        self._find = find
        self._next = first
        self._data: dict[str, int] = {}  # surface id -> number of its model's message, while that may be replaced
        self._changed: set[str] = set()
        self._timer: asyncio.TimerHandle | None = None

    def add(self, message: dict[str, Any]) -> None:
        """A message of the agent was applied."""
        self._data.clear()
        self._save(self._number(), message)

    def data_changed(self, surface_id: str) -> None:
        """A data model is not as the messages so far make it."""
        self._changed.add(surface_id)
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(PAUSE, self.flush)

    def flush(self) -> None:
        """Add the models that changed."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for surface_id in sorted(self._changed):
            surface = self._find(surface_id)
            if surface is not None:
                update = {"surfaceId": surface_id, "path": "/", "value": surface.data}
                self._data.setdefault(surface_id, self._next)
                number = self._data[surface_id]
                self._next = max(self._next, number + 1)
                self._save(number, {"version": surface.version, "updateDataModel": update})
        self._changed.clear()

    def _number(self) -> int:
        self._next += 1
        return self._next - 1


def surface_of(message: Mapping[str, Any]) -> str:
    """The id of the surface that a message is about; empty when it is about none."""
    bodies = (body for body in message.values() if isinstance(body, dict))
    return next((str(body["surfaceId"]) for body in bodies if "surfaceId" in body), "")
