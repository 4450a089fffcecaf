"""`/surface/{channel}`: what an agent draws on a channel, live in every tab that looks."""

import json

import reflex as rx

from ..live_surface import RUNTIME, js
from ..shell import shell
from ..surface_view import surface_view

ROUTE = "/surface/[channel]"
EXAMPLE = """{"version": "1.0", "createSurface": {"surfaceId": "hello",
  "catalogId": "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json",
  "dataModel": {"name": "you"},
  "components": [
    {"id": "root", "component": "Card", "child": "form"},
    {"id": "form", "component": "Column", "children": ["title", "name", "send"]},
    {"id": "title", "component": "Text", "text": "### Hello"},
    {"id": "name", "component": "TextField", "label": "Your name", "value": {"@path": "/name"}},
    {"id": "send", "component": "Button", "child": "label", "variant": "primary",
     "action": {"event": {"name": "greet", "context": {"name": {"@path": "/name"}}}}},
    {"id": "label", "component": "Text", "text": "Send"}]}}"""
"""A message that draws a form: shown as a command on pages that have nothing yet."""


def page() -> rx.Component:
    """The page."""
    return shell(surface_view(empty=empty()))


def empty() -> rx.Component:
    """How to draw the first surface."""
    return rx.el.div(
        rx.el.h1("Nothing is drawn here yet"),
        rx.el.p("Post A2UI messages to this channel and they appear at once, in every tab that has it open:"),
        command(draw_command()),
        rx.el.p("Its buttons answer here:"),
        command(listen_command()),
        class_name="app-help",
    )


def command(text: rx.Var[str] | str) -> rx.Component:
    """A shell command with a button that copies it."""
    return rx.el.div(
        rx.el.pre(rx.el.code(text)),
        rx.el.button(
            rx.icon("copy", size=16),
            type="button",
            on_click=rx.set_clipboard(text),
            class_name="app-copy",
            custom_attrs={"aria-label": "Copy the command"},
        ),
        class_name="app-command",
    )


def draw_command() -> rx.Var[str]:
    """Posts `EXAMPLE` to the channel of the page."""
    return _curl("", f"--json '{EXAMPLE}'")


def listen_command() -> rx.Var[str]:
    """Streams what the surfaces of the page's channel send."""
    return _curl("/events", "-N")


def _curl(path: str, options: str) -> rx.Var[str]:
    """A command for this page's channel, with its token where one is asked for."""
    token = 'const token = useKey("token")'
    address = 'globalThis.location?.origin + "/a2ui/" + globalThis.location?.pathname.split("/").pop()'
    bearer = '(token ? ` -H "Authorization: Bearer ${token.bearer}"` : "")'
    command = f'"curl " + {address} + "{path}" + {bearer} + {json.dumps(" " + options)}'
    return js(f"({command})", str, uses="useKey", library=RUNTIME, hook=token)
