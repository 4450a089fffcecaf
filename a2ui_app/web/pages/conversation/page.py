"""`/c/{conversation}`: what the agent says, does, draws and asks, live in every tab, and where to answer."""

import reflex as rx

from ...board import Notices, Statuses, Toasts, Widgets, WorkingMessage
from ...dialog_dock import dialog_dock
from ...live_surface import RUNTIME, Mirror, js, node_view, when
from ...sidebar import with_sidebar
from ...states.conversation import ConversationState
from ...states.library import LibraryState
from ...states.surface import SurfaceState
from . import entries  # noqa: F401  (registers the views)
from .widgets import LIBRARY, PromptBox, Queue, RunState, Scroller

ROUTE = "/c/[conversation]"
ON_LOAD = [ConversationState.seen, SurfaceState.attach, LibraryState.follow]
STYLESHEET = rx.asset("conversation.css", shared=True).importable_path.removeprefix("$/public")


def page() -> rx.Component:
    """The page."""
    return with_sidebar(
        Mirror.create(
            conversation(),
            state=SurfaceState.get_full_name(),
            on_write=SurfaceState.write,
            on_invoke=SurfaceState.invoke,
            on_app=SurfaceState.app,
        )
    )


@rx.memo
def conversation() -> rx.Component:
    """Head, timeline, what the agent shows beside it, and the prompt box."""
    return rx.el.div(
        head(),
        Scroller.create(chunks(), on_earlier=ConversationState.earlier),
        rx.el.div(
            Widgets.create(below=False),
            dialog_dock(),
            Queue.create(on_edit=ConversationState.edit_queued, on_resume=ConversationState.resume_queue),
            WorkingMessage.create(),
            PromptBox.create(
                conversation=js('(globalThis.location?.pathname.split("/")[2] ?? "")', str),
                uploads="/files",
                on_send=ConversationState.send,
                on_stop=ConversationState.stop,
            ),
            Widgets.create(below=True),
            Statuses.create(),
            class_name="c-foot",
        ),
        Toasts.create(),
        class_name="c-page",
    )


def head() -> rx.Component:
    """What this is and how it stands."""
    run = js("run", dict, uses="useKey", library=RUNTIME, hook='const run = useKey("run")')
    board = js("board", dict, uses="useKey", library=RUNTIME, hook='const board = useKey("board")')
    title = js(f'({board!s}?.title || {run!s}?.title || "New conversation")', str, like=run)
    facts = js(f'[{run!s}?.agent, {run!s}?.model, {run!s}?.cwd].filter(Boolean).join(" · ")', str, like=run)
    return rx.el.header(
        rx.el.div(
            rx.el.h1(title._replace(merge_var_data=board._get_all_var_data())),
            rx.el.p(facts),
            class_name="c-name",
        ),
        when(
            js(f'{run!s}?.permissions === "auto"', bool, like=run),
            rx.el.span("Full auto", class_name="c-auto", custom_attrs={"title": "Tools run without asking"}),
        ),
        Notices.create(),
        menu(),
        RunState.create(),
        class_name="c-head",
    )


def menu() -> rx.Component:
    """What can be done with the conversation."""
    return rx.el.details(
        rx.el.summary(rx.icon("ellipsis", size=16), custom_attrs={"aria-label": "More"}),
        rx.el.div(
            rx.el.button("Save as Markdown", type="button", on_click=ConversationState.export("markdown")),
            rx.el.button("Save as JSON", type="button", on_click=ConversationState.export("json")),
            rx.el.button("Ask before tools run", type="button", on_click=ConversationState.set_permissions("ask")),
            rx.el.button("Full auto: never ask", type="button", on_click=ConversationState.set_permissions("auto")),
        ),
        class_name="c-menu",
    )


def chunks() -> rx.Component:
    """The timeline, as far as this page has it."""
    keys = js("chunks", list[str], uses="useChunks", library=LIBRARY, hook="const chunks = useChunks()")
    empty = js("chunks.length === 0", bool, like=keys)
    nothing = rx.el.p("Type a prompt below. What the agent says, does and draws appears here.", class_name="c-note")
    return rx.fragment(when(empty, nothing), rx.foreach(keys, lambda key: node_view(id=key, key=key)))
