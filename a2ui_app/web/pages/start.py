"""`/`: begin a conversation."""

import reflex as rx

from ..live_surface import js
from ..sidebar import with_sidebar
from ..states.library import LibraryState
from .conversation.widgets import PromptBox

ON_LOAD = [LibraryState.follow, LibraryState.find_agents]
FOLDERS = "start-folders"


def page() -> rx.Component:
    """The page."""
    return with_sidebar(
        rx.el.div(
            rx.el.h1("What should the agent do?"),
            rx.el.p(
                "Pick an agent and a folder, and write the first prompt. "
                "What it draws becomes forms, tables and dashboards you can use.",
                class_name="app-lead",
            ),
            agents(),
            options(),
            rx.cond(
                LibraryState.problem != "",
                rx.el.p(LibraryState.problem, class_name="c-problem", role="alert"),
                rx.fragment(),
            ),
            PromptBox.create(
                conversation="new",
                uploads="/files",
                on_send=LibraryState.begin,
                on_stop=rx.noop(),
            ),
            rx.el.p(
                "No agent installed yet? The demo agent shows everything in a minute, without a key or a network. "
                "Or look at the ",
                rx.el.a("gallery", href="/gallery"),
                ", or draw on a ",
                rx.el.a("live channel", href="/surface/demo"),
                " from your own program.",
                class_name="n-more",
            ),
            class_name="n-page",
        )
    )


def agents() -> rx.Component:
    """The agents of this machine; those that are missing say how to get them."""
    return rx.el.fieldset(
        rx.el.legend("Agent"),
        rx.cond(LibraryState.agents.length() == 0, rx.el.p("Looking for agents …", class_name="c-note"), rx.fragment()),
        rx.el.div(rx.foreach(LibraryState.agents, agent), class_name="n-agents"),
        rx.el.details(
            rx.el.summary("More agents, and how to install them"),
            rx.el.div(rx.foreach(LibraryState.missing, agent), class_name="n-agents"),
            class_name="n-missing",
        ),
        class_name="n-choice",
    )


def agent(one: rx.vars.ObjectVar[dict]) -> rx.Component:
    """A choice."""
    about = rx.cond(
        one["available"],
        rx.cond(one["version"], one["version"], one["header"]),
        js(f'{one["install"]!s} ? "Install: " + {one["install"]!s} : "Not installed"', str, like=one),
    )
    return rx.el.label(
        rx.el.input(
            type="radio",
            name="agent",
            checked=LibraryState.agent == one["name"],
            disabled=~one["available"].bool(),
            on_change=LibraryState.choose_agent(one["name"]),
        ),
        rx.el.span(rx.el.strong(one["name"]), rx.el.small(about)),
        class_name="n-agent",
        key=one["name"],
    )


def options() -> rx.Component:
    """Where it works, and what else may be said."""
    return rx.el.div(
        rx.el.label(
            "Folder",
            rx.el.input(
                value=LibraryState.cwd,
                on_change=LibraryState.set_cwd,
                custom_attrs={"list": FOLDERS, "spellCheck": False, "autoComplete": "off"},
            ),
            class_name="n-field n-folder",
        ),
        rx.el.datalist(rx.foreach(LibraryState.folders, lambda path: rx.el.option(value=path)), id=FOLDERS),
        rx.el.label(
            "Model",
            rx.el.input(
                default_value=LibraryState.model,
                placeholder="the agent's own",
                on_blur=LibraryState.set_model,
            ),
            class_name="n-field",
        ),
        rx.el.label(
            "Permissions",
            rx.el.select(
                rx.el.option("Ask before tools run", value="ask"),
                rx.el.option("Full auto: never ask", value="auto"),
                value=LibraryState.permissions,
                on_change=LibraryState.set_permissions,
            ),
            class_name="n-field",
        ),
        rx.el.label(
            "Extra arguments",
            rx.el.input(
                default_value=LibraryState.arguments,
                placeholder="none",
                on_blur=LibraryState.set_arguments,
            ),
            class_name="n-field",
        ),
        class_name="n-options",
    )
