"""A catalog as a session uses it: the shapes of its components, its functions and the document it publishes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from .functions import Function
from .shapes import ObjectOf, holds_links

Family = Literal["0.9", "1.0"]
"""The protocol generations that differ on a surface; 0.9.1 is of the family 0.9."""


@dataclass(frozen=True)
class ComponentType:
    """One component of a catalog: its property shapes and its composition rules (None: no restriction)."""

    name: str
    shape: ObjectOf
    allowed_parents: tuple[str, ...] | None = None
    allowed_children: tuple[str, ...] | None = None

    @cached_property
    def links(self) -> tuple[str, ...]:
        """The properties that hold child components, at any depth."""
        return tuple(name for name, shape in self.shape.properties.items() if holds_links(shape))


@dataclass(frozen=True)
class Catalog:
    """Components and functions under one id, for surfaces of one protocol family."""

    id: str
    family: Family
    components: Mapping[str, ComponentType]
    functions: Mapping[str, Function]
    arguments: Mapping[str, ObjectOf] = field(default_factory=dict)
    """The shapes of the functions' arguments, where the catalog declares them."""
    document: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """The catalog document as published; carried in capabilities as an inline catalog."""

    @cached_property
    def has_composition_rules(self) -> bool:
        return any(
            component.allowed_parents is not None or component.allowed_children is not None
            for component in self.components.values()
        )

    @cached_property
    def component_names(self) -> str:
        return ", ".join(sorted(self.components))
