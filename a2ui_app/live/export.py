"""A conversation as a file for people: Markdown, or all of it as JSON."""

import time
from collections.abc import Iterator
from typing import Any

from .conversation import Conversation
from .timeline import Entry


def as_json(conversation: Conversation) -> dict[str, Any]:
    """Everything that is told, and what is drawn."""
    setup = conversation.setup
    return {
        "id": conversation.id,
        "title": conversation.title,
        "agent": setup.agent,
        "model": setup.model,
        "cwd": setup.cwd,
        "sessionId": setup.session_id,
        "entries": [
            {"number": e.number, "kind": e.kind, "text": e.text, "created": e.created, **e.body}
            for e in conversation.timeline
        ],
        **conversation.desk.state(),
    }


def as_markdown(conversation: Conversation) -> str:
    """What was said and done, to be read."""
    parts = [f"# {conversation.title or 'Conversation'}\n", f"*{conversation.setup.agent}, {conversation.setup.cwd}*\n"]
    for entry in conversation.timeline:
        parts += _told(entry)
    return "\n".join(parts)


def _told(entry: Entry) -> Iterator[str]:
    body = entry.body
    match entry.kind:
        case "prompt":
            yield f"## {time.strftime('%Y-%m-%d %H:%M', time.localtime(entry.created))}\n"
            yield _quoted(entry.text)
        case "text":
            yield f"{entry.text.rstrip()}\n"
        case "tool":
            yield f"**{entry.text}** ({body.get('status')})\n"
            yield _fenced(str(body.get("input") or ""))
            if body.get("output"):
                yield _fenced(str(body["output"]))
        case "error":
            yield f"**Error:** {entry.text}\n"
        case "dialog":
            yield f"**Asked:** {entry.text}  \n**Answer:** {body.get('answer', 'none')}\n"
        case "action":
            yield f"**Used {body.get('surface')}:** {entry.text} `{body.get('context')}`\n"
        case "surface":
            yield f"*A surface was drawn: {entry.text}*\n"


def _quoted(text: str) -> str:
    return "".join(f"> {line}\n" for line in text.splitlines())


def _fenced(text: str) -> str:
    """A code block whose fence is longer than any in the text."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}\n{text}\n{fence}\n"
