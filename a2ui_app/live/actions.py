"""What people do on surfaces, on its way to a coding agent: kept until it is read, or told in a prompt."""

import asyncio
import json
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .timeline import Entry


@dataclass(frozen=True)
class Done:
    """An action of the protocol, and the entry that tells it."""

    action: dict[str, Any]
    entry: Entry


class UnreadActions:
    """Actions in order. An agent that waits gets the oldest; those that nobody waits for can be taken all at once."""

    def __init__(self) -> None:
        self._actions: deque[Done] = deque()
        self._waiting = 0
        self._news = asyncio.Event()

    @property
    def awaited(self) -> bool:
        """Whether an agent waits for the next action."""
        return self._waiting > 0

    def put(self, done: Done) -> None:
        """Add an action."""
        self._actions.append(done)
        self._news.set()

    def take_all(self) -> list[Done]:
        """Take what is unread."""
        taken = list(self._actions)
        self._actions.clear()
        return taken

    async def next(self, wait: float | None) -> dict[str, Any] | None:
        """Take the oldest action, or the next one; None when there is none within ``wait`` seconds."""
        self._waiting += 1
        try:
            async with asyncio.timeout(wait):
                while not self._actions:
                    self._news.clear()
                    await self._news.wait()
            return self._actions.popleft().action
        except TimeoutError:
            return None
        finally:
            self._waiting -= 1


def prompt_of(action: Mapping[str, Any], data: Any) -> str:
    """An action as the prompt of an agent that is not waiting for it."""
    told = {"event": action.get("name"), "surfaceId": action.get("surfaceId"), "context": action.get("context") or {}}
    if data:
        told["data"] = data
    return f"[action] The person used a surface you drew:\n{json.dumps(told, ensure_ascii=False)}"
