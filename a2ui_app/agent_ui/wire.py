"""Lines on a stream: one JSON value a line, UTF-8, ended by a newline."""

import asyncio
import json
from typing import Any, Protocol

MAX_LINE = 32 * 2**20  # bytes; a longer line is dropped, so that a broken peer cannot fill the memory


class Reader(Protocol):
    """What an adapter reads from; `asyncio.StreamReader` is one."""

    async def readline(self) -> bytes: ...


class Writer(Protocol):
    """What an adapter writes to; `asyncio.StreamWriter` is one."""

    def write(self, data: bytes, /) -> Any: ...

    async def drain(self) -> Any: ...


class LineTooLong(Exception):
    """A line of more than the limit was read to its end and dropped."""


def encode(value: Any) -> bytes:
    """Return `value` as one line. Raises TypeError, ValueError or RecursionError if JSON cannot say it.

    Everything beyond ASCII is escaped: a line then stays one line for peers that also break at U+2028 or U+0085, and a
    lone surrogate, which UTF-8 cannot carry, passes.
    """
    return json.dumps(value, allow_nan=False, separators=(",", ":")).encode("ascii") + b"\n"


def decode(line: bytes) -> Any:
    """Return the value of a line. Raises ValueError if the line is not JSON (a byte order mark is not)."""
    try:
        return json.loads(line.decode().strip())
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


class LineReader:
    """The lines of a `Reader`, of up to `limit` bytes, whatever the reader's own limit is.

    `StreamReader.readline` drops what exceeds the stream's limit, 64 KiB by default, and a dialog may carry more. What
    was read of a line survives an error of the reader, so the same `LineReader` can go on after it.
    """

    def __init__(self, reader: Reader, limit: int = MAX_LINE):
        self._reader = reader
        self._limit = limit
        self._line = bytearray()
        self._too_long = False

    async def next(self) -> bytes:
        """Return the next line with its newline; at the end of input what is left of one, then `b""`.

        Raises LineTooLong, and whatever the reader raises.
        """
        while True:
            piece, complete = await self._piece()
            if self._too_long or len(self._line) + len(piece) > self._limit:
                self._too_long = True
                self._line.clear()
            else:
                self._line += piece
            if complete:
                return self._take()

    async def _piece(self) -> tuple[bytes, bool]:
        """Return the next part of a line, and whether the line ends with it."""
        if not isinstance(self._reader, asyncio.StreamReader):
            return await self._reader.readline(), True
        try:
            return await self._reader.readuntil(b"\n"), True
        except asyncio.IncompleteReadError as end:
            return end.partial, True
        except asyncio.LimitOverrunError as overrun:
            return await self._reader.readexactly(overrun.consumed), False

    def _take(self) -> bytes:
        line, self._line = bytes(self._line), bytearray()
        too_long, self._too_long = self._too_long, False
        if too_long:
            raise LineTooLong(f"a line of more than {self._limit} bytes was dropped")
        return line
