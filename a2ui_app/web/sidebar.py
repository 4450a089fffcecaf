"""The list of conversations beside a page: search, what runs, what is new, and what can be done with each."""

import reflex as rx

from .live_surface import js
from .shell import header
from .states.library import LibraryState

TOGGLE = "list-toggle"
"""The check box that shows the list on a narrow screen."""


def with_sidebar(*content: rx.Component) -> rx.Component:
    """A page: the header, the list, and ``content``. It needs ``LibraryState.follow`` in its ``on_load``."""
    return rx.el.div(
        header(opens=TOGGLE),
        rx.el.div(sidebar(), rx.el.main(*content, class_name="s-main"), class_name="s-columns"),
        class_name="app app-full",
    )


def sidebar() -> rx.Component:
    """The list."""
    return rx.fragment(
        rx.el.input(type="checkbox", id=TOGGLE, class_name="s-toggle", custom_attrs={"aria-label": "Show the list"}),
        rx.el.aside(
            rx.el.a(rx.icon("plus", size=16), "New conversation", href="/", class_name="s-new"),
            rx.el.input(
                type="search",
                placeholder="Search",
                default_value=LibraryState.query,
                on_change=LibraryState.search.debounce(250),
                class_name="s-search",
                custom_attrs={"aria-label": "Search conversations"},
            ),
            rx.el.nav(
                rx.foreach(LibraryState.rows, row),
                rx.cond(LibraryState.rows.length() == 0, nothing(), rx.fragment()),
                class_name="s-list",
                custom_attrs={"aria-label": "Conversations"},
            ),
            rx.cond(
                LibraryState.trouble != "",
                rx.el.p(LibraryState.trouble, class_name="s-trouble", role="alert"),
                rx.fragment(),
            ),
            rx.cond(LibraryState.deleted != "", undo(), rx.fragment()),
            rx.el.button(
                rx.cond(LibraryState.archived, "Back to the list", "Archived"),
                type="button",
                on_click=LibraryState.toggle_archived,
                class_name="s-archived",
            ),
            class_name="s-side",
        ),
        rx.el.label(html_for=TOGGLE, class_name="s-shade", custom_attrs={"aria-hidden": True}),
    )


def row(one: rx.vars.ObjectVar[dict]) -> rx.Component:
    """A conversation."""
    address = js(f'"/c/" + {one["id"]!s}', str, like=one)
    here = js(f'globalThis.location?.pathname.includes({one["id"]!s}) ? "page" : undefined', str, like=one)
    return rx.el.div(
        rx.el.a(
            rx.el.span(one["title"], class_name="s-title"),
            rx.el.span(one["agent"], " · ", one["when"], class_name="s-about"),
            href=address,
            custom_attrs={"aria-current": here, "data-state": one["state"], "data-unread": one["unread"]},
        ),
        rx.el.div(
            act("pin", "Pin", LibraryState.pin(one["id"], ~one["pinned"].bool()), pressed=one["pinned"]),
            act("archive", "Archive", LibraryState.archive(one["id"])),
            act("trash-2", "Delete", LibraryState.delete(one["id"])),
            class_name="s-acts",
        ),
        class_name="s-row",
        key=one["id"],
    )


def act(icon: str, label: str, event: rx.event.EventType, pressed: rx.Var | None = None) -> rx.Component:
    """Something to do with a conversation."""
    pressed_ = {"aria-pressed": pressed} if pressed is not None else {}
    return rx.el.button(
        rx.icon(icon, size=14),
        type="button",
        on_click=event,
        custom_attrs={"aria-label": label, "title": label, **pressed_},
    )


def nothing() -> rx.Component:
    """Said while the list is empty."""
    found = rx.cond(LibraryState.query != "", "Nothing has these words.", "Your conversations will be listed here.")
    return rx.el.p(found, class_name="s-nothing")


def undo() -> rx.Component:
    """Brings back what was deleted."""
    return rx.el.div(
        "Deleted.",
        rx.el.button("Undo", type="button", on_click=LibraryState.undo),
        class_name="s-undo",
        role="status",
    )
