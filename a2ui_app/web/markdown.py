"""Markdown without HTML, images and links, as a small tree that the page draws; most texts need none of it.

A prepared text is a string, or a list whose items are strings and ``[tag, attributes, *content]``. The page makes
elements of known tags only, so whatever an agent writes stays text.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode

Rich = str | list[Any]

_MARKUP = re.compile(r"[*_`#~<&\\|]|\][(\[:]|^\s{0,3}(?:>|[-+]\s|\d+[.)]\s|[-=]+\s*$)", re.MULTILINE)
"""What a text must contain to be anything else than plain."""

_LABEL = re.compile(r"\s{0,3}(?:[-+*]|\d+[.)])\s[^\n]*")
"""One line that begins like a list item: "- 5 °C" or "1. Introduction" is a label, and its mark is part of it."""

_parser = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(["table", "strikethrough"])
_parser.validateLink = lambda url: True  # the address is dropped, so a bad one must not keep its text from being read


@lru_cache(maxsize=4096)
def blocks(text: str) -> Rich:
    """The text with headings, lists and other blocks."""
    if not _MARKUP.search(text):
        return text
    if _LABEL.fullmatch(text):
        return inline(text)
    drawn = list(_draw_all(SyntaxTreeNode(_parser.parse(text)).children))
    if len(drawn) == 1 and isinstance(drawn[0], list) and drawn[0][0] == "p":
        return _plain(drawn[0][2:])
    return drawn


@lru_cache(maxsize=4096)
def inline(text: str) -> Rich:
    """The text with emphasis and code only, for captions and headings."""
    if not _MARKUP.search(text):
        return text
    return _plain(list(_draw_all(SyntaxTreeNode(_parser.parseInline(text)).children)))


def _plain(drawn: list[Any]) -> Rich:
    return "".join(drawn) if all(isinstance(item, str) for item in drawn) else drawn


def _draw_all(nodes: Iterable[SyntaxTreeNode]) -> Iterator[Any]:
    for node in nodes:
        yield from _draw(node)


TAGS = {
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


def _draw(node: SyntaxTreeNode) -> Iterator[Any]:
    if node.type == "heading":
        yield [node.tag, {}, *_draw_all(node.children)]
    elif node.type == "paragraph" and node.hidden:  # the text of an item in a tight list
        yield from _draw_all(node.children)
    elif tag := TAGS.get(node.type):
        start = {"start": node.attrs["start"]} if "start" in node.attrs else {}
        yield [tag, start, *_draw_all(node.children)]
    elif node.type in ("code_block", "fence"):
        yield ["pre", {}, ["code", {}, node.content]]
    elif node.type == "code_inline":
        yield ["code", {}, node.content]
    elif node.type in ("hardbreak", "softbreak"):
        yield "\n"  # white-space: pre-line draws it
    elif node.type == "hr":
        yield ["hr", {}]
    elif node.type == "text":
        if node.content:
            yield node.content
    else:  # links, images and containers: their text stays
        yield from _draw_all(node.children)
