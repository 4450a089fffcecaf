"""The dialogs that wait for an answer: one state machine for every adapter that asks over a line."""

import asyncio
from dataclasses import dataclass, field

from .protocol import Err, Reason, Result


@dataclass(eq=False)
class Pending:
    """One dialog: `answer` is set once, by whatever comes first of the answer, the timer and the end."""

    id: str
    answer: asyncio.Future[Result]
    timer: asyncio.TimerHandle | None = field(default=None, repr=False)


class PendingRequests:
    """The open dialogs by id. `timeout`: seconds until a dialog ends with `Err(Reason.TIMEOUT)`; None: never.

    A dialog leaves the table when it is settled, so a second answer or a late one finds nothing.
    """

    def __init__(self, timeout: float | None):
        self.timeout = timeout
        self.closed: Reason | None = None  # why no dialog can be opened any more
        self._open: dict[str, Pending] = {}

    def __len__(self) -> int:
        return len(self._open)

    def open(self, request_id: str) -> Pending:
        """Add a dialog. Its timer is started apart, after it was written."""
        pending = Pending(request_id, asyncio.get_running_loop().create_future())
        self._open[request_id] = pending
        return pending

    def start_timer(self, pending: Pending) -> None:
        """Let `pending` end after `timeout`, unless it is settled already."""
        if self.timeout is not None and pending.id in self._open:
            loop = asyncio.get_running_loop()
            pending.timer = loop.call_later(self.timeout, self.settle, pending.id, Err(Reason.TIMEOUT))

    def settle(self, request_id: object, result: Result) -> bool:
        """End the dialog of that id with `result`. False if no such dialog is open."""
        pending = self._open.pop(request_id, None) if isinstance(request_id, str) else None
        if pending is None:
            return False
        if pending.timer is not None:
            pending.timer.cancel()
        pending.answer.set_result(result)
        return True

    def close(self, reason: Reason) -> None:
        """End every open dialog with `Err(reason)`, and refuse new ones with it."""
        self.closed = reason
        for request_id in list(self._open):
            self.settle(request_id, Err(reason))
