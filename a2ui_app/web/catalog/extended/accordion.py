"""Accordion: sections that open and close; the browser's own `details`, which find-in-page opens."""

import reflex as rx

from ...live_surface import Node, component, js, node_view


@component("Accordion")
def accordion(node: Node) -> rx.Component:
    sections = js(f"({node.sections!s} ?? [])", list[dict])
    group = js(f"{node.prop('single')!s} ? {node.dom_id('group')!s} : undefined", str)

    def section(one: rx.Var, place: rx.Var) -> rx.Component:
        child = js(f"{one!s}.child", int)
        return rx.el.details(
            rx.el.summary(js(f"{one!s}.title", str)),
            rx.el.div(node_view(id=child, key=child), class_name="a2x-inside"),
            key=place,
            custom_attrs={"open": js(f"{one!s}.open === true", bool), "name": group},
        )

    return rx.el.div(rx.foreach(sections, section), class_name="a2x-accordion", **node.attrs)
