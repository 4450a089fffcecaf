"""The template language of ``formatString``: text with ``${…}`` in it.

::

    template := ( text | "\\${" | "${" expr? "}" )*
    expr     := "${" expr? "}" | string | number | "true" | "false" | "null" | path | call
    call     := name "(" [ argument ("," argument)* [","] ] ")"      argument := name ":" expr
    path     := identifier characters, ".", "-", "/", and the JSON Pointer escapes "~0" and "~1"
    string   := '…' or "…", where \\n \\t \\r are what they are in JSON and \\x is x

A function's name may begin with "@" (``@index``). `parse` only says what is written; the session evaluates it.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NoReturn

import regex

from .coercion import parse_number
from .errors import A2uiExpressionError

__all__ = ["Call", "Expr", "Literal", "Part", "Path", "parse"]

MAX_TEMPLATE_LENGTH = 10_000  # characters
MAX_PARTS = 1_000
MAX_ARGUMENTS = 1_000
MAX_NESTING = 100


@dataclass(frozen=True, slots=True)
class Literal:
    """A value written in the template: a string, a number, a boolean or null."""

    value: str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Path:
    """A data binding: a JSON Pointer with its escapes; from the root when it begins with "/", else from the scope."""

    path: str


@dataclass(frozen=True, slots=True)
class Call:
    """A function call with its arguments by name, in the order they are written."""

    name: str
    args: tuple[tuple[str, "Expr"], ...] = ()


Expr = Literal | Path | Call
Part = str | Expr


@lru_cache(maxsize=1024)
def parse(template: str) -> tuple[Part, ...]:
    """Return the parts of a template in order: plain text (unescaped) as strings, everything in ``${…}`` as an `Expr`.

    A template without ``${`` is its own only part. An empty ``${}`` is no part. Raises `A2uiExpressionError`, which
    names the character (counted from 1) and the remedy, when the template is malformed or over a limit.
    """
    if len(template) > MAX_TEMPLATE_LENGTH:
        raise A2uiExpressionError(
            f"The template is {len(template):,} characters long; at most {MAX_TEMPLATE_LENGTH:,} are allowed. "
            "Split it over several components."
        )
    if "${" not in template:
        return (template,)
    return _Parser(template).template()


_BLANKS = regex.compile(r"\s*+")
_IDENTIFIER = regex.compile(r"\p{XID_Continue}*+")
_TOKEN = regex.compile(r"@?+(?:[\p{XID_Continue}./-]|~[01])*+")
_NUMBER_START = regex.compile(r"[+-]?\.?[0-9]")
_NUMBER = regex.compile(r"[+-]?[0-9.]++(?:[eE][+-]?[0-9]*+)?+")
_STRING_RUN = regex.compile(r"[^'\"\\]++")

_KEYWORDS: Mapping[str, bool | None] = {"true": True, "false": False, "null": None}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


class _Parser:
    """Recursive descent over one template. Every character is read once, so the time is linear in the length."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def template(self) -> tuple[Part, ...]:
        parts: list[Part] = []
        written: list[str] = []  # text since the last expression; an escape splits it, so it is joined late

        def flush() -> None:
            if text := "".join(written):
                parts.append(text)
            written.clear()

        while (start := self.text.find("${", self.position)) >= 0:
            if start > self.position and self.text[start - 1] == "\\":
                written.append(self.text[self.position : start - 1] + "${")
                self.position = start + 2
                continue
            written.append(self.text[self.position : start])
            self.position = start
            if (expression := self.interpolation(1)) is not None:
                flush()
                parts.append(expression)
            if len(parts) > MAX_PARTS:
                self.fail(f"The template has more than {MAX_PARTS:,} parts. Split it over several components", start)
        written.append(self.text[self.position :])
        flush()
        if len(parts) > MAX_PARTS:
            self.fail(f"The template has more than {MAX_PARTS:,} parts. Split it over several components")
        return tuple(parts)

    def interpolation(self, nesting: int) -> Expr | None:
        """Read ``${ expr? }``; None when there is nothing in it."""
        start = self.position
        self.position += 2
        self.blanks()
        expression = None if self.at("}") else self.expression(nesting)
        self.blanks()
        if not self.at("}"):
            if self.ended():
                self.fail("Unclosed interpolation: missing '}'", start)
            rest = self.text[self.position : self.position + 20]
            remedy = "In a path '~' is written '~0' and '/' in a key '~1'" if rest.startswith("~") else "Expected '}'"
            self.fail(f"Unexpected characters at end of expression: '{rest}'. {remedy}")
        self.position += 1
        return expression

    def expression(self, nesting: int) -> Expr:
        if nesting > MAX_NESTING:
            self.fail(f"The expression is nested more than {MAX_NESTING} deep. Put parts of it into the data model")
        if self.text.startswith("${", self.position):
            inner = self.interpolation(nesting + 1)
            return Literal(None) if inner is None else inner
        if self.at("'") or self.at('"'):
            return Literal(self.string())
        if _NUMBER_START.match(self.text, self.position):
            return Literal(self.number())
        start = self.position
        token = self.take(_TOKEN)
        end = self.position
        self.blanks()
        if self.at("("):
            return self.call(token, start, nesting)
        self.position = end
        if token in _KEYWORDS:
            return Literal(_KEYWORDS[token])
        if token.startswith("@"):
            self.fail(f"'{token}' is a function, so write '{token}()'", start)
        if not token:
            self.unexpected()
        return Path(token)

    def call(self, name: str, start: int, nesting: int) -> Call:
        if name in ("", "@"):
            self.fail("Expected a function name before '('", start)
        self.position += 1
        args: dict[str, Expr] = {}
        self.blanks()
        while not self.at(")"):
            self.argument(name, args, nesting)
            self.blanks()
            if self.at(","):
                self.position += 1
                self.blanks()
            elif not self.at(")"):
                self.check_closed()
                self.fail(f"Expected ')' after function arguments for '{name}', or ',' before the next one")
        self.position += 1
        return Call(name, tuple(args.items()))

    def argument(self, function: str, args: dict[str, Expr], nesting: int) -> None:
        start = self.position
        name = self.take(_IDENTIFIER)
        self.blanks()
        self.check_closed()
        if not name or not self.at(":"):
            self.fail(
                f"Expected ':' after argument name '{name}' in function '{function}': arguments are named, "
                f"as in {function}(value: …)",
                start,
            )
        if name in args:
            self.fail(f"Argument '{name}' of function '{function}' is given twice. Keep one", start)
        if len(args) == MAX_ARGUMENTS:
            self.fail(f"Function '{function}' has more than {MAX_ARGUMENTS:,} arguments. Pass a list instead", start)
        self.position += 1
        self.blanks()
        self.check_closed()
        args[name] = self.expression(nesting + 1)

    def string(self) -> str:
        start = self.position
        quote = self.text[start]
        self.position += 1
        pieces: list[str] = []
        while not self.at(quote):
            pieces.append(self.take(_STRING_RUN))
            if self.at("\\"):
                escaped = self.text[self.position + 1 : self.position + 2]
                pieces.append(_ESCAPES.get(escaped, escaped))
                self.position += 2
            elif not self.ended() and not self.at(quote):
                pieces.append(self.text[self.position])  # the other kind of quote
                self.position += 1
            if self.ended():
                self.fail(f"Unclosed interpolation: the string has no closing {quote}", start)
        self.position += 1
        return "".join(pieces)

    def number(self) -> int | float:
        start = self.position
        literal = self.take(_NUMBER)
        number = parse_number(literal)
        if number is not None:
            return number
        if literal.count(".") < 2 and literal[-1].isdigit() and math.isinf(float(literal)):
            self.fail(f"Number literal is out of range: '{_shortened(literal)}'", start)
        self.fail(f"Invalid number literal: '{_shortened(literal)}'. Text goes between quotes", start)

    def take(self, pattern: regex.Pattern[str]) -> str:
        """Read what the pattern (which may match nothing) matches here."""
        match = pattern.match(self.text, self.position)
        if match is None:
            return ""
        self.position = match.end()
        return match.group()

    def blanks(self) -> None:
        self.take(_BLANKS)

    def at(self, character: str) -> bool:
        return self.text.startswith(character, self.position)

    def ended(self) -> bool:
        return self.position >= len(self.text)

    def check_closed(self) -> None:
        if self.ended():
            self.fail("Unclosed interpolation: missing '}'")

    def unexpected(self) -> NoReturn:
        self.check_closed()
        character = self.text[self.position]
        self.fail(f"Unexpected characters in expression: '{character}'. Expected a path, a value or a function call")

    def fail(self, problem: str, position: int | None = None) -> NoReturn:
        at = self.position if position is None else position
        raise A2uiExpressionError(f"{problem} (character {min(at, len(self.text)) + 1} of the template).")


def _shortened(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}…"
