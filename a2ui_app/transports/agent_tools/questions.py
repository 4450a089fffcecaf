"""Questions that outlive the call that asked them.

A CLI may give up a tool call long before its person has answered. The dialog stays open, and the answer is kept: for
the same question when it is asked again, or for whoever asks what happened meanwhile.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from ...agent_ui.protocol import Ok, Reason, Result

Tick = Callable[[float], Awaitable[object]]

WHY = {
    Reason.TIMEOUT: "Nobody answered in time.",
    Reason.SERVER_SHUTDOWN: "The page was closed.",
    Reason.CONNECTION_CLOSED: "The page was closed.",
    Reason.INVALID_RESPONSE: "The answer could not be read.",
}


class Questions:
    """The questions of one conversation. ``tick`` of `ask` is called every ``interval`` seconds while one waits."""

    def __init__(self, interval: float = 8.0):
        self._interval = interval
        self._open: dict[str, asyncio.Task[Result]] = {}
        self._waiting: dict[str, int] = {}

    async def ask(
        self, tool: str, arguments: dict[str, Any], dialog: Callable[[], Coroutine[Any, Any, Result]], tick: Tick
    ) -> dict[str, Any]:
        """The answer to the question of these arguments: ``{"answer": …}``, null with a ``reason`` if there is none."""
        key = json.dumps([tool, arguments], sort_keys=True)
        task = self._open.get(key)
        if task is None:
            task = self._open[key] = asyncio.get_running_loop().create_task(dialog())
        self._waiting[key] = self._waiting.get(key, 0) + 1
        loop = asyncio.get_running_loop()
        start = loop.time()
        try:
            while not (await asyncio.wait({task}, timeout=self._interval))[0]:
                await tick(loop.time() - start)
        finally:
            self._waiting[key] -= 1
            if not self._waiting[key]:
                del self._waiting[key]
        self._open.pop(key, None)
        return answer_of(task.result())

    @property
    def awaited(self) -> int:
        """How many calls wait for an answer."""
        return sum(self._waiting.values())

    def take_answers(self) -> list[dict[str, Any]]:
        """The answers that came when nobody waited for them any more; each is told once."""
        done = [key for key, task in self._open.items() if task.done() and not self._waiting.get(key)]
        told: list[dict[str, Any]] = []
        for key in done:
            tool, arguments = json.loads(key)
            told.append({"tool": tool, "question": arguments.get("title"), **answer_of(self._open.pop(key).result())})
        return told

    async def close(self) -> None:
        """Take all questions back."""
        tasks = list(self._open.values())
        self._open.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def answer_of(result: Result) -> dict[str, Any]:
    """A result as agents are told it."""
    if isinstance(result, Ok):
        if result.value is None:
            return {"answer": None, "reason": "The person gave no answer. Go on without it, or ask differently."}
        return {"answer": result.value}
    why = WHY.get(result.reason) if isinstance(result.reason, Reason) else None
    return {"answer": None, "reason": why or str(result.reason)}
