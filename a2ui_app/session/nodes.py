"""The forms in which a session shows its resolved nodes: patches for a browser, trees for people."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Patch:
    """What changed for a browser.

    ``nodes`` maps a ref to its wire node, or to None when the node is gone; ``surfaces`` maps a surface id to
    ``{"root": ref | None, "theme"?: {...}}``, or to None when the surface is gone.
    """

    revision: int
    nodes: dict[int, dict[str, Any] | None]
    surfaces: dict[str, dict[str, Any] | None]
