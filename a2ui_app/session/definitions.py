"""Component definitions as an agent sends them: brought into one spelling, and validated.

Validation is for a whole message first: on a fault nothing of it is applied (specification, "Progressive rendering").
The three levels are those of the reference: ``strict`` refuses what cannot be rendered, ``relaxed`` what is wrong
in itself but not what may still arrive, ``none`` only what cannot be stored.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from ..catalogs.catalog import Catalog, ComponentType
from ..catalogs.registry import find_catalog
from ..catalogs.shapes import (
    ANYTHING,
    FITS,
    Action,
    Checks,
    Child,
    ChildList,
    Dynamic,
    ListOf,
    Misfit,
    ObjectOf,
    Rules,
    Scalar,
    Shape,
    dynamic_value_misfits,
    misfits,
    name_of,
    under,
)
from .components import COMMON
from .data_model import copy_json, parse_pointer
from .errors import (
    A2uiCatalogError,
    A2uiCycleError,
    A2uiDataError,
    A2uiError,
    A2uiErrorDetail,
    A2uiIntegrityError,
    A2uiRecursionError,
    A2uiValidationError,
)
from .surface import Bindings, Surface

Validation = Literal["strict", "relaxed", "none"]

MAX_OBJECT_DEPTH: Final = 50
"""Levels of nesting in one component (reference limit)."""

_RENAMED: Final = ("catalogId", "accessibility", "metadata", "checks")
_STRICT_ONLY: Final = frozenset({"extra_field", "unrecognized_component", "unrecognized_function"})
"""Detail codes that relaxed validation lets pass: newer agents may send what this renderer does not know yet."""

_TEXT: Final = Dynamic("string", (Scalar(types=("string",)),))
_FLAG: Final = Dynamic("boolean", (Scalar(types=("boolean",)),))
_LABELS: Final[dict[str, Shape]] = {"label": _TEXT, "description": _TEXT}
_ACCESSIBILITY: Final = {
    "0.9": ObjectOf(_LABELS, frozenset(), closed=True),
    "1.0": ObjectOf(
        {**_LABELS, "live": Scalar(values=("off", "polite", "assertive")), "hidden": _FLAG}, frozenset(), closed=True
    ),
}


@dataclass(frozen=True)
class Definitions:
    """What one message defines, ready to be stored."""

    components: list[dict[str, Any]]
    bare: list[tuple[str, str]]
    """(component id, property) of literals that look like bindings in the older spelling (decision 1)."""
    uses_at_spelling: bool


def read_definitions(raw: list[Any], surface: Surface, validation: Validation, bindings: Bindings) -> Definitions:
    """The components of a message for ``surface``, normalised and checked together.

    Raises A2uiValidationError (A2uiIntegrityError, A2uiCycleError, A2uiRecursionError among them) or A2uiCatalogError
    with the JSON Pointer of each fault below the message's body.
    """
    _check_identity(raw, surface, validation)
    merged = [_normalize(definition, surface) for definition in raw]
    may_be_bare = surface.family == "1.0" and bindings == "auto"
    uses_at = surface.uses_at_spelling or (may_be_bare and _has_at_spelling(merged))
    catalogs: dict[str, Catalog] = {}
    declared = [_declared(definition, index, surface, catalogs) for index, definition in enumerate(merged)]
    if may_be_bare:
        merged = [
            _respell(definition, component.shape if component else None, everywhere=not uses_at)
            for definition, component in zip(merged, declared, strict=True)
        ]
    if validation != "none":
        _check_values(merged, declared, surface, validation)
    if validation == "none":
        merged = list({definition["id"]: definition for definition in merged}.values())
    else:
        check_topology(merged, surface, validation)
    bare = list(_bare_bindings(merged, declared)) if surface.family == "1.0" else []
    return Definitions(merged, bare, uses_at)


# -- identity -----------------------------------------------------------------------------------------------------


def _check_identity(raw: list[Any], surface: Surface, validation: Validation) -> None:
    seen: set[str] = set()
    for index, definition in enumerate(raw):
        where = f"/components/{index}"
        if not isinstance(definition, dict):
            raise _fault(where, "type_mismatch", f"A component must be an object, not {name_of(definition)}.")
        component_id = definition.get("id")
        if not isinstance(component_id, str) or not component_id:
            raise _fault(f"{where}/id", "missing_field", "A component needs an 'id', a string that is not empty.")
        if component_id in seen and validation != "none":
            message = f"Duplicate component id '{component_id}' in one message; give each component its own id."
            raise A2uiIntegrityError(message, [A2uiErrorDetail(f"{where}/id", "duplicate_id", message)])
        seen.add(component_id)
        if "component" not in definition and surface.family == "0.9" and component_id in surface.components:
            continue
        if not isinstance(definition.get("component"), str):
            raise _fault(f"{where}/component", "missing_field", "A component needs 'component', the name of its type.")
        if definition["component"] == "Surface":
            raise _fault(f"{where}/component", "invalid_value", "'Surface' is reserved for the top of the tree.")


def _normalize(definition: Mapping[str, Any], surface: Surface) -> dict[str, Any]:
    """A copy in the bare spelling; on 0.9 the type and catalog of a known id may be left out."""
    try:
        copied: dict[str, Any] = copy_json(definition, MAX_OBJECT_DEPTH)
    except A2uiRecursionError as error:
        raise A2uiRecursionError(f"Component '{definition['id']}': {error}") from error
    if surface.family == "1.0":
        for name in _RENAMED:
            if "@" + name in copied:
                copied[name] = copied.pop("@" + name)
    elif "component" not in copied:
        copied["component"] = surface.components[copied["id"]]["component"]
    return copied


def _declared(
    definition: Mapping[str, Any], index: int, surface: Surface, catalogs: dict[str, Catalog]
) -> ComponentType | None:
    """The declaration of a component's type, or None when its catalog has no such type; raises A2uiCatalogError.

    ``catalogs`` holds those that the message has named so far.
    """
    own = definition.get("catalogId") if surface.family == "1.0" else None
    if own is None and surface.catalog_id in catalogs:
        return catalogs[surface.catalog_id].components.get(definition["component"])
    where = f"/components/{index}/catalogId"
    if own is not None and not isinstance(own, str):
        raise _fault(where, "type_mismatch", f"catalogId must be a string, not {name_of(own)}.")
    catalog_id = own if own is not None else surface.catalog_id
    name = definition["id"]
    if catalog_id is None:
        message = f"Component {name} names no catalogId and surface {surface.id} has no default catalogId."
        raise A2uiCatalogError(message, [A2uiErrorDetail(where, "missing_field", message)])
    catalogs[catalog_id] = find_surface_catalog(catalog_id, surface, where)
    return catalogs[catalog_id].components.get(definition["component"])


def find_surface_catalog(catalog_id: str, surface: Surface, where: str) -> Catalog:
    """A catalog of the session that fits the surface's version; raises A2uiCatalogError."""
    catalog = find_catalog(catalog_id) if catalog_id in surface.catalog_ids else None
    if catalog is None:
        known = ", ".join(sorted(surface.catalog_ids))
        message = f"Catalog not found: {catalog_id}. Known are {known}."
        raise A2uiCatalogError(message, [A2uiErrorDetail(where, "invalid_value", message)])
    if catalog.family != surface.family:
        message = (
            f"Catalog {catalog_id} is for protocol {catalog.family}, but surface {surface.id} uses {surface.version}."
        )
        raise A2uiCatalogError(message, [A2uiErrorDetail(where, "invalid_value", message)])
    return catalog


# -- values -------------------------------------------------------------------------------------------------------


def _check_values(
    definitions: list[dict[str, Any]],
    declared: list[ComponentType | None],
    surface: Surface,
    validation: Validation,
) -> None:
    rules = rules_for(surface)
    found: list[Misfit] = []
    for index, (definition, component) in enumerate(zip(definitions, declared, strict=True)):
        for misfit in _component_misfits(definition, component, surface, rules):
            if validation == "strict" or misfit.code not in _STRICT_ONLY:
                found += under("components", under(index, [misfit]))
    if found:
        raise _misfit_error(found)


def _component_misfits(
    definition: Mapping[str, Any], component: ComponentType | None, surface: Surface, rules: Rules
) -> Sequence[Misfit]:
    if component is None:
        catalog = surface.catalog_of(definition)
        known = catalog.component_names if catalog else ""
        message = f"is no component of the catalog: '{definition['component']}'. Known are {known}"
        return [Misfit(("component",), "unrecognized_component", message)]
    found: list[Misfit] = []
    properties = component.shape.properties
    for name in component.shape.required - definition.keys():
        found.append(Misfit((name,), "missing_field", f"is required for {component.name}"))
    for name, value in definition.items():
        shape = properties.get(name)
        if shape is None:
            found += _common_misfits(name, value, component, surface, rules)
        elif value is None:
            found.append(Misfit((name,), "invalid_value", "must not be null; leave the property out"))
        elif wrong := misfits(shape, value, rules):
            found += under(name, wrong)
    return found


def _common_misfits(
    name: str, value: Any, component: ComponentType, surface: Surface, rules: Rules
) -> Sequence[Misfit]:
    """A member that is no property of the component's type: one of every component, or none at all."""
    if name == "accessibility" and value is not None:
        return under(name, misfits(_ACCESSIBILITY[surface.family], value, rules))
    if name in COMMON:
        return FITS
    if name.startswith("@") and surface.family == "1.0":
        return [Misfit((name,), "INVALID_RESERVED_KEY", "is a reserved key that A2UI does not define")]
    known = ", ".join(sorted(component.shape.properties.keys() - COMMON))
    return [Misfit((name,), "extra_field", f"is no property of {component.name}; known are {known}")]


def rules_for(surface: Surface) -> Rules:
    """How ``surface`` spells bindings and calls, and what its functions take."""
    spelling = surface.spelling

    def check_call(call: Mapping[str, Any]) -> Sequence[Misfit]:
        return _call_misfits(call, surface, rules)

    rules = Rules(spelling.path_key, spelling.call_key, check_call, _pointer_problem)
    return rules


def _pointer_problem(pointer: Any) -> str | None:
    if not isinstance(pointer, str):
        return f"must be a path (a string), not {name_of(pointer)}"
    try:
        parse_pointer(pointer)
    except A2uiDataError as error:
        return str(error)
    return None


_CALL_MEMBERS: Final = {"0.9": {"call", "args", "returnType", "catalogId"}, "1.0": {"@call", "args", "catalogId"}}


def _call_misfits(call: Mapping[str, Any], surface: Surface, rules: Rules) -> Sequence[Misfit]:
    name, arguments, own = call.get(rules.call_key), call.get("args", {}), call.get("catalogId")
    if not isinstance(name, str):
        return [Misfit((rules.call_key,), "type_mismatch", f"must be the name of a function, not {name_of(name)}")]
    if not isinstance(arguments, dict):
        return [Misfit(("args",), "type_mismatch", f"must be an object of named arguments, not {name_of(arguments)}")]
    if own is not None and not isinstance(own, str):
        return [Misfit(("catalogId",), "type_mismatch", f"must be a string, not {name_of(own)}")]
    known = _CALL_MEMBERS[surface.family]
    message = f"is not part of a function call; {', '.join(sorted(known))} are"
    found = [Misfit((key,), "extra_field", message) for key in sorted(call.keys() - known)]
    if name.startswith("@"):
        return found + _system_call_misfits(name, own, arguments, surface, rules)
    catalog = _call_catalog(name, own, surface)
    if name not in catalog.functions:
        functions = ", ".join(sorted(catalog.functions))
        message = f"Unrecognized function '{name}'; {catalog.id} has {functions}"
        found.append(Misfit((), "unrecognized_function", message))
    shape = catalog.arguments.get(name)
    if shape is not None:
        return [*found, *under("args", misfits(shape, arguments, rules))]
    for key, value in arguments.items():
        found += under("args", under(key, dynamic_value_misfits(value, rules)))
    return found


_INDEX_ARGUMENTS: Final = ObjectOf(
    {"offset": Dynamic("number", (Scalar(types=("number",)),))}, frozenset(), closed=True
)


def _system_call_misfits(
    name: str, own: str | None, arguments: Mapping[str, Any], surface: Surface, rules: Rules
) -> list[Misfit]:
    if name != "@index" or surface.family == "0.9":
        return [Misfit((), "invalid_value", f"Unrecognized function '{name}': names with '@' are reserved")]
    found = list(under("args", misfits(_INDEX_ARGUMENTS, arguments, rules)))
    if own is not None:
        message = "is not allowed with @index, which is part of the protocol"
        found.append(Misfit(("catalogId",), "invalid_value", message))
    return found


def _call_catalog(name: str, own: str | None, surface: Surface) -> Catalog:
    """Where a call resolves (specification, "Catalog resolution"); before 1.0 always in the surface's catalog."""
    catalog_id = own if own is not None and surface.family == "1.0" else surface.catalog_id
    if catalog_id is None:
        raise A2uiCatalogError(f"Call '{name}' names no catalogId and surface {surface.id} has no default catalogId.")
    return find_surface_catalog(catalog_id, surface, "/components")


# -- older spelling (decision 1) ----------------------------------------------------------------------------------


def _has_at_spelling(value: Any) -> bool:
    if isinstance(value, dict):
        return "@path" in value or "@call" in value or any(map(_has_at_spelling, value.values()))
    return isinstance(value, list) and any(map(_has_at_spelling, value))


def _respell(definition: dict[str, Any], shape: ObjectOf | None, *, everywhere: bool) -> dict[str, Any]:
    """``path``/``call`` as ``@path``/``@call`` where the schema wants a dynamic value.

    Where it takes any value an object with these keys may be meant literally: there only ``everywhere``, when the
    surface has used no other spelling.
    """
    properties = shape.properties if shape else {}
    return {
        name: _respell_value(value, _respelled_shape(name, properties), everywhere=everywhere)
        for name, value in definition.items()
    }


def _respelled_shape(name: str, properties: Mapping[str, Shape]) -> Shape:
    if name == "checks":
        return Checks(needs_message=False)
    return _ACCESSIBILITY["1.0"] if name == "accessibility" else properties.get(name, ANYTHING)


def _respell_value(value: Any, shape: Shape, *, everywhere: bool) -> Any:
    match shape:
        case Dynamic(coercion):
            return _respell_dynamic(value, coercion != "any" or everywhere, everywhere)
        case Checks() if isinstance(value, list):
            return [
                {name: _respell_dynamic(part, name == "condition", everywhere) for name, part in rule.items()}
                if isinstance(rule, dict)
                else rule
                for rule in value
            ]
        case Action() if isinstance(value, dict):
            return {name: _respell_dynamic(part, name == "functionCall", everywhere) for name, part in value.items()}
        case ObjectOf() if isinstance(value, dict):
            return {
                name: _respell_value(part, shape.properties.get(name, ANYTHING), everywhere=everywhere)
                for name, part in value.items()
            }
        case ListOf() if isinstance(value, list):
            return [_respell_value(part, shape.item, everywhere=everywhere) for part in value]
        case _:
            return value


def _respell_dynamic(value: Any, here: bool, everywhere: bool) -> Any:
    if isinstance(value, list):
        return [_respell_dynamic(item, everywhere, everywhere) for item in value]
    if not isinstance(value, dict):
        return value
    if here and value.keys() == {"path"} and isinstance(value["path"], str):
        return {"@path": value["path"]}
    if here and isinstance(value.get("call"), str) and value.keys() <= {"call", "args", "catalogId", "returnType"}:
        arguments = value.get("args", {})
        respelled = {"@call": value["call"]} | {key: value[key] for key in ("catalogId",) if key in value}
        if isinstance(arguments, dict):
            respelled["args"] = {name: _respell_dynamic(part, True, everywhere) for name, part in arguments.items()}
        return respelled
    return {name: _respell_dynamic(member, everywhere, everywhere) for name, member in value.items()}


def _bare_bindings(
    definitions: list[dict[str, Any]], declared: Iterable[ComponentType | None]
) -> Iterator[tuple[str, str]]:
    for definition, component in zip(definitions, declared, strict=False):
        for name, value in definition.items():
            if isinstance(value, dict) and value.keys() & {"path", "call"} and component is not None:
                if isinstance(component.shape.properties.get(name), Dynamic):
                    yield definition["id"], name


# -- topology -----------------------------------------------------------------------------------------------------


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
            message = f"Self-reference detected: Component '{definition['id']}' references itself in field '{field}'"
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
    """``allowedParents`` and ``allowedChildren``, between components that are both known; raises A2uiValidationError."""
    catalogs = [find_catalog(catalog_id) for catalog_id in surface.catalog_ids]
    if not any(catalog and catalog.has_composition_rules for catalog in catalogs):
        return
    after = {**surface.components, **changed}
    root = _type_of(after.get("root"), surface)
    if root is not None and root.allowed_parents is not None and "Surface" not in root.allowed_parents:
        raise _misplaced("UNALLOWED_PARENT", "root", root, "the surface", "Surface", root.allowed_parents)
    for parent_id, definition in after.items():
        for child_id in children(parent_id):
            if parent_id in changed or child_id in changed:
                _check_pair(parent_id, _type_of(definition, surface), child_id, _type_of(after.get(child_id), surface))


def _check_pair(parent_id: str, parent: ComponentType | None, child_id: str, child: ComponentType | None) -> None:
    if parent is None or child is None:
        return
    if child.allowed_parents is not None and parent.name not in child.allowed_parents:
        raise _misplaced(
            "UNALLOWED_PARENT", child_id, child, f"parent '{parent_id}'", parent.name, child.allowed_parents
        )
    if parent.allowed_children is not None and child.name not in parent.allowed_children:
        allowed = parent.allowed_children
        raise _misplaced("UNALLOWED_CHILD", child_id, child, f"parent '{parent_id}'", parent.name, allowed)


def _misplaced(
    code: str, child_id: str, child: ComponentType, parent: str, parent_type: str, allowed: frozenset[str]
) -> A2uiError:
    kind = "parents" if code == "UNALLOWED_PARENT" else "children"
    message = (
        f"Component '{child_id}' ({child.name}) cannot be placed under {parent} ({parent_type}). "
        f"Allowed {kind}: {sorted(allowed)}."
    )
    return A2uiValidationError(message, [A2uiErrorDetail(f"/components/{child_id}", code, message)])


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
        message = f"Component '{missing}' is referenced but not defined; send it in this message."
        raise _integrity("/components", message)
    for definition in definitions:
        if definition["id"] not in reached:
            message = f"Component '{definition['id']}' is not reachable from root; refer to it or leave it out."
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


def _fault(path: str, code: str, message: str) -> A2uiError:
    return A2uiValidationError(message, [A2uiErrorDetail(path, code, message)])


def _integrity(path: str, message: str) -> A2uiError:
    return A2uiIntegrityError(message, [A2uiErrorDetail(path, "invalid_reference", message)])


def _misfit_error(found: list[Misfit]) -> A2uiValidationError:
    details = [
        A2uiErrorDetail("/" + "/".join(misfit.path), misfit.code, f"{_name(misfit)} {misfit.message}")
        for misfit in found
    ]
    more = f" (and {len(details) - 1} more)" if len(details) > 1 else ""
    return A2uiValidationError(f"{details[0].path}: {details[0].message}{more}", details)


def _name(misfit: Misfit) -> str:
    names = [segment for segment in misfit.path[2:] if not segment.isdigit()]
    return names[-1] if names else ""
