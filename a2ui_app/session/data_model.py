"""The data model of a surface: JSON Pointers (RFC 6901) into copy-on-write JSON.

Nothing here mutates a value it was given: `put` and `delete` return a new root that shares what did not change, so
an inbound message, an earlier state and a pickle never alias. Rules: a2ui data model, "Path Resolution".
"""

import re
from functools import lru_cache
from typing import Any, Final

from ..catalogs.errors import A2uiDataError, A2uiRecursionError

Path = tuple[str, ...]

MAX_INDEX: Final = 10_000
"""The reference's bound on list indices: a write past it would pad the list with nulls."""

MAX_DEPTH: Final = 100
"""Levels of nesting in a value. JSON this deep is an attack; Python's own recursion ends near 1,000."""

FORBIDDEN: Final = frozenset({"__proto__", "constructor", "prototype"})
"""Path segments that other renderers must refuse (prototype pollution); refused here so that all agree."""

MISSING: Final = object()
"""What `get` answers for a path that does not exist. Never stored, never pickled."""

_INDEX = re.compile(r"(?:0|[1-9][0-9]*)\Z")
_BAD_ESCAPE = re.compile(r"~(?![01])")


@lru_cache(maxsize=16_384)
def parse_pointer(pointer: str) -> Path:
    """Segments of ``pointer``; empty segments are dropped (``/a//b`` is ``/a/b``), a leading slash is optional.

    Raises A2uiDataError on a malformed escape.
    """
    if _BAD_ESCAPE.search(pointer):
        raise A2uiDataError(f"Malformed path '{pointer}': '~' must be written '~0' (and '/' in a key '~1').", pointer)
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/") if part)


def resolve_pointer(pointer: str, scope: Path) -> Path:
    """The absolute path of ``pointer`` written in ``scope``: ``/x`` counts from the root, ``x`` from the scope."""
    if pointer.startswith("/"):
        return parse_pointer(pointer)
    if pointer in ("", "."):
        return scope
    return scope + parse_pointer(pointer)


def format_pointer(path: Path) -> str:
    """``path`` as a JSON Pointer; the root is ``/``, as A2UI messages write it."""
    return "/" + "/".join(part.replace("~", "~0").replace("/", "~1") for part in path)


def get(root: Any, path: Path) -> Any:
    """The value at ``path``, or MISSING. Only canonical numbers index a list (``01`` and ``-1`` do not)."""
    value = root
    for segment in path:
        if isinstance(value, dict):
            value = value.get(segment, MISSING)
        elif isinstance(value, list) and _INDEX.match(segment) and len(segment) < 10 and int(segment) < len(value):
            value = value[int(segment)]
        else:
            return MISSING
        if value is MISSING:
            return MISSING
    return value


def put(root: Any, path: Path, value: Any) -> Any:
    """A new root with ``value`` at ``path``; parents that are missing or null are made.

    Raises A2uiDataError when a parent is a primitive, or an index is not one, or is over MAX_INDEX.
    """
    if not path:
        return value
    _check_segments(path)
    new_root = branch = _copy_container(root, path[0], path, 0)
    for depth, segment in enumerate(path[:-1]):
        child = _copy_container(_child(branch, segment, path, depth), path[depth + 1], path, depth + 1)
        _set(branch, segment, child)
        branch = child
    _child(branch, path[-1], path, len(path) - 1)
    _set(branch, path[-1], value)
    return new_root


def delete(root: Any, path: Path) -> Any:
    """A new root without ``path``: a key goes, a list element becomes null (others keep their place), the root empties.

    A path that does not exist changes nothing.
    """
    if not path:
        return {}
    _check_segments(path)
    if get(root, path) is MISSING:
        return root
    if isinstance(get(root, path[:-1]), list):
        return put(root, path, None)
    parent = dict(get(root, path[:-1]))
    del parent[path[-1]]
    return put(root, path[:-1], parent)


def copy_json(value: Any, levels: int = MAX_DEPTH) -> Any:
    """A deep copy of JSON data, so that later changes to a message do not reach what was taken from it.

    Raises A2uiRecursionError when it nests deeper than ``levels``.
    """
    if type(value) not in _CONTAINERS:
        return value
    if levels == 0:
        raise _too_deep()
    below = levels - 1
    if type(value) is dict:
        return {
            name: copy_json(member, below) if type(member) in _CONTAINERS else member for name, member in value.items()
        }
    return [copy_json(item, below) if type(item) in _CONTAINERS else item for item in value]


_CONTAINERS: Final = frozenset({dict, list})


def _too_deep() -> A2uiRecursionError:
    return A2uiRecursionError("Global recursion limit exceeded: the value nests too deeply; send it flatter.")


def _check_segments(path: Path) -> None:
    for segment in path:
        if segment in FORBIDDEN:
            raise A2uiDataError(
                f"The path segment '{segment}' is not allowed in {format_pointer(path)}.", format_pointer(path)
            )


def _copy_container(value: Any, segment: str, path: Path, depth: int) -> Any:
    """A shallow copy of the container at ``path[:depth]``, or a new one that ``segment`` fits in."""
    if isinstance(value, dict):
        return dict(value)
    if isinstance(value, list):
        return list(value)
    if value is None or value is MISSING:
        return [] if _INDEX.match(segment) and depth else {}
    raise A2uiDataError(
        f"Cannot write {format_pointer(path)}: {format_pointer(path[:depth])} holds a {type(value).__name__}, "
        "not an object or a list. Replace that value first.",
        format_pointer(path),
    )


def _child(branch: Any, segment: str, path: Path, depth: int) -> Any:
    """The present value under ``segment``; raises A2uiDataError when a list cannot be indexed by it."""
    if isinstance(branch, dict):
        return branch.get(segment, MISSING)
    if not _INDEX.match(segment):
        raise A2uiDataError(
            f"Cannot write {format_pointer(path)}: {format_pointer(path[:depth])} is a list, and '{segment}' "
            "is not an index (0, 1, 2, …).",
            format_pointer(path),
        )
    if len(segment) > 9 or int(segment) > MAX_INDEX:
        raise A2uiDataError(
            f"Cannot write {format_pointer(path)}: index {segment} is over {MAX_INDEX}. Replace the list instead.",
            format_pointer(path),
        )
    return branch[int(segment)] if int(segment) < len(branch) else MISSING


def _set(branch: Any, segment: str, value: Any) -> None:
    if isinstance(branch, dict):
        branch[segment] = value
        return
    index = int(segment)
    branch.extend([None] * (index + 1 - len(branch)))
    branch[index] = value
