"""From definitions and data to a tree of nodes, kept up to date incrementally.

A fill evaluates one node in its scope and records every data path it read. A write asks the path index which nodes
read what changed, fills just those, and reconciles their children: a child with the same id, type and row keeps its
ref, so local state in a browser (an open tab, the caret) survives. Refs are never reused.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from ..catalogs.coercion import validation_result
from .agent_calls import NewCall
from .components import ChildLink, Component, Parts, Property, StaticChildren, TemplateChildren
from .data_model import Path, format_pointer, resolve_pointer
from .effects import Diagnostic
from .errors import A2uiError
from .functions import Expression, Scope
from .nodes import ChildKey, Link, Links, Node, same
from .path_index import ROW_KEYS, PathIndex
from .surface import Surface

MAX_DEPTH: Final = 50
"""Levels of components (reference limit); what is deeper shows as a cycle does."""


@dataclass(slots=True)
class Serial:
    """Numbers of one session: refs and call ids, none given twice."""

    last_ref: int = 0
    last_call: int = 0

    def ref(self) -> int:
        self.last_ref += 1
        return self.last_ref

    def call_id(self) -> str:
        self.last_call += 1
        return f"call-{self.last_call}"


class Slot(NamedTuple):
    """A child that a fill asks for: what, where in the data, and how its parent recognises it."""

    component_id: str
    key: ChildKey
    scope: Path
    row: int | None


@dataclass(slots=True)
class Slots:
    """The children one fill asks for, in order."""

    asked: list[Slot] = field(default_factory=list)
    seen: dict[tuple[str, str | int], int] = field(default_factory=dict)

    def ask(self, component_id: str, row: str | int, scope: Path, index: int | None) -> Link:
        """Ask for a child; answers its place."""
        occurrence = self.seen.get((component_id, row), 0)
        self.seen[component_id, row] = occurrence + 1
        self.asked.append(Slot(component_id, (component_id, row, occurrence), scope, index))
        return Link(len(self.asked) - 1)


NO_SLOTS: Final = Slots()
"""For components without links, which ask for nothing."""


@dataclass(slots=True)
class Resolver:
    """The resolved tree of one surface."""

    surface: Surface
    serial: Serial
    max_rows: int = 1000
    nodes: dict[int, Node] = field(default_factory=dict)
    root: int | None = None
    index: PathIndex = field(default_factory=PathIndex)
    instances: dict[str, dict[int, None]] = field(default_factory=dict)
    """Nodes by component id, those that wait for their definition too."""
    dirty: dict[int, None] = field(default_factory=dict)
    changed: dict[int, None] = field(default_factory=dict)
    """Nodes whose look changed since the last patch; a ref no longer in ``nodes`` has gone."""
    reported: dict[tuple[str, ...], int] = field(default_factory=dict)
    """How many nodes have each problem; a problem is told once while it lasts."""
    diagnostics: list[Diagnostic] = field(default_factory=list)
    new_calls: list[tuple[int, NewCall]] = field(default_factory=list)
    """Calls to send, each with the node that waits for it."""

    # -- what happened ----------------------------------------------------------------------------------------

    def components_changed(self, component_ids: Iterable[str]) -> None:
        """Definitions came or changed: their instances are filled again, or made anew when the type changed."""
        for component_id in component_ids:
            for ref in list(self.instances.get(component_id, ())):
                node = self.nodes[ref]
                if _fits(node, self.surface.component(component_id)):
                    self.dirty[ref] = None
                elif node.parent is None:
                    self._unmount(ref)
                    self.root = None
                else:
                    self.dirty[node.parent] = None

    def data_changed(self, path: Path, before: Any, after: Any) -> None:
        """The data model was ``before`` and is ``after``; the write was at ``path``."""
        for ref in self.index.affected(path, before, after):
            self.dirty[ref] = None

    def data_arrived(self) -> None:
        """The agent sent data for the first time: what is missing now is missing (it was merely early before)."""
        self.dirty.update((ref, None) for ref, node in self.nodes.items() if node.reads)

    def call_settled(self, call_id: str, ref: int, outcome: dict[str, Any]) -> None:
        node = self.nodes.get(ref)
        if node is not None and node.calls is not None and node.calls.settle(call_id, outcome):
            self.dirty[ref] = None

    def flush(self) -> None:
        """Bring the tree up to date with everything that happened since the last flush."""
        if self.root is None and "root" in self.surface.components:
            self.root = self._mount(Slot("root", ("root", 0, 0), (), None), None, 0)
        while self.dirty:
            dirty, self.dirty = sorted(self.dirty), {}
            for ref in dirty:
                node = self.nodes.get(ref)
                if node is not None:
                    self._refill(node)

    def drop(self) -> None:
        """Forget the tree; the surface itself stays."""
        if self.root is not None:
            self._unmount(self.root)
            self.root = None
        self.dirty.clear()

    # -- mounting ---------------------------------------------------------------------------------------------

    def _mount(self, slot: Slot, parent: Node | None, depth: int) -> int:
        ref = self.serial.ref()
        component = self.surface.component(slot.component_id)
        node = Node(ref, slot.component_id, parent.ref if parent else None, depth, slot.scope, slot.row, "ok")
        self.nodes[ref] = node
        self.instances.setdefault(slot.component_id, {})[ref] = None
        self.changed[ref] = None
        node.component = component
        if component is None:
            node.state = "pending"
        elif depth > MAX_DEPTH or self._is_own_ancestor(node):
            node.state = "cyclic"
        elif not component.known:
            node.state = "unknown"
        if node.state == "ok" and component is not None and component.is_static:
            node.props = dict(component.literals)
        elif node.state == "ok":
            self._fill(node)
        else:
            self._settle(node, Scope(self.surface), _state_problem(node))
        return ref

    def _is_own_ancestor(self, node: Node) -> bool:
        parent = node.parent
        while parent is not None:
            ancestor = self.nodes[parent]
            if ancestor.component_id == node.component_id:
                return True
            parent = ancestor.parent
        return False

    def _unmount(self, ref: int) -> None:
        todo = [ref]
        while todo:
            node = self.nodes.pop(todo.pop())
            todo += node.children
            self.changed[node.ref] = None
            for path, is_list in node.reads:
                self.index.discard(path, node.ref, is_list=is_list)
            self._count_problems(node.problems, -1)
            instances = self.instances[node.component_id]
            del instances[node.ref]
            if not instances:
                del self.instances[node.component_id]

    # -- filling ----------------------------------------------------------------------------------------------

    def _refill(self, node: Node) -> None:
        if node.state != "ok":
            return
        before = node.shown()
        node.component = self.surface.component(node.component_id)
        self._fill(node)
        if not same(before, node.shown()):
            self.changed[node.ref] = None

    def _fill(self, node: Node) -> None:
        component = node.component
        assert component is not None
        scope = Scope(self.surface, node.scope, node.index, node.calls, self.serial.call_id)
        if node.calls is not None:
            node.calls.begin()
        props = dict(component.literals)
        for name, expression in component.dynamic:
            props[name] = self._value(expression, scope, component.id, name)
        slots = Slots() if component.links else NO_SLOTS
        node.more = 0
        for name, link in component.links:
            props[name] = self._link(link, node, scope, slots, name)
        node.props = props
        if component.accessibility or node.accessibility:
            node.accessibility = {
                name: self._value(expression, scope, component.id, f"accessibility/{name}")
                for name, expression in component.accessibility
            }
        if component.checks or not node.valid:
            self._check(node, component, scope)
        node.busy = scope.pending > 0
        self._settle(node, scope, scope.problems)
        self._reconcile(node, slots.asked)

    def _value(self, expression: Expression, scope: Scope, component_id: str, name: str) -> Any:
        """A whole property: null with a diagnostic when it cannot be evaluated."""
        try:
            return expression.evaluate(scope)
        except A2uiError as error:
            scope.report_error(error, component_id, name)
            return None

    def _link(self, link: Property, node: Node, scope: Scope, slots: Slots, name: str) -> Any:
        """A property that holds children: their places in ``node.children``; asks for them in ``slots``."""
        match link:
            case ChildLink(component_id):
                return slots.ask(component_id, 0, node.scope, node.index)
            case StaticChildren(ids):
                return Links(slots.ask(component_id, 0, node.scope, node.index) for component_id in ids)
            case TemplateChildren():
                return self._rows(link, node, scope, slots)
            case Parts(members, is_list):
                values = {key: self._link(member, node, scope, slots, name) for key, member in members}
                return list(values.values()) if is_list else values
            case _:
                return self._value(link, scope, node.component_id, name)

    def _rows(self, template: TemplateChildren, node: Node, scope: Scope, slots: Slots) -> Links:
        path = resolve_pointer(template.pointer, node.scope)
        rows = scope.read_list(path)
        if not isinstance(rows, list):
            if isinstance(rows, dict) and rows:
                pointer = format_pointer(path)
                message = f"The template needs a list, but {pointer} holds an object; send a list of its values."
                scope.report("EXPRESSION_ERROR", message, pointer, componentId=node.component_id, path=pointer)
            return Links()
        shown = rows[: self.max_rows]
        node.more += len(rows) - len(shown)
        return Links(
            slots.ask(template.component_id, key, (*path, str(index)), index)
            for index, key in enumerate(row_keys(shown))
        )

    def _check(self, node: Node, component: Component, scope: Scope) -> None:
        """``checks`` (specification, "Checks"): each failing rule's message in order; a pending one is not valid."""
        node.valid, node.errors, node.severity = True, [], "error"
        for number, check in enumerate(component.checks):
            before = scope.pending
            value = self._value(check.condition, scope, component.id, f"checks/{number}/condition")
            if scope.pending > before:
                node.valid = False
                continue
            result = validation_result(value)
            if result["valid"]:
                continue
            if not node.errors:
                node.severity = result.get("severity") or "error"
            node.valid = False
            node.errors.append(result.get("message") or check.message or "Validation failed")

    def _settle(self, node: Node, scope: Scope, problems: dict[tuple[str, ...], dict[str, Any]]) -> None:
        """Take over what a fill read, found wrong and wants to call."""
        if not node.reads:
            for path, is_list in scope.reads:
                self.index.add(path, node.ref, is_list=is_list)
            node.reads = scope.reads
        elif scope.reads != node.reads:
            for read in node.reads.keys() - scope.reads.keys():
                self.index.discard(read[0], node.ref, is_list=read[1])
            for read in scope.reads.keys() - node.reads.keys():
                self.index.add(read[0], node.ref, is_list=read[1])
            node.reads = scope.reads
        if problems or node.problems:
            self._count_problems(problems, 1)
            self._count_problems(node.problems, -1)
            node.problems = problems
        if scope.calls is not None:
            node.calls = scope.calls
            self.new_calls += [(node.ref, call) for call in node.calls.end()]

    def _count_problems(self, problems: dict[tuple[str, ...], dict[str, Any]], step: int) -> None:
        for key, payload in problems.items():
            count = self.reported.get(key, 0) + step
            if count == 0:
                del self.reported[key]
                continue
            self.reported[key] = count
            if count == 1 and step == 1:
                level = "warning" if key[0] in WARNINGS else "error"
                self.diagnostics.append(Diagnostic(self.surface.id, level, payload))

    # -- children ---------------------------------------------------------------------------------------------

    def _reconcile(self, node: Node, slots: list[Slot]) -> None:
        if not slots and not node.children:
            return
        keys = [slot.key for slot in slots]
        old = dict(zip(node.child_keys, node.children, strict=True))
        children: list[int] = []
        for slot in slots:
            ref = old.pop(slot.key, None)
            if ref is not None and not self._keep(ref, slot):
                self._unmount(ref)
                ref = None
            children.append(self._mount(slot, node, node.depth + 1) if ref is None else ref)
        for ref in old.values():
            self._unmount(ref)
        node.children, node.child_keys = children, keys

    def _keep(self, ref: int, slot: Slot) -> bool:
        """Whether the child stays; when its row has moved, everything under it is filled again in its new scope."""
        child = self.nodes[ref]
        if not _fits(child, self.surface.component(slot.component_id)):
            return False
        if child.scope != slot.scope or child.index != slot.row:
            self._move(child, child.scope, slot.scope, slot.row)
        return True

    def _move(self, child: Node, old: Path, new: Path, index: int | None) -> None:
        todo = [child]
        child.index = index
        while todo:
            node = todo.pop()
            node.scope = new + node.scope[len(old) :]
            if node is not child and len(node.scope) == len(new):
                node.index = index
            self.dirty[node.ref] = None
            todo += [self.nodes[ref] for ref in node.children]


WARNINGS: Final = frozenset({"MISSING_DATA_BINDING", "BARE_BINDING"})


def row_keys(rows: list[Any]) -> list[str | int]:
    """What a template's rows are recognised by: ``id`` or ``key`` when every element has a unique one, else the index.

    An index key is shifted by one so that it never equals the row 0 of a static child.
    """
    for name in ROW_KEYS:
        keys = [row.get(name) if isinstance(row, dict) else None for row in rows]
        if all(isinstance(key, str | int) and not isinstance(key, bool) for key in keys):
            names = [f"{type(key).__name__}:{key}" for key in keys]
            if len(set(names)) == len(names):
                return list(names)
    return list(range(1, len(rows) + 1))


def _fits(node: Node, component: Component | None) -> bool:
    """Whether a node can go on as an instance of ``component``: same type, same catalog, same kind of placeholder."""
    old = node.component
    if old is None or component is None:
        return old is component
    return (old.type, old.catalog_id, old.known) == (component.type, component.catalog_id, component.known)


def _state_problem(node: Node) -> dict[tuple[str, ...], dict[str, Any]]:
    """Placeholders are told once for each component; one that merely has not arrived yet is no problem."""
    if node.state == "pending":
        return {}
    if node.state == "unknown":
        code, message = "UNKNOWN_COMPONENT", f"Unknown component type '{node.type}' (component '{node.component_id}')."
    elif node.depth > MAX_DEPTH:
        code, message = "CYCLIC_REFERENCE", f"Components nest deeper than {MAX_DEPTH} levels at '{node.component_id}'."
    else:
        code, message = "CYCLIC_REFERENCE", f"Component '{node.component_id}' contains itself."
    return {(code, node.component_id): {"code": code, "message": message, "componentId": node.component_id}}
