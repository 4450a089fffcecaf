"""Text: Markdown without HTML, images and links."""

import reflex as rx

from .. import markdown
from ..live_surface import Drawn, Node, Wire, component, js, pick, with_props

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
def text(node: Node) -> Drawn:
    content = js(f"rich({node.text!s})", rx.Component, uses="rich")
    kind = js(f'(Array.isArray({node.text!s}) ? {node.variant!s} ?? "rich" : {node.variant!s})', str)
    cases = {
        "caption": rx.el.p(content, class_name="a2-text a2-caption", **node.attrs),
        "rich": rx.el.div(content, class_name="a2-text a2-rich", **node.attrs),
        "body": rx.el.div(content, class_name="a2-text a2-rich", **node.attrs),
    }
    for tag in HEADINGS:
        cases[tag] = getattr(rx.el, tag)(content, class_name="a2-text", **node.attrs)
    return pick(kind, cases, default=rx.el.p(content, class_name="a2-text", **node.attrs))
