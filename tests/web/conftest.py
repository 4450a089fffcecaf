"""What the basic catalogs declare, for tests that hold the views against them."""

from collections.abc import Iterator
from typing import Any

import pytest

from a2ui_app.catalogs.registry import basic_catalog


@pytest.fixture
def basic_components() -> list[str]:
    """The names of all components of both basic catalogs."""
    return sorted({name for family in ("0.9", "1.0") for name in basic_catalog(family).components})


@pytest.fixture
def icon_names() -> set[str]:
    """The names that Icon accepts."""
    enums = [set(enum) for enum in _enums(basic_catalog("1.0").document["components"]["Icon"])]
    return max(enums, key=len)


def _enums(schema: Any) -> Iterator[list[str]]:
    if isinstance(schema, dict):
        if "enum" in schema:
            yield schema["enum"]
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            yield from _enums(part)
