"""The catalogs this process knows, by id. Sessions hold ids only, so that they pickle."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

from a2ui.core.basic_catalog import BasicCatalog
from a2ui.core.catalog import Catalog as CoreCatalog

from .catalog import Catalog, ComponentType, Family
from .errors import A2uiCatalogError
from .functions import BASIC_FUNCTIONS, MINIMAL_FUNCTIONS, Function
from .shapes import ObjectOf, read_shape

BASIC_0_9: Final = "https://a2ui.org/specification/v0_9/catalogs/basic/catalog.json"
BASIC_1_0: Final = "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json"
MINIMAL_0_9: Final = "https://a2ui.org/specification/v0_9/catalogs/minimal/catalog.json"
MINIMAL_COMPONENTS: Final = ("Text", "Row", "Column", "Button", "TextField")

ENVELOPE: Final = frozenset({"id", "component", "catalogId", "metadata", "accessibility"})
"""Members of every component that are not properties of its type."""

_registered: dict[str, Catalog] = {}


def register(catalog: Catalog) -> None:
    """Make ``catalog`` known by its id, in place of an earlier one of that id."""
    _registered[catalog.id] = catalog


def find_catalog(catalog_id: str) -> Catalog | None:
    """The catalog of ``catalog_id``, or None. The basic and the minimal catalogs are always known."""
    found = _registered.get(catalog_id)
    if found is None and catalog_id in _BUILT_IN:
        found = _BUILT_IN[catalog_id]()
        register(found)
    return found


def get_catalog(catalog_id: str) -> Catalog:
    """The catalog of ``catalog_id``; raises A2uiCatalogError when no such catalog is registered."""
    found = find_catalog(catalog_id)
    if found is None:
        raise A2uiCatalogError(f"Catalog not found: {catalog_id}")
    return found


@lru_cache(maxsize=2)
def basic_catalog(family: Family) -> Catalog:
    """The basic catalog of ``family``, as a2ui-core defines it, with our function bodies."""
    core = BasicCatalog(family)
    return from_core(core, family, BASIC_FUNCTIONS[family])


def minimal_catalog() -> Catalog:
    """The small catalog of the 0.9 tutorial: a few basic components and ``capitalize``."""
    basic = basic_catalog("0.9")
    components = {name: basic.components[name] for name in MINIMAL_COMPONENTS}
    document = {**basic.document, "catalogId": MINIMAL_0_9}
    return Catalog(MINIMAL_0_9, "0.9", components, {**basic.functions, **MINIMAL_FUNCTIONS}, basic.arguments, document)


def from_core(core: CoreCatalog[Any, Any], family: Family, functions: dict[str, Function]) -> Catalog:
    """A catalog from a2ui-core's definition; ``functions`` are the bodies of those it declares."""
    schema = core.validation_schema  # a deep copy at each access in a2ui-core 0.4: read once
    definitions = schema["$defs"]
    components = {
        name: _component_type(name, definition, definitions)
        for name, definition in schema.get("components", {}).items()
    }
    declared = {
        name: _declared_function(functions.get(name, Function(name, None)), definition)
        for name, definition in schema.get("functions", {}).items()
        if not name.startswith("@")
    }
    arguments = {
        name: _object_shape(f"arguments of function '{name}'", definition["properties"]["args"], definitions)
        for name, definition in schema.get("functions", {}).items()
        if "args" in definition.get("properties", {})
    }
    return Catalog(core.catalog_id, family, components, declared, arguments, core.to_json())


def catalog_from_document(
    document: dict[str, Any], functions: Iterable[Function] = (), *, family: Family = "1.0"
) -> Catalog:
    """A catalog from its JSON document; ``functions`` are the bodies of those it declares, the others run at the agent.

    Raises A2uiCatalogError when the document is no catalog, or a body is given for a function it does not declare.
    """
    core = CoreCatalog.from_json(document, protocol_version=family)
    bodies = {function.name: function for function in functions}
    undeclared = sorted(bodies.keys() - document.get("functions", {}).keys())
    if undeclared:
        raise A2uiCatalogError(f"Catalog {core.catalog_id} does not declare function '{undeclared[0]}'.")
    return from_core(core, family, bodies)


def _declared_function(body: Function, definition: Mapping[str, Any]) -> Function:
    """``body`` under the rules its catalog declares; a function that needs a gesture is the renderer's only."""
    needs_gesture = definition.get("requiresUserActivation", body.requires_user_activation)
    callers = "rendererOnly" if needs_gesture else definition.get("allowedCallers", body.allowed_callers)
    return replace(body, schema=definition, allowed_callers=callers, requires_user_activation=needs_gesture)


def _component_type(name: str, definition: dict[str, Any], definitions: dict[str, Any]) -> ComponentType:
    whole = _object_shape(f"component '{name}'", definition, definitions)
    own = {key: shape for key, shape in whole.properties.items() if key not in ENVELOPE}
    shape = ObjectOf(own, whole.required - ENVELOPE, whole.closed)
    parents, children = definition.get("allowedParents"), definition.get("allowedChildren")
    return ComponentType(
        name,
        shape,
        None if parents is None else tuple(parents),
        None if children is None else tuple(children),
    )


def _object_shape(what: str, definition: dict[str, Any], definitions: dict[str, Any]) -> ObjectOf:
    shape = read_shape(definition, definitions)
    if not isinstance(shape, ObjectOf):
        raise A2uiCatalogError(f"The schema of the {what} is not an object with properties.")
    return shape


_BUILT_IN: Final = {
    BASIC_0_9: lambda: basic_catalog("0.9"),
    BASIC_1_0: lambda: basic_catalog("1.0"),
    MINIMAL_0_9: minimal_catalog,
}
