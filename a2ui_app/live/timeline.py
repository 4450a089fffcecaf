"""What happened in a conversation, in order: entries that a page draws, a search finds and a store keeps.

A timeline only takes things in; whoever listens learns which entry is new or changed. Nothing here does I/O.
"""

import re
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from ..backends.base import Message, MessageType, Result, Status

Kind = Literal["prompt", "text", "thinking", "tool", "error", "note", "surface", "dialog", "action", "result"]

LONG_TEXT = 4000  # characters after which a text goes on in a next entry: a page is sent only what still grows
SHOWN_OUTPUT = 200_000  # characters of a tool's output that are kept

STEP = 1000  # characters between two looks for a place to cut

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")


@dataclass
class Entry:
    """One thing. ``text`` is what people read and search, ``body`` the rest as plain JSON, ``created`` in seconds."""

    number: int
    kind: Kind
    text: str
    created: float
    body: dict[str, Any] = field(default_factory=dict)


class Timeline:
    """The entries of a conversation, numbered from 0. ``changed`` is called with each that is new or not as it was."""

    def __init__(
        self,
        entries: Iterable[Entry] = (),
        *,
        changed: Callable[[Entry], object] = lambda entry: None,
        clock: Callable[[], float] = time.time,
    ):
        self._entries = list(entries)
        self._changed = changed
        self._clock = clock
        self._tools: dict[str, Entry] = {}  # of the present turn, by call id

    def __len__(self) -> int:
        return len(self._entries)

    def __getitem__(self, number: int) -> Entry:
        return self._entries[number]

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    def part(self, start: int, end: int) -> list[Entry]:
        """The entries from number ``start`` up to, not including, ``end``."""
        return self._entries[start:end]

    def add(self, kind: Kind, text: str = "", **body: Any) -> Entry:
        """Append an entry."""
        entry = Entry(len(self._entries), kind, text, self._clock(), body)
        self._entries.append(entry)
        self._changed(entry)
        return entry

    def update(self, entry: Entry, **body: Any) -> None:
        """Change the body of an entry."""
        entry.body |= body
        self._changed(entry)

    def receive(self, message: Message) -> None:
        """Take what an agent says or does. Its state and its debug log are not for the timeline."""
        match message.type:
            case MessageType.TEXT:
                self._say("text", message)
            case MessageType.THINKING:
                self._say("thinking", message)
            case MessageType.TOOL_USE:
                self._use(message)
            case MessageType.TOOL_RESULT:
                self._finish(message)
            case MessageType.ERROR:
                self.add("error", message.content)
            case MessageType.LOG if message.level in ("warning", "error"):
                self.add("note", message.content, level=message.level)

    def end_turn(self, result: Result) -> Entry:
        """Close what is open and say how the turn ended."""
        for entry in self._tools.values():
            if entry.body["status"] == "running":
                self.update(entry, status="cancelled", ended=self._clock())
        self._tools.clear()
        if result.error and result.status in (Status.FAILED, Status.TIMEOUT) and not self._says(result.error):
            self.add("error", result.error)
        usage = {
            model: {
                "input": used.input_tokens,
                "output": used.output_tokens,
                "cache_read": used.cache_read_tokens,
                "cache_write": used.cache_write_tokens,
            }
            for model, used in result.usage.items()
        }
        return self.add(
            "result", status=str(result.status), duration_ms=result.duration_ms, usage=usage, resumed=result.resumed
        )

    def _says(self, error: str) -> bool:
        """Whether the newest entry is this error already: agents tell it as a message and again as the result."""
        newest = self._entries[-1] if self._entries else None
        return newest is not None and newest.kind == "error" and newest.text.strip() == error.strip()

    def _say(self, kind: Kind, message: Message) -> None:
        if not message.content:
            return
        entry = self._entries[-1] if self._entries else None
        if entry is None or entry.kind != kind or entry.body.get("block") != message.call_id:
            self.add(kind, message.content, block=message.call_id)
            return
        steps = len(entry.text) // STEP
        entry.text += message.content
        grown = len(entry.text) // STEP
        cut = last_break(entry.text) if grown > steps and len(entry.text) > LONG_TEXT else 0
        rest = entry.text[cut:] if cut else ""
        entry.text = entry.text[:cut] if cut else entry.text
        self._changed(entry)
        if rest:
            self.add(kind, rest, block=message.call_id, continues=True)

    def _use(self, message: Message) -> None:
        entry = self._tools.get(message.call_id)
        if entry is None:
            entry = self.add(
                "tool", message.tool, call_id=message.call_id, input=dict(message.input), output="", status="running"
            )
            self._tools[message.call_id] = entry
        else:
            entry.text = message.tool or entry.text
            self.update(entry, input=dict(message.input) or entry.body["input"])

    def _finish(self, message: Message) -> None:
        entry = self._tools.get(message.call_id)
        if entry is None:  # its start was dropped, or never told
            entry = self.add("tool", message.tool or "tool", call_id=message.call_id, input={}, status="running")
            self._tools[message.call_id] = entry
        status = {"error": "failed", "cancelled": "cancelled"}.get(message.level, "done")
        output = message.output
        if len(output) > SHOWN_OUTPUT:
            output = f"{output[:SHOWN_OUTPUT]}\n… {len(output) - SHOWN_OUTPUT:,} more characters"
        self.update(entry, output=output, status=status, ended=self._clock())


def last_break(text: str) -> int:
    """The place after the last blank line that ends a block of Markdown for good; 0 when there is none.

    Inside a fenced block a blank line ends nothing, and an indented line may go on with a list.
    """
    fence, found, place, blank = "", 0, 0, False
    for line in text.splitlines(keepends=True):
        if blank and not fence and not line[0].isspace():
            found = place
        if mark := _FENCE.match(line):
            if not fence:
                fence = mark[1]
            elif mark[1].startswith(fence):
                fence = ""
        blank = line.isspace()
        place += len(line)
    return found
