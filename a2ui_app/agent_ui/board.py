"""What an agent tells its person without asking: statuses, widgets, notices, a working message, a title, a prompt."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

KEPT_NOTICES = 100
LEVELS = ("info", "warning", "error", "success")


@dataclass(frozen=True)
class Notice:
    """A message; ``number`` grows by one, ``at`` is in seconds since the epoch."""

    number: int
    message: str
    level: str
    at: float


@dataclass(frozen=True)
class Widget:
    """Lines that stay until they are replaced, above the prompt or ``below`` it."""

    key: str
    lines: tuple[str, ...]
    below: bool = False


@dataclass(frozen=True)
class Board:
    """All of it at one moment; each change makes a new one."""

    statuses: Mapping[str, str] = field(default_factory=dict)
    widgets: Mapping[str, Widget] = field(default_factory=dict)
    working_message: str = ""
    title: str = ""
    editor_text: str = ""
    editor_version: int = 0
    notices: tuple[Notice, ...] = ()

    def with_status(self, key: str, text: str | None) -> Self:
        """The board with a status; None takes it away. An empty key changes nothing."""
        return replace(self, statuses=_put(self.statuses, key, text)) if key else self

    def with_widget(self, key: str, content: str | Sequence[str] | None, below: bool = False) -> Self:
        """The board with a widget; None takes it away. An empty key changes nothing."""
        if not key:
            return self
        if content is None:
            return replace(self, widgets=_put(self.widgets, key, None))
        lines = tuple(content.splitlines()) if isinstance(content, str) else tuple(map(str, content))
        return replace(self, widgets=_put(self.widgets, key, Widget(key, lines, below)))

    def with_notice(self, message: str, level: str, at: float) -> Self:
        """The board with one more notice; an unknown level is info."""
        level = {"warn": "warning"}.get(level, level)
        number = self.notices[-1].number + 1 if self.notices else 1
        notice = Notice(number, message, level if level in LEVELS else "info", at)
        return replace(self, notices=(*self.notices, notice)[-KEPT_NOTICES:])

    def with_editor_text(self, text: str) -> Self:
        """The board with a text for the prompt box, to be put there once."""
        return replace(self, editor_text=text, editor_version=self.editor_version + 1)

    def as_wire(self) -> dict[str, Any]:
        """The board as plain JSON."""
        return {
            "statuses": [{"key": key, "text": text} for key, text in self.statuses.items()],
            "widgets": [
                {"key": widget.key, "lines": list(widget.lines), "below": widget.below}
                for widget in self.widgets.values()
            ],
            "working": self.working_message,
            "title": self.title,
            "editor": {"text": self.editor_text, "version": self.editor_version},
            "notices": [
                {"number": notice.number, "message": notice.message, "level": notice.level, "at": notice.at}
                for notice in self.notices
            ],
        }


def _put(values: Mapping[str, Any], key: str, value: Any) -> dict[str, Any]:
    changed = {**values, key: value}
    return {name: kept for name, kept in changed.items() if kept is not None}
