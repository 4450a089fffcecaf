"""Tree: branches that open and close. They are the browser's own details, so keys and screen readers know them."""

from collections.abc import Iterator
from typing import Any

import reflex as rx

from ...live_surface import Node, Wire, component, with_props
from .parts import Markup, drawn, records, text_of

MOST_ITEMS = 2_000
DEEPEST = 20


def prepare(node: Wire) -> Wire:
    props = node["props"]
    levels = props.get("open")
    budget = [MOST_ITEMS]
    tree = _branch(props.get("items"), levels if isinstance(levels, int) else 1, 0, budget)
    note = "Some items are not shown." if budget[0] < 0 else None
    return with_props(node, items=None, tree=tree, hidden=note)


def _branch(value: Any, levels: int, depth: int, budget: list[int]) -> Markup:
    items, more = records(value, max(0, budget[0]))
    budget[0] -= len(items) + more
    return ["ul", {}, *(["li", {}, *_item(item, levels, depth, budget)] for item in items)]


def _item(item: dict[str, Any], levels: int, depth: int, budget: list[int]) -> Iterator[Markup]:
    detail = text_of(item.get("detail"))
    name: list[Markup] = [["span", {}, text_of(item.get("label"))]]
    if detail:
        name.append(["span", {"class": "a2x-detail"}, detail])
    if isinstance(item.get("items"), list) and depth < DEEPEST:
        opened = {"open": "true"} if depth < levels else {}
        yield ["details", opened, ["summary", {}, *name], _branch(item["items"], levels, depth + 1, budget)]
    else:
        yield ["div", {"class": "a2x-leaf"}, *name]


@component("Tree", prepare=prepare)
def tree(node: Node) -> rx.Component:
    return rx.el.div(
        drawn(node.prop("tree")),
        rx.el.p(node.prop("hidden"), class_name="a2-note"),
        class_name="a2x-tree",
        role="group",
        **node.attrs,
    )
