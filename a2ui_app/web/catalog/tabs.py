"""Tabs: one child at a time; which one is this browser's own affair."""

import reflex as rx

from ..live_surface import Node, component, js, node_view


@component("Tabs")
def tabs(node: Node) -> rx.Component:
    titles = js(f"({node.prop('tabs')!s} ?? [])", list[dict])
    index = js("tab", int, uses="useIndex", hook=f"const [tab, setTab] = useIndex({titles!s}.length)")
    open_tab = js("(value) => setTab(Number(value))", rx.event.EventChain, like=index)
    child = js(f"{titles!s}[tab]?.child", int, like=index)
    value = js("String(tab)", str, like=index)
    return rx.tabs.root(
        rx.tabs.list(
            rx.foreach(titles, lambda tab, place: rx.tabs.trigger(tab["title"], value=place.to_string(), key=place)),
        ),
        rx.tabs.content(node_view(id=child, key=child), value=value, class_name="a2-tab"),
        value=value,
        on_change=open_tab,
        class_name="a2-tabs",
        **node.attrs,
    )
