"""Progress, Badge and Callout: small things that say how it stands."""

import reflex as rx

from ... import markdown
from ...live_surface import Node, Wire, component, js, pick, spread, when, with_props
from .parts import is_number, tone_of

_ICONS = {
    "neutral": "message-square",
    "info": "info",
    "success": "circle-check",
    "warning": "triangle-alert",
    "danger": "circle-x",
}


def prepare_progress(node: Wire) -> Wire:
    """Find the share, from 0 to 1, and its words; without a number the bar only moves."""
    props = node["props"]
    value, most = props.get("value"), props.get("max")
    most = most if is_number(most) and most > 0 else 1
    share = min(1.0, max(0.0, value / most)) if is_number(value) else None
    words = None if share is None else f"{share:.0%}"
    return with_props(node, value=share, words=words, max=None, tone=tone_of(props.get("tone"), None))


@component("Progress", prepare=prepare_progress)
def progress(node: Node) -> rx.Component:
    width = js(f'{{ width: {node.value!s} === undefined ? undefined : {node.value!s} * 100 + "%" }}', dict)
    meter = {
        "aria-valuemin": 0,
        "aria-valuemax": 100,
        "aria-valuenow": js(f"{node.value!s} === undefined ? undefined : Math.round({node.value!s} * 100)", int),
        "aria-label": js(f'({node.label!s} ?? "Progress")', str),
        "data-moving": js(f"{node.value!s} === undefined || undefined", bool),
    }
    return rx.el.div(
        rx.el.div(
            rx.el.span(node.label, class_name="a2-label"),
            rx.el.span(node.words, class_name="a2-output"),
            class_name="a2-head",
        ),
        rx.el.div(
            rx.el.div(custom_attrs={"style": width}),
            role="progressbar",
            class_name="a2x-bar",
            custom_attrs=meter,
            **spread(node.aria),
        ),
        class_name="a2x-progress",
        custom_attrs={"data-tone": node.tone},
        **spread(node.box),
    )


def prepare_badge(node: Wire) -> Wire:
    return with_props(node, tone=tone_of(node["props"].get("tone")))


@component("Badge", prepare=prepare_badge)
def badge(node: Node) -> rx.Component:
    return rx.el.span(node.text, class_name="a2x-badge", custom_attrs={"data-tone": node.tone}, **node.attrs)


def prepare_callout(node: Wire) -> Wire:
    text = node["props"].get("text")
    rich = markdown.blocks(text) if isinstance(text, str) else None
    return with_props(node, text=rich, tone=tone_of(node["props"].get("tone"), "info"))


@component("Callout", prepare=prepare_callout)
def callout(node: Node) -> rx.Component:
    content = js(f"rich({node.text!s})", rx.Component, uses="rich")
    return rx.el.div(
        rx.el.span(
            pick(node.tone, {tone: rx.icon(icon, size=18) for tone, icon in _ICONS.items()}),
            class_name="a2x-sign",
            custom_attrs={"aria-hidden": True},
        ),
        rx.el.div(
            when(node.title, rx.el.p(node.title, class_name="a2x-title")),
            rx.el.div(content, class_name="a2-text a2-rich"),
            when(js(f"{node.prop('child')!s} !== undefined", bool), node.child("child")),
            class_name="a2x-body",
        ),
        class_name="a2x-callout",
        role="note",
        custom_attrs={"data-tone": node.tone},
        **node.attrs,
    )
