"""Markdown: a whole text with links and coloured code. Read on the server into markup; an agent's HTML stays text."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from time import monotonic
from typing import Any

import reflex as rx
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

from ...live_surface import Node, Wire, component, with_props
from ...markdown import TAGS
from .code import highlight
from .parts import Markup, drawn

MOST = 100_000
"""Characters that are read as Markdown; a longer text is shown as it is."""
MOST_MARKS = 5_000
"""Characters that may be marks. Each costs the parser up to 0.1 ms, and everybody's pages wait meanwhile."""
MOST_LINES = 5_000
"""Lines: one may be a block of its own, which takes as long as a mark or two."""
MOST_CELLS = 5_000
"""Cells of tables: a short row counts whole, for it is filled up to the width of its table."""
COLOUR_TIME = 0.1
"""Seconds for the colours of all code in one text; code after that is plain."""

_WEB = re.compile(r"https?://[^\s\x00-\x1f\\]+", re.IGNORECASE)
_MARK = re.compile(r"[*_~`\[\]<!&\\>|]")
_BLANK = re.compile(r"\n[ \t]*\n")
_PLAIN = re.compile(r"[\w ,.;:!?()'\"%/=&@-]*")
_parser = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(["table", "strikethrough"])
_parser.validateLink = lambda url: True  # the address is judged here; a bad one must not hide the link's text


@lru_cache(maxsize=2048)
def read(text: str) -> Markup:
    """The text as markup; as it is when it is plain, or too much to read while others wait."""
    if _PLAIN.fullmatch(text) or not affordable(text):
        return ["p", {}, text]
    tree = SyntaxTreeNode(_parser.parse(text))
    return list(_draw_all(tree.children, monotonic() + COLOUR_TIME))


def affordable(text: str) -> bool:
    """Whether reading the text takes well under a second, judged by counting."""
    if len(text) > MOST or sum(1 for _ in _MARK.finditer(text)) > MOST_MARKS:
        return False
    if text.count("\n") > MOST_LINES:
        return False
    return sum(_cells(block.split("\n")) for block in _BLANK.split(text)) <= MOST_CELLS


def _cells(lines: list[str]) -> int:
    """The most cells that these lines, which no blank one parts, can become: a table is as wide as its widest line."""
    pipes = max(line.count("|") for line in lines)
    return (pipes + 1) * len(lines) if pipes else 0


def prepare(node: Wire) -> Wire:
    text = node["props"].get("text")
    return with_props(node, text=read(text) if isinstance(text, str) else None)


@component("Markdown", prepare=prepare)
def markdown(node: Node) -> rx.Component:
    return rx.el.div(drawn(node.text), class_name="a2-text a2-rich a2x-markdown", **node.attrs)


def _draw_all(nodes: Iterable[SyntaxTreeNode], until: float) -> Iterator[Any]:
    for node in nodes:
        yield from _draw(node, until)


def _draw(node: SyntaxTreeNode, until: float) -> Iterator[Any]:
    if node.type == "heading":
        yield [node.tag, {}, *_draw_all(node.children, until)]
    elif node.type == "paragraph" and node.hidden:  # the text of an item in a tight list
        yield from _draw_all(node.children, until)
    elif tag := TAGS.get(node.type):
        yield [tag, _attributes(node), *_draw_all(node.children, until)]
    elif node.type in ("code_block", "fence"):
        language, *_ = [*node.info.split(), "text"]  # blanks alone are no language
        code = highlight(node.content, language) if monotonic() < until else (node.content,)
        yield ["pre", {}, ["code", {}, *code]]
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
        yield ["a", {"href": str(node.attrs["href"])}, *_draw_all(node.children, until)]
    else:  # images, other links and containers: their text stays
        yield from _draw_all(node.children, until)


def _attributes(node: SyntaxTreeNode) -> dict[str, str]:
    start = {"start": str(node.attrs["start"])} if "start" in node.attrs else {}
    style = str(node.attrs.get("style", ""))
    align = {"align": "end" if "right" in style else "center"} if "right" in style or "center" in style else {}
    return start | align
