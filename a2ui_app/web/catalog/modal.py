"""Modal: a trigger that opens a dialog; it closes by its x, its backdrop and Esc, and gives the focus back."""

import reflex as rx

from ..live_surface import Node, component, js, spread, when


@component("Modal")
def modal(node: Node) -> rx.Component:
    dialog = js("dialog", dict, uses="useDialog", hook=f"const dialog = useDialog({node.trigger!s})")
    opens, shows = (js(f"dialog.{part}", dict, like=dialog) for part in ("trigger", "dialog"))
    return rx.el.div(
        rx.el.div(node.child("trigger"), class_name="a2-trigger", **spread(opens)),
        rx.el.dialog(
            rx.el.button(
                rx.icon("x", size=18),
                type="button",
                class_name="a2-close",
                on_click=js("dialog.close", rx.event.EventChain, like=dialog),
                custom_attrs={"aria-label": "Close"},
            ),
            when(js("dialog.used", bool, like=dialog), rx.el.div(node.child("content"), class_name="a2-sheet")),
            class_name="a2-dialog",
            **spread(node.aria, shows),
        ),
        **spread(node.box),
    )
