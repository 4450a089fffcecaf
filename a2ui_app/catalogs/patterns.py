r"""Regular expressions that come from an agent, searched in bounded time.

A pattern is written in ECMAScript's syntax (the A2UI specification's) and searched with the ``regex`` package, whose
syntax is another one with far more in it. So a pattern is never passed through: it is read here, and written again in
the few constructs both languages share. That keeps ``$``, ``\d``, ``\b`` and ``[^]`` what they are in a browser, keeps
the extras of ``regex`` (recursion, fuzzy matching, inline flags) out of reach, and lets us count what a repetition
costs before it is compiled, because ``(?:a{9999}){9999}`` would take all the memory there is.

The rules are those of ECMAScript's ``u`` flag, so ``\p{L}`` works, and of its Annex B for what stands alone: a ``]`` or
``{`` that opens or closes nothing is that character.
"""

import math
import string
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NoReturn, TypeVar

import regex

from .errors import A2uiExpressionError

__all__ = ["capture", "replace", "search"]

MAX_PATTERN_LENGTH = 1_000  # characters
MAX_VALUE_LENGTH = 10_000  # characters
MAX_SIZE = 2_000  # items, every repetition written out
MAX_TRANSLATED_LENGTH = 6_000  # characters; one compiles in up to 8 µs, and a \S here takes a hundred of them
MAX_NESTING = 50  # groups within groups
TIMEOUT = 0.02  # seconds


def search(pattern: str, value: str) -> bool:
    """Say whether an ECMAScript pattern matches somewhere in a text.

    Raises `A2uiExpressionError` when the pattern is malformed, when the pattern or the text is over its limit (1,000
    and 10,000 characters), or when the search takes longer than 20 ms.
    """
    return _bounded(pattern, value, lambda compiled: compiled.search(value, timeout=TIMEOUT) is not None)


def capture(pattern: str, value: str) -> list[str] | None:
    """The capture groups of the first match, an unmatched one as ``""``; None without a match. Raises as `search`."""

    def groups(compiled: regex.Pattern[str]) -> list[str] | None:
        match = compiled.search(value, timeout=TIMEOUT)
        return None if match is None else [group or "" for group in match.groups()]

    return _bounded(pattern, value, groups)


def replace(pattern: str, value: str, replacement: str) -> str:
    """``value`` with every match replaced by the literal ``replacement``. Raises as `search`."""
    return _bounded(pattern, value, lambda compiled: compiled.sub(lambda _: replacement, value, timeout=TIMEOUT))


_Result = TypeVar("_Result")


def _bounded(pattern: str, value: str, run: Callable[[regex.Pattern[str]], _Result]) -> _Result:
    if len(pattern) > MAX_PATTERN_LENGTH:
        raise A2uiExpressionError(
            f"The regular expression is {len(pattern):,} characters long; at most {MAX_PATTERN_LENGTH:,} are allowed."
        )
    if len(value) > MAX_VALUE_LENGTH:
        raise A2uiExpressionError(
            f"The text is {len(value):,} characters long; regular expressions take at most {MAX_VALUE_LENGTH:,}."
        )
    try:
        return run(_compiled(pattern))
    except TimeoutError:
        raise A2uiExpressionError(
            f"The regular expression '{pattern[:80]}' took longer than {TIMEOUT * 1000:.0f} ms and was stopped. "
            "Avoid repetitions inside repetitions, such as (a+)+."
        ) from None


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> regex.Pattern[str]:
    translated = _Translator(pattern).translate()
    try:
        return regex.compile(translated, regex.VERSION0)
    except regex.error as error:  # a Unicode property that does not exist, for one
        raise A2uiExpressionError(f"Invalid regular expression '{pattern[:80]}': {error}.") from None


CharacterSet = tuple[tuple[int, int], ...]  # ranges of code points, sorted, both ends in the set


def _set(*ranges: str) -> CharacterSet:
    """The set of the characters and of the ranges of two characters given."""
    return tuple(sorted((ord(each[0]), ord(each[-1])) for each in ranges))


def _complement(ranges: CharacterSet) -> CharacterSet:
    gaps, start = [], 0
    for low, high in ranges:
        if start < low:
            gaps.append((start, low - 1))
        start = high + 1
    return (*gaps, (start, 0x10FFFF))


_DIGITS = _set("09")
_WORD = _set("09", "AZ", "_", "az")
_BLANKS = _set("\t\r", " ", "\xa0", "\u1680", "\u2000\u200a", "\u2028\u2029", "\u202f", "\u205f", "\u3000", "\ufeff")
_ANY: CharacterSet = ((0, 0x10FFFF),)

_DIGIT = frozenset(string.digits)
_LETTER = frozenset(string.ascii_letters)

_SETS: Mapping[str, CharacterSet] = {
    "d": _DIGITS,
    "D": _complement(_DIGITS),
    "w": _WORD,
    "W": _complement(_WORD),
    "s": _BLANKS,
    "S": _complement(_BLANKS),
}
_NO_LINE_END = r"[^\n\r\u2028\u2029]"
_CONTROLS: Mapping[str, str] = {"t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r"}

_REPEAT = regex.compile(r"\{(?P<low>[0-9]+)(?:,(?P<high>[0-9]*))?\}")
_GROUP = regex.compile(r"\?(?:[:=!]|<[=!]|<(?P<name>[\p{XID_Start}_$][\p{XID_Continue}$]*)>)")
_PROPERTY = regex.compile(r"\{[A-Za-z0-9_]+(?:=[A-Za-z0-9_]+)?\}")
_GROUP_NAME = regex.compile(r"<([^<>]+)>")
_HEX = regex.compile(
    r"x([0-9a-fA-F]{2})|u\{0*([0-9a-fA-F]{1,6})\}|u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})"
    r"|u([0-9a-fA-F]{4})"
)


def _code(point: int) -> str:
    """One character in the syntax of ``regex``; written as a code when it could mean something else there."""
    character = chr(point)
    if character in _LETTER or character in _DIGIT:
        return character
    return f"\\u{point:04x}" if point <= 0xFFFF else f"\\U{point:08x}"


def _members(ranges: CharacterSet) -> str:
    return "".join(_code(low) if low == high else f"{_code(low)}-{_code(high)}" for low, high in ranges)


def _member(member: int | str) -> str:
    return member if isinstance(member, str) else _code(member)


def _one_of(ranges: CharacterSet) -> str:
    return f"[{_members(ranges)}]"


# ASCII letters only, as in ECMAScript; the ASCII flag of ``regex`` would also empty ``\p{L}``.
_IN_WORD = _one_of(_WORD)
_BOUNDARY = f"(?:(?<={_IN_WORD})(?!{_IN_WORD})|(?<!{_IN_WORD})(?={_IN_WORD}))"
_NO_BOUNDARY = f"(?:(?<={_IN_WORD})(?={_IN_WORD})|(?<!{_IN_WORD})(?!{_IN_WORD}))"


@dataclass(slots=True)
class _Group:
    """What has been read of a group so far, in items with every repetition written out."""

    number: int | None  # None: it captures nothing
    size: int = 0
    last: int = 0  # the size of what a repetition would repeat; 0: nothing


class _Translator:
    """Reads one ECMAScript pattern from left to right and writes it for ``regex``."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.position = 0
        self.written: list[str] = []
        self.length = 0  # of what is written, in characters
        self.open: list[_Group] = [_Group(None)]
        self.groups = 0
        self.closed: set[int] = set()
        self.names: dict[str, int] = {}
        self.references: list[tuple[int | str, int]] = []  # (number or name, position), checked at the end

    def translate(self) -> str:
        while self.position < len(self.pattern):
            self.item()
        if len(self.open) > 1:
            self.fail("a '(' is never closed")
        for reference, position in self.references:
            known = reference in self.names if isinstance(reference, str) else reference <= self.groups
            if not known:
                self.fail(f"there is no group {reference}", position)
        return "".join(self.written)

    def item(self) -> None:
        character = self.peek()
        match character:
            case "(":
                self.open_group()
            case ")":
                self.close_group()
            case "[":
                self.character_class()
            case "\\":
                self.escape()
            case "*" | "+" | "?":
                self.repeat(character, character, 0)
            case "{" if repeat := _REPEAT.match(self.pattern, self.position):
                self.counted_repeat(repeat)
            case "|":
                self.position += 1
                self.mark("|")
            case "^" | "$":
                self.position += 1
                self.mark("^" if character == "^" else r"\Z")
            case ".":
                self.position += 1
                self.atom(_NO_LINE_END)
            case _:
                self.position += 1
                self.atom(_code(ord(character)))

    def peek(self, ahead: int = 0) -> str:
        """The character to be read next, or so many after it; "" past the end."""
        at = self.position + ahead
        return self.pattern[at : at + 1]

    def atom(self, text: str, size: int = 1) -> None:
        """Write something that may be repeated."""
        self.written.append(text)
        self.length += len(text)
        if self.length > MAX_TRANSLATED_LENGTH:
            self.fail("it is too complex. Use fewer classes such as \\S or \\b")
        group = self.open[-1]
        group.size += size
        group.last = size
        self.check_size()

    def mark(self, text: str, size: int = 1) -> None:
        """Write something that may not be repeated."""
        self.atom(text, size)
        self.open[-1].last = 0

    # --- groups ---

    def open_group(self) -> None:
        start = self.position
        self.position += 1
        number = None
        if self.peek() == "?":
            kind = _GROUP.match(self.pattern, self.position)
            if kind is None:
                self.fail("after '(?' only ':', '=', '!', '<=', '<!' or a name in <> may follow", start)
            self.position = kind.end()
            name = kind["name"]
            if name is None:
                self.written.append("(" + kind.group())
            elif name in self.names:
                self.fail(f"the name '{name}' is given to two groups", start)
            else:
                number = self.capture()
                self.names[name] = number
        else:
            number = self.capture()
        if len(self.open) > MAX_NESTING:
            self.fail(f"groups are nested more than {MAX_NESTING} deep", start)
        self.open.append(_Group(number))

    def capture(self) -> int:
        self.groups += 1
        self.written.append("(")
        return self.groups

    def close_group(self) -> None:
        if len(self.open) == 1:
            self.fail("this ')' closes no group")
        self.position += 1
        group = self.open.pop()
        if group.number is not None:
            self.closed.add(group.number)
        self.atom(")", group.size + 1)

    # --- repetitions ---

    def counted_repeat(self, match: regex.Match[str]) -> None:
        low = int(match["low"])
        high = math.inf if match["high"] == "" else int(match["high"] or low)
        if high < low:
            self.fail("the numbers of this repetition are out of order")
        most = high if high <= MAX_VALUE_LENGTH else ""  # no text is longer, so a higher maximum is none
        self.repeat(match.group(), f"{{{low},{most}}}", low)

    def repeat(self, source: str, text: str, least: int) -> None:
        """Write a repetition of what comes before it, of which at least ``least`` are written out when compiled."""
        group = self.open[-1]
        if not group.last:
            self.fail(f"'{source}' has nothing to repeat")
        self.position += len(source)
        group.size += group.last * max(least - 1, 0)
        group.last = 0
        self.check_size()
        if self.peek() == "?":
            self.position += 1
            text += "?"
        self.written.append(text)

    def check_size(self) -> None:
        if self.open[-1].size > MAX_SIZE:
            self.fail(f"its repetitions come to more than {MAX_SIZE:,} items. Use smaller counts")

    # --- escapes ---

    def escape(self) -> None:
        start = self.position
        letter = self.peek(1)
        self.position += 2
        if letter in _SETS:
            self.atom(_one_of(_SETS[letter]))
        elif letter in ("b", "B"):
            self.mark(_BOUNDARY if letter == "b" else _NO_BOUNDARY, size=8)
        elif letter in ("p", "P"):
            self.atom(self.unicode_property(letter, start))
        elif letter == "k":
            self.named_reference(start)
        elif letter in _DIGIT and letter != "0":
            while self.peek() in _DIGIT:
                self.position += 1
            number = int(self.pattern[start + 1 : self.position])
            self.reference(number, number, start)
        else:
            self.position = start
            self.atom(_code(self.escaped_character()))

    def named_reference(self, start: int) -> None:
        match = _GROUP_NAME.match(self.pattern, self.position)
        if match is None:
            self.fail(r"\k needs the name of a group, as in \k<year>", start)
        self.position = match.end()
        self.reference(match[1], self.names.get(match[1]), start)

    def reference(self, written: int | str, number: int | None, start: int) -> None:
        """A back reference. To a group that has not matched, or is not complete, it matches nothing, and succeeds."""
        self.references.append((written, start))
        self.atom(f"(?({number})\\{number}|)" if number in self.closed else "(?:)", size=3)

    def unicode_property(self, letter: str, start: int) -> str:
        match = _PROPERTY.match(self.pattern, self.position)
        if match is None:
            self.fail(rf"\{letter} needs a Unicode property, as in \{letter}{{L}}", start)
        self.position = match.end()
        return f"\\{letter}{match.group()}"

    def escaped_character(self) -> int:
        """Read an escape that stands for one character, and return its code point."""
        start = self.position
        letter = self.peek(1)
        self.position += 2
        if not letter:
            self.fail(r"it ends in a lone '\'", start)
        if letter in _CONTROLS:
            return ord(_CONTROLS[letter])
        if letter == "0" and self.peek() not in _DIGIT:
            return 0
        if letter == "c" and self.peek() in _LETTER:
            self.position += 1
            return ord(self.pattern[start + 2]) % 32
        if match := _HEX.match(self.pattern, start + 1):
            self.position = match.end()
            return self.code_point(match, start)
        if letter in _LETTER or letter in _DIGIT:
            self.fail(f"ECMAScript has no escape '\\{letter}'", start)
        return ord(letter)

    def code_point(self, match: regex.Match[str], start: int) -> int:
        if match[3]:  # two surrogates
            return 0x10000 + ((int(match[3], 16) - 0xD800) << 10) + int(match[4], 16) - 0xDC00
        point = int(match[1] or match[2] or match[5], 16)
        if point > 0x10FFFF:
            self.fail("this is no Unicode code point", start)
        return point

    # --- character classes ---

    def character_class(self) -> None:
        start = self.position
        self.position += 1
        negated = self.peek() == "^"
        self.position += negated
        members: list[str] = []
        while self.peek() != "]":
            members.append(self.class_range(start))
        self.position += 1
        if members:
            self.atom(f"[{'^' if negated else ''}{''.join(members)}]")
        else:
            self.atom(_one_of(_ANY) if negated else "(?!)")

    def class_range(self, start: int) -> str:
        low = self.class_member(start)
        if self.peek() != "-" or self.peek(1) == "]":
            return _member(low)
        self.position += 1
        high = self.class_member(start)
        if isinstance(low, str) or isinstance(high, str):  # [\w-.]: the hyphen stands for itself
            return _member(low) + _code(ord("-")) + _member(high)
        if high < low:
            self.fail("the ends of a range are out of order", start)
        return f"{_code(low)}-{_code(high)}"

    def class_member(self, start: int) -> int | str:
        """Read a member of a class: a code point, or a set as it is written within ``[]``."""
        if not self.peek():
            self.fail("a '[' is never closed", start)
        if self.peek() != "\\":
            self.position += 1
            return ord(self.pattern[self.position - 1])
        letter = self.peek(1)
        if letter in _SETS:
            self.position += 2
            return _members(_SETS[letter])
        if letter in ("p", "P"):
            self.position += 2
            return self.unicode_property(letter, self.position - 2)
        if letter == "b":
            self.position += 2
            return ord("\b")
        return self.escaped_character()

    def fail(self, problem: str, position: int | None = None) -> NoReturn:
        at = self.position if position is None else position
        raise A2uiExpressionError(f"Invalid regular expression '{self.pattern[:80]}': {problem} (character {at + 1}).")
