"""What all pages have in common: the header with its links and the colour mode."""

import reflex as rx

from .surface_view import STYLESHEET

_ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%230090ff' "
    "stroke-width='2.4'%3E%3Cpath d='M8.3 10a.7.7 0 0 1-.6-1.1L11.4 3a.7.7 0 0 1 1.2 0l3.7 5.9a.7.7 0 0 1-.6 1.1Z'/%3E"
    "%3Crect x='3' y='14' width='7' height='7' rx='1'/%3E%3Ccircle cx='17.5' cy='17.5' r='3.5'/%3E%3C/svg%3E"
)
HEAD: list[rx.Component] = [rx.el.link(rel="icon", href=_ICON)]
"""For ``rx.App(head_components=HEAD)``."""

LINKS = (("Home", "/"), ("Gallery", "/gallery"), ("Surface", "/surface/demo"))

__all__ = ["HEAD", "STYLESHEET", "shell"]


def shell(*content: rx.Component, wide: bool = False) -> rx.Component:
    """A page: the header above ``content``, which fills the window when ``wide``."""
    return rx.el.div(header(), rx.el.main(*content, class_name="app-wide" if wide else "app-main"), class_name="app")


def header(opens: str = "") -> rx.Component:
    """The name, the pages, and light or dark; on a narrow screen a button for the check box ``opens``."""
    menu = rx.el.label(rx.icon("menu", size=18), html_for=opens, class_name="s-menu") if opens else rx.fragment()
    return rx.el.header(
        menu,
        rx.el.a(rx.icon("shapes", size=18), rx.el.span("A2UI App"), href="/", class_name="app-name"),
        rx.el.nav(*(page_link(name, path) for name, path in LINKS[1:]), custom_attrs={"aria-label": "Pages"}),
        rx.color_mode.button(size="2", custom_attrs={"aria-label": "Light or dark"}),
        class_name="app-header",
    )


def page_link(name: str, path: str) -> rx.Component:
    """A link in the header, marked on its own page."""
    section = path.split("/")[1]
    here = f'globalThis.location?.pathname.startsWith("/{section}") ? "page" : undefined'
    return rx.el.a(name, href=path, custom_attrs={"aria-current": rx.Var(f"({here})")})
