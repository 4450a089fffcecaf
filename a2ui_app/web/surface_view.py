"""The place on a page where a channel's surfaces are drawn."""

import reflex as rx

from . import catalog  # noqa: F401  (registers the views)
from .live_surface import RUNTIME, Mirror, js, node_view
from .states.surface import SurfaceState

STYLESHEET = rx.asset("surface.css", shared=True).importable_path.removeprefix("$/public")
"""For ``rx.App(stylesheets=[...])``: bundled with the page's other styles."""


def surface_view(empty: rx.Component) -> rx.Component:
    """Every surface of the channel that the tab views, live; ``empty`` while there is none.

    A page that has it needs ``SurfaceState.attach`` in its ``on_load``, and may have it once.
    """
    return Mirror.create(
        surfaces(empty=empty),
        state=SurfaceState.get_full_name(),
        on_write=SurfaceState.write,
        on_invoke=SurfaceState.invoke,
        on_app=SurfaceState.app,
    )


@rx.memo
def surfaces(empty: rx.Var[rx.Component]) -> rx.Component:
    """The surfaces in the order they were created."""
    all_ = js("surfaces", list[dict], uses="useKey", library=RUNTIME, hook='const surfaces = useKey("surfaces")')
    none = js("surfaces?.length === 0", bool, like=all_)
    each = rx.foreach(
        js("(surfaces ?? [])", list[dict], like=all_), lambda surface: one_surface(surface=surface, key=surface["id"])
    )
    notice = js("notice", str, uses="useKey", library=RUNTIME, hook='const notice = useKey("notice")')
    return rx.fragment(
        rx.cond(notice, rx.el.p(notice, class_name="a2-note", role="alert")), rx.cond(none, empty, rx.fragment()), each
    )


@rx.memo
def one_surface(surface: rx.vars.ObjectVar[dict], rest: rx.RestProp) -> rx.Component:
    """One surface with the agent's colour, or a notice while it has nothing to show."""
    root = js(f"{surface!s}.root", int)
    return rx.el.section(
        rx.cond(js(f"{surface!s}.root != null", bool), node_view(id=root), no_root()),
        class_name="a2-surface",
        custom_attrs={
            "data-surface": surface["id"],
            "aria-label": surface["id"],
            "style": js(f"{surface!s}.theme ?? undefined", dict),
            "data-themed": js(f"{surface!s}.theme ? true : undefined", bool),
        },
    )


def no_root() -> rx.Component:
    """Said at once, so that nobody waits for something that may never come."""
    return rx.el.p(
        "This surface has no root component yet. It appears as soon as its agent sends a component with the id ",
        rx.el.code("root"),
        ".",
        class_name="a2-note",
        role="status",
    )
