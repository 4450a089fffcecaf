"""One surface: what the agent said about it, as plain data."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ..catalogs.catalog import Catalog, Family
from ..catalogs.registry import find_catalog
from .components import Component, compile_component
from .functions import SPELLINGS, Spelling

Bindings = Literal["strict", "auto"]


@dataclass(slots=True)
class Surface:
    """A surface of a session. Hosts read ``id``, ``version``, ``catalog_id``, ``theme``, ``components``, ``data``."""

    id: str
    version: str
    """As the agent wrote it in createSurface; messages about the surface go out with it."""
    family: Family
    catalog_id: str | None
    """The default catalog; None: each component and call names its own."""
    catalog_ids: frozenset[str]
    """The catalogs of the session, which may be mixed here."""
    theme: Mapping[str, Any] = field(default_factory=dict)
    send_data_model: bool = False
    components: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Definitions by id, in the bare spelling of `normalize`."""
    data: Any = field(default_factory=dict)
    has_data: bool = False
    """Whether the agent has sent data; before that a missing path is merely early."""
    uses_at_spelling: bool = False
    compiled: dict[str, Component] = field(default_factory=dict)

    @property
    def spelling(self) -> Spelling:
        return SPELLINGS[self.family]

    def component(self, component_id: str) -> Component | None:
        """The compiled definition of ``component_id``, or None while the agent has not sent it."""
        found = self.compiled.get(component_id)
        if found is None and component_id in self.components:
            definition = self.components[component_id]
            catalog = self.catalog_of(definition)
            declared = catalog.components.get(definition["component"]) if catalog else None
            found = compile_component(definition, declared.shape if declared else None, self.spelling)
            self.compiled[component_id] = found
        return found

    def catalog_of(self, definition: Mapping[str, Any]) -> Catalog | None:
        """The catalog of a component: its own, else the surface's default; None when there is no such catalog."""
        catalog_id = definition.get("catalogId", self.catalog_id) if self.family == "1.0" else self.catalog_id
        return find_catalog(catalog_id) if catalog_id in self.catalog_ids and catalog_id is not None else None

    def define(self, definitions: list[dict[str, Any]]) -> None:
        for definition in definitions:
            self.components[definition["id"]] = definition
            self.compiled.pop(definition["id"], None)
