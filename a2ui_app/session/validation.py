"""Whether the properties of components fit their catalog: types, bindings, calls and their arguments."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from ..catalogs.catalog import Catalog, ComponentType
from ..catalogs.registry import find_catalog
from ..catalogs.shapes import (
    FITS,
    Dynamic,
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
from .data_model import parse_pointer
from .errors import A2uiCatalogError, A2uiDataError, A2uiErrorDetail, A2uiValidationError
from .surface import Surface

Validation = Literal["strict", "relaxed", "none"]

_STRICT_ONLY: Final = frozenset({"extra_field", "unrecognized_component", "unrecognized_function"})
"""Detail codes that relaxed validation lets pass: newer agents may send what this renderer does not know yet."""

_TEXT: Final = Dynamic("string", (Scalar(types=("string",)),))
_FLAG: Final = Dynamic("boolean", (Scalar(types=("boolean",)),))
_LABELS: Final[dict[str, Shape]] = {"label": _TEXT, "description": _TEXT}
ACCESSIBILITY_SHAPES: Final = {
    "0.9": ObjectOf(_LABELS, frozenset(), closed=True),
    "1.0": ObjectOf(
        {**_LABELS, "live": Scalar(values=("off", "polite", "assertive")), "hidden": _FLAG}, frozenset(), closed=True
    ),
}


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


def check_values(
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
        raise _misfit_error(found, definitions)


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
        return under(name, misfits(ACCESSIBILITY_SHAPES[surface.family], value, rules))
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
    found: list[Misfit] = []
    if extra := call.keys() - _CALL_MEMBERS[surface.family]:
        message = f"is not part of a function call; {', '.join(sorted(_CALL_MEMBERS[surface.family]))} are"
        found += [Misfit((key,), "extra_field", message) for key in sorted(extra)]
    if name.startswith("@"):
        return found + _system_call_misfits(name, own, arguments, surface, rules)
    catalog = _call_catalog(name, own, surface)
    if name not in catalog.functions:
        functions = ", ".join(sorted(catalog.functions))
        message = f"Unrecognized function '{name}'; {catalog.id} has {functions}"
        found.append(Misfit((), "unrecognized_function", message))
    shape = catalog.arguments.get(name)
    if shape is not None:
        wrong = under("args", misfits(shape, arguments, rules))
        return [*found, *wrong] if found else wrong
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


def _misfit_error(found: list[Misfit], definitions: list[dict[str, Any]]) -> A2uiValidationError:
    details = [
        A2uiErrorDetail("/" + "/".join(misfit.path), misfit.code, f"{_name(misfit)} {misfit.message}".lstrip())
        for misfit in found
    ]
    first = details[0]
    type_ = definitions[int(found[0].path[1])]["component"]
    more = f" ({len(details) - 1} more)" if len(details) > 1 else ""
    message = f"Validation failed for component '{type_}' at {first.path}: {first.message}.{more}"
    return A2uiValidationError(message, details)


def _name(misfit: Misfit) -> str:
    names = [segment for segment in misfit.path[2:] if not segment.isdigit()]
    return names[-1] if names else ""


_THEME: Final = ObjectOf(
    {
        "primaryColor": Scalar(types=("string",), pattern="^#[0-9a-fA-F]{6}$"),
        "iconUrl": Scalar(types=("string",)),
        "agentDisplayName": Scalar(types=("string",)),
    },
    frozenset(),
    closed=False,
)


def check_theme(theme: Mapping[str, Any], surface: Surface, validation: Validation) -> None:
    """The theme of a 0.9 surface, under ``strict`` (a page ignores a bad colour); raises A2uiValidationError."""
    found = under("theme", misfits(_THEME, theme, rules_for(surface))) if validation == "strict" else FITS
    if found:
        path = "/" + "/".join(found[0].path)
        message = f"Validation failed for theme on surface '{surface.id}' at {path}: {found[0].message}."
        raise A2uiValidationError(message, [A2uiErrorDetail(path, found[0].code, message)])
