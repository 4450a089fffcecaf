"""What is behind the surface: the messages, the data model, the log, and what is wrong."""

import reflex as rx

from ...states.gallery import GalleryState
from .parts import icon_button, problem
from .rows import FindingRow, LogRow, StepRow
from .stream import TEXT_LIMIT
from .widgets import JsonEditor, JsonView, StepList

ACTION_ICONS = (
    ("createSurface", "app-window"),
    ("updateComponents", "shapes"),
    ("updateDataModel", "database"),
    ("deleteSurface", "trash-2"),
)


def inspector() -> rx.Component:
    """The column."""
    panes = {"messages": messages(), "data": data(), "log": log(), "problems": problems()}
    return rx.el.section(
        rx.el.div(
            tab("messages", "Messages"),
            tab("data", "Data"),
            tab("log", "Log", GalleryState.log_count),
            tab("problems", "Problems", GalleryState.finding_count, alarm=True),
            class_name="g-tabs",
            role="tablist",
            custom_attrs={"aria-label": "Inside"},
        ),
        rx.match(GalleryState.pane, *panes.items(), rx.fragment()),
        class_name="g-inspector",
        custom_attrs={"aria-label": "Inside"},
    )


def tab(name: str, label: str, count: rx.vars.NumberVar[int] | None = None, *, alarm: bool = False) -> rx.Component:
    """A pane's tab, with how much is in it."""
    badge = (
        rx.fragment()
        if count is None
        else rx.cond(count > 0, rx.el.span(count, class_name="g-number", custom_attrs={"data-alarm": alarm}))
    )
    return rx.el.button(
        label,
        badge,
        type="button",
        role="tab",
        on_click=GalleryState.show_pane(name),
        custom_attrs={"aria-selected": rx.cond(GalleryState.pane == name, "true", "false")},
    )


# -- messages -----------------------------------------------------------------------------------------------------


def messages() -> rx.Component:
    """The stream, and the selected message to look at and to change."""
    found = GalleryState.message_problem
    return rx.el.div(
        StepList.create(
            rx.foreach(
                GalleryState.steps,
                lambda step: step_row(
                    step=step,
                    current=step["number"] == GalleryState.selected + 1,
                    shown=step["number"] <= GalleryState.position,
                    key=step["number"],
                ),
            ),
            current=GalleryState.selected,
            label="Messages",
        ),
        rx.el.div(
            rx.el.span(
                "Message ",
                GalleryState.selected + 1,
                rx.el.small(" edit it and see what changes"),
                class_name="g-which",
            ),
            icon_button("wand-sparkles", "Lay out again", GalleryState.tidy),
            icon_button("copy", "Copy", rx.set_clipboard(GalleryState.message_text)),
            class_name="g-bar",
        ),
        JsonEditor.create(
            text=GalleryState.message_text,
            version=GalleryState.message_version,
            wrong_line=found["line"],
            label="Message as JSON",
            limit=TEXT_LIMIT,
            on_edit=GalleryState.edit,
        ),
        rx.cond(found["message"] != "", problem(found), rx.fragment()),
        class_name="g-pane g-messages",
        role="tabpanel",
    )


@rx.memo
def step_row(
    step: rx.vars.ObjectVar[StepRow], current: rx.Var[bool], shown: rx.Var[bool], rest: rx.RestProp
) -> rx.Component:
    """A message in the list."""
    return rx.el.li(
        rx.el.button(
            rx.el.span(step["number"], class_name="g-step-number"),
            rx.match(
                step["action"],
                *((action, rx.icon(icon, size=15)) for action, icon in ACTION_ICONS),
                rx.icon("message-square", size=15),
            ),
            rx.el.span(step["action"], class_name="g-step-action"),
            rx.el.span(step["about"], class_name="g-step-about"),
            type="button",
            on_click=GalleryState.seek(step["number"].to(int)),
            custom_attrs={
                "aria-current": rx.cond(current, "step", "false"),
                "data-shown": rx.cond(shown, "true", "false"),
                "data-action": step["action"],
            },
        ),
    )


# -- the other panes ----------------------------------------------------------------------------------------------


def data() -> rx.Component:
    """The data model as it is now."""
    return rx.el.div(
        rx.el.p("What the surface is bound to, as it changes.", class_name="g-hint"),
        JsonView.create(text=GalleryState.data_text, flash=True, label="Data model"),
        class_name="g-pane",
        role="tabpanel",
    )


def log() -> rx.Component:
    """What left the page, newest first."""
    return rx.el.div(
        rx.el.div(
            rx.el.p("What goes to the agent, newest first.", class_name="g-hint"),
            rx.el.label(
                rx.el.input(type="checkbox", checked=GalleryState.log_all, on_change=GalleryState.toggle_log_all),
                "Every effect",
                class_name="g-check",
            ),
            class_name="g-bar",
        ),
        rx.cond(
            GalleryState.log_rows.length() == 0,
            rx.el.p("Nothing yet. Press a button on the surface.", class_name="g-nothing"),
            rx.el.ol(rx.foreach(GalleryState.log_rows, log_entry), class_name="g-log"),
        ),
        class_name="g-pane",
        role="tabpanel",
    )


def log_entry(row: rx.vars.ObjectVar[LogRow]) -> rx.Component:
    """An entry; it opens to the whole message."""
    return rx.el.li(
        rx.el.details(
            rx.el.summary(rx.el.span(row["title"]), rx.el.time(row["time"])),
            JsonView.create(text=row["text"], flash=False, label=row["title"]),
            open=row["tone"] == "action",
        ),
        key=row["number"],
        custom_attrs={"data-tone": row["tone"]},
    )


def problems() -> rx.Component:
    """What is wrong, and where."""
    return rx.el.div(
        rx.cond(
            GalleryState.findings.length() == 0,
            rx.el.p(rx.icon("circle-check", size=18), "No problem found.", class_name="g-nothing g-fine"),
            rx.el.ol(rx.foreach(GalleryState.findings, finding), class_name="g-log"),
        ),
        class_name="g-pane",
        role="tabpanel",
    )


def finding(row: rx.vars.ObjectVar[FindingRow]) -> rx.Component:
    """A finding; its message is a click away."""
    message = row["message"].to(int)
    return rx.el.li(
        rx.el.div(
            rx.el.code(row["code"]),
            rx.cond(
                message > 0,
                rx.el.button("message ", message, type="button", on_click=GalleryState.inspect(message)),
                rx.el.span("your input"),
            ),
            class_name="g-finding-head",
        ),
        rx.el.p(row["text"]),
        rx.cond(row["place"] != "", rx.el.p(rx.el.code(row["place"]), class_name="g-hint"), rx.fragment()),
        custom_attrs={"data-tone": row["level"]},
    )
