"""Small readings that every parser shares: what content blocks say, and lines that are no JSON."""

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import orjson

from .base import Message, MessageType

LONGEST_LOG = 2000  # characters of a line shown in a log message


def content_text(content: Any) -> str:
    """Return the text of a message's or tool result's content: a string, one block or a list of blocks.

    A block without text is named in brackets, so that its place can be seen.
    """
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(content_text(block) for block in content)
    if isinstance(content, dict):
        if isinstance(content.get("text"), str):
            return content["text"]
        return f"[{content['type']}]" if "type" in content else json.dumps(content, ensure_ascii=False)
    return str(content)


def events_of(line: bytes, understand: Callable[[Mapping[str, Any]], Iterable[Any]]) -> list[Any]:
    """Return the events of one line of JSON, as `understand` reads its object; a line it cannot be is a log message."""
    try:
        event = orjson.loads(line)
        return list(understand(event)) if isinstance(event, dict) else not_json(line)
    except orjson.JSONDecodeError:
        return not_json(line)
    except (AttributeError, KeyError, TypeError, ValueError) as error:  # a shape that we do not know
        return not_understood(error)


def not_json(line: bytes) -> list[Any]:
    """Return the events of a line that is no JSON object: a log message, or nothing for an empty line.

    Agents print banners, warnings and stack traces between their events, not always in UTF-8.
    """
    text = line.decode("utf-8", "replace").strip()
    return [Message(MessageType.LOG, text[:LONGEST_LOG], level="info")] if text else []


def not_understood(error: Exception) -> list[Any]:
    """Return the events of a line whose shape a parser does not know: a newer agent must not end the run."""
    return [Message(MessageType.LOG, f"an event was not understood ({error!r})", level="warning")]
