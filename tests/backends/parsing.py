"""Helpers of the parser tests: events fed as JSON, and what real agents printed (read when it is there)."""

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from a2ui_app.backends.base import Message, MessageType
from a2ui_app.backends.line_backend import Event, Parser, TurnEnded

CAPTURES = Path(os.environ.get("A2UI_CAPTURES", "/work/shared/captures"))


def feed(parser: Any, *events: object) -> list[Event]:
    """Give a parser JSON lines; return all its events."""
    return [event for line in events for event in parser.receive(json.dumps(line).encode())]


def messages(events: Iterable[Event], *types: MessageType) -> list[Message]:
    return [event for event in events if isinstance(event, Message) and (not types or event.type in types)]


@dataclass(frozen=True)
class Capture:
    """One real run: its name, lines, stderr, and how it was started and ended."""

    name: str
    lines: list[bytes]
    stderr: str
    argv: list[str]
    returncode: int | None

    def option(self, flag: str) -> str | None:
        return self.argv[self.argv.index(flag) + 1] if flag in self.argv else None

    def play(self, parser: Parser) -> list[Event]:
        """Give the parser everything, and the end of the process when no event ended the turn."""
        parser.prompt("a prompt")
        events = [event for line in self.lines for event in parser.receive(line)]
        if not any(isinstance(event, TurnEnded) for event in events):
            parser.ended(self.returncode, self.stderr)
        return events


def captures(agent: str, but: str = "") -> list[Any]:
    """Return the captures of an agent as test parameters; those whose name starts with `but` are left out."""
    found = sorted((CAPTURES / agent).glob("*.jsonl"))
    if not found:
        return [pytest.param(None, marks=pytest.mark.skip(reason=f"no captures of {agent} on this machine"))]
    return [pytest.param(_capture(p), id=p.stem) for p in found if not (but and p.stem.startswith(but))]


def capture(agent: str, name: str) -> Capture:
    path = CAPTURES / agent / f"{name}.jsonl"
    if not path.exists():
        pytest.skip(f"no capture {agent}/{name} on this machine")
    return _capture(path)


def _capture(path: Path) -> Capture:
    meta_path = path.with_suffix(".meta.json")
    meta = json.loads(meta_path.read_text()) if meta_path.exists() else {}
    stderr = path.with_suffix(".stderr.txt")
    return Capture(
        path.stem,
        path.read_bytes().splitlines(),
        stderr.read_text(errors="replace") if stderr.exists() else "",
        meta.get("argv", []),
        meta.get("rc"),
    )
