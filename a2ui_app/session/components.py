"""A component definition compiled for the resolver: what is literal, dynamic, a link, an action, a check."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from ..catalogs.shapes import (
    ANYTHING,
    Action,
    Checks,
    Child,
    ChildList,
    Coercion,
    DataPaths,
    Dynamic,
    ListOf,
    ObjectOf,
    Shape,
)
from .data_model import MISSING, resolve_pointer
from .functions import Binding, Expression, Literal, Scope, Spelling, coerce, compile_value

COMMON: Final = frozenset({"id", "component", "catalogId", "metadata", "checks", "accessibility"})
"""Members of a component that are not its properties; their ``@`` spellings are read into these names."""

ACCESSIBILITY: Final[dict[str, Coercion]] = {
    "label": "string",
    "description": "string",
    "live": "any",
    "hidden": "boolean",
}


@dataclass(slots=True)
class Coerced(Expression):
    """A property's value in the type the property wants. A value that is missing or pending stays null."""

    inner: Expression
    coercion: Coercion

    def evaluate(self, scope: Any) -> Any:
        value = self.inner.evaluate(scope)
        return None if value is None else coerce(self.coercion, value)


@dataclass(slots=True)
class SharedData(Expression):
    """The data an embedded app shares: the value under each key; one that is missing is null."""

    pointers: dict[str, str]

    def evaluate(self, scope: Scope) -> Any:
        values = {key: scope.read(resolve_pointer(pointer, scope.path)) for key, pointer in self.pointers.items()}
        return {key: None if value is MISSING else value for key, value in values.items()}


@dataclass(slots=True)
class StaticChildren:
    """Children by id, in order."""

    ids: tuple[str, ...]


@dataclass(slots=True)
class TemplateChildren:
    """One child per element of the list at ``pointer``."""

    component_id: str
    pointer: str


@dataclass(slots=True)
class ChildLink:
    id: str


@dataclass(slots=True)
class Parts:
    """An object or list property that holds links beside values, as ``tabs`` does."""

    members: tuple[tuple[str | int, "Property"], ...]
    is_list: bool


Property = Expression | StaticChildren | TemplateChildren | ChildLink | Parts


@dataclass(slots=True)
class Check:
    condition: Expression
    message: str | None


@dataclass(slots=True)
class Component:
    """A definition, ready to be resolved in any scope."""

    id: str
    type: str
    catalog_id: str | None
    known: bool
    """Whether the catalog declares the type; an unknown one is shown as a placeholder."""
    literals: Mapping[str, Any]
    dynamic: tuple[tuple[str, Expression], ...]
    links: tuple[tuple[str, ChildLink | StaticChildren | TemplateChildren | Parts], ...]
    actions: Mapping[str, Any]
    checks: tuple[Check, ...]
    accessibility: tuple[tuple[str, Expression], ...]
    bindings: Mapping[str, tuple[Binding, Coercion]]
    """Two-way: property -> where a user's input is written, and in which type."""
    display: Mapping[str, Any]
    """Literals of another type than their property wants, as a browser gets them: never an object as text."""

    @property
    def shared_data(self) -> Mapping[str, str]:
        """Key -> pointer of the data an embedded app shares; empty for other components."""
        parts = next((link for name, link in self.links if name == "data"), None)
        shared = dict(parts.members).get("paths") if isinstance(parts, Parts) else None
        return shared.pointers if isinstance(shared, SharedData) else {}

    @property
    def is_static(self) -> bool:
        """Whether every instance looks the same whatever the data: nothing to evaluate."""
        return not (self.dynamic or self.links or self.checks or self.accessibility)


def compile_component(definition: Mapping[str, Any], shape: ObjectOf | None, spelling: Spelling) -> Component:
    """The compiled form of ``definition`` (in the bare spelling of `normalize`); ``shape`` None: an unknown type."""
    literals: dict[str, Any] = {}
    dynamic: list[tuple[str, Expression]] = []
    links: list[tuple[str, Any]] = []
    actions: dict[str, Any] = {}
    bindings: dict[str, tuple[Binding, Coercion]] = {}
    is_input = shape is not None and any(isinstance(inner, Checks) for inner in shape.properties.values())
    for name, raw in definition.items() if shape is not None else ():
        if name in COMMON:
            continue
        inner = shape.properties.get(name, ANYTHING) if shape else ANYTHING
        if type(raw) is str and type(inner) is not Child:
            literals[name] = raw  # by far the most common: nothing to compile
            continue
        if isinstance(inner, Action):
            actions[name] = raw
            continue
        value = _compile_property(raw, inner, spelling, optional=is_input and name == "value")
        if isinstance(value, Literal):
            literals[name] = value.value
        elif isinstance(value, Expression):
            dynamic.append((name, value))
            pointer = raw.get(spelling.path_key) if isinstance(raw, dict) else None
            if isinstance(inner, Dynamic) and isinstance(pointer, str):
                bindings[name] = (Binding(pointer), inner.coercion)
        else:
            links.append((name, value))
    accessibility = definition.get("accessibility")
    checks = definition.get("checks")
    return Component(
        definition["id"],
        definition["component"],
        definition.get("catalogId"),
        shape is not None,
        literals,
        tuple(dynamic),
        tuple(links),
        actions,
        _compile_checks(checks, spelling) if checks else (),
        _compile_accessibility(accessibility, spelling) if accessibility else (),
        bindings,
        _display(literals, shape) if shape else {},
    )


def _display(literals: Mapping[str, Any], shape: ObjectOf) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    for name, value in literals.items():
        wanted = shape.properties.get(name)
        if isinstance(wanted, Dynamic) and wanted.coercion != "any":
            if wanted.coercion == "string" and type(value) is str:
                continue
            coerced = coerce(wanted.coercion, value)
            if type(coerced) is not type(value) or coerced != value:
                shown[name] = coerced
    return shown


def _compile_property(raw: Any, shape: Shape, spelling: Spelling, *, optional: bool = False) -> Property:
    match shape:
        case Child() if isinstance(raw, str):
            return ChildLink(raw)
        case ChildList() if isinstance(raw, list):
            return StaticChildren(tuple(child for child in raw if isinstance(child, str)))
        case ChildList() if isinstance(raw, dict) and isinstance(raw.get("componentId"), str):
            return TemplateChildren(raw["componentId"], str(raw.get("path", "")))
        case Dynamic(coercion):
            value = compile_value(raw, spelling, optional=optional)
            return value if isinstance(value, Literal) or coercion == "any" else Coerced(value, coercion)
        case DataPaths() if isinstance(raw, dict):
            return SharedData({key: pointer for key, pointer in raw.items() if isinstance(pointer, str)})
        case ObjectOf() if isinstance(raw, dict):
            members = [
                (name, _compile_property(member, shape.properties.get(name, ANYTHING), spelling))
                for name, member in raw.items()
            ]
            return _parts(members, is_list=False)
        case ListOf() if isinstance(raw, list):
            items = [(index, _compile_property(item, shape.item, spelling)) for index, item in enumerate(raw)]
            return _parts(items, is_list=True)
        case _:
            return Literal(raw)


def _parts(members: list[tuple[Any, Property]], *, is_list: bool) -> Property:
    if all(isinstance(member, Literal) for _, member in members):
        values = {key: member.value for key, member in members if isinstance(member, Literal)}
        return Literal(list(values.values()) if is_list else values)
    return Parts(tuple(members), is_list)


def _compile_checks(raw: Any, spelling: Spelling) -> tuple[Check, ...]:
    return tuple(
        Check(compile_value(rule["condition"], spelling), rule.get("message"))
        for rule in (raw if isinstance(raw, list) else ())
        if isinstance(rule, dict) and "condition" in rule
    )


def _compile_accessibility(raw: Any, spelling: Spelling) -> tuple[tuple[str, Expression], ...]:
    if not isinstance(raw, dict):
        return ()
    return tuple(
        (name, Coerced(compile_value(raw[name], spelling), coercion))
        for name, coercion in ACCESSIBILITY.items()
        if name in raw
    )
