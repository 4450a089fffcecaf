"""What `RpcUI` and `DebugRpcUI` share: twelve operations over a line, in a dialect."""
# ruff: noqa: ASYNC109 - see protocol.py

import asyncio
import logging
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from .dialects import Dialect, Notification, Request
from .pending import PendingRequests
from .protocol import CALL_TIMEOUT, CallTimeout, Err, Reason, Result
from .stdio import StdoutWriter
from .wire import Writer, encode

log = logging.getLogger(__name__)

TIMEOUT = 30.0  # seconds until a dialog without an answer ends
FLUSH_TIME = 1.0  # seconds that stop() lets stdout take what was written


class StreamUI:
    """Writes requests and notifications to `writer`, and gives each response to the dialog that waits for it.

    A subclass says how responses come in. `timeout`: seconds until a dialog ends with `Err(Reason.TIMEOUT)`.
    """

    has_ui = True

    def __init__(self, dialect: Dialect, writer: Writer | None, timeout: float | None):
        self._dialect = dialect
        self._writer = writer
        self._pending = PendingRequests(timeout)
        self._editor_text = ""
        self._running = False
        self._flushes: set[asyncio.Task[None]] = set()

    @property
    def pending(self) -> int:
        """How many dialogs wait for an answer."""
        return len(self._pending)

    async def select(
        self,
        title: str,
        options: Sequence[Mapping[str, Any]],
        *,
        timeout: float | None = CALL_TIMEOUT,
        **opts: Any,
    ) -> Result:
        return await self._ask("select", {"title": title, "options": list(options)}, opts, timeout)

    async def confirm(self, title: str, message: str, *, timeout: float | None = CALL_TIMEOUT, **opts: Any) -> Result:
        return await self._ask("confirm", {"title": title, "message": message}, opts, timeout)

    async def input(
        self, title: str, placeholder: str | None = None, *, timeout: float | None = CALL_TIMEOUT, **opts: Any
    ) -> Result:
        return await self._ask("input", {"title": title, "placeholder": placeholder}, opts, timeout)

    async def editor(
        self, title: str, prefill: str | None = None, *, timeout: float | None = CALL_TIMEOUT, **opts: Any
    ) -> Result:
        return await self._ask("editor", {"title": title, "prefill": prefill}, opts, timeout)

    def notify(self, message: str, type: str = "info", **opts: Any) -> None:
        self._tell("notify", {"message": message, "type": type})

    def set_status(self, key: str, text: str | None) -> None:
        self._tell("set_status", {"key": key, "text": text})

    def set_widget(self, key: str, content: str | Sequence[str] | None, **opts: Any) -> None:
        self._tell("set_widget", {"key": key, "content": content, "opts": _for_client(opts)})

    def set_working_message(self, message: str | None) -> None:
        self._tell("set_working_message", {"message": message})

    def set_title(self, title: str) -> None:
        self._tell("set_title", {"title": title})

    def set_editor_text(self, text: str | None) -> None:
        self._tell("set_editor_text", {"text": text})
        self._editor_text = text or ""

    def get_editor_text(self) -> str:
        return self._editor_text

    async def stop(self) -> None:
        """End open and later dialogs with `Err(Reason.SERVER_SHUTDOWN)`; later notifications are dropped."""
        self._running = False
        self._pending.close(Reason.SERVER_SHUTDOWN)
        for flush in self._flushes:
            flush.cancel()
        if isinstance(self._writer, StdoutWriter):
            await self._writer.flush(FLUSH_TIME)

    async def _ask(self, method: str, params: dict[str, Any], opts: Mapping[str, Any], timeout: float | None) -> Result:
        if self._pending.closed is not None:
            return Err(self._pending.closed)
        if not self._running:
            raise RuntimeError(f"{type(self).__name__} is not started: await its start() before asking")
        request_id = str(uuid.uuid4())
        request = Request(request_id, method, {**params, "opts": _for_client(opts)})
        line = encode(self._dialect.request(request))  # may raise: then nothing is written and nothing waits
        pending = self._pending.open(request_id)
        if self._write(line):
            self._pending.start_timer(pending)
            self._flush(request_id)
        else:
            self._pending.settle(request_id, Err(Reason.CONNECTION_CLOSED))
        # asyncio.wait leaves the future alone: the dialog outlives a caller that gave up or was cancelled.
        done, _ = await asyncio.wait({pending.answer}, timeout=timeout)
        if not done:
            raise CallTimeout(f"no answer to {method} in {timeout} s; the dialog stays open until its own timer ends")
        return pending.answer.result()

    def _tell(self, method: str, params: Mapping[str, Any]) -> None:
        if self._running:
            self._write(encode(self._dialect.notification(Notification(method, params))))

    def _write(self, line: bytes) -> bool:
        """Write a whole line at once, so that lines never mix. False if the output failed."""
        if self._writer is None:
            self._writer = StdoutWriter()
        try:
            self._writer.write(line)
        except Exception as error:  # the writer may be anybody's; whatever it raises, nobody gets the line
            log.warning("%s: writing failed: %r", type(self).__name__, error)
            return False
        return True

    def _flush(self, request_id: str) -> None:
        """Drain beside the dialog, whose timer must also end one that the client never reads."""
        flush = asyncio.get_running_loop().create_task(self._drain(request_id))
        self._flushes.add(flush)
        flush.add_done_callback(self._flushes.discard)

    async def _drain(self, request_id: str) -> None:
        assert self._writer is not None
        try:
            await self._writer.drain()
        except Exception as error:  # as in _write
            log.warning("%s: writing failed: %r", type(self).__name__, error)
            self._pending.settle(request_id, Err(Reason.CONNECTION_CLOSED))

    def _receive(self, response: object) -> None:
        """Settle the dialog that `response` is for; a response that is for none is logged and ignored."""
        if not isinstance(response, Mapping) or "id" not in response:
            log.warning("%s: ignored a response without id: %.200r", type(self).__name__, response)
        elif not self._pending.settle(response["id"], self._dialect.read_response(response)):
            log.warning("%s: ignored a response to an unknown request: %.200r", type(self).__name__, response["id"])


def _for_client(opts: Mapping[str, Any]) -> dict[str, Any]:
    """What goes on the wire: `server` and `timeout` concern only this side."""
    return {key: value for key, value in opts.items() if key not in ("server", "timeout")}
