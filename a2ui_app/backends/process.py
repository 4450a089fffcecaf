"""A child process whose lines are read and whose every descendant dies with it.

Why not `asyncio.create_subprocess_exec`: its reader gives up on long lines, its `wait()` waits (in some versions of
Python) for pipes that a grandchild keeps open, and killing the process group misses tools that agents start in a
session of their own. Here the chunks come straight from the transport, the exit and the end of the output are two
events, and a marker in the environment finds every process of the run (on Linux; elsewhere the process group is all
there is to kill).
"""

import asyncio
import os
import signal
import uuid
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any, Self, cast

from .base import BackendError, ExecutableNotFound
from .environment import redact
from .output import MAX_LINE, LineSplitter, SkippedLine, Stderr

MARKER = "A2UI_APP_RUN"  # the environment variable every process of a run inherits
OWNER = "A2UI_APP_PROCESS"  # the same for who started it: our pid, and when we started
LINES_BEFORE_YIELD = 64  # so that the reader of the messages gets a turn before its 256 slots are full
HIGH_WATER = 4 * 1024 * 1024  # bytes read ahead of the parser before the pipe is left to fill

EOF_GRACE = 2.0  # seconds to wait for the end of the output after the process ended (a grandchild may hold the pipe)
EXIT_GRACE = 2.0  # seconds to wait for the exit after stdin was closed
TERM_GRACE = 3.0  # seconds to wait after SIGTERM
KILL_GRACE = 10.0  # seconds for the kernel to end what got SIGKILL
SCAN_INTERVAL = 0.02


class Process:
    """One running program. Always `await stop()` it, in a `finally`."""

    def __init__(
        self, protocol: "_Protocol", transport: asyncio.SubprocessTransport, marker: str, env: Mapping[str, str]
    ) -> None:
        self._protocol = protocol
        self._transport = transport
        self._marker = marker
        self._env = env
        self._lines: deque[bytes | SkippedLine] = deque()  # read and not asked for yet
        self._count = 0
        self.pid = transport.get_pid()

    @classmethod
    async def spawn(
        cls,
        argv: Sequence[str],
        *,
        cwd: str | Path,
        env: Mapping[str, str],
        stdin: bool = True,
        max_line: int = MAX_LINE,
        on_stderr_line: Callable[[str], object] | None = None,
    ) -> Self:
        """Start `argv` (its first item a path) in a process group of its own, with exactly the variables of `env`.

        `stdin=False` gives it an empty input. `on_stderr_line` gets each line of stderr as it comes, with secrets of
        `env` blotted out; it must not raise. Raises ExecutableNotFound when the file cannot be executed and
        BackendError when `cwd` is no folder.
        """
        folder = existing_folder(cwd)
        marker = uuid.uuid4().hex
        marked = {
            **env,
            MARKER: marker,
            OWNER: _birth(os.getpid()),
            "PWD": folder,
        }  # some agents trust PWD more than their working directory
        tell = None if on_stderr_line is None else lambda line: on_stderr_line(redact(line, marked))
        piped = asyncio.subprocess.PIPE
        starting = asyncio.create_task(
            asyncio.get_running_loop().subprocess_exec(
                lambda: _Protocol(max_line, Stderr(tell)),
                *argv,
                stdin=piped if stdin else asyncio.subprocess.DEVNULL,
                stdout=piped,
                stderr=piped,
                cwd=folder,
                env=marked,
                start_new_session=True,
            )
        )
        try:
            await complete(starting)  # asyncio waits for ever when this is cancelled before the pipes are connected
            transport, protocol = starting.result()
        except asyncio.CancelledError:
            if not starting.cancelled() and starting.exception() is None:
                transport, protocol = starting.result()
                await cls(protocol, transport, marker, marked).stop(grace=0.0)
            raise
        except OSError as error:
            reason = error.strerror or str(error)
            raise ExecutableNotFound(f"{argv[0]} cannot be started: {reason}. Check or reinstall it.") from error
        return cls(protocol, transport, marker, marked)

    @property
    def returncode(self) -> int | None:
        """The exit code once the program ended, as `subprocess` has it (negative: the signal that killed it)."""
        return self._transport.get_returncode()

    def write(self, data: bytes) -> None:
        """Queue `data` for stdin; never waits, so an agent that does not read cannot block us. Ignored once closed."""
        pipe = self._stdin()
        if pipe is not None and not pipe.is_closing():
            pipe.write(data)

    def close_stdin(self) -> None:
        """Close stdin after what is queued."""
        pipe = self._stdin()
        if pipe is not None and not pipe.is_closing():
            pipe.close()

    async def next_line(self) -> bytes | SkippedLine | None:
        """Return the next line of stdout.

        None when the output ended, or when the program ended and a descendant keeps the output open.
        """
        if not self._lines:
            self._lines.extend(await self._protocol.next_lines())
            if not self._lines:
                return None
        self._count += 1
        if self._count % LINES_BEFORE_YIELD == 0:
            await asyncio.sleep(0)
        return self._lines.popleft()

    async def lines(self) -> AsyncIterator[bytes | SkippedLine]:
        """Yield what `next_line` returns until None; may be left and called again."""
        while (line := await self.next_line()) is not None:
            yield line

    def forget_unread(self) -> None:
        """Drop the lines that came so far."""
        self._lines.clear()
        self._protocol.forget_unread()

    async def wait(self) -> int:
        """Wait for the program to end and return its exit code; its pipes may still be open."""
        await asyncio.shield(self._protocol.exited)
        code = self.returncode
        assert code is not None
        return code

    def stderr_tail(self, limit: int = 4000) -> str:
        """Return the last `limit` characters of stderr, from the start of a line, with secrets of `env` blotted out."""
        text = redact(self._protocol.stderr.text(), self._env).strip()
        if len(text) <= limit:
            return text
        cut = text[-limit:]
        return cut.partition("\n")[2] or cut

    async def stop(self, *, grace: float = EXIT_GRACE) -> None:
        """End the program and every process it started; returns when all are gone.

        In this order: stdin closed, `grace` seconds, SIGTERM, TERM_GRACE seconds, SIGKILL, and only then the pipes
        (a program whose output is closed while it lives may spin on EPIPE). What counts is that the group and all
        marked processes are gone, not that the first one is.
        """
        try:
            self._protocol.discard_output()
            self.close_stdin()
            if self.returncode is None:
                await asyncio.wait({self._protocol.exited}, timeout=grace)
            await self._end(signal.SIGTERM, TERM_GRACE)
        finally:  # also when we are cancelled ourselves: nothing may survive
            await complete(asyncio.create_task(self._kill()))

    async def _kill(self) -> None:
        await self._end(signal.SIGKILL, KILL_GRACE)
        pipe = self._stdin()
        if pipe is not None and pipe.get_write_buffer_size():
            pipe.abort()  # what nobody read would keep the pipe open
        self._transport.close()
        await asyncio.wait({self._protocol.exited, self._protocol.closed}, timeout=EOF_GRACE)

    async def _end(self, number: signal.Signals, within: float) -> None:
        """Signal every process that is left until none is, `within` seconds at most.

        Again and again, since a process may fork between the look and the signal, but each one only once: agents take
        a second SIGTERM for "at once".
        """
        end = monotonic() + within
        told: set[int] = set()
        while self._lives() and monotonic() < end:
            told |= self._signal(number, told)
            await asyncio.sleep(SCAN_INTERVAL)  # they are not our children: there is nothing to wait on

    def _lives(self) -> bool:
        return self.returncode is None or self._group_lives() or bool(marked_processes(self._marker))

    def _group_lives(self) -> bool:
        # No other group can get this number while ours has members; once it is empty `stop` ends.
        try:
            os.killpg(self.pid, 0)
        except (ProcessLookupError, PermissionError):
            return False
        return True

    def _signal(self, number: signal.Signals, told: set[int]) -> set[int]:
        """Signal the group and what left it, except those in `told`; return the pids that were signalled."""
        pids = marked_processes(self._marker)
        if self.pid not in told:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, number)
        for pid in pids - told:
            with suppress(ProcessLookupError, PermissionError):
                if os.getpgid(pid) != self.pid:
                    os.kill(pid, number)
        return pids | {self.pid}

    def _stdin(self) -> asyncio.WriteTransport | None:
        # Not `isinstance`: the transports of other event loops (uvloop) are no subclasses of asyncio's.
        return cast("asyncio.WriteTransport | None", self._transport.get_pipe_transport(0))


class _Protocol(asyncio.SubprocessProtocol):
    """What the event loop tells about the process, made into lines, what stderr said and two futures."""

    def __init__(self, max_line: int, stderr: Stderr) -> None:
        loop = asyncio.get_running_loop()
        self.exited: asyncio.Future[None] = loop.create_future()
        self.closed: asyncio.Future[None] = loop.create_future()
        self.stderr = stderr
        self._splitter = LineSplitter(max_line)
        self._chunks: deque[bytes] = deque()
        self._unread = 0  # bytes in _chunks
        self._paused = False
        self._discarding = False
        self._ended = False  # stdout is at its end, or given up
        self._wanted: asyncio.Future[None] | None = None
        self._transport: asyncio.SubprocessTransport | None = None

    # --- from the event loop ------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.SubprocessTransport, transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        if fd == 2:
            self.stderr.feed(data)
            return
        if self._ended or self._discarding:
            return
        self._chunks.append(data)
        self._unread += len(data)
        if self._unread > HIGH_WATER and not self._paused:
            self._pause(True)
        self._wake()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        if fd == 1:
            self._end_output()
        elif fd == 2:
            self.stderr.close()

    def process_exited(self) -> None:
        if not self.exited.done():
            self.exited.set_result(None)
        asyncio.get_running_loop().call_later(EOF_GRACE, self._end_output)

    def connection_lost(self, exc: Exception | None) -> None:
        self._end_output()
        if not self.closed.done():
            self.closed.set_result(None)

    # --- for the process ----------------------------------------------------------------------------------------

    async def next_lines(self) -> list[bytes | SkippedLine]:
        """Return the next complete lines; empty at the end of the output."""
        while True:
            if self._chunks:
                data = self._chunks.popleft()
                self._unread -= len(data)
                if self._paused and self._unread < HIGH_WATER // 2:
                    self._pause(False)
                if lines := self._splitter.feed(data):
                    return lines
            elif self._ended:
                return self._splitter.close()
            else:
                self._wanted = asyncio.get_running_loop().create_future()
                await self._wanted

    def forget_unread(self) -> None:
        while self._chunks:
            self._splitter.feed(self._chunks.popleft())
        self._unread = 0
        if self._paused:
            self._pause(False)

    def discard_output(self) -> None:
        """Read on without keeping anything: a program blocked on a full pipe could not exit by itself."""
        self._discarding = True
        self.forget_unread()

    def _end_output(self) -> None:
        self._ended = True
        self._wake()

    def _pause(self, paused: bool) -> None:
        found = self._transport.get_pipe_transport(1) if self._transport is not None else None
        pipe = cast("asyncio.ReadTransport | None", found)
        if pipe is not None and not pipe.is_closing():
            self._paused = paused
            pipe.pause_reading() if paused else pipe.resume_reading()

    def _wake(self) -> None:
        if self._wanted is not None and not self._wanted.done():
            self._wanted.set_result(None)


async def complete(task: asyncio.Task[Any]) -> None:
    """Wait until `task` is over, whatever happens to us; when we are cancelled meanwhile, say so afterwards."""
    cancelled = False
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            cancelled = True
    if cancelled:
        raise asyncio.CancelledError


def existing_folder(path: str | Path) -> str:
    """Return the absolute path of a folder. Raises BackendError when it is none."""
    folder = Path(path).expanduser().resolve()
    if not folder.is_dir():
        raise BackendError(f"The folder {path} is not there. Choose a folder that exists.")
    return str(folder)


def marked_processes(marker: str) -> set[int]:
    """Return the pids of the living processes that carry `marker` in their environment (Linux; else none)."""
    wanted = f"{MARKER}={marker}".encode()
    return {pid for pid, environ in _environments() if wanted in environ}


def end_orphans() -> list[int]:
    """Kill the agents of a process like this one that was killed itself; return their pids (Linux; else none).

    Nobody reads what they say any more. Those of a process that lives, such as a second server, are left alone.
    """
    ended: list[int] = []
    for pid, environ in _environments():
        owner = next((v.split(b"=", 1)[1].decode() for v in environ if v.startswith(f"{OWNER}=".encode())), "")
        if owner and _birth(int(owner.partition("@")[0])) != owner:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                ended.append(pid)
    return ended


def _environments() -> Iterator[tuple[int, list[bytes]]]:
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            yield int(entry.name), (entry / "environ").read_bytes().split(b"\0")
        except OSError:  # ended meanwhile, or another person's
            continue


def _birth(pid: int) -> str:
    """A living process by its pid and the tick it started at, since pids are used again; empty when there is none."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return f"{pid}@" if pid == os.getpid() else ""
    return f"{pid}@{stat.rpartition(')')[2].split()[19]}"
