"""Plays a message stream on a channel: forwards message by message, backwards by starting again."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ....live.channel import Channel, new_session
from ....live.log import Entry
from ....samples import Sample


@dataclass(frozen=True)
class Finding:
    """Something that is wrong, and the message (from 1) that brought it up; 0: a person's input did."""

    message: int
    level: str
    code: str
    text: str
    place: str


class Player:
    """The channel shows ``messages[:position]``, and what its viewers entered since then.

    Going forward keeps what was entered; going back starts again, so the state is always that of a fresh session.
    """

    def __init__(self, channel: Channel, name: str, messages: list[Any], sample: Sample | None = None):
        self.channel = channel
        self.name = name
        self.messages = messages
        self.sample = sample
        self.edited = False
        self.position = 0
        self._begin()

    def seek(self, position: int) -> None:
        """Show the first ``position`` messages; beyond the ends means the end."""
        position = max(0, min(position, len(self.messages)))
        if position < self.position:
            self._begin()
        if position > self.position:
            self.channel.post(self.messages[self.position : position])
        self.position = position

    def replace(self, index: int, message: Any) -> None:
        """Put ``message`` in place of one of the stream, and show it if that one was shown."""
        self.messages[index] = message
        self.edited = True
        if index < self.position:
            position = self.position
            self._begin()
            self.seek(position)

    def entries(self) -> list[Entry]:
        """What happened since the start of this run, oldest first."""
        return self.channel.log.after(self._mark)

    def findings(self) -> Iterator[Finding]:
        """What is wrong in this run, oldest first."""
        message = 0
        during_messages = True
        for entry in self.entries():
            match entry.kind:
                case "received":
                    message, during_messages = message + 1, True
                case "refused":
                    message, during_messages = message + 1, True
                    yield _finding(message, "error", entry.body["error"])
                case "input_refused":
                    during_messages = False
                    yield _finding(0, "error", entry.body["error"])
                case "diagnostic":
                    yield _finding(message if during_messages else 0, entry.body["level"], entry.body["payload"])

    def models(self) -> dict[str, Any]:
        """The data model of each surface."""
        return {surface.id: surface.data for surface in self.channel.session.surfaces()}

    def _begin(self) -> None:
        self.channel.restart(new_session())
        self.position = 0
        self._mark = self.channel.log.total


def _finding(message: int, level: str, found: dict[str, Any]) -> Finding:
    place = " · ".join(
        str(found[key]) for key in ("componentId", "property", "path") if found.get(key, "/") not in ("", "/", None)
    )
    return Finding(message, level, str(found.get("code", "")), str(found.get("message", "")), place)
