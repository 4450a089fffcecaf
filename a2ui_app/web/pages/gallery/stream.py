"""A message stream that a person brings: read from any text, told in a line a message, packed into a link."""

import base64
import binascii
import zlib
from dataclasses import dataclass
from typing import Any, Final

import orjson

from ....live.channel import messages_of
from ....transports import payload
from .json_text import compact_json

TEXT_LIMIT: Final = 400 * 1024
"""Bytes of a pasted, dropped or chosen text: the page's socket carries at most 1 MB, and quotes double in JSON."""
MESSAGE_LIMIT: Final = 1000
LINK_LIMIT: Final = 16_000
"""Characters of a packed stream in a link: what browsers, chats and mail programs carry whole."""

_REMEDIES: Final = (
    ("unexpected end", "Something is not closed: add the missing bracket, brace or quote at the end."),
    ("trailing comma", "Take out the comma before the closing bracket."),
    ("unexpected content after", "Put the messages into a list, or write one message on each line."),
    ("control character", "Write line breaks inside strings as \\n."),
    ("string key", "Put the key in double quotes."),
    ("':' after key", "Put a colon between the key and its value."),
    ("',' or", "Put a comma between the two values, or close the bracket here."),
    ("invalid literal", "JSON knows true, false and null; put any other word in double quotes."),
    (
        "a JSON value",
        "A value belongs here: an object, a list, a text in double quotes, a number, true, false or null.",
    ),
    ("UTF-8", "Save the file as UTF-8 and try again."),
)
"""What helps, by a part of what the parser says."""


@dataclass(eq=False)
class Problem(Exception):
    """Why a text is no message stream: what is wrong, where (``line`` and ``column`` from 1, or 0), what helps."""

    message: str
    remedy: str
    line: int = 0
    column: int = 0
    excerpt: str = ""


def read_stream(text: str) -> list[Any]:
    """The messages in ``text``: a JSON object, a list, ``{"messages": [...]}``, or one JSON text a line.

    Raises Problem.
    """
    body = text.encode(errors="replace")
    if not body.strip():
        raise Problem("There is nothing here yet.", "Paste A2UI messages: an object, a list, or one a line.")
    if len(body) > TEXT_LIMIT:
        raise Problem(
            f"This is {len(body) // 1024} KB; the gallery takes up to {TEXT_LIMIT // 1024} KB.",
            "Cut the stream, or post it to a channel with curl.",
        )
    try:
        messages = messages_of(payload.read(body))
    except payload.PayloadError as error:
        raise _explained(error, text) from None
    if not messages:
        raise Problem("The list holds no message.", 'Put at least one message into it, such as {"version": "1.0", …}.')
    if len(messages) > MESSAGE_LIMIT:
        raise Problem(
            f"These are {len(messages)} messages; the gallery takes up to {MESSAGE_LIMIT}.",
            "Cut the stream, or post it to a channel with curl.",
        )
    return messages


def read_message(text: str) -> Any:
    """One message. Raises Problem."""
    try:
        return orjson.loads(text.encode(errors="replace"))
    except orjson.JSONDecodeError as error:
        fault = payload.PayloadError(f"This is not JSON: {error.msg}.", error.lineno, error.colno)
        raise _explained(fault, text) from None


def _explained(error: payload.PayloadError, text: str) -> Problem:
    message = str(error)
    general = "Check the brackets, commas and quotes here."
    remedy = next((remedy for part, remedy in _REMEDIES if part in message), general)
    lines = text.removeprefix("\ufeff").splitlines()
    excerpt = ""
    if 0 < error.line <= len(lines):
        start = max(0, error.column - 31)
        excerpt = lines[error.line - 1][start : start + 60]
        excerpt += "\n" + " " * (error.column - 1 - start) + "↑"
    return Problem(message, remedy, error.line, error.column, excerpt)


@dataclass(frozen=True)
class Step:
    """A message in a line: what it does and to what."""

    action: str
    about: str


def summarize(message: Any) -> Step:
    """What ``message`` does, for a list of steps; anything is told, a message or not."""
    if not isinstance(message, dict):
        return Step("not a message", _short(compact_json(message)))
    action = next((key for key in message if key != "version"), "empty message")
    body = message.get(action)
    if not isinstance(body, dict):
        return Step(action, "")
    surface = str(body.get("surfaceId", ""))
    components = body.get("components")
    count = len(components) if isinstance(components, list) else 0
    if action == "updateDataModel":
        return Step(action, _short(f"{body.get('path') or '/'} = {compact_json(body.get('value'))}"))
    if count:
        return Step(action, _short(f"{surface} · {count} component{'s' if count != 1 else ''}"))
    return Step(action, _short(surface))


def _short(text: str, length: int = 80) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


def pack(messages: list[Any]) -> str | None:
    """``messages`` as text for a link, or None when that is longer than LINK_LIMIT."""
    packed = base64.urlsafe_b64encode(zlib.compress(orjson.dumps(messages), 9)).decode().rstrip("=")
    return packed if len(packed) <= LINK_LIMIT else None


def unpack(text: str) -> list[Any]:
    """What `pack` packed. Raises Problem."""
    if len(text) > LINK_LIMIT:
        raise Problem("This link is too long.", "Ask for the messages as a file, and drop it here.")
    damaged = Problem("This link is damaged.", "Copy the whole link again, to its last character.")
    try:
        inflate = zlib.decompressobj()
        body = inflate.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), TEXT_LIMIT + 1)
        stream = body.decode()
    except (zlib.error, binascii.Error, ValueError) as error:
        raise damaged from error
    if not inflate.eof and len(body) <= TEXT_LIMIT:
        raise damaged
    return read_stream(stream)
