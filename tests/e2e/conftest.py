"""The app in a browser: built once for its sources, served from this process, viewed with Chromium.

`server` runs the ASGI app on an event loop in a thread; `server.call` runs a function on that loop, so that a test can
ask what the server holds. `page` fails its test on any error the page reports.
"""

import asyncio
import contextvars
import os
import threading
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from a2ui_app import serve

CHROMIUM_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
PATIENCE_MS = 10_000
"""How long `expect` waits: generous, since a test that passes never uses it."""

expect.set_options(timeout=PATIENCE_MS)

Result = TypeVar("Result")


class RunningServer:
    """The app, served on a free port of this machine."""

    def __init__(self) -> None:
        self.port = serve.choose_port("127.0.0.1", None)
        self.url = f"http://127.0.0.1:{self.port}"
        app = serve.load_app()
        started = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._server: Any = None

        async def main() -> None:
            self._loop = asyncio.get_running_loop()
            self._server = serve.new_server(app, "127.0.0.1", self.port)
            self._server.on_startup(started.set)
            await self._server.serve()

        # Reflex registers event handlers in a context variable: the thread needs a copy of this context.
        context = contextvars.copy_context()
        self._thread = threading.Thread(target=lambda: context.run(asyncio.run, main()), name="app", daemon=True)
        self._thread.start()
        if not started.wait(60):
            raise RuntimeError("The app did not start within a minute.")

    @property
    def loop(self) -> asyncio.AbstractEventLoop:
        """The event loop that the app runs on."""
        assert self._loop is not None
        return self._loop

    def call(self, function: Callable[..., Result], *args: Any) -> Result:
        """Run ``function`` on the app's loop and return what it returns (within 10 seconds)."""

        async def on_loop() -> Result:
            return function(*args)

        return asyncio.run_coroutine_threadsafe(on_loop(), self.loop).result(10)

    def stop(self) -> None:
        """End the server and its thread."""
        self.loop.call_soon_threadsafe(self._server.stop)
        self._thread.join(20)


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
