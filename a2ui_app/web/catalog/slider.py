"""Slider: writes a number while it is dragged."""

import reflex as rx

from ..live_surface import Node, Wire, component, js, spread, with_props
from .field import field


def prepare(node: Wire) -> Wire:
    """Find the step: from ``steps``, else 1 over a range of whole numbers, else a hundredth of the range."""
    props = node["props"]
    low, high, steps = props.get("min") or 0, props.get("max"), props.get("steps")
    if not isinstance(high, int | float) or high <= low:
        high = low + 1
    if steps:
        step = (high - low) / steps
    elif high - low > 2 and float(low).is_integer() and float(high).is_integer():
        step = 1
    else:
        step = (high - low) / 100
    return with_props(node, min=low, max=high, step=step, steps=None)


@component("Slider", prepare=prepare)
def slider(node: Node) -> rx.Component:
    value = node.bind("value", float)
    number = js(f"({value.value!s} ?? {node.min!s})", float, like=value.value)
    share = js(f'{{"--a2-share": ({number!s} - {node.min!s}) / ({node.max!s} - {node.min!s})}}', dict, like=value.value)
    return field(
        node,
        rx.el.input(
            id=node.dom_id("input"),
            class_name="a2-slider",
            type="range",
            min=node.min,
            max=node.max,
            step=node.step,
            value=number,
            on_change=value.on_change,
            custom_attrs={"style": share},
            **spread(node.aria),
        ),
        rx.el.output(number, html_for=node.dom_id("input"), class_name="a2-output"),
    )
