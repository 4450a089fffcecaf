"""The app on a free port of this machine, in a thread of this process; the tests and the benchmarks share it."""

import asyncio
import contextvars
import os
import threading
from collections.abc import Callable
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from a2ui_app import serve

CHROMIUM_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]

Result = TypeVar("Result")


class RunningServer:
    """The app, served on a free port of this machine."""

    def __init__(self, wrap: Callable[[Any], Any] = lambda app: app) -> None:
        """``wrap`` may put an ASGI app around the app."""
        self._data = TemporaryDirectory(prefix="a2ui-data-")
        os.environ["A2UI_DATA"] = self._data.name
        self.port = serve.choose_port("127.0.0.1", None)
        self.url = f"http://127.0.0.1:{self.port}"
        app = wrap(serve.load_app())
        started = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._server: Any = None

        async def main() -> None:
            self._loop = asyncio.get_running_loop()
            self._server = serve.new_server(app, "127.0.0.1", self.port)
            async with serve.sandbox_beside("127.0.0.1", self.port):
                await serve.serve_until_stopped(self._server, started.set)

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
        self._data.cleanup()
