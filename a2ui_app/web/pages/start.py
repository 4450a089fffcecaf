"""`/`: what can be done here today."""

import reflex as rx

from ..shell import shell


def page() -> rx.Component:
    """The page."""
    return shell(
        rx.el.h1("One page that any agent can draw on"),
        rx.el.p(
            "An agent sends A2UI messages; they become live forms, lists and dashboards here, and what people enter "
            "goes back to the agent.",
            class_name="app-lead",
        ),
        rx.el.div(
            choice(
                "/gallery", "layout-grid", "Gallery", "Samples of every component, message by message. Paste your own."
            ),
            choice(
                "/surface/demo",
                "radio",
                "A live channel",
                "Post messages with curl and watch them appear in every tab.",
            ),
            class_name="app-choices",
        ),
    )


def choice(path: str, icon: str, title: str, text: str) -> rx.Component:
    """A way to begin."""
    return rx.el.a(rx.icon(icon, size=22), rx.el.h2(title), rx.el.p(text), href=path, class_name="app-choice")
