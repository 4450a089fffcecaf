"""What the page shows of the gallery's player: rows of plain data, in words."""

import time
from dataclasses import asdict
from typing import Any, TypedDict

from ....live.log import Entry
from ....samples import all_samples
from .json_text import format_json
from .player import Finding
from .stream import Problem, summarize

PANE_WIDTH = 48
"""Columns of JSON that fit beside the surface."""
SHOWN_TEXT = 40_000
"""Characters of a data model or of a log entry that a pane shows."""


class StepRow(TypedDict):
    """A message in the list."""

    number: int
    action: str
    about: str


class LogRow(TypedDict):
    """An entry of the log."""

    number: int
    time: str
    tone: str
    title: str
    text: str


class FindingRow(TypedDict):
    """Something that is wrong; ``message`` 0: an input."""

    message: int
    level: str
    code: str
    text: str
    place: str


class ProblemRow(TypedDict):
    """Why a text could not be read."""

    message: str
    remedy: str
    line: int
    column: int
    excerpt: str


NO_PROBLEM: ProblemRow = {"message": "", "remedy": "", "line": 0, "column": 0, "excerpt": ""}


def matching(query: str) -> list[str]:
    """The names of the samples that have every word of ``query`` in their title, tags, group or description."""
    words = query.casefold().split()
    return [
        sample.name
        for sample in all_samples()
        if all(
            word in f"{sample.title} {sample.group} {' '.join(sample.tags)} {sample.description}".casefold()
            for word in words
        )
    ]


def step_row(number: int, message: Any) -> StepRow:
    """A message for the list."""
    step = summarize(message)
    return StepRow(number=number, action=step.action, about=step.about)


def finding_row(finding: Finding) -> FindingRow:
    """A finding for the page."""
    return FindingRow(**asdict(finding))


def row_of(problem: Problem) -> ProblemRow:
    """A problem for the page."""
    return ProblemRow(**asdict(problem))


def data_text(models: dict[str, Any]) -> str:
    """The data model; with more than one surface, each under its id."""
    return cut(format_json(next(iter(models.values())) if len(models) == 1 else models, PANE_WIDTH))


def log_row(entry: Entry) -> LogRow:
    """An entry in words."""
    tone, title = _told(entry)
    at = time.strftime("%H:%M:%S", time.localtime(entry.time))
    body = entry.body["message"] if entry.kind == "sent" else entry.body
    return {
        "number": entry.number,
        "time": at,
        "tone": tone,
        "title": title,
        "text": cut(format_json(body, PANE_WIDTH)),
    }


def _told(entry: Entry) -> tuple[str, str]:
    message = entry.body.get("message", {})
    match entry.kind:
        case "sent" if "action" in message:
            return "action", f"Action {message['action']['name']}"
        case "sent" if "error" in message:
            return "error", f"Error to the agent: {message['error'].get('code', '')}"
        case "sent":
            return "action", next((key for key in message if key != "version"), "Message")
        case "open_url":
            return "action", f"Opens {entry.body['url']}"
        case "refused":
            return "error", f"Refused {entry.title}"
        case "input_refused":
            return "error", f"Refused input to {entry.title}"
        case "diagnostic":
            return entry.body["level"], str(entry.body["payload"].get("code", entry.title))
        case "received":
            return "quiet", f"Received {entry.title}"
        case _:
            return "quiet", entry.title


def cut(text: str) -> str:
    return text if len(text) <= SHOWN_TEXT else text[:SHOWN_TEXT] + f"\n… {len(text) - SHOWN_TEXT} more characters"
