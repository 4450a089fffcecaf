"""The other end of an adapter's line: what a client would read and write."""

import asyncio
import json
from typing import Any


class Written:
    """A writer that keeps what was written, and hands out its lines one by one."""

    def __init__(self) -> None:
        self.data = b""
        self.calls: list[bytes] = []
        self._lines: asyncio.Queue[bytes] = asyncio.Queue()

    def write(self, data: bytes) -> None:
        self.data += data
        self.calls.append(data)
        for line in data.splitlines(keepends=True):
            self._lines.put_nowait(line)

    async def drain(self) -> None:
        pass

    async def line(self) -> bytes:
        return await self._lines.get()

    async def message(self) -> dict[str, Any]:
        return json.loads(await self.line())

    def messages(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.data.splitlines()]


class Client:
    """Reads an adapter's requests from `written`, writes answers to `reader`."""

    def __init__(self) -> None:
        self.reader = asyncio.StreamReader()
        self.written = Written()

    async def request(self) -> dict[str, Any]:
        return await self.written.message()

    def send(self, message: Any) -> None:
        self.send_line(json.dumps(message).encode())

    def send_line(self, line: bytes) -> None:
        self.reader.feed_data(line + b"\n")

    def answer(self, request: dict[str, Any], result: Any) -> None:
        self.send({"id": request["id"], "result": result})
