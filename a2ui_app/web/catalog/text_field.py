"""TextField: one line, several, a number or a secret. It writes a string with every keystroke, also for a number."""

import reflex as rx

from ...catalogs import patterns
from ...catalogs.errors import A2uiExpressionError
from ..live_surface import Node, Wire, component, pick, spread
from .field import field


def prepare(node: Wire) -> Wire:
    """Hold the value against the field's own pattern (0.9 ``validationRegexp``); an empty field passes, as in HTML."""
    pattern, value = node["props"].get("validationRegexp"), node["props"].get("value")
    if not pattern or not value or node.get("errors"):
        return node
    try:
        if patterns.search(pattern, str(value)):
            return node
    except A2uiExpressionError as error:
        return {**node, "valid": False, "errors": [f"This field's pattern cannot be used. {error}"]}
    return {**node, "valid": False, "errors": ["This does not have the expected format."]}


@component("TextField", prepare=prepare)
def text_field(node: Node) -> rx.Component:
    value = node.bind("value")
    common = {"id": node.dom_id("input"), "class_name": "a2-input", "placeholder": node.placeholder}
    common |= spread(node.aria, value.text)
    return field(
        node,
        pick(
            node.variant,
            {
                "longText": rx.el.textarea(rows=4, **common),
                "number": rx.el.input(type="number", step="any", input_mode="decimal", **common),
                "obscured": rx.el.input(type="password", auto_complete="off", **common),
            },
            default=rx.el.input(type="text", **common),
        ),
    )
