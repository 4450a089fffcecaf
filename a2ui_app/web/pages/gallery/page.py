"""The page: samples, the surface with its player, and the panes that show what is behind it."""

import reflex as rx

from ...shell import shell
from ...states.gallery import GalleryState
from ...states.surface import SurfaceState
from ...surface_view import surface_view
from .composer import composer
from .inspector import inspector
from .parts import problem, tool
from .sample_list import sample_list
from .stream import TEXT_LIMIT
from .transport import transport
from .widgets import Desk

ROUTE = "/gallery/[[sample]]"
ON_LOAD = [GalleryState.open, SurfaceState.attach, GalleryState.follow]
STYLESHEET = rx.asset("gallery.css", shared=True).importable_path.removeprefix("$/public")

VIEWS = (("samples", "list", "Samples"), ("surface", "layout-template", "Surface"), ("inspect", "braces", "Inside"))


def page() -> rx.Component:
    """The page."""
    return shell(
        Desk.create(
            rx.el.div(
                sample_list(),
                stage(),
                inspector(),
                class_name="g-columns",
                custom_attrs={"data-view": GalleryState.view},
            ),
            view_bar(),
            composer(),
            limit=TEXT_LIMIT,
            on_key=GalleryState.press,
            on_text=GalleryState.take,
        ),
        wide=True,
    )


def stage() -> rx.Component:
    """What the messages draw, and the player under it."""
    return rx.el.section(
        rx.el.div(
            rx.el.div(
                rx.el.h1(GalleryState.title),
                rx.cond(GalleryState.edited, rx.el.span("edited", class_name="g-badge"), rx.fragment()),
                class_name="g-title",
            ),
            rx.el.p(GalleryState.description),
            rx.el.div(
                tool("rotate-ccw", "Reset", GalleryState.restart, "Undo edits and input"),
                tool("smartphone", "Phone", GalleryState.toggle_narrow, "As wide as a phone", on=GalleryState.narrow),
                tool("download", "Save", GalleryState.download, "Save as JSON Lines"),
                tool("link", "Share", GalleryState.share, "Copy a link to this"),
                class_name="g-tools",
            ),
            class_name="g-head",
        ),
        rx.el.div(
            rx.cond(GalleryState.page_problem["message"] != "", problem(GalleryState.page_problem), rx.fragment()),
            rx.el.div(surface_view(empty=nothing()), class_name="g-frame"),
            class_name="g-stage",
            custom_attrs={"data-narrow": GalleryState.narrow, "tabIndex": 0, "aria-label": "Surface", "role": "region"},
        ),
        transport(),
        class_name="g-middle",
    )


def nothing() -> rx.Component:
    """Said while no surface is there."""
    return rx.el.p("No surface yet. Step forward to see one.", class_name="g-nothing", role="status")


def view_bar() -> rx.Component:
    """On a narrow screen: which column is shown."""
    return rx.el.nav(
        *(
            rx.el.button(
                rx.icon(icon, size=20),
                rx.el.span(label),
                type="button",
                on_click=GalleryState.show_view(view),
                custom_attrs={"aria-current": rx.cond(GalleryState.view == view, "page", "false")},
            )
            for view, icon, label in VIEWS
        ),
        class_name="g-views",
        custom_attrs={"aria-label": "Columns"},
    )
