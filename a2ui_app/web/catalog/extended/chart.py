"""Chart: lines, bars or a pie, drawn on the server as paths; for screen readers the numbers stand in a table."""

import math
from collections.abc import Sequence
from typing import Any

import reflex as rx

from ....catalogs.formatting import format_number
from ...live_surface import Node, Wire, component, spread, when, with_props
from .parts import TONES, Markup, drawn, is_number, records, text_of, tone_of

MOST_POINTS = 500
MOST_SERIES = 8
WIDTH, HEIGHT = 440, 220
LEFT, RIGHT, TOP, BOTTOM = 44, 8, 10, 26
_ORDER = ("info", "success", "warning", "danger", "neutral")  # colours of series that name none

Series = tuple[str, str, list[float | None]]
"""A label, a tone, and a number for each point."""


def prepare(node: Wire) -> Wire:
    props = node["props"]
    points, more = records(props.get("points"), MOST_POINTS)
    labels = [text_of(point.get(text_of(props.get("x")))) for point in points]
    wanted = [one for one in props.get("series") or () if isinstance(one, dict)][:MOST_SERIES]
    series = [_series(one, points, place) for place, one in enumerate(wanted)]
    percent = props.get("format") == "percent"
    kind = props.get("kind")
    if kind == "pie":
        drawing, legend = _pie(labels, series[:1]), _pie_legend(labels, series[:1], percent)
    else:
        drawing, legend = _axes(labels, series, bars=kind == "bar", percent=percent), _legend(series)
    table = _table(text_of(props.get("x")), labels, series, percent)
    note = f"{more:,} more points not shown" if more else None
    return with_props(
        node,
        points=None,
        series=None,
        drawing=drawing,
        legend=legend,
        table=table,
        hidden=note,
        empty=not points or None,
    )


@component("Chart", prepare=prepare)
def chart(node: Node) -> rx.Component:
    return rx.el.figure(
        when(node.caption, rx.el.figcaption(node.caption, class_name="a2-label")),
        when(node.prop("empty"), rx.el.p("Nothing to show yet.", class_name="a2x-empty")),
        rx.el.div(drawn(node.prop("drawing")), class_name="a2x-drawing", custom_attrs={"aria-hidden": True}),
        drawn(node.prop("legend")),
        rx.el.div(drawn(node.prop("table")), class_name="a2x-unseen"),
        when(node.prop("hidden"), rx.el.p(node.prop("hidden"), class_name="a2-note")),
        class_name="a2x-chart",
        **spread(node.box, node.aria),
    )


def _series(one: dict[str, Any], points: Sequence[dict[str, Any]], place: int) -> Series:
    key = text_of(one.get("key"))
    values = [_number(point.get(key)) for point in points]
    return text_of(one.get("label")) or key, tone_of(one.get("tone"), None) or _ORDER[place % len(TONES)], values


def _number(value: Any) -> float | None:
    return float(value) if is_number(value) and math.isfinite(value) else None


def _written(value: float | None, percent: bool) -> str:
    if value is None:
        return ""
    return f"{format_number(value * 100)} %" if percent else format_number(value)


def ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Round numbers that cover low to high."""
    span = high - low or abs(high) or 1.0
    rough = span / most
    unit = 10.0 ** math.floor(math.log10(rough))
    step = next(unit * factor for factor in (1, 2, 2.5, 5, 10) if unit * factor >= rough)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [number * step for number in range(first, last + 1)]


def _axes(labels: Sequence[str], series: Sequence[Series], *, bars: bool, percent: bool) -> Markup:
    values = [value for _, _, numbers in series for value in numbers if value is not None]
    if not values:
        return ""
    marks = ticks(min(0.0, *values) if bars or min(values) >= 0 else min(values), max(0.0, *values))
    low, high = marks[0], marks[-1] if marks[-1] > marks[0] else marks[0] + 1

    def y(value: float) -> float:
        return round(TOP + (high - value) / (high - low) * (HEIGHT - TOP - BOTTOM), 1)

    slot = (WIDTH - LEFT - RIGHT) / max(1, len(labels))
    drawing: list[Markup] = []
    for mark in marks:
        drawing.append(["path", {"class": "a2x-grid", "d": f"M{LEFT},{y(mark)} L{WIDTH - RIGHT},{y(mark)}"}])
        drawing.append(_label(LEFT - 8, y(mark) + 4, _written(mark, percent), "end"))
    every = max(1, math.ceil(len(labels) * 56 / WIDTH))
    for place, label in enumerate(labels):
        if place % every == 0:
            drawing.append(_label(LEFT + slot * (place + 0.5), HEIGHT - 10, label[:12], "middle"))
    for order, (_, tone, numbers) in enumerate(series):
        if bars:
            width = slot * 0.8 / len(series)
            path = " ".join(
                _bar(LEFT + slot * (place + 0.1) + width * order, width, y(0.0 if low <= 0 else low), y(value))
                for place, value in enumerate(numbers)
                if value is not None
            )
            drawing.append(["path", {"class": "a2x-bar-shape", "tone": tone, "d": path}])
        else:
            drawing.append(["path", {"class": "a2x-line", "tone": tone, "d": _line(numbers, slot, y)}])
    return ["svg", {"viewBox": f"0 0 {WIDTH} {HEIGHT}"}, *drawing]


def _bar(x: float, width: float, base: float, top: float) -> str:
    left, right = round(x, 1), round(x + width, 1)
    return f"M{left},{base} L{left},{top} L{right},{top} L{right},{base} Z"


def _line(numbers: Sequence[float | None], slot: float, y: Any) -> str:
    """A path with a gap where there is no number."""
    parts: list[str] = []
    down = False
    for place, value in enumerate(numbers):
        if value is not None:
            parts.append(f"{'L' if down else 'M'}{round(LEFT + slot * (place + 0.5), 1)},{y(value)}")
        down = value is not None
    return " ".join(parts)


def _pie(labels: Sequence[str], series: Sequence[Series]) -> Markup:
    numbers = [max(0.0, value or 0.0) for value in series[0][2]] if series else []
    total = sum(numbers)
    if not total:
        return ""
    centre, radius, turn = HEIGHT / 2, HEIGHT / 2 - 8, 0.0
    slices: list[Markup] = []
    for place, number in enumerate(numbers):
        share = number / total
        start, turn = turn, turn + share
        if share >= 0.9999:  # a whole circle is two halves
            path = f"M{centre},8 A{radius},{radius} 0 1 1 {centre - 0.1},8 Z"
        else:
            (x1, y1), (x2, y2) = _on_circle(centre, radius, start), _on_circle(centre, radius, turn)
            path = f"M{centre},{centre} L{x1},{y1} A{radius},{radius} 0 {int(share > 0.5)} 1 {x2},{y2} Z"
        slices.append(["path", {"class": "a2x-slice", "tone": f"s{place % 8}", "d": path}])
    return ["svg", {"viewBox": f"0 0 {HEIGHT} {HEIGHT}", "class": "a2x-pie"}, *slices]


def _on_circle(centre: float, radius: float, turn: float) -> tuple[float, float]:
    angle = 2 * math.pi * turn
    return round(centre + radius * math.sin(angle), 1), round(centre - radius * math.cos(angle), 1)


def _legend(series: Sequence[Series]) -> Markup:
    return ["ul", {"class": "a2x-legend"}, *(["li", {"tone": tone}, label] for label, tone, _ in series)]


def _pie_legend(labels: Sequence[str], series: Sequence[Series], percent: bool) -> Markup:
    numbers = series[0][2] if series else []
    rows = zip(labels, numbers, strict=False)
    items = (
        ["li", {"tone": f"s{place % 8}"}, f"{label} {_written(n, percent)}"] for place, (label, n) in enumerate(rows)
    )
    return ["ul", {"class": "a2x-legend"}, *items]


def _table(head: str, labels: Sequence[str], series: Sequence[Series], percent: bool) -> Markup:
    heads: list[Markup] = [["th", {}, head], *(["th", {}, label] for label, _, _ in series)]
    rows: list[Markup] = [
        ["tr", {}, ["th", {}, label], *(["td", {}, _written(numbers[place], percent)] for _, _, numbers in series)]
        for place, label in enumerate(labels)
    ]
    return ["table", {}, ["thead", {}, ["tr", {}, *heads]], ["tbody", {}, *rows]]


def _label(x: float, y: float, text: str, anchor: str) -> Markup:
    return ["text", {"x": str(round(x, 1)), "y": str(round(y, 1)), "anchor": anchor}, text]
