"""ConfirmDialog: yes or no; what may do harm looks it, and is not what Enter does."""

import reflex as rx

from ...live_surface import Drawn, Node, component, js, when
from .parts import button, dialog


@component("ConfirmDialog")
def confirm_dialog(node: Node) -> Drawn:
    yes = js(f'({node.prop("yes", str)!s} ?? "Yes")', str)
    no = js(f'({node.prop("no", str)!s} ?? "No")', str)
    message = when(node.prop("message", str), rx.el.p(node.prop("message", str), class_name="d-message"))
    danger = js(f'({node.prop("danger", bool)!s} ? "danger" : "")', str)
    buttons = [
        button("Cancel", node.invoke("cancel")),
        button(no, node.invoke("reject")),
        button(yes, node.invoke("action"), js(f'({danger!s} || "main")', str)),
    ]
    return dialog(node, message, buttons=buttons, kind=danger)
