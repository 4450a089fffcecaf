"""One prompt at work: the bounded stream of messages, the one result, and who may end it (time, silence, the person).

A backend writes a `Turn`; `Run` watches over it. The rules every backend shares are here and only here: exactly one
result, the stream closed before it, time-outs, the order "ask first, then kill", tool calls closed when all is over.
"""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Self

from .base import BackendError, ExecOptions, Message, MessageType, Outcome, Result, Status
from .process import complete

log = logging.getLogger(__name__)

CAPACITY = 256  # messages a slow reader may be behind before it misses some
INTERRUPT_GRACE = 3.0  # seconds an agent has to end a turn by itself after it was asked to (some never answer)


class Messages(AsyncIterator[Message]):
    """The bounded stream: `put` never waits; what a slow reader misses is counted and told in a log message."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self.dropped = 0
        self._capacity = capacity
        self._queue: deque[Message] = deque()
        self._missed = 0  # dropped since the last note
        self._closed = False
        self._reader: asyncio.Future[None] | None = None

    def put(self, message: Message) -> None:
        """Append, or drop when the reader is `capacity` behind or the stream is closed."""
        if self._closed:
            return
        if len(self._queue) >= self._capacity:
            self._missed += 1
            self.dropped += 1
            return
        if self._missed:
            self._note_missed()
        self._queue.append(message)
        self._wake()

    def close(self) -> None:
        """End the stream; what is queued can still be read."""
        if self._missed:
            self._note_missed()
        self._closed = True
        self._wake()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Message:
        while not self._queue:
            if self._closed:
                raise StopAsyncIteration
            if self._reader is not None and not self._reader.done():
                raise RuntimeError("the messages of a run have one reader; another one is waiting already")
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        return self._queue.popleft()

    def _note_missed(self) -> None:
        text = f"{self._missed} messages were left out here because their reader was slow"
        self._missed = 0
        self._queue.append(Message(MessageType.LOG, text, level="warning"))

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)


class Turn(ABC):
    """What a backend does for one prompt. `play` runs as a task; the others are called by the run around it."""

    @abstractmethod
    async def play(self, run: "Run") -> None:
        """Work until the turn is over, telling `run.emit` what happens; leave no process behind, also when cancelled.

        Raises BackendError with a text for people when it cannot go on.
        """

    async def interrupt(self) -> None:
        """Ask the agent to end the turn by itself. The run waits a moment for `play` to return, then cancels it.

        The default has no way to ask, so `play` is cancelled at once.
        """
        raise NotImplementedError

    @abstractmethod
    def outcome(self) -> Outcome:
        """Say how it ended as far as the agent told; called once, after `play` is over in whatever way."""


class Run:
    """The caller's side: `messages`, `result`, `cancel`. The turn's side: `emit`, `touch`, `waiting`."""

    def __init__(self, turn: Turn, options: ExecOptions) -> None:
        """Start `turn` in the running event loop."""
        loop = asyncio.get_running_loop()
        self.messages = Messages()
        self._result: asyncio.Future[Result] = loop.create_future()
        self.session_id = ""  # known as soon as the agent tells it
        self._turn = turn
        self._options = options
        self._started = self._last_sign = monotonic()
        self._settled = False
        self._alive = False  # whether the agent gave any sign of life
        self._dialogs = 0
        self._open_calls: dict[str, str] = {}  # call id -> tool
        self._stop: asyncio.Future[tuple[Status, str]] = loop.create_future()
        self._task = loop.create_task(self._supervise())

    @property
    def result(self) -> asyncio.Future[Result]:
        """Resolves exactly once, after the stream closed and every process is gone. Never an exception."""
        return asyncio.shield(self._result)  # a caller that stops waiting must not take the result from the others

    @property
    def done(self) -> bool:
        """Whether the result is there."""
        return self._result.done()

    async def cancel(self) -> Result:
        """End the run: the agent is asked first, then its processes are killed. Returns the result; safe to repeat."""
        self._request_stop(Status.ABORTED, "")
        return await self.result

    # --- for the turn -------------------------------------------------------------------------------------------

    def emit(self, message: Message) -> None:
        """Pass a message on to the reader, without waiting."""
        self.touch()
        if message.type is MessageType.TOOL_USE:
            self._open_calls[message.call_id] = message.tool
        elif message.type is MessageType.TOOL_RESULT:
            self._open_calls.pop(message.call_id, None)
        self.messages.put(message)

    def touch(self) -> None:
        """Note a sign of life of the agent."""
        self._alive = True
        self._last_sign = monotonic()

    def settle(self) -> None:
        """Note that the agent has said its last word: only cleaning up is left, and no cancel or limit changes that."""
        self._settled = True

    @contextmanager
    def waiting(self, what: str) -> Iterator[None]:
        """While a person is asked, silence is no fault: the idle watchdog is off."""
        self._dialogs += 1
        self.emit(Message(MessageType.STATUS, what, level="waiting"))
        try:
            yield
        finally:
            self._dialogs -= 1
            self.emit(Message(MessageType.STATUS, "", level="working"))

    # --- inside -------------------------------------------------------------------------------------------------

    def _request_stop(self, status: Status, why: str) -> None:
        if not self._settled and not self._stop.done():
            self._stop.set_result((status, why))

    async def _supervise(self) -> None:
        work = asyncio.create_task(self._turn.play(self))
        watch = asyncio.create_task(self._watch_silence())
        timer = None
        if self._options.timeout is not None:
            text = f"the run took longer than {self._options.timeout:g} seconds"
            timer = asyncio.get_running_loop().call_later(
                self._options.timeout, self._request_stop, Status.TIMEOUT, text
            )
        try:
            await asyncio.wait({work, self._stop}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                await self._interrupt(work)
        finally:  # also when the loop shuts down and cancels this task
            watch.cancel()
            if timer is not None:
                timer.cancel()
            work.cancel()
            try:
                await complete(work)  # its clean-up may take a while
            finally:
                self._finish(work)

    async def _interrupt(self, work: asyncio.Task[None]) -> None:
        try:
            await asyncio.wait_for(self._turn.interrupt(), INTERRUPT_GRACE)
        except NotImplementedError:
            return
        except (BackendError, OSError, TimeoutError) as error:
            log.debug("interrupt: %r", error)
            return
        await asyncio.wait({work}, timeout=INTERRUPT_GRACE)

    async def _watch_silence(self) -> None:
        options = self._options
        limits = [x for x in (options.startup_timeout, options.idle_timeout, options.tool_timeout) if x is not None]
        step = min([60.0, *limits])  # which limit holds changes at any time, so look again after the shortest
        while True:
            limit = self._silence_limit()
            left = None if limit is None else self._last_sign + limit - monotonic()
            if left is not None and left <= 0:
                self._request_stop(Status.TIMEOUT, f"the agent gave no sign of life for {limit:g} seconds")
                return
            await asyncio.sleep(step if left is None else min(step, left))

    def _silence_limit(self) -> float | None:
        if self._dialogs:
            return None
        if not self._alive:
            return self._options.startup_timeout
        return self._options.tool_timeout if self._open_calls else self._options.idle_timeout

    def _finish(self, work: asyncio.Task[None]) -> None:
        outcome = self._outcome(work)
        for call_id, tool in self._open_calls.items():  # an interrupted tool may never end by itself
            self.messages.put(Message(MessageType.TOOL_RESULT, tool=tool, call_id=call_id, level="cancelled"))
        self.messages.close()
        self._result.set_result(
            Result(
                outcome.status,
                outcome.output,
                outcome.error,
                round((monotonic() - self._started) * 1000),
                outcome.session_id,
                outcome.usage,
                outcome.resumed,
                self.messages.dropped,
            )
        )

    def _outcome(self, work: asyncio.Task[None]) -> Outcome:
        try:
            outcome = self._turn.outcome()
        except Exception as broken:  # a result is promised, whatever a parser does
            log.exception("the outcome of a turn could not be told")
            outcome = Outcome(Status.FAILED, error=repr(broken))
        error = None if work.cancelled() else work.exception()
        if error is not None and not isinstance(error, BackendError):
            log.error("the turn of an agent broke", exc_info=error)
        # What we did ourselves is known best: agents report a cancelled turn as success, failure or nothing.
        if self._stop.done():
            status, why = self._stop.result()
            return _replace(outcome, status, why)
        if work.cancelled():
            return _replace(outcome, Status.ABORTED, "")
        if error is not None:
            return _replace(outcome, Status.FAILED, str(error) or repr(error))
        return outcome


def _replace(outcome: Outcome, status: Status, error: str) -> Outcome:
    return Outcome(status, outcome.output, error, outcome.session_id, outcome.usage, outcome.resumed)
