"""Tests marked `simulated_time` run on a `SimulatedLoop`."""

import asyncio
from collections.abc import Callable, Mapping

import pytest

from .simulated import SimulatedLoop


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "simulated_time: run on an event loop whose clock jumps to the next timer")


def pytest_asyncio_loop_factories(
    config: pytest.Config, item: pytest.Item
) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    if item.get_closest_marker("simulated_time"):
        return {"simulated": SimulatedLoop}
    return {"real": asyncio.new_event_loop}
