"""How components refer to each other: cycles, who may stand under whom, and what strict validation misses."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..catalogs.catalog import ComponentType
from ..catalogs.registry import find_catalog
from ..catalogs.shapes import Child, ChildList, ListOf, ObjectOf, Shape
from .errors import A2uiCycleError, A2uiError, A2uiErrorDetail, A2uiIntegrityError, A2uiValidationError
from .surface import Surface
from .validation import Validation


def check_topology(definitions: list[dict[str, Any]], surface: Surface, validation: Validation) -> None:
    """Cycles always; under ``strict`` also missing children, components that nothing shows, and a missing root."""
    changed = {definition["id"]: definition for definition in definitions}
    known: dict[str, list[str]] = {}

    def children(component_id: str) -> list[str]:
        found = known.get(component_id)
        if found is None:
            definition = changed.get(component_id) or surface.components.get(component_id)
            found = known[component_id] = child_ids(definition, surface) if definition else []
        return found

    for definition in definitions:
        if definition["id"] in children(definition["id"]):
            field = _field_of(definition, surface)
            message = (
                f"Self-reference detected: Component '{definition['id']}' references itself in field '{field}'. "
                f"Circular reference detected involving component '{definition['id']}'"
            )
            raise A2uiCycleError(message, [_reference_detail(definitions, definition["id"], message)])
    on_cycle = _find_cycle(changed, children)
    if on_cycle is not None:
        message = f"Circular reference detected involving component '{on_cycle}'"
        raise A2uiCycleError(message, [_reference_detail(definitions, on_cycle, message)])
    _check_composition(changed, surface, children)
    if validation == "strict":
        _check_reachable(definitions, surface, children)


def _check_composition(
    changed: Mapping[str, dict[str, Any]], surface: Surface, children: Callable[[str], list[str]]
) -> None:
    """``allowedParents`` and ``allowedChildren`` between components that are known; raises A2uiValidationError."""
    catalogs = [find_catalog(catalog_id) for catalog_id in surface.catalog_ids]
    if not any(catalog and catalog.has_composition_rules for catalog in catalogs):
        return
    after = {**surface.components, **changed}
    root = _type_of(after.get("root"), surface)
    if root is not None and root.allowed_parents is not None and "Surface" not in root.allowed_parents:
        raise _unallowed_parent("root", root, "the surface", "Surface")
    for parent_id, definition in after.items():
        for child_id in children(parent_id):
            if parent_id in changed or child_id in changed:
                _check_pair(parent_id, _type_of(definition, surface), child_id, _type_of(after.get(child_id), surface))


def _check_pair(parent_id: str, parent: ComponentType | None, child_id: str, child: ComponentType | None) -> None:
    if parent is None or child is None:
        return
    if child.allowed_parents is not None and parent.name not in child.allowed_parents:
        raise _unallowed_parent(child_id, child, f"parent '{parent_id}'", parent.name)
    if parent.allowed_children is not None and child.name not in parent.allowed_children:
        message = (
            f"Container '{parent_id}' ({parent.name}) cannot contain child '{child_id}' ({child.name}). "
            f"Allowed children: {list(parent.allowed_children)}."
        )
        detail = A2uiErrorDetail(f"/components/{child_id}", "UNALLOWED_CHILD", message)
        raise A2uiValidationError(message, [detail])


def _unallowed_parent(child_id: str, child: ComponentType, parent: str, parent_type: str) -> A2uiError:
    message = (
        f"Component '{child_id}' ({child.name}) cannot be placed under {parent} ({parent_type}). "
        f"Allowed parents: {list(child.allowed_parents or ())}."
    )
    return A2uiValidationError(message, [A2uiErrorDetail(f"/components/{child_id}", "UNALLOWED_PARENT", message)])


def _type_of(definition: Mapping[str, Any] | None, surface: Surface) -> ComponentType | None:
    catalog = surface.catalog_of(definition) if definition else None
    return catalog.components.get(definition["component"]) if catalog and definition else None


def _find_cycle(starts: Iterable[str], children: Callable[[str], list[str]]) -> str | None:
    """A component on a cycle that can be reached from ``starts``, or None. Each component is visited once."""
    done: set[str] = set()
    for start in starts:
        if done.issuperset(children(start)):
            done.add(start)
            continue
        path, open_ = [(start, iter(children(start)))], {start}
        while path:
            component_id, rest = path[-1]
            child = next(rest, None)
            if child is None:
                path.pop()
                open_.discard(component_id)
                done.add(component_id)
            elif child in open_:
                return child
            elif child not in done:
                path.append((child, iter(children(child))))
                open_.add(child)
    return None


def _check_reachable(definitions: list[dict[str, Any]], surface: Surface, children: Callable[[str], list[str]]) -> None:
    known = surface.components.keys() | {definition["id"] for definition in definitions}
    if "root" not in known:
        raise _integrity("/components", "Missing root component: no component has id 'root'.")
    reached: set[str] = set()
    todo = ["root"]
    while todo:
        component_id = todo.pop()
        if component_id not in reached:
            reached.add(component_id)
            todo += children(component_id)
    for missing in sorted(reached - known):
        message = f"Dangling reference: component '{missing}' is not defined; send it in this message."
        raise _integrity("/components", message)
    for definition in definitions:
        if definition["id"] not in reached:
            message = f"Orphaned component '{definition['id']}': root does not reach it; refer to it or leave it out."
            raise A2uiIntegrityError(message, [_reference_detail(definitions, definition["id"], message)])


def _reference_detail(definitions: list[dict[str, Any]], component_id: str, message: str) -> A2uiErrorDetail:
    index = next((i for i, definition in enumerate(definitions) if definition["id"] == component_id), None)
    return A2uiErrorDetail("/components" + ("" if index is None else f"/{index}"), "invalid_reference", message)


def child_ids(definition: Mapping[str, Any], surface: Surface) -> list[str]:
    """Ids of the components that ``definition`` shows, templates included."""
    catalog = surface.catalog_of(definition)
    component = catalog.components.get(definition["component"]) if catalog else None
    if component is None:
        return []
    found: list[str] = []
    for name in component.links:
        if name in definition:
            _collect(definition[name], component.shape.properties[name], found)
    return found


def _collect(value: Any, shape: Shape, found: list[str]) -> None:
    match shape:
        case Child() if isinstance(value, str):
            found.append(value)
        case ChildList() if isinstance(value, list):
            found += [child for child in value if isinstance(child, str)]
        case ChildList() if isinstance(value, dict) and isinstance(value.get("componentId"), str):
            found.append(value["componentId"])
        case ObjectOf(properties) if isinstance(value, dict):
            for name, inner in properties.items():
                if name in value:
                    _collect(value[name], inner, found)
        case ListOf(item) if isinstance(value, list):
            for member in value:
                _collect(member, item, found)
        case _:
            return


def _field_of(definition: Mapping[str, Any], surface: Surface) -> str:
    for name in definition:
        if definition["id"] in child_ids(
            {"id": "", "component": definition["component"], name: definition[name]}, surface
        ):
            return name
    return "child"


def _integrity(path: str, message: str) -> A2uiError:
    return A2uiIntegrityError(message, [A2uiErrorDetail(path, "invalid_reference", message)])
