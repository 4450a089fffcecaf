"""For browser tests of live surfaces: a channel of the running server as an agent sees it, and a slow network."""

import asyncio
import threading
import time
from collections.abc import Callable
from itertools import count
from typing import Any

import httpx
from playwright.sync_api import Locator, Page

from a2ui_app.live.channel import Channel
from a2ui_app.live.outbox import Sent
from a2ui_app.live.registry import CHANNELS

BASIC_1_0 = "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json"
BASIC_0_9 = "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"

_numbers = count(1)


class Board:
    """A channel of its own for one test: what an agent posts to it, and what the server's session holds."""

    def __init__(self, server: Any):
        self._server = server
        self.name = f"test-{next(_numbers)}"
        self.path = f"/surface/{self.name}"
        self.url = f"{server.url}{self.path}"

    def post(self, *messages: dict[str, Any]) -> dict[str, Any]:
        """Post messages as an agent does; what the server replies."""
        return httpx.post(f"{self._server.url}/a2ui/{self.name}", json=list(messages)).json()

    def draw(self, *components: dict[str, Any], data: dict[str, Any] | None = None, **more: Any) -> None:
        """Create the surface ``s`` (1.0); the first component is the root unless one says so."""
        body: dict[str, Any] = {"surfaceId": "s", "catalogId": BASIC_1_0, "dataModel": data or {}, **more}
        reply = self.post({"version": "1.0", "createSurface": body | {"components": _rooted(components)}})
        assert reply["ok"], reply

    def draw_0_9(self, *components: dict[str, Any], data: dict[str, Any] | None = None, **more: Any) -> None:
        """Create the surface ``s`` (0.9)."""
        create = {"surfaceId": "s", "catalogId": BASIC_0_9, **more}
        reply = self.post(
            {"version": "v0.9", "createSurface": create},
            {"version": "v0.9", "updateComponents": {"surfaceId": "s", "components": _rooted(components)}},
            {"version": "v0.9", "updateDataModel": {"surfaceId": "s", "path": "/", "value": data or {}}},
        )
        assert reply["ok"], reply

    def update(self, *components: dict[str, Any]) -> None:
        """Update components of the surface ``s``."""
        reply = self.post({"version": "1.0", "updateComponents": {"surfaceId": "s", "components": list(components)}})
        assert reply["ok"], reply

    def set(self, path: str, value: Any) -> None:
        """Set data of the surface ``s``."""
        reply = self.post({"version": "1.0", "updateDataModel": {"surfaceId": "s", "path": path, "value": value}})
        assert reply["ok"], reply

    def read(self, look: Callable[[Channel], Any]) -> Any:
        """What ``look`` finds in the channel, on the server's own event loop."""
        return self._server.call(lambda: look(CHANNELS.open(self.name)))

    @property
    def data(self) -> Any:
        """The data model of the surface ``s``."""
        return self.read(lambda channel: next(s.data for s in channel.session.surfaces() if s.id == "s"))

    @property
    def sent(self) -> list[dict[str, Any]]:
        """The messages to the agent."""
        return self.read(lambda channel: [item.message for item in channel.outbox.after(0) if isinstance(item, Sent)])

    @property
    def actions(self) -> list[tuple[str, Any]]:
        """The names and contexts of the actions to the agent."""
        return [(m["action"]["name"], m["action"]["context"]) for m in self.sent if "action" in m]

    def holds(self, path: str, value: Any) -> None:
        """Wait until the server's data at ``path`` ("/a/b") is ``value``."""

        def look() -> Any:
            found = self.data
            for step in path.strip("/").split("/"):
                found = found[int(step)] if isinstance(found, list) else found.get(step)
            return found

        eventually(look, value)


def eventually(look: Callable[[], Any], expected: Any, seconds: float = 10) -> None:
    """Wait until ``look()`` is ``expected``; fails with what it was last."""
    deadline = time.monotonic() + seconds
    while (found := look()) != expected:
        assert time.monotonic() < deadline, f"still {found!r}, expected {expected!r}"
        time.sleep(0.02)


def _rooted(components: tuple[dict[str, Any], ...]) -> list[dict[str, Any]]:
    first, *rest = components
    return [{"id": "root"} | first, *rest]


def column(*children: str) -> dict[str, Any]:
    """A root that shows ``children``."""
    return {"component": "Column", "children": list(children)}


def text(id: str, words: Any, **more: Any) -> dict[str, Any]:
    """A Text; a string that begins with "/" is the path of its words."""
    bound = {"@path": words} if isinstance(words, str) and words.startswith("/") else words
    return {"id": id, "component": "Text", "text": bound, **more}


def at(path: str) -> dict[str, str]:
    """A binding."""
    return {"@path": path}


def focused(page: Page) -> Any:
    """The value, and where the caret is, of the field that has the focus."""
    return page.evaluate("[document.activeElement.value, document.activeElement.selectionStart]")


def drag(page: Page, slider: Locator, share: float) -> None:
    """Drag a slider's knob to ``share`` of its track."""
    box = slider.bounding_box()
    assert box
    middle = box["y"] + box["height"] / 2
    start = box["x"] + box["width"] * float(slider.evaluate("e => (e.value - e.min) / (e.max - e.min)"))
    page.mouse.move(min(start + 1, box["x"] + box["width"] - 4), middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * share / 2, middle, steps=3)
    page.mouse.move(box["x"] + box["width"] * share, middle, steps=5)
    page.mouse.up()


class SlowLink:
    """A TCP proxy to the server: every byte takes ``delay`` seconds each way; connections can be cut and refused."""

    def __init__(self, port: int):
        self.delay = 0.0
        self.refuses = False
        self.port = 0
        self._target = port
        self._writers: set[asyncio.StreamWriter] = set()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._thread.start()
        assert self._ready.wait(5)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def cut(self) -> None:
        """Break every connection, as a network does: what is on its way is lost."""
        self._loop.call_soon_threadsafe(self._cut)

    def close(self) -> None:
        """End the proxy and every connection."""
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join(5)

    def _cut(self) -> None:
        for writer in self._writers:
            writer.transport.abort()

    async def _serve(self) -> None:
        self._loop, self._ended = asyncio.get_running_loop(), asyncio.Event()
        listening = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = listening.sockets[0].getsockname()[1]
        self._ready.set()
        await self._ended.wait()
        listening.close()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.refuses:
            writer.transport.abort()
            return
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", self._target)
        self._writers |= {writer, there_writer}
        try:
            await asyncio.gather(self._carry(reader, there_writer), self._carry(there_reader, writer))
        except ConnectionError:
            pass  # one of the two is gone; so the other must go
        finally:
            self._writers -= {writer, there_writer}
            for end in (writer, there_writer):
                end.transport.abort()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Hand on what comes, in order, each piece ``delay`` after it came."""
        pieces: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def take() -> None:
            while piece := await reader.read(65536):
                pieces.put_nowait((self._loop.time() + self.delay, piece))
            pieces.put_nowait((self._loop.time() + self.delay, b""))

        taking = asyncio.ensure_future(take())
        try:
            while True:
                due, piece = await pieces.get()
                await asyncio.sleep(due - self._loop.time())
                if not piece:
                    writer.close()
                    return
                writer.write(piece)
                await writer.drain()
        finally:
            taking.cancel()
