"""The extended catalog: what people miss in the basic one. A surface mixes both, component by component.

Session((BASIC_1_0, BASIC_0_9, extended_catalog()))
{"id": "t", "component": "Table", "catalogId": "urn:a2ui-app:catalogs:extended:1", ...}
"""

from functools import lru_cache

from ..catalog import Catalog
from ..registry import catalog_from_document
from .document import EXTENDED_1_0, document

__all__ = ["EXTENDED_1_0", "document", "extended_catalog"]


@lru_cache(maxsize=1)
def extended_catalog() -> Catalog:
    """The extended catalog for protocol 1.0. A session that is given it makes it known by its id."""
    return catalog_from_document(document())
