"""`RpcUI`: the UI protocol over a line that belongs to it alone, stdin and stdout by default."""

import asyncio
import logging
from typing import Self

from .dialects import RPC
from .protocol import Reason
from .stdio import StdinTransport
from .stream_ui import TIMEOUT, StreamUI
from .wire import LineReader, LineTooLong, Reader, Writer, decode

log = logging.getLogger(__name__)

FIRST_PAUSE = 0.01  # seconds before a reader that failed is tried again; doubles up to LAST_PAUSE
LAST_PAUSE = 1.0


class RpcUI(StreamUI):
    """Asks on `writer` and reads the answers from `reader` (default: stdout and stdin), between `start` and `stop`.

    At the end of input every open and later dialog ends with `Err(Reason.CONNECTION_CLOSED)`; notifications are still
    written. A reader that raises is tried again after a short pause.
    """

    def __init__(self, reader: Reader | None = None, writer: Writer | None = None, timeout: float | None = TIMEOUT):
        super().__init__(RPC, writer, timeout)
        self._reader = reader
        self._stdin: StdinTransport | None = None
        self._reading: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *exc_info: object) -> None:
        await self.stop()

    async def start(self) -> None:
        """Begin to read. Raises RuntimeError if it was started before."""
        if self._reading is not None:
            raise RuntimeError("this RpcUI was started before; make a new one")
        if self._reader is None:
            self._reader = asyncio.StreamReader()
            self._stdin = StdinTransport(self._reader)
        self._running = True
        self._reading = asyncio.create_task(self._read(LineReader(self._reader)))

    async def stop(self) -> None:
        """Stop reading, and end every open dialog with `Err(Reason.SERVER_SHUTDOWN)`."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.wait({self._reading})
        if self._stdin is not None:
            self._stdin.close()
        await super().stop()

    async def wait_closed(self) -> None:
        """Wait for the end of input, or for `stop`."""
        if self._reading is not None:
            await asyncio.wait({self._reading})

    async def _read(self, lines: LineReader) -> None:
        """Read to the end of input, whatever fails on the way."""
        pause = FIRST_PAUSE
        while True:
            try:
                line = await lines.next()
                if not line:
                    break
                self._receive_line(line)
                pause = FIRST_PAUSE
            except LineTooLong as error:
                log.warning("RpcUI: %s", error)
            except Exception as error:  # the reader may be anybody's, and one bad read must not end the dialogs
                log.warning("RpcUI: reading failed, trying again in %g s: %r", pause, error)
                await asyncio.sleep(pause)
                pause = min(2 * pause, LAST_PAUSE)
        self._pending.close(Reason.CONNECTION_CLOSED)

    def _receive_line(self, line: bytes) -> None:
        if not line.decode(errors="replace").strip():
            return
        try:
            response = decode(line)
        except ValueError as error:
            log.warning("RpcUI: ignored a line that is not JSON (%s): %.200r", error, line)
        else:
            self._receive(response)
