"""CheckBox: writes true and false."""

import reflex as rx

from ..live_surface import Node, component, js, spread
from .field import problem


@component("CheckBox")
def check_box(node: Node) -> rx.Component:
    value = node.bind("value", bool)
    checked = js(f"!!{value.value!s}", bool, like=value.value)
    box = rx.el.input(type="checkbox", checked=checked, on_change=value.on_change, **spread(node.aria))
    label = rx.el.label(box, node.label, class_name="a2-choice")
    return rx.el.div(label, problem(node), class_name="a2-field", **spread(node.box))
