"""The colours an agent may choose: a surface's ``theme`` (A2UI 0.9) as CSS variables."""

import re
from collections.abc import Mapping
from typing import Any

COLOR = re.compile(r"#[0-9a-fA-F]{6}")


def theme_of(theme: Mapping[str, Any] | None) -> dict[str, str] | None:
    """CSS variables for a surface's element, or None: only a ``primaryColor`` of the form ``#rrggbb`` gets through."""
    color = (theme or {}).get("primaryColor")
    if not isinstance(color, str) or not COLOR.fullmatch(color):
        return None
    return {"--a2ui-accent": color, "--a2ui-on-accent": "#000" if is_light(color) else "#fff"}


def is_light(color: str) -> bool:
    """Whether black text is easier to read than white on ``#rrggbb`` (relative luminance, WCAG 2.2)."""
    red, green, blue = (_linear(int(color[place : place + 2], 16) / 255) for place in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else ((channel + 0.055) / 1.055) ** 2.4
