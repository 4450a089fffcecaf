"""The dialog to bring one's own messages."""

import reflex as rx

from ...states.gallery import GalleryState
from .parts import problem
from .stream import TEXT_LIMIT
from .widgets import JsonEditor

PLACEHOLDER = """{"version": "1.0", "createSurface": {"surfaceId": "main", …}}
{"version": "1.0", "updateDataModel": {"surfaceId": "main", …}}"""


def composer() -> rx.Component:
    """Paste, choose or drop; a fault is shown with its place and what helps."""
    found = GalleryState.draft_problem
    return rx.dialog.root(
        rx.dialog.content(
            rx.dialog.title("Your own messages"),
            rx.dialog.description(
                'Paste an A2UI message, a list of them, {"messages": […]} or JSON Lines. '
                "A file can be dropped anywhere on the page.",
                class_name="g-hint",
            ),
            JsonEditor.create(
                text=GalleryState.draft,
                version=GalleryState.draft_version,
                wrong_line=found["line"],
                label="Messages",
                placeholder=PLACEHOLDER,
                delay=250,
                limit=TEXT_LIMIT,
                on_edit=GalleryState.write_draft,
            ),
            rx.cond(found["message"] != "", problem(found), rx.fragment()),
            rx.el.div(
                rx.el.label(
                    rx.icon("file-up", size=15),
                    "Choose a file",
                    rx.el.input(id="gallery-file", type="file", accept=".json,.jsonl,.ndjson,.txt,application/json"),
                    class_name="g-tool g-file",
                ),
                rx.el.span(class_name="g-fill"),
                rx.dialog.close(rx.el.button("Cancel", type="button", class_name="g-tool")),
                rx.el.button(
                    "Show",
                    type="button",
                    on_click=GalleryState.open_draft,
                    disabled=~GalleryState.draft_ready,
                    class_name="g-primary",
                ),
                class_name="g-dialog-foot",
            ),
            class_name="g-dialog",
            max_width="720px",
        ),
        open=GalleryState.composing,
        on_open_change=GalleryState.set_composing,
    )
