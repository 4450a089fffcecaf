"""This process's stdin and stdout as asyncio streams.

asyncio's own pipe transports make a descriptor non-blocking. On a terminal the descriptor is shared with stdout, stderr
and the shell, which then fail with EAGAIN; and they refuse plain files. So both ends here leave the descriptor as it
is and only touch it when it is ready.
"""

import asyncio
import logging
import os
import select
import sys

log = logging.getLogger(__name__)

CHUNK = 64 * 1024


class StdinTransport(asyncio.ReadTransport):
    """Feeds `reader` from the descriptor `fd` (default: stdin's) until it ends or `close` is called.

    `fd` is neither closed nor read again after `close`, so nobody else's input is swallowed.
    """

    def __init__(self, reader: asyncio.StreamReader, fd: int | None = None):
        super().__init__()
        self._reader = reader
        self._fd = sys.stdin.fileno() if fd is None else fd
        self._loop = asyncio.get_running_loop()
        self._reading = False
        self._closed = False
        reader.set_transport(self)  # for back pressure: the reader pauses us when its buffer is full
        self.resume_reading()

    def is_reading(self) -> bool:
        return self._reading

    def resume_reading(self) -> None:
        if self._reading or self._closed:
            return
        self._reading = True
        try:
            self._loop.add_reader(self._fd, self._read)
        except PermissionError:  # epoll watches no plain files: they are always ready
            self._loop.call_soon(self._read_file)

    def pause_reading(self) -> None:
        if self._reading:
            self._reading = False
            self._loop.remove_reader(self._fd)

    def is_closing(self) -> bool:
        return self._closed

    def close(self) -> None:
        self.pause_reading()
        self._closed = True

    def _read(self) -> None:
        try:
            data = os.read(self._fd, CHUNK)
        except BlockingIOError:
            return  # somebody else made it non-blocking, and took what was there
        except OSError as error:  # for example EIO: the terminal is gone
            log.warning("reading stdin failed: %s", error)
            data = b""
        if data:
            self._reader.feed_data(data)
        else:
            self.close()
            self._reader.feed_eof()

    def _read_file(self) -> None:
        if self._reading:
            self._read()
            self._loop.call_soon(self._read_file)


class StdoutWriter:
    """Writes to the descriptor `fd` (default: stdout's) without ever blocking, in the order of the calls."""

    def __init__(self, fd: int | None = None):
        self._fd = sys.stdout.fileno() if fd is None else fd
        self._waiting = bytearray()
        self._loop: asyncio.AbstractEventLoop | None = None  # set while it watches the descriptor for us
        self._flushed = asyncio.Event()
        self._error: OSError | None = None

    def write(self, data: bytes) -> None:
        """Send `data` now, or as soon as the reader makes room. Raises OSError once the descriptor failed."""
        if self._error is not None:
            raise self._error
        sys.stdout.flush()  # what the program printed before comes before
        self._waiting += data
        if self._loop is None:
            self._send()
            if self._error is not None:
                raise self._error

    async def drain(self) -> None:
        """Wait until everything is sent. Raises OSError if it cannot be."""
        while self._waiting and self._error is None:
            self._flushed.clear()
            await self._flushed.wait()
        if self._error is not None:
            raise self._error

    async def flush(self, seconds: float) -> None:
        """Wait up to `seconds` until everything is sent, and log what could not be."""
        try:
            async with asyncio.timeout(seconds):
                await self.drain()
        except (OSError, TimeoutError) as error:
            log.warning("%d bytes for stdout were lost: %r", len(self._waiting), error)

    def _send(self) -> None:
        try:
            # A pipe that is ready takes PIPE_BUF bytes without blocking (pipe(7)).
            while self._waiting and select.select([], [self._fd], [], 0)[1]:
                sent = os.write(self._fd, self._waiting[: select.PIPE_BUF])
                del self._waiting[:sent]
        except BlockingIOError:
            pass
        except OSError as error:
            self._error = error
            self._waiting.clear()
        self._watch(bool(self._waiting))
        if not self._waiting:
            self._flushed.set()

    def _watch(self, wanted: bool) -> None:
        if wanted and self._loop is None:
            self._loop = asyncio.get_running_loop()
            self._loop.add_writer(self._fd, self._send)
        elif not wanted and self._loop is not None:
            self._loop.remove_writer(self._fd)
            self._loop = None
