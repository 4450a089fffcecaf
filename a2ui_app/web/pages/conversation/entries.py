"""How the entries of a timeline are drawn: a view for each kind, like the components of a catalog."""

from collections.abc import Mapping
from typing import Any

import reflex as rx

from ...catalog.extended.markdown import read
from ...catalog.extended.parts import drawn
from ...live_surface import RUNTIME, Drawn, Node, Wire, component, js, pick, when, with_props
from ...surface_view import one_surface
from . import tool_facts
from .widgets import LIBRARY

TOOL_ICONS = {"running": "loader-circle", "done": "check", "failed": "x", "cancelled": "ban"}


@component("Timeline.Chunk")
def chunk(node: Node) -> Drawn:
    return rx.el.div(node.children, class_name="c-chunk")


@component("Timeline.Prompt")
def prompt(node: Node) -> Drawn:
    files = js(f"({node.prop('files', list[str])!s} ?? [])", list[str])
    return rx.el.article(
        rx.el.div(node.text, class_name="c-said"),
        rx.foreach(files, lambda path: rx.el.span(rx.icon("paperclip", size=14), name_of(path), class_name="c-file")),
        class_name="c-prompt",
        custom_attrs={"aria-label": "You", "title": clock(node)},
    )


def prepare_text(node: Wire) -> Wire:
    """Read the Markdown here, once for every page."""
    return with_props(node, text=read(node["props"]["text"]))


@component("Timeline.Text", prepare=prepare_text)
def text(node: Node) -> Drawn:
    return rx.el.article(
        drawn(node.text),
        class_name="c-text a2-text a2-rich a2x-markdown",
        custom_attrs={"aria-label": "Agent", "title": clock(node)},
    )


@component("Timeline.Thinking")
def thinking(node: Node) -> Drawn:
    return rx.el.details(
        rx.el.summary(rx.icon("brain", size=15), "Thinking", class_name="c-summary"),
        rx.el.div(node.text, class_name="c-thought"),
        class_name="c-thinking",
    )


def prepare_tool(node: Wire) -> Wire:
    """Say what the call is about; send what of it can be read."""
    props = node["props"]
    call: Mapping[str, Any] = props.get("input") or {}
    rows = tool_facts.diff(call)
    tasks = tool_facts.todos(call)
    ended = props.get("ended")
    return with_props(
        node,
        input=None,
        summary=tool_facts.summary(call),
        diff=rows or None,
        todos=tasks or None,
        asked=None if rows or tasks else tool_facts.input_text(call) or None,
        output=tool_facts.output_text(str(props.get("output") or "")) or None,
        took=round(ended - props["at"], 1) if isinstance(ended, int | float) else None,
    )


@component("Timeline.Tool", prepare=prepare_tool)
def tool(node: Node) -> Drawn:
    status = node.prop("status", str)
    icons = pick(status, {name: rx.icon(icon, size=15, class_name="c-state") for name, icon in TOOL_ICONS.items()})
    took = node.prop("took", float)
    head = rx.el.summary(
        icons,
        rx.el.strong(node.text),
        rx.el.span(node.prop("summary", str), class_name="c-about"),
        when(js(f"{took!s} >= 0.1", bool), rx.el.span(took, " s", class_name="c-took")),
        rx.el.span(status, class_name="sr-only"),
        class_name="c-summary",
    )
    return rx.el.details(
        head,
        when(node.prop("todos", list), todo_list(node)),
        when(node.prop("diff", list), diff_lines(node)),
        when(node.prop("asked", str), rx.el.pre(node.prop("asked", str), class_name="c-code")),
        when(node.prop("output", str), rx.el.pre(node.prop("output", str), class_name="c-code c-output")),
        class_name="c-tool",
        custom_attrs={
            "data-status": status,
            "open": js(f"{node.prop('todos', list)!s} || {node.prop('diff', list)!s} ? true : undefined", bool),
        },
    )


def todo_list(node: Node) -> rx.Component:
    """The tasks of a plan."""
    return rx.el.ul(
        rx.foreach(
            js(f"({node.prop('todos', list)!s} ?? [])", list[list[str]]),
            lambda row: rx.el.li(row[1], custom_attrs={"data-state": row[0]}),
        ),
        class_name="c-todos",
    )


def diff_lines(node: Node) -> rx.Component:
    """An edit, line by line."""
    return rx.el.div(
        rx.foreach(
            js(f"({node.prop('diff', list)!s} ?? [])", list[list[str]]),
            lambda row: rx.el.div(row[1], custom_attrs={"data-line": row[0]}),
        ),
        class_name="c-diff",
        custom_attrs={"tabIndex": 0, "role": "region", "aria-label": "Changes"},
    )


@component("Timeline.Error")
def error(node: Node) -> Drawn:
    return rx.el.div(
        rx.icon("circle-alert", size=18), rx.el.div(node.text, class_name="c-said"), class_name="c-error", role="alert"
    )


@component("Timeline.Note")
def note(node: Node) -> Drawn:
    return rx.el.p(node.text, class_name="c-note")


@component("Timeline.Surface")
def surface(node: Node) -> Drawn:
    """The surface itself, where the agent drew it; a note when it is gone or was drawn again below."""
    surfaces = js("surfaces", list[dict], uses="useKey", library=RUNTIME, hook='const surfaces = useKey("surfaces")')
    name = node.prop("surface", str)
    replaced = node.prop("replaced", bool)
    found = js(f"({surfaces!s} ?? []).find((one) => one.id === {name!s} && !{replaced!s})", dict, like=surfaces)
    gone = rx.el.p("The surface ", rx.el.code(name), " is no longer here.", class_name="c-note")
    return pick(js(f"typeof {found!s}", str, like=found), {"object": one_surface(surface=found)}, default=gone)


@component("Timeline.Dialog")
def dialog(node: Node) -> Drawn:
    status = node.prop("status", str)
    answer = node.prop("answer", str)
    return rx.el.div(
        rx.icon("message-circle-question-mark", size=16),
        rx.el.div(
            rx.el.div(node.text, class_name="c-said"),
            rx.el.div(js(f'{answer!s} ?? "Waiting for your answer"', str), class_name="c-answer"),
        ),
        class_name="c-dialog",
        custom_attrs={"data-status": status},
    )


def prepare_action(node: Wire) -> Wire:
    """Show what was entered as one line."""
    context = node["props"].get("context")
    told = tool_facts.summary({"context": str(context)}) if context else None
    return with_props(node, context=None, told=told)


@component("Timeline.Action", prepare=prepare_action)
def action(node: Node) -> Drawn:
    return rx.el.div(
        rx.icon("mouse-pointer-click", size=15),
        rx.el.span("You used ", rx.el.code(node.prop("surface", str)), ": ", rx.el.strong(node.text)),
        when(node.prop("told", str), rx.el.span(node.prop("told", str), class_name="c-about")),
        class_name="c-action",
    )


ENDS = {
    "completed": "Done",
    "failed": "Failed",
    "aborted": "Stopped",
    "timeout": "Timed out",
    "interrupted": "Interrupted: the server was stopped",
}


def prepare_result(node: Wire) -> Wire:
    """How it ended, in words."""
    props = node["props"]
    usage = (props.get("usage") or {}).values()
    tokens = sum(used["input"] + used["output"] + used["cache_read"] + used["cache_write"] for used in usage)
    parts = [ENDS.get(props["status"], props["status"]), f"{props.get('duration_ms', 0) / 1000:.1f} s"]
    if tokens:
        parts.append(f"{tokens:,} tokens")
    if props.get("resumed") is False:
        parts.append("the agent had lost the earlier conversation and began anew")
    return with_props(node, told=" · ".join(parts), usage=None)


@component("Timeline.Result", prepare=prepare_result)
def result(node: Node) -> Drawn:
    return rx.el.div(
        node.prop("told", str), class_name="c-result", custom_attrs={"data-status": node.prop("status", str)}
    )


def clock(node: Node) -> rx.Var[str]:
    """When it happened, in the reader's words."""
    return js(f"clock({node.prop('at', float)!s})", str, uses="clock", library=LIBRARY)


def name_of(path: rx.Var[str]) -> rx.Var[str]:
    """The last part of a path."""
    return js(f'{path!s}.split("/").pop()', str, like=path)
