"""Which nodes read which data paths, so that one write touches only the nodes it concerns."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from .data_model import MISSING, Path, get

ROW_KEYS = ("id", "key")
"""Members of a list element that key a template's rows (see `resolver.row_keys`)."""


@dataclass(slots=True)
class _Branch:
    children: dict[str, "_Branch"] = field(default_factory=dict)
    values: dict[int, None] = field(default_factory=dict)
    """Nodes whose result depends on the whole value here."""
    lists: dict[int, None] = field(default_factory=dict)
    """Templates over the list here: they care for its length and its row keys, not for what the rows hold."""


@dataclass(slots=True)
class PathIndex:
    """A trie of watched paths. Dicts serve as ordered sets, so that nodes are visited in a stable order."""

    root: _Branch = field(default_factory=_Branch)

    def add(self, path: Path, ref: int, *, is_list: bool) -> None:
        branch = self.root
        for segment in path:
            child = branch.children.get(segment)
            if child is None:
                child = branch.children[segment] = _Branch()
            branch = child
        (branch.lists if is_list else branch.values)[ref] = None

    def discard(self, path: Path, ref: int, *, is_list: bool) -> None:
        trail = [self.root]
        for segment in path:
            child = trail[-1].children.get(segment)
            if child is None:
                return
            trail.append(child)
        (trail[-1].lists if is_list else trail[-1].values).pop(ref, None)
        for parent, segment, branch in zip(reversed(trail[:-1]), reversed(path), reversed(trail[1:]), strict=True):
            if branch.children or branch.values or branch.lists:
                break
            del parent.children[segment]

    def affected(self, path: Path, before: Any, after: Any) -> Iterator[int]:
        """Nodes to fill again after a write at ``path`` turned the root ``before`` into ``after``."""
        branch = self.root
        for depth, segment in enumerate(path):
            yield from branch.values
            if branch.lists and _list_changed(path, depth, before, after):
                yield from branch.lists
            child = branch.children.get(segment)
            if child is None:
                return
            branch = child
        yield from _below(branch, get(before, path), get(after, path))


def _list_changed(path: Path, depth: int, before: Any, after: Any) -> bool:
    """Whether a write at ``path`` changed the rows of a list at ``path[:depth]``: an element, its key, the length."""
    below = len(path) - depth
    if below == 1 or (below == 2 and path[-1] in ROW_KEYS):
        return True
    old, new = get(before, path[:depth]), get(after, path[:depth])
    return not (isinstance(old, list) and isinstance(new, list) and len(old) == len(new))


def _below(branch: _Branch, old: Any, new: Any) -> Iterator[int]:
    """Watchers at and under a replaced value, those left out whose own value is the same."""
    if old is new:
        return
    if not _same_scalar(old, new):
        yield from branch.values
        yield from branch.lists
    for segment, child in list(branch.children.items()):
        yield from _below(child, get(old, (segment,)), get(new, (segment,)))


def _same_scalar(old: Any, new: Any) -> bool:
    return type(old) is type(new) and not isinstance(old, (dict, list)) and old is not MISSING and old == new
