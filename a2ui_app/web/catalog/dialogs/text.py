"""InputDialog and EditorDialog: a line, and a longer text. What is typed is kept until it is sent."""

import reflex as rx

from ...live_surface import Drawn, Node, component, js, pick, spread
from .parts import button, dialog, key_handler


@component("InputDialog")
def input_dialog(node: Node) -> Drawn:
    value = node.bind("value")
    common = {
        "class_name": "a2-input",
        "placeholder": node.prop("placeholder", str),
        "auto_complete": "off",
        "custom_attrs": {"aria-labelledby": node.dom_id("title")},
        **spread(value.text, key_handler("entering", node)),
    }
    secret = js(f"{node.prop('secret', bool)!s} ? 'yes' : 'no'", str)
    entry = pick(secret, {"yes": rx.el.input(type="password", **common)}, default=rx.el.input(type="text", **common))
    buttons = [button("Cancel", node.invoke("cancel")), button("Send", node.invoke("action"), "main")]
    return dialog(node, entry, buttons=buttons)


@component("EditorDialog")
def editor_dialog(node: Node) -> Drawn:
    value = node.bind("value")
    entry = rx.el.textarea(
        class_name="a2-input d-editor",
        rows=6,
        custom_attrs={"aria-labelledby": node.dom_id("title"), "spellCheck": False},
        **spread(value.text, key_handler("enteringText", node)),
    )
    buttons = [button("Cancel", node.invoke("cancel")), button("Send", node.invoke("action"), "main")]
    return dialog(node, entry, buttons=buttons)
