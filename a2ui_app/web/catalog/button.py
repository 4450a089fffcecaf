"""Button."""

import reflex as rx

from ..live_surface import Node, component


@component("Button")
def button(node: Node) -> rx.Component:
    return rx.el.button(
        node.child("child"),
        class_name="a2-button",
        type="button",
        disabled=node.invalid,
        title=node.first_error,
        on_click=node.invoke("action"),
        custom_attrs={"data-variant": node.variant, "aria-busy": node.field("busy", bool)},
        **node.attrs,
    )
