"""What the views of the extended catalog share: trees of markup that the server prepares, tones, records."""

from collections.abc import Iterable
from typing import Any, Final

import orjson
import reflex as rx

from ...live_surface import js

EXTENDED = rx.asset("extended.js", shared=True).importable_path
rx.asset("extended.css", shared=True)  # extended.js imports it

TONES: Final = ("neutral", "info", "success", "warning", "danger")

Markup = str | list[Any]
"""A text, or ``[tag, attributes, *content]``. The page draws the tags and attributes it knows, and no other."""


def ext(expression: str, type_: Any = Any, *, uses: str = "", hook: str = "", like: rx.Var | None = None) -> rx.Var:
    """A JavaScript expression that uses a function of extended.js."""
    return js(expression, type_, uses=uses, library=EXTENDED, hook=hook, like=like)


def drawn(markup: rx.Var) -> rx.Var:
    """Prepared markup as a child of an element."""
    return ext(f"draw({markup!s})", rx.Component, uses="draw")


def tone_of(value: Any, default: str | None = "neutral") -> str | None:
    """The tone an agent named, if it is one."""
    return value if value in TONES else default


def text_of(value: Any) -> str:
    """A value of a record as a person reads it; an object or a list is shown as short JSON."""
    match value:
        case None:
            return ""
        case str():
            return value
        case bool():
            return "yes" if value else "no"
        case dict() | list():
            return _short_json(value)
        case _:
            return str(value)


def records(value: Any, most: int) -> tuple[list[dict[str, Any]], int]:
    """The objects in a list, at most ``most`` of them, and how many more there are."""
    found = [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
    return found[:most], max(0, len(found) - most)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def joined(parts: Iterable[tuple[str, str]]) -> list[Markup]:
    """Runs of text with their class, neighbours of one class made one; a run without a class is a plain text."""
    runs: list[tuple[str, str]] = []
    for name, text in parts:
        if runs and runs[-1][0] == name:
            runs[-1] = (name, runs[-1][1] + text)
        elif text:
            runs.append((name, text))
    return [["span", {"class": name}, text] if name else text for name, text in runs]


def _short_json(value: Any) -> str:
    text = orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS).decode()
    return text if len(text) <= 200 else text[:199] + "…"
