"""Component definitions as an agent sends them: brought into one spelling, and validated.

Validation is for a whole message first: on a fault nothing of it is applied (specification, "Progressive rendering").
The three levels are those of the reference: ``strict`` refuses what cannot be rendered, ``relaxed`` what is wrong
in itself but not what may still arrive, ``none`` only what cannot be stored.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from ..catalogs.catalog import Catalog, ComponentType
from ..catalogs.shapes import name_of
from .data_model import copy_json
from .errors import (
    A2uiCatalogError,
    A2uiError,
    A2uiErrorDetail,
    A2uiIntegrityError,
    A2uiRecursionError,
    A2uiValidationError,
)
from .respelling import bare_bindings, has_at_spelling, respell
from .surface import Bindings, Surface
from .topology import check_topology
from .validation import Validation, check_values, find_surface_catalog

MAX_OBJECT_DEPTH: Final = 50
"""Levels of nesting in one component (reference limit)."""

_RENAMED: Final = ("catalogId", "accessibility", "metadata", "checks")


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
    uses_at = surface.uses_at_spelling or (may_be_bare and has_at_spelling(merged))
    catalogs: dict[str, Catalog] = {}
    declared = [_declared(definition, index, surface, catalogs) for index, definition in enumerate(merged)]
    if may_be_bare:
        merged = [
            respell(definition, component.shape if component else None, everywhere=not uses_at)
            for definition, component in zip(merged, declared, strict=True)
        ]
    if validation != "none":
        check_values(merged, declared, surface, validation)
    if validation == "none":
        merged = list({definition["id"]: definition for definition in merged}.values())
    else:
        check_topology(merged, surface, validation)
    bare = list(bare_bindings(merged, declared)) if surface.family == "1.0" else []
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
            raise _fault(f"{where}/id", "missing_field", "A component is missing an 'id', a string that is not empty.")
        if component_id in seen and validation != "none":
            message = f"Duplicate component id '{component_id}' in one message; give each component its own id."
            raise A2uiIntegrityError(message, [A2uiErrorDetail(f"{where}/id", "duplicate_id", message)])
        seen.add(component_id)
        if "component" not in definition and surface.family == "0.9" and component_id in surface.components:
            continue
        if not isinstance(definition.get("component"), str):
            message = f"Cannot create component {component_id} without a type; name it in 'component'."
            raise _fault(f"{where}/component", "missing_field", message)
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


def _fault(path: str, code: str, message: str) -> A2uiError:
    return A2uiValidationError(message, [A2uiErrorDetail(path, code, message)])
