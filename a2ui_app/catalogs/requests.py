"""What a function may ask of the session instead of giving a value: it has no access to the session itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class DataUpdates:
    """Write ``updates`` (pointer -> value) into the data model. Only an action may ask for it."""

    updates: Mapping[str, Any]


@dataclass(frozen=True)
class ToolRequest:
    """Call an MCP tool; its result is the function's value. ``target`` points to where the tool's app goes, if any."""

    name: str
    arguments: Mapping[str, Any]
    target: str | None = None
