"""Small pieces of the gallery's columns."""

import reflex as rx

from ...live_surface import js
from .rows import ProblemRow


def tool(
    icon: str, label: str, on_click: rx.event.EventType, hint: str, on: rx.Var[bool] | None = None
) -> rx.Component:
    """A small button with a name."""
    pressed = {} if on is None else {"aria-pressed": js(f"{on!s} ? 'true' : 'false'", str, like=on)}
    return rx.el.button(
        rx.icon(icon, size=15),
        rx.el.span(label),
        type="button",
        title=hint,
        on_click=on_click,
        class_name="g-tool",
        custom_attrs=pressed,
    )


def icon_button(icon: str, label: str, on_click: rx.event.EventType) -> rx.Component:
    """A small button with an icon."""
    return rx.el.button(
        rx.icon(icon, size=15),
        type="button",
        on_click=on_click,
        class_name="g-icon-button",
        custom_attrs={"aria-label": label, "title": label},
    )


def problem(found: rx.vars.ObjectVar[ProblemRow]) -> rx.Component:
    """What is wrong, where, and what helps."""
    line = found["line"].to(int)
    return rx.el.div(
        rx.el.p(
            rx.cond(line > 0, rx.el.strong("Line ", found["line"], ", column ", found["column"], ". "), ""),
            found["message"],
        ),
        rx.cond(found["excerpt"] != "", rx.el.pre(found["excerpt"]), rx.fragment()),
        rx.el.p(found["remedy"], class_name="g-remedy"),
        class_name="g-problem",
        role="alert",
    )
