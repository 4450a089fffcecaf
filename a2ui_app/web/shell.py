"""What all pages have in common: the header with its links and the colour mode."""

import reflex as rx

from .surface_view import STYLESHEET

LINKS = (("Home", "/"), ("Gallery", "/gallery"), ("Surface", "/surface/demo"))

__all__ = ["STYLESHEET", "shell"]


def shell(*content: rx.Component, wide: bool = False) -> rx.Component:
    """A page: the header above ``content``, which fills the window when ``wide``."""
    return rx.el.div(header(), rx.el.main(*content, class_name="app-wide" if wide else "app-main"), class_name="app")


def header() -> rx.Component:
    """The name, the pages, and light or dark."""
    return rx.el.header(
        rx.el.a(rx.icon("shapes", size=18), rx.el.span("A2UI App"), href="/", class_name="app-name"),
        rx.el.nav(*(rx.el.a(name, href=path) for name, path in LINKS[1:]), custom_attrs={"aria-label": "Pages"}),
        rx.color_mode.button(size="2", custom_attrs={"aria-label": "Light or dark"}),
        class_name="app-header",
    )
