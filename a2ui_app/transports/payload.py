"""Bytes of a request read into A2UI messages: JSON, or JSON Lines."""

from typing import Any

import orjson


class PayloadError(ValueError):
    """Bytes that are no JSON; ``line`` and ``column`` count from 1."""

    def __init__(self, message: str, line: int, column: int):
        super().__init__(message)
        self.line = line
        self.column = column


def read(body: bytes, content_type: str = "") -> Any:
    """The payload in ``body``: one JSON text, or one a line. A UTF-8 byte order mark is passed over.

    Lines are tried when the whole is no JSON, or first when the content type says so. Raises PayloadError.
    """
    body = body.removeprefix(b"\xef\xbb\xbf")
    if not body.strip():
        raise PayloadError("The body is empty. Send an A2UI message, a list of them, or one a line.", 1, 1)
    if "jsonl" in content_type or "ndjson" in content_type or "json-lines" in content_type:
        return _lines(body)
    try:
        return orjson.loads(body)
    except orjson.JSONDecodeError as error:
        if _is_lines(body):
            return _lines(body)
        raise _error(error, body) from None


def _is_lines(body: bytes) -> bool:
    """Whether the first line that is not blank is a JSON text of its own, and another follows."""
    lines = [line for line in body.splitlines() if line.strip()]
    if len(lines) < 2:
        return False
    try:
        orjson.loads(lines[0])
    except orjson.JSONDecodeError:
        return False
    return True


def _lines(body: bytes) -> list[Any]:
    messages: list[Any] = []
    for number, line in enumerate(body.split(b"\n"), start=1):
        if line.strip():
            try:
                message = orjson.loads(line)
            except orjson.JSONDecodeError as error:
                raise _error(error, line, number - 1) from None
            messages.extend(message if isinstance(message, list) else [message])
    return messages


def _error(error: orjson.JSONDecodeError, text: bytes, lines_before: int = 0) -> PayloadError:
    try:
        text.decode()
    except UnicodeDecodeError as undecodable:
        before = text[: undecodable.start]
        line = lines_before + before.count(b"\n") + 1
        column = len(before.rpartition(b"\n")[2].decode()) + 1
        return PayloadError("This is not UTF-8. Send the JSON in UTF-8.", line, column)
    return PayloadError(f"This is not JSON: {error.msg}.", lines_before + error.lineno, error.colno)
