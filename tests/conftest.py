"""What concerns all tests."""

import signal

import pytest


def pytest_configure() -> None:
    """Ctrl+C reaches the programs that tests start, even where a shell has started the tests in the background."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests come last: Playwright's own event loop runs on in this thread, and asyncio allows only one."""
    items.sort(key=lambda item: "/e2e/" in item.path.as_posix())
