"""Divider."""

import reflex as rx

from ..live_surface import Node, component


@component("Divider")
def divider(node: Node) -> rx.Component:
    axis = {"data-axis": node.axis, "aria-orientation": rx.cond(node.axis == "vertical", "vertical", "horizontal")}
    return rx.el.hr(class_name="a2-divider", custom_attrs=axis, **node.attrs)
