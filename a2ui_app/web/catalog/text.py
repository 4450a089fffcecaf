"""Text: Markdown without HTML, images and links."""

import reflex as rx

from .. import markdown
from ..live_surface import WIDGETS, Node, Wire, component, js, with_props

HEADINGS = ("h1", "h2", "h3", "h4", "h5")
"""Variants of 0.9; in 1.0 a heading is Markdown."""


def prepare(node: Wire) -> Wire:
    """Read the Markdown here, once for every page; a text without any is sent as it is."""
    text = node["props"].get("text")
    if not isinstance(text, str):
        return node
    one_line = node["props"].get("variant") in (*HEADINGS, "caption")
    rich = markdown.inline(text) if one_line else markdown.blocks(text)
    return node if rich is text else with_props(node, text=rich)


@component("Text", prepare=prepare)
def text(node: Node) -> rx.Component:
    content = js(f"rich({node.text!s})", rx.Component, uses="rich", library=WIDGETS)
    plain = js(f'typeof {node.text!s} === "string"', bool)
    return rx.match(
        node.variant,
        *((tag, getattr(rx.el, tag)(content, class_name=f"a2-text a2-{tag}", **node.attrs)) for tag in HEADINGS),
        ("caption", rx.el.p(content, class_name="a2-text a2-caption", **node.attrs)),
        rx.cond(
            plain,
            rx.el.p(node.text, class_name="a2-text", **node.attrs),
            rx.el.div(content, class_name="a2-text a2-rich", **node.attrs),
        ),
    )
