"""What stands where a component cannot: not here yet, not known, or inside itself."""

import reflex as rx

from ..live_surface import Node, component, spread


@component("@pending")
def pending(node: Node) -> rx.Component:
    """The agent has not sent it yet. Neutral, and still: the rest of the surface can be used."""
    return rx.el.div(class_name="a2-pending", custom_attrs={"aria-hidden": True}, **spread(node.box))


@component("@unknown")
def unknown(node: Node) -> rx.Component:
    return rx.el.div(
        "This page cannot show “",
        rx.el.strong(node.field("type")),
        "”.",
        class_name="a2-unknown",
        role="note",
        **spread(node.box),
    )


@component("@cyclic")
def cyclic(node: Node) -> rx.Component:
    words = "This part contains itself and is not shown again."
    return rx.el.div(words, class_name="a2-unknown", role="note", **spread(node.box))
