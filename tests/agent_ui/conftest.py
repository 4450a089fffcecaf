"""An event loop for tests of time-outs: its clock stands still while there is work, and jumps to the next timer."""

import asyncio
import selectors
from collections.abc import Callable, Mapping

import pytest


class SimulatedLoop(asyncio.SelectorEventLoop):
    """Starts at 0 s. When every task waits and no timer is set, it raises instead of waiting for ever."""

    def __init__(self) -> None:
        self.now = 0.0
        super().__init__(_JumpingSelector(self))

    def time(self) -> float:
        return self.now


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


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "simulated_time: run on an event loop whose clock jumps to the next timer")


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    if item.get_closest_marker("simulated_time"):
        return {"simulated": SimulatedLoop}
    return {"real": asyncio.new_event_loop}
