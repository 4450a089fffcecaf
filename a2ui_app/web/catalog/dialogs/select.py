"""SelectDialog: one of a list answers at once, several are sent together."""

import reflex as rx

from ...live_surface import Node, component, when
from .parts import Options, button, dialog


@component("SelectDialog")
def select_dialog(node: Node) -> rx.Component:
    send = when(node.prop("multiple", bool), button("Send", node.invoke("action"), "main"))
    return dialog(
        node,
        Options.create(node=node.whole),
        buttons=[button("Cancel", node.invoke("cancel")), send],
    )
