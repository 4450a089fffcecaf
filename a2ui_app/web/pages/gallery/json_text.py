"""JSON as people read it: what fits on a line stays on one."""

from typing import Any

import orjson


def format_json(value: Any, width: int) -> str:
    """``value`` as JSON, indented by two, with every object and list on one line if it fits into ``width`` columns."""
    return _format(value, 0, 0, width)


def compact_json(value: Any) -> str:
    """``value`` as JSON on one line."""
    return _one_line(value)


def _format(value: Any, indent: int, before: int, width: int) -> str:
    one_line = _one_line(value)
    if not isinstance(value, dict | list) or not value or before + len(one_line) <= width:
        return one_line
    inner = indent + 2
    if isinstance(value, dict):
        lines = []
        for name, member in value.items():
            key = f"{_one_line(name)}: "
            lines.append(key + _format(member, inner, inner + len(key), width))
        first, last = "{", "}"
    else:
        lines = [_format(item, inner, inner, width) for item in value]
        first, last = "[", "]"
    body = ",\n".join(" " * inner + line for line in lines)
    return f"{first}\n{body}\n{' ' * indent}{last}"


def _one_line(value: Any) -> str:
    if isinstance(value, dict) and value:
        return "{" + ", ".join(f"{_one_line(name)}: {_one_line(member)}" for name, member in value.items()) + "}"
    if isinstance(value, list | tuple) and value:
        return "[" + ", ".join(_one_line(item) for item in value) + "]"
    return orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS).decode()
