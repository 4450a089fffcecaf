"""Markdown: a whole text with links and coloured code. Read on the server into markup; an agent's HTML stays text."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

import reflex as rx
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from ...live_surface import Node, Wire, component, with_props
from .code import highlight
from .parts import Markup, drawn

MOST = 100_000
"""Characters that are read as Markdown; a longer text is shown as it is."""

_WEB = re.compile(r"https?://[^\s\x00-\x1f\\]+", re.IGNORECASE)
_PLAIN = re.compile(r"[\w ,.;:!?()'\"%/=&@-]*")
_parser = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(["table", "strikethrough"])
_parser.validateLink = lambda url: True  # the address is judged here; a bad one must not hide the link's text

_TAGS = {
    "paragraph": "p",
    "strong": "strong",
    "em": "em",
    "s": "s",
    "bullet_list": "ul",
    "ordered_list": "ol",
    "list_item": "li",
    "blockquote": "blockquote",
    "table": "table",
    "thead": "thead",
    "tbody": "tbody",
    "tr": "tr",
    "th": "th",
    "td": "td",
}


@lru_cache(maxsize=2048)
def read(text: str) -> Markup:
    """The text as markup."""
    if len(text) > MOST or _PLAIN.fullmatch(text):
        return ["p", {}, text]
    return list(_draw_all(SyntaxTreeNode(_parser.parse(text)).children))


def prepare(node: Wire) -> Wire:
    text = node["props"].get("text")
    return with_props(node, text=read(text) if isinstance(text, str) else None)


@component("Markdown", prepare=prepare)
def markdown(node: Node) -> rx.Component:
    return rx.el.div(drawn(node.text), class_name="a2-text a2-rich a2x-markdown", **node.attrs)


def _draw_all(nodes: Iterable[SyntaxTreeNode]) -> Iterator[Any]:
    for node in nodes:
        yield from _draw(node)


def _draw(node: SyntaxTreeNode) -> Iterator[Any]:
    if node.type == "heading":
        yield [node.tag, {}, *_draw_all(node.children)]
    elif node.type == "paragraph" and node.hidden:  # the text of an item in a tight list
        yield from _draw_all(node.children)
    elif tag := _TAGS.get(node.type):
        yield [tag, _attributes(node), *_draw_all(node.children)]
    elif node.type in ("code_block", "fence"):
        yield ["pre", {}, ["code", {}, *highlight(node.content, (node.info or "text").split()[0])]]
    elif node.type == "code_inline":
        yield ["code", {}, node.content]
    elif node.type == "hardbreak":
        yield ["br", {}]
    elif node.type == "softbreak":
        yield "\n"  # white-space: pre-line draws it
    elif node.type == "hr":
        yield ["hr", {}]
    elif node.type == "text":
        if node.content:
            yield node.content
    elif node.type == "link" and _WEB.fullmatch(str(node.attrs.get("href", ""))):
        yield ["a", {"href": str(node.attrs["href"])}, *_draw_all(node.children)]
    else:  # images, other links and containers: their text stays
        yield from _draw_all(node.children)


def _attributes(node: SyntaxTreeNode) -> dict[str, str]:
    start = {"start": str(node.attrs["start"])} if "start" in node.attrs else {}
    style = str(node.attrs.get("style", ""))
    align = {"align": "end" if "right" in style else "center"} if "right" in style or "center" in style else {}
    return start | align
