"""An event loop for tests of time-outs: its clock stands still while there is work, and jumps to the next timer."""

import asyncio
import selectors
from typing import Any


class SimulatedLoop(asyncio.SelectorEventLoop):
    """Starts at 0 s. When every task waits and no timer is set, it raises instead of waiting for ever."""

    def __init__(self) -> None:
        self.now = 0.0
        self.delays: list[float] = []  # of each call_later, in the order they were set
        super().__init__(_JumpingSelector(self))

    def time(self) -> float:
        return self.now

    def call_later(self, delay: float, *args: Any, **kwargs: Any) -> asyncio.TimerHandle:
        self.delays.append(delay)
        return super().call_later(delay, *args, **kwargs)


class _JumpingSelector(selectors.SelectSelector):
    def __init__(self, loop: SimulatedLoop):
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None):
        ready = super().select(0)
        if not ready and timeout is None:
            raise RuntimeError("every task waits for something that will not happen")
        if not ready and timeout is not None and timeout > 0:
            self._loop.now += timeout
        return ready
