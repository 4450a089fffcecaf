"""Where a page asks: the open dialogs of a conversation, oldest first, above the prompt."""

import reflex as rx

from .live_surface import RUNTIME, js
from .surface_view import one_surface

LIBRARY = rx.asset("board.js", shared=True).importable_path
STYLESHEET = rx.asset("board.css", shared=True).importable_path.removeprefix("$/public")


class Dock(rx.Component):
    """The place around the dialogs: it counts them, and Alt+J and Alt+K go from one to the next."""

    library = LIBRARY
    tag = "Dock"

    count: rx.Var[int]


@rx.memo
def dialog_dock() -> rx.Component:
    """The open dialogs."""
    surfaces = js("surfaces", list[dict], uses="useKey", library=RUNTIME, hook='const surfaces = useKey("surfaces")')
    dialogs = js('(surfaces ?? []).filter(({ id }) => id.startsWith("dialog-"))', list[dict], like=surfaces)
    each = rx.foreach(dialogs, lambda dialog: one_surface(surface=dialog, key=dialog["id"]))
    return Dock.create(each, count=js(f"{dialogs!s}.length", int, like=dialogs))
