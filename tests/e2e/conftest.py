"""The app in a browser: built once for its sources, served from this process, viewed with Chromium.

`server` runs the ASGI app on an event loop in a thread; `server.call` runs a function on that loop, so that a test can
ask what the server holds. `page` fails its test on any error the page reports.
"""

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from .running import CHROMIUM_FLAGS, RunningServer

PATIENCE_MS = 10_000
"""How long `expect` waits: generous, since a test that passes never uses it."""

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def server() -> Iterator[RunningServer]:
    running = RunningServer()
    yield running
    running.stop()


@pytest.fixture(scope="session")
def app_url(server: RunningServer) -> str:
    return server.url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = os.environ.get("CHROMIUM_PATH")
    if not path:
        pytest.fail("CHROMIUM_PATH is not set: run the tests with `make test`, which finds or installs Chromium.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def new_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Makes pages, each in a context of its own; takes the options of `Browser.new_context`."""
    contexts: list[BrowserContext] = []
    faults: list[str] = []

    def on_console(message: ConsoleMessage) -> None:
        # What a test makes fail on purpose the browser reports as well; the test asserts that itself.
        expected = ("Failed to load resource", "WebSocket connection to")
        if message.type == "error" and not message.text.startswith(expected):
            faults.append(message.text)

    def make(**options: Any) -> Page:
        context = browser.new_context(**options)
        context.set_default_timeout(PATIENCE_MS)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", on_console)
        return page

    yield make
    for context in contexts:
        context.close()
    assert not faults, f"the page reported: {faults}"


@pytest.fixture
def page(new_page: Callable[..., Page]) -> Page:
    return new_page()
