"""Table: records in rows; a click on a head sorts them in this browser: up, down, as they came."""

from typing import Any

import reflex as rx

from ....catalogs.errors import A2uiExpressionError
from ....catalogs.formatting import format_date, format_number
from ...live_surface import Node, Wire, component, js, spread, when, with_props
from .parts import ext, is_number, records, text_of

MAX_ROWS = 1000
"""Rows that are sent to the page; the others are counted in a note."""


def prepare(node: Wire) -> Wire:
    """Write out every cell, so that the page only draws and sorts."""
    props = node["props"]
    columns = [column for column in props.get("columns") or () if isinstance(column, dict)]
    found, more = records(props.get("rows"), MAX_ROWS)
    rows = [
        {"id": number, "cells": [_cell(row.get(text_of(column.get("key"))), column) for column in columns]}
        for number, row in enumerate(found)
    ]
    heads = [_head(column, [row["cells"][place] for row in rows]) for place, column in enumerate(columns)]
    return with_props(node, columns=heads, rows=rows, hidden=f"{more:,} more not shown" if more else None)


def _head(column: dict[str, Any], cells: list[dict[str, Any]]) -> dict[str, Any]:
    numeric = any("key" in cell for cell in cells) and column.get("format") != "date"
    align = column.get("align")
    return {
        "label": text_of(column.get("label")) or text_of(column.get("key")),
        "align": align if align in ("start", "center", "end") else "end" if numeric else "start",
        "code": column.get("format") == "code",
    }


def _cell(value: Any, column: dict[str, Any]) -> dict[str, Any]:
    """The text of a cell, and what to sort it by when that is another thing."""
    try:
        match column.get("format"):
            case "number" if is_number(value):
                return {"text": format_number(value), "key": value}
            case "percent" if is_number(value):
                return {"text": format_number(value * 100, 1 if value * 100 % 1 else 0) + " %", "key": value}
            case "date" if value not in (None, ""):
                return {"text": format_date(value, "d MMM yyyy") or text_of(value), "key": str(value)}
    except A2uiExpressionError:
        pass  # no such number or date: the reader sees what is there
    return {"text": text_of(value), "key": value} if is_number(value) else {"text": text_of(value)}


@component("Table", prepare=prepare)
def table(node: Node) -> rx.Component:
    sort = ext("sort", dict, uses="useSort", hook=f"const sort = useSort({node.rows!s})")
    rows = js("sort.rows", list[dict], like=sort)
    columns = js(f"{node.columns!s}", list[dict])

    def head(column: rx.vars.ObjectVar, place: rx.Var) -> rx.Component:
        button = rx.el.button(
            js(f"{column!s}.label", str),
            rx.el.span(class_name="a2x-arrow", custom_attrs={"aria-hidden": True}),
            type="button",
            on_click=js(f"sort.by({place!s})", rx.event.EventChain, like=sort),
        )
        attributes = {"aria-sort": js(f"sort.state({place!s})", str, like=sort), "data-align": _of(column, "align")}
        return rx.el.th(button, scope="col", key=place, custom_attrs=attributes)

    def line(row: rx.vars.ObjectVar) -> rx.Component:
        def cell(cell: rx.vars.ObjectVar, place: rx.Var) -> rx.Component:
            own = js(f"{columns!s}[{place!s}]", dict)
            kind = {"data-align": _of(own, "align"), "data-code": js(f"{own!s}?.code || undefined", bool)}
            return rx.el.td(js(f"{cell!s}.text", str), key=place, custom_attrs=kind)

        return rx.el.tr(rx.foreach(js(f"{row!s}.cells", list[dict]), cell), key=_of(row, "id"))

    none = js(f"!{rows!s}.length", bool, like=sort)
    body = rx.el.table(
        rx.el.thead(rx.el.tr(rx.foreach(columns, head))), rx.el.tbody(rx.foreach(rows, line)), **spread(node.aria)
    )
    return rx.el.figure(
        when(node.caption, rx.el.figcaption(node.caption, class_name="a2-label")),
        rx.el.div(
            body,
            when(none, rx.el.p(js(f'({node.empty!s} ?? "Nothing here yet.")', str), class_name="a2x-empty")),
            class_name="a2x-scroll",
            tab_index=0,
            role="region",
            custom_attrs={"aria-label": js(f'({node.caption!s} ?? "Table")', str)},
        ),
        when(node.prop("hidden"), rx.el.p(node.prop("hidden"), class_name="a2-note")),
        class_name="a2x-table",
        **spread(node.box),
    )


def _of(item: rx.Var, member: str) -> rx.Var:
    return js(f"{item!s}?.{member}", str)
