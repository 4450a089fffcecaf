"""The dialogs catalog: the questions of `AgentUI` as components, so that a page asks with surfaces."""

from functools import lru_cache

from ..catalog import Catalog
from ..registry import catalog_from_document
from .document import DIALOGS_1_0, document

__all__ = ["DIALOGS_1_0", "dialogs_catalog", "document"]


@lru_cache(maxsize=1)
def dialogs_catalog() -> Catalog:
    """The dialogs catalog, for protocol 1.0. A session that is given it makes it known by its id."""
    return catalog_from_document(document())
