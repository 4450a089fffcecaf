"""A node of a resolved tree, and the forms in which a session shows it: patches for a browser, trees for people."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from .agent_calls import Calls
from .components import Component
from .data_model import Path

State = Literal["ok", "pending", "unknown", "cyclic"]


@dataclass(frozen=True)
class Patch:
    """What changed for a browser.

    ``nodes`` maps a ref to its wire node, or to None when the node is gone; ``surfaces`` maps a surface id to
    ``{"root": ref | None, "theme"?: {...}}``, or to None when the surface is gone.
    """

    revision: int
    nodes: dict[int, dict[str, Any] | None]
    surfaces: dict[str, dict[str, Any] | None]


class Link(int):
    """In a node's props: the place of a child in ``children``."""


ChildKey = tuple[str, str | int, int]
"""Which child this is to its parent, across fills: component id, row key, occurrence."""


@dataclass(slots=True)
class Node:
    """One instance of a component: what its definition comes to in one scope."""

    ref: int
    component_id: str
    parent: int | None
    depth: int
    scope: Path
    index: int | None
    state: State
    component: Component | None = None
    props: dict[str, Any] = field(default_factory=dict)
    children: list[int] = field(default_factory=list)
    child_keys: list[ChildKey] = field(default_factory=list)
    busy: bool = False
    valid: bool = True
    errors: list[str] = field(default_factory=list)
    severity: str = "error"
    accessibility: dict[str, Any] = field(default_factory=dict)
    more: int = 0
    """Rows of a template that are not shown (session option ``max_rows``)."""
    reads: dict[tuple[Path, bool], None] = field(default_factory=dict)
    problems: dict[tuple[str, ...], dict[str, Any]] = field(default_factory=dict)
    calls: Calls | None = None

    @property
    def type(self) -> str:
        return self.component.type if self.component else ""

    @property
    def writable(self) -> list[str]:
        return list(self.component.bindings) if self.component else []

    def shown(self) -> tuple[Any, ...]:
        """What a browser sees of the node, for telling whether a fill changed it."""
        return (
            self.props,
            self.children,
            self.busy,
            self.valid,
            self.errors,
            self.severity,
            self.accessibility,
            self.more,
            self.component,
        )

    def wire(self) -> dict[str, Any]:
        """The node for a browser: only what is not default; links as refs, actions as true."""
        component = self.component
        if component is None:
            return {"id": self.component_id, "type": "", "props": {}, "state": self.state}
        props = {name: _with_refs(value, self.children) for name, value in self.props.items()}
        props.update(component.display)
        props.update(dict.fromkeys(component.actions, True))
        wire: dict[str, Any] = {"id": self.component_id, "type": component.type, "props": props}
        if self.state != "ok":
            wire["state"] = self.state
        if self.busy:
            wire["busy"] = True
        if not self.valid:
            wire["valid"] = False
            wire["errors"] = self.errors
            if self.severity != "error":
                wire["severity"] = self.severity
        if self.accessibility:
            wire["accessibility"] = self.accessibility
        if component.bindings:
            wire["writable"] = self.writable
        if self.more:
            wire["more"] = self.more
        return wire

    def tree(self, nodes: Mapping[int, "Node"]) -> dict[str, Any]:
        """The node with everything under it, for people and tests."""
        props = {name: value for name, value in self.props.items() if not _is_link(value)}
        if self.component:
            props.update(self.component.actions)
        return {
            "ref": self.ref,
            "id": self.component_id,
            "type": self.type,
            "state": self.state,
            "busy": self.busy,
            "props": props,
            "children": [nodes[ref].tree(nodes) for ref in self.children],
            "writable": self.writable,
            "valid": self.valid,
            "errors": list(self.errors),
            "accessibility": dict(self.accessibility),
        }


def _with_refs(value: Any, children: list[int]) -> Any:
    if type(value) is Link:
        return children[value]
    if isinstance(value, list):
        return [_with_refs(item, children) for item in value]
    if type(value) is dict:
        return {name: _with_refs(member, children) for name, member in value.items()}
    return value


def _is_link(value: Any) -> bool:
    return type(value) is Link or type(value) is Links


class Links(list[Link]):
    """In a node's props: the places of a child list."""


def same(old: Any, new: Any) -> bool:
    """Whether two values look the same in a browser: unlike ``==``, tells ``true`` from ``1``."""
    if old is new:
        return True
    if type(old) is not type(new):
        return False
    if isinstance(old, dict):
        return old.keys() == new.keys() and all(same(value, new[key]) for key, value in old.items())
    if isinstance(old, list | tuple):
        return len(old) == len(new) and all(map(same, old, new))
    return bool(old == new)
