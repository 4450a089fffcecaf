"""The functions of the basic catalogs, as plain Python on resolved arguments.

A body is an ordinary function whose parameters have the names of the A2UI arguments: one without a default is
required, null counts as given for it, and as left out for one with a default. `Function.execute` checks the names
before it calls the body. What goes wrong is an `A2uiExpressionError` that begins with the function's name.
"""

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NoReturn

from . import patterns
from .coercion import parse_number, to_number, to_string, truthy
from .errors import A2uiExpressionError
from .formatting import DEFAULT_LOCALE, format_currency, format_date, format_number, pluralize

__all__ = [
    "BASIC_FUNCTIONS",
    "EVALUATED",
    "MINIMAL_FUNCTIONS",
    "Function",
    "basic_functions",
    "check_media_url",
    "open_url",
]

MAX_ARGUMENTS = 1_000
MAX_EMAIL_LENGTH = 320  # characters: 64 before the @, 255 after it (RFC 5321)

EVALUATED = frozenset({"formatString", "@index"})
"""The functions that need the scope they stand in: the session evaluates them itself."""


@dataclass(frozen=True)
class Function:
    """A function of a catalog.

    execute: takes the resolved arguments by name and returns the value; None: the function runs at the agent.
    allowed_callers: rendererOnly, rendererOrAgent or agentOnly. schema: JSON schema of the whole call.
    """

    name: str
    execute: Callable[[Mapping[str, Any]], Any] | None
    return_type: str = "any"
    allowed_callers: str = "rendererOnly"
    requires_user_activation: bool = False
    schema: Mapping[str, Any] | None = None


def basic_functions(locale: str = DEFAULT_LOCALE) -> dict[str, dict[str, Function]]:
    """Return the basic catalog's functions by name, for each protocol family ("0.9" and "1.0").

    locale: a BCP 47 tag; numbers, dates and plurals are written its way. The families differ in one thing: a check
    returns a boolean in 0.9 and a ValidationResult in 1.0 (and so ``and``, ``or`` and ``not`` understand one in 1.0).
    """
    return {"0.9": _family(locale, results=False), "1.0": _family(locale, results=True)}


def _family(locale: str, *, results: bool) -> dict[str, Function]:
    operand = truthy if results else bool

    def logic(name: str, body: Callable[..., bool]) -> Function:
        return _function(name, partial(body, operand), "boolean")

    def check(name: str, body: Callable[..., bool], **failure: str) -> Function:
        if not results:
            return _function(name, body, "boolean")
        return _function(name, body, "validationResult", lambda valid: {"valid": valid, **({} if valid else failure)})

    functions = [
        check("required", _required),
        check("regex", _regex),
        check("length", _length),
        check("numeric", _numeric),
        check("email", _email, **_INVALID_EMAIL),
        _function("formatNumber", partial(format_number, locale=locale), "string"),
        _function("formatCurrency", partial(format_currency, locale=locale), "string"),
        _function("formatDate", partial(format_date, locale=locale), "string"),
        _function("pluralize", partial(_pluralize, locale=locale), "string"),
        Function("openUrl", _execute("openUrl", open_url), "void", requires_user_activation=True),
        logic("and", _and),
        logic("or", _or),
        logic("not", _not),
    ]
    return {function.name: function for function in functions}


def _function(
    name: str, body: Callable[..., Any], return_type: str, finish: Callable[[Any], Any] | None = None
) -> Function:
    return Function(name, _execute(name, body, finish), return_type)


def _execute(
    name: str, body: Callable[..., Any], finish: Callable[[Any], Any] | None = None
) -> Callable[[Mapping[str, Any]], Any]:
    """Wrap a body: check the arguments against its parameters, call it, and say whose error it was."""
    parameters = {
        each.name: each.default is each.empty
        for each in inspect.signature(body).parameters.values()
        if each.kind is not each.KEYWORD_ONLY  # those are the host's to give, such as the locale
    }

    def execute(arguments: Mapping[str, Any]) -> Any:
        _check_names(name, parameters, arguments)
        try:
            value = body(**arguments)
        except A2uiExpressionError as error:
            raise A2uiExpressionError(f"{name}: {error}") from error
        return value if finish is None else finish(value)

    return execute


def _check_names(name: str, parameters: Mapping[str, bool], arguments: Mapping[str, Any]) -> None:
    """parameters: whether each is required, by name."""
    if len(arguments) > MAX_ARGUMENTS:
        raise A2uiExpressionError(f"{name}: {len(arguments):,} arguments; at most {MAX_ARGUMENTS:,} are allowed.")
    for argument in arguments:
        if argument not in parameters:
            raise A2uiExpressionError(
                f"{name}: there is no argument '{argument}'. The arguments are {', '.join(parameters)}."
            )
    for argument, required in parameters.items():
        if required and argument not in arguments:
            raise A2uiExpressionError(f"{name}: the argument '{argument}' is missing.")


# --- checks --------------------------------------------------------------------------------------------------------

_EMAIL = re.compile(r"[a-zA-Z0-9._%+-]+@[a-zA-Z0-9.-]+\.[a-zA-Z]{2,}")
_INVALID_EMAIL = {  # the specification's words: its conformance suite compares them
    "code": "INVALID_EMAIL",
    "message": "Please enter a valid email address (e.g. user@example.com).",
    "severity": "error",
}


def _required(value: Any) -> bool:
    return not (value is None or value == "" or value == [])


def _regex(value: Any, pattern: Any) -> bool:
    return patterns.search(to_string(pattern), to_string(value))


def _length(value: Any, min: Any = None, max: Any = None) -> bool:
    """Items of a list, else characters of the text."""
    length = len(value) if isinstance(value, list) else len(to_string(value))
    return _within(length, min, max)


def _numeric(value: Any, min: Any = None, max: Any = None) -> bool:
    number = _number(value)
    return _within(0 if number is None else number, min, max) and number is not None


def _email(value: Any) -> bool:
    text = to_string(value)
    return len(text) <= MAX_EMAIL_LENGTH and _EMAIL.fullmatch(text) is not None


def _within(number: int | float, minimum: Any, maximum: Any) -> bool:
    """Both ends belong to the range. At least one end must be given (the catalog's schema says so)."""
    if minimum is None and maximum is None:
        raise A2uiExpressionError("one of the arguments 'min' and 'max' is needed.")
    low, high = _limit("min", minimum), _limit("max", maximum)
    return (low is None or number >= low) and (high is None or number <= high)


def _limit(argument: str, value: Any) -> int | float | None:
    number = _number(value)
    if number is None and value is not None:
        raise A2uiExpressionError(f"the argument '{argument}' must be a number, not '{to_string(value)[:40]}'.")
    return number


def _number(value: Any) -> int | float | None:
    """The number a value is or spells; None for everything else. A boolean is no number here."""
    if isinstance(value, str):
        return parse_number(value)
    return to_number(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


# --- logic ---------------------------------------------------------------------------------------------------------

Operand = Callable[[Any], bool]


def _and(operand: Operand, values: Any) -> bool:
    return all(map(operand, _operands(values)))


def _or(operand: Operand, values: Any) -> bool:
    return any(map(operand, _operands(values)))


def _not(operand: Operand, value: Any) -> bool:
    return not operand(value)


def _operands(values: Any) -> list[Any]:
    if not isinstance(values, list) or len(values) < 2:
        raise A2uiExpressionError("the argument 'values' must be a list of at least 2 values.")
    return values


# --- texts ---------------------------------------------------------------------------------------------------------


def _pluralize(
    value: Any,
    other: Any,
    zero: Any = None,
    one: Any = None,
    two: Any = None,
    few: Any = None,
    many: Any = None,
    *,
    locale: str,
) -> str:
    texts = {"zero": zero, "one": one, "two": two, "few": few, "many": many, "other": other}
    return pluralize(value, texts, locale=locale)


def _capitalize(value: Any) -> str:
    text = to_string(value)
    return text[:1].upper() + text[1:]


MINIMAL_FUNCTIONS: dict[str, Function] = {"capitalize": _function("capitalize", _capitalize, "string")}
"""The functions of the minimal catalog of 0.9."""


# --- addresses -----------------------------------------------------------------------------------------------------

# No blank or control character anywhere, so that no browser drops one and reads another scheme; a host right after //.
_WEB_URL = re.compile(r"https?://[^\s\x00-\x20\x7f-\x9f/\\?#][^\s\x00-\x20\x7f-\x9f]*", re.IGNORECASE)
_DATA_IMAGE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}", re.IGNORECASE | re.ASCII)
_SCHEME = re.compile(r"\s*([A-Za-z][A-Za-z0-9+.-]*):")


def check_media_url(url: Any) -> str | None:
    """Return the address of an image, a video or a sound if a page may load it, else None.

    It may be http or https, or an image in the text itself: ``data:image/(png|jpeg|gif|webp);base64,…``.
    """
    if isinstance(url, str) and (_WEB_URL.fullmatch(url) or _DATA_IMAGE.fullmatch(url)):
        return url
    return None


def open_url(url: Any) -> str:
    """Return the address to open, as it came: only http and https may leave the page (CVE-2026-10032 was this)."""
    if not isinstance(url, str):
        raise A2uiExpressionError("the argument 'url' must be a text such as https://example.com.")
    if not _WEB_URL.fullmatch(url):
        _refuse_url(url)
    return url


def _refuse_url(url: str) -> NoReturn:
    scheme = _SCHEME.match(url)
    shown = ascii(url[:60])
    if scheme is None:
        raise A2uiExpressionError(f"{shown} is no absolute address. Write it out from https:// on.")
    if scheme[1].lower() not in ("http", "https"):
        raise A2uiExpressionError(f"addresses of the scheme '{scheme[1]}:' are not opened, only http: and https:.")
    raise A2uiExpressionError(f"{shown} has no host, or a blank or control character in it. Write a blank as %20.")


BASIC_FUNCTIONS: dict[str, dict[str, Function]] = basic_functions()
