"""Row, Column, List and Card. What an agent chooses is a data attribute: its words never become a class or a style."""

import reflex as rx

from ..live_surface import Node, component


@component("Row")
def row(node: Node) -> rx.Component:
    arrangement = {"data-justify": node.justify, "data-align": node.align}
    return rx.el.div(node.children, class_name="a2-row", custom_attrs=arrangement, **node.attrs)


@component("Column")
def column(node: Node) -> rx.Component:
    arrangement = {"data-justify": node.justify, "data-align": node.align}
    return rx.el.div(node.children, class_name="a2-column", custom_attrs=arrangement, **node.attrs)


@component("List")
def list_(node: Node) -> rx.Component:
    return rx.el.ul(
        node.each(lambda child: rx.el.li(child, class_name="a2-item")),
        node.more,
        class_name="a2-list",
        custom_attrs={"data-direction": node.direction, "data-align": node.align},
        **node.attrs,
    )


@component("Card")
def card(node: Node) -> rx.Component:
    return rx.el.div(node.child("child"), class_name="a2-card", **node.attrs)
