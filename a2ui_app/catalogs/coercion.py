"""How a value becomes a string, a number or a boolean (A2UI, type coercion of dynamic values).

The other renderers of a surface run in browsers, so texts take JavaScript's form: ``1.0`` prints as ``1``, ``1e21`` as
``1e+21``, an object as compact JSON. Nothing here raises: a value of any JSON type has an answer.
"""

import json
import math
import re
from collections.abc import Iterator
from typing import Any

__all__ = ["to_boolean", "to_number", "to_string", "truthy", "validation_result"]

SEVERITIES = ("error", "warning", "info")  # a tuple: what an agent sends may not be hashable

_NUMERIC = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_EXPONENT_FROM = 10**21  # JavaScript prints numbers from here on with an exponent.


def to_string(value: Any) -> str:
    """Return the text of any JSON value: null is "", a number its shortest decimal text, a container compact JSON."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, (dict, list, tuple)):
        return _to_json(value)
    return _scalar_text(value)


def to_number(value: Any) -> int | float:
    """Return the number a value stands for; null, other strings, containers and what is out of range are 0."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, (int, float)):
        return value
    number = parse_number(value) if isinstance(value, str) else None
    return 0 if number is None else number


def to_boolean(value: Any) -> bool:
    """Return the boolean a value stands for: "true" in any case, a number that is not 0, a valid ValidationResult."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return value.lower() == "true"
    if isinstance(value, (int, float)):
        return value != 0
    if isinstance(value, dict):
        return value.get("valid") is True
    return False


def truthy(value: Any) -> bool:
    """Say whether a check's operand counts as met: a ValidationResult by its ``valid``, any other value by truthiness.

    Unlike `to_boolean`, any text that is not empty is true here, "false" included.
    """
    if isinstance(value, dict) and isinstance(value.get("valid"), bool):
        return value["valid"]
    return bool(value)


def validation_result(value: Any) -> dict[str, Any]:
    """Return the ValidationResult that a check's condition came to; ``valid`` is always a boolean.

    A dict keeps its further keys, and is not valid unless it says so. A message that is no text is made one, and a
    severity outside the protocol's three is dropped ("error" is the default).
    """
    if not isinstance(value, dict):
        return {"valid": truthy(value)}
    result = {**value, "valid": to_boolean(value.get("valid"))}
    if result.get("message") is None:
        result.pop("message", None)
    else:
        result["message"] = to_string(result["message"])
    if result.get("severity") not in SEVERITIES:
        result.pop("severity", None)
    return result


def parse_number(text: str) -> int | float | None:
    """Return the number a decimal literal stands for, blanks around it ignored; None when it is none or too large."""
    literal = text.strip()
    if not _NUMERIC.fullmatch(literal):
        return None
    number = float(literal)
    if not math.isfinite(number):
        return None
    if any(mark in literal for mark in ".eE"):
        return number
    # Python refuses to read an int of over 4,300 digits, leading zeros counted.
    digits = int(literal.lstrip("+-0") or "0")
    return -digits if literal.startswith("-") else digits


def _scalar_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return _integer_text(value)
    if isinstance(value, float):
        return _float_text(value)
    return str(value)


def _integer_text(value: int) -> str:
    if -_EXPONENT_FROM < value < _EXPONENT_FROM:
        return str(value)
    try:
        return _float_text(float(value))
    except OverflowError:
        return "Infinity" if value > 0 else "-Infinity"


def _float_text(value: float) -> str:
    """ECMAScript's Number::toString; it differs from Python's in when the exponent starts and how it is padded."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value.is_integer() and abs(value) < _EXPONENT_FROM:
        return str(_shortest_integer(value))
    text = repr(value)
    mantissa, has_exponent, exponent = text.partition("e")
    if not has_exponent:
        return text
    power = int(exponent)
    if -7 < power < 0:
        sign, digits = ("-", mantissa[1:]) if mantissa.startswith("-") else ("", mantissa)
        return f"{sign}0.{'0' * (-power - 1)}{digits.replace('.', '')}"
    return f"{mantissa}e{power:+d}"


def _shortest_integer(value: float) -> int:
    """The integer with the fewest significant digits that is this float, as JavaScript prints it."""
    mantissa, _, exponent = repr(value).partition("e")
    if not exponent:
        return int(value)
    whole, _, fraction = mantissa.partition(".")
    return int(whole + fraction) * 10 ** (int(exponent) - len(fraction))


class _Literal(str):
    """A piece of JSON text already written, beside the values still to be written."""

    __slots__ = ()


def _to_json(value: Any) -> str:
    """Compact JSON with JavaScript's numbers, on a stack of its own: data may be nested deeper than Python recurses."""
    written: list[str] = []
    pending: list[Any] = [value]
    while pending:
        item = pending.pop()
        if isinstance(item, _Literal):
            written.append(item)
        elif isinstance(item, str):
            written.append(_quoted(item))
        elif isinstance(item, (dict, list, tuple)):
            pending.extend(reversed(list(_members(item))))
        elif item is None or (isinstance(item, float) and not math.isfinite(item)):
            written.append("null")
        else:
            written.append(_scalar_text(item))
    return "".join(written)


def _members(container: dict[str, Any] | list[Any] | tuple[Any, ...]) -> Iterator[Any]:
    if isinstance(container, dict):
        yield _Literal("{")
        for position, (key, member) in enumerate(container.items()):
            yield _Literal(("," if position else "") + _quoted(str(key)) + ":")
            yield member
        yield _Literal("}")
    else:
        yield _Literal("[")
        for position, member in enumerate(container):
            if position:
                yield _Literal(",")
            yield member
        yield _Literal("]")


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
