"""What a program prints, without I/O: its output in lines, and of its complaints the end and each line as it comes."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

MAX_LINE = 32 * 1024 * 1024  # bytes; a longer line is skipped, the run goes on
STDERR_KEPT = 64 * 1024  # bytes of the end of stderr, and the longest line of it that is passed on


@dataclass(frozen=True, slots=True)
class SkippedLine:
    """Stands for a line that was longer than the limit; `size` is its length in bytes."""

    size: int


class LineSplitter:
    """Bytes in, lines out (without their end: LF or CRLF). Linear in the input also for lines of many chunks."""

    def __init__(self, max_line: int = MAX_LINE) -> None:
        self._max_line = max_line
        self._parts: list[bytes] = []  # of the line that is not complete yet
        self._size = 0

    def feed(self, data: bytes) -> list[bytes | SkippedLine]:
        """Return the lines that `data` completes."""
        first, *rest = data.split(b"\n")
        self._keep(first)
        if not rest:
            return []
        lines: list[bytes | SkippedLine] = [self._take()]
        *complete, last = rest
        lines.extend(line[:-1] if line.endswith(b"\r") else line for line in complete)
        self._keep(last)
        return lines

    def close(self) -> list[bytes | SkippedLine]:
        """Return the last line when the output did not end with a line end."""
        return [self._take()] if self._size else []

    def _keep(self, part: bytes) -> None:
        self._size += len(part)
        if self._size > self._max_line:
            self._parts.clear()
        else:
            self._parts.append(part)

    def _take(self) -> bytes | SkippedLine:
        size, line = self._size, b"".join(self._parts)
        self._parts, self._size = [], 0
        if size > self._max_line:
            return SkippedLine(size)
        return line[:-1] if line.endswith(b"\r") else line


class Stderr:
    """Keeps the end of stderr, and gives `on_line` each line, without its end, as soon as it is complete."""

    def __init__(self, on_line: Callable[[str], object] | None = None) -> None:
        self._on_line = on_line
        self._splitter = LineSplitter(STDERR_KEPT)
        self._chunks: deque[bytes] = deque()
        self._size = 0

    def feed(self, data: bytes) -> None:
        """Take what was printed."""
        self._chunks.append(data)
        self._size += len(data)
        while self._size - len(self._chunks[0]) > STDERR_KEPT:
            self._size -= len(self._chunks.popleft())
        self._pass_on(self._splitter.feed(data))

    def close(self) -> None:
        """Pass on the last line when it has no end. Nothing comes after this."""
        self._pass_on(self._splitter.close())

    def text(self) -> str:
        """Return what is kept."""
        data = b"".join(self._chunks)
        if self._size > STDERR_KEPT:  # the first line may be cut, and half a secret cannot be recognised
            data = data.partition(b"\n")[2]
        return data.decode("utf-8", "replace")

    def _pass_on(self, lines: list[bytes | SkippedLine]) -> None:
        if self._on_line is None:
            return
        for line in lines:
            text = line.decode("utf-8", "replace") if isinstance(line, bytes) else f"[{line.size} bytes were left out]"
            self._on_line(text)
