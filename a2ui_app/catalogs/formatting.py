"""Numbers, money, dates and plurals as people read them (basic catalog: formatNumber, formatCurrency, formatDate,
pluralize), with the Unicode CLDR data that babel carries.

Time zones: a session does not know where its viewers are, so nothing is converted. A date and time shows the wall clock
that is written in it, whatever its offset; epoch milliseconds show in UTC. Only the format ``ISO`` converts: it prints
the instant in UTC, and reads a time without an offset as UTC.
"""

import datetime as dt
import decimal
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from a2ui.core.basic_catalog.locale_formatting import apply_currency_spacing, get_locale
from babel.core import Locale
from babel.numbers import NumberPattern, get_currency_precision, get_currency_symbol, parse_pattern

from .coercion import to_boolean, to_number, to_string
from .errors import A2uiExpressionError

__all__ = ["DEFAULT_LOCALE", "format_currency", "format_date", "format_number", "pluralize"]

DEFAULT_LOCALE = "en-US"  # what the other renderers take when the host names none

MAX_DECIMALS = 100  # the limit of ECMAScript's Intl.NumberFormat
MAX_FORMAT_LENGTH = 1_000  # characters of a date pattern


# --- numbers -------------------------------------------------------------------------------------------------------

# Room for every digit of the largest float and its decimals: babel rounds in the context's precision, and fails on a
# number that does not fit.
_EXACT = decimal.Context(prec=310 + MAX_DECIMALS, rounding=decimal.ROUND_HALF_EVEN)


def format_number(value: Any, decimals: Any = None, grouping: Any = None, *, locale: str = DEFAULT_LOCALE) -> str:
    """Return a number as text in the locale's form, a half rounded to even.

    value: coerced to a number (null is 0). decimals: how many to print, 0 to 100; absent: up to 3. grouping: false
    leaves out the thousands separators. Raises `A2uiExpressionError` when decimals is out of range.
    """
    pattern = _decimal_pattern(locale, _decimals(decimals))
    return _apply(pattern, value, grouping, locale)


def format_currency(
    value: Any, currency: Any, decimals: Any = None, grouping: Any = None, *, locale: str = DEFAULT_LOCALE
) -> str:
    """Return an amount of money as text in the locale's form, a half rounded to even.

    currency: an ISO 4217 code in any case. decimals: absent, the currency's own (2 for USD, 0 for JPY). The other
    arguments as for `format_number`. Raises `A2uiExpressionError` for a code that is not three letters.
    """
    code = to_string(currency).strip().upper()
    if not re.fullmatch("[A-Z]{3}", code):
        raise A2uiExpressionError(
            f"the argument 'currency' must be an ISO 4217 code such as USD, not '{to_string(currency)[:40]}'."
        )
    pattern = _currency_pattern(locale, code, _decimals(decimals))
    return _apply(pattern, value, grouping, locale, code)


def _apply(pattern: NumberPattern, value: Any, grouping: Any, locale: str, currency: str | None = None) -> str:
    number = to_number(value)
    try:
        if not math.isfinite(number):
            return to_string(number)
    except OverflowError:  # an int no float can hold
        return to_string(number)
    with decimal.localcontext(_EXACT):
        return pattern.apply(
            number,
            _locale(locale),
            currency=currency,
            currency_digits=False,
            group_separator=grouping is None or to_boolean(grouping),
        )


def _decimals(value: Any) -> int | None:
    if value is None:
        return None
    decimals = to_number(value)
    if not 0 <= decimals <= MAX_DECIMALS:
        raise A2uiExpressionError(
            f"the argument 'decimals' must be between 0 and {MAX_DECIMALS}, not {to_string(value)[:40]}."
        )
    return int(decimals)


@lru_cache(maxsize=32)
def _locale(tag: str) -> Locale:
    return get_locale(tag)


@lru_cache(maxsize=512)
def _decimal_pattern(locale: str, decimals: int | None) -> NumberPattern:
    pattern = _locale(locale).decimal_formats[None]
    return pattern if decimals is None else parse_pattern(_with_decimals(pattern.pattern, decimals))


@lru_cache(maxsize=512)
def _currency_pattern(locale: str, code: str, decimals: int | None) -> NumberPattern:
    pattern = _locale(locale).currency_formats["standard"].pattern
    digits = get_currency_precision(code) if decimals is None else decimals
    symbol = get_currency_symbol(code, locale=_locale(locale))
    # babel leaves out CLDR's space between a symbol of letters and the number ("CHF 5").
    return parse_pattern(apply_currency_spacing(_with_decimals(pattern, digits), symbol))


def _with_decimals(pattern: str, decimals: int) -> str:
    fraction = "." + "0" * decimals if decimals else ""
    return re.sub(r"0(?:\.[0#]+)?(?![0#.,])", f"0{fraction}", pattern)


# --- dates ---------------------------------------------------------------------------------------------------------

_SECONDS_AND_ZONE = (
    r"(?::?(?P<second>\d\d)(?:[.,](?P<fraction>\d+))?)?"
    r"(?: ?(?P<zone>[Zz]|[+-]\d\d(?::?\d\d)?))?"
)
_DATE_AND_TIME = re.compile(
    r"(?:(?P<year>\d{4})-(?P<month>\d\d)(?:-(?P<day>\d\d))?|(?P<basic>\d{8}))"
    rf"(?:[Tt ](?P<hour>\d\d):?(?P<minute>\d\d){_SECONDS_AND_ZONE})?",
    re.ASCII,
)
_TIME_ONLY = re.compile(rf"[Tt]?(?P<hour>\d\d?):(?P<minute>\d\d){_SECONDS_AND_ZONE}", re.ASCII)
_EPOCH = re.compile(r"-?\d{9,}", re.ASCII)
_EPOCH_START = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def format_date(value: Any, format: Any, *, locale: str = DEFAULT_LOCALE) -> str:
    """Return a date or time as text by a pattern.

    value: an ISO 8601 date, date and time, or time of day, or milliseconds since 1970 in UTC (a number, or a string of
    9 digits or more). Anything else, and a day that does not exist, gives "", as does a pattern that asks for the date
    of a time of day. A date alone is midnight.

    format: a pattern of Unicode TR35: yyyy y yy, MMMM MMM MM M, EEEE E (EE, EEE), dd d, HH H hh h, mm m, ss s, SSS, a;
    text between single quotes stands for itself, '' is a quote, other letters are printed as they are. ``ISO`` prints
    the instant in UTC, as ECMAScript's toISOString does. Raises `A2uiExpressionError` for a pattern of over 1,000
    characters.
    """
    pattern = to_string(format)
    if len(pattern) > MAX_FORMAT_LENGTH:
        raise A2uiExpressionError(
            f"the argument 'format' is {len(pattern):,} characters long; at most {MAX_FORMAT_LENGTH:,} are allowed."
        )
    moment = _read_moment(value)
    if moment is None:
        return ""
    if pattern == "ISO":
        return _iso(moment)
    parsed = _date_pattern(pattern)
    if isinstance(moment, dt.time):
        if parsed.asks_for_date:
            return ""
        moment = dt.datetime.combine(dt.date.min, moment)
    data = _locale(locale)
    return "".join(piece if isinstance(piece, str) else piece(moment, data) for piece in parsed.pieces)


def _read_moment(value: Any) -> dt.datetime | dt.time | None:
    """What a value says; a `datetime.time` when it names no day, None when it is no date at all."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, float)):
        return _read_epoch(value)
    if not isinstance(value, str):
        return None
    text = value.strip()
    if len(text) > 64:
        return None
    if _EPOCH.fullmatch(text):
        return _read_epoch(int(text))
    try:
        if match := _DATE_AND_TIME.fullmatch(text):
            return dt.datetime.combine(_read_day(match), _read_time(match))
        if match := _TIME_ONLY.fullmatch(text):
            return _read_time(match)
    except ValueError:  # no such day or hour
        return None
    return None


def _read_epoch(milliseconds: int | float) -> dt.datetime | None:
    try:
        return _EPOCH_START + dt.timedelta(milliseconds=milliseconds)
    except (OverflowError, ValueError):  # out of the years 1 to 9999, or no number
        return None


def _read_day(match: re.Match[str]) -> dt.date:
    if basic := match["basic"]:
        return dt.date(int(basic[:4]), int(basic[4:6]), int(basic[6:]))
    return dt.date(int(match["year"]), int(match["month"]), int(match["day"] or 1))


def _read_time(match: re.Match[str]) -> dt.time:
    hour, minute, second = (int(match[part] or 0) for part in ("hour", "minute", "second"))
    microsecond = int((match["fraction"] or "")[:6].ljust(6, "0"))
    return dt.time(hour, minute, second, microsecond, tzinfo=_read_zone(match["zone"]))


def _read_zone(zone: str | None) -> dt.tzinfo | None:
    if zone is None:
        return None
    if zone in "Zz":
        return dt.UTC
    hours, minutes = int(zone[1:3]), int(zone[3:].lstrip(":") or 0)
    offset = dt.timedelta(hours=hours, minutes=minutes)
    return dt.timezone(-offset if zone[0] == "-" else offset)


def _iso(moment: dt.datetime | dt.time) -> str:
    if isinstance(moment, dt.time):
        return ""
    try:
        utc = moment.replace(tzinfo=dt.UTC) if moment.tzinfo is None else moment.astimezone(dt.UTC)
    except OverflowError:  # the first or last day of the calendar, moved out of it
        return ""
    return utc.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"


Field = Callable[[dt.datetime, Locale], str]


def _names(kind: str, width: str, key: Callable[[dt.datetime], Any]) -> Field:
    return lambda moment, locale: str(getattr(locale, kind)["format"][width][key(moment)])


def _month(moment: dt.datetime) -> int:
    return moment.month


def _half_day(moment: dt.datetime) -> str:
    return "am" if moment.hour < 12 else "pm"


_WEEKDAY = _names("days", "abbreviated", dt.datetime.weekday)

_DATE_FIELDS: Mapping[str, Field] = {
    "yyyy": lambda moment, _: f"{moment.year:04d}",
    "y": lambda moment, _: str(moment.year),
    "yy": lambda moment, _: f"{moment.year % 100:02d}",
    "MMMM": _names("months", "wide", _month),
    "MMM": _names("months", "abbreviated", _month),
    "MM": lambda moment, _: f"{moment.month:02d}",
    "M": lambda moment, _: str(moment.month),
    "EEEE": _names("days", "wide", dt.datetime.weekday),
    "EEE": _WEEKDAY,
    "EE": _WEEKDAY,
    "E": _WEEKDAY,
    "dd": lambda moment, _: f"{moment.day:02d}",
    "d": lambda moment, _: str(moment.day),
}
_TIME_FIELDS: Mapping[str, Field] = {
    "HH": lambda moment, _: f"{moment.hour:02d}",
    "H": lambda moment, _: str(moment.hour),
    "hh": lambda moment, _: f"{moment.hour % 12 or 12:02d}",
    "h": lambda moment, _: str(moment.hour % 12 or 12),
    "mm": lambda moment, _: f"{moment.minute:02d}",
    "m": lambda moment, _: str(moment.minute),
    "ss": lambda moment, _: f"{moment.second:02d}",
    "s": lambda moment, _: str(moment.second),
    "SSS": lambda moment, _: f"{moment.microsecond // 1000:03d}",
    "a": _names("day_periods", "abbreviated", _half_day),
}

# A quoted text (to the end when its quote is never closed), '' inside or outside of one, or a run of one letter.
_PATTERN_PIECE = re.compile(r"''|'((?:[^']|'')*)'?|([A-Za-z])\2*|[^A-Za-z']+")


@dataclass(frozen=True, slots=True)
class _DatePattern:
    pieces: tuple[str | Field, ...]
    asks_for_date: bool


@lru_cache(maxsize=512)
def _date_pattern(pattern: str) -> _DatePattern:
    pieces: list[str | Field] = []
    asks_for_date = False
    for match in _PATTERN_PIECE.finditer(pattern):
        piece = match.group()
        if piece == "''":
            pieces.append("'")
        elif piece.startswith("'"):
            pieces.append(match.group(1).replace("''", "'"))
        else:
            asks_for_date = asks_for_date or piece in _DATE_FIELDS
            pieces.append(_DATE_FIELDS.get(piece) or _TIME_FIELDS.get(piece) or piece)
    return _DatePattern(tuple(pieces), asks_for_date)


# --- plurals -------------------------------------------------------------------------------------------------------

_EXACT_CATEGORIES: Mapping[float, str] = {0: "zero", 1: "one", 2: "two"}


def pluralize(value: Any, texts: Mapping[str, Any], *, locale: str = DEFAULT_LOCALE) -> str:
    """Return the text for a count.

    value: coerced to a number (null is 0). texts: by CLDR category: zero, one, two, few, many, other. A text for
    exactly 0, 1 or 2 comes first, then the locale's plural rule, then "other". An empty text counts as given; null does
    not.
    """
    number = to_number(value)
    category = _EXACT_CATEGORIES.get(number)
    if category is None or texts.get(category) is None:
        category = _plural_category(number, locale)
    text = texts.get(category)
    return to_string(texts.get("other") if text is None else text)


def _plural_category(number: int | float, locale: str) -> str:
    if isinstance(number, float):
        if not math.isfinite(number):
            return "other"
        if number.is_integer():  # a whole number has no visible decimals, as in JavaScript
            number = int(number)
    return _locale(locale).plural_form(number)
