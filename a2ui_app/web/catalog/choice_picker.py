"""ChoicePicker: one or several of a list; its value is always a list of strings."""

from typing import Any

import reflex as rx

from ..live_surface import Node, Wire, component, js, when, with_props
from .field import problem


def prepare(node: Wire) -> Wire:
    """Read the value leniently: one string is a list of one, nothing is an empty list. A click writes a list."""
    value = node["props"].get("value")
    options = [option for option in node["props"].get("options") or () if isinstance(option, dict)]
    chosen = value if isinstance(value, list) else [] if value in (None, "") else [value]
    return with_props(node, value=[_text(item) for item in chosen], options=[_option(option) for option in options])


def _option(option: dict[str, Any]) -> dict[str, str]:
    value = _text(option.get("value"))
    return {"value": value, "label": _text(option.get("label")) or value}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)


@component("ChoicePicker", prepare=prepare)
def choice_picker(node: Node) -> rx.Component:
    chosen = node.bind("value", list[str])
    words, set_words = node.local("filter", "")
    multiple = js(f'{node.variant!s} === "multipleSelection"', bool)
    options = js(f"matching({node.options!s}, {words!s})", list[dict[str, str]], uses="matching", like=words)

    def choice(option: rx.vars.ObjectVar[dict[str, str]]) -> rx.Component:
        now = f"choose({chosen.value!s}, {option!s}.value, {multiple!s})"
        button = rx.el.input(
            type=rx.cond(multiple, "checkbox", "radio"),
            name=node.dom_id("choice"),
            checked=js(f"{chosen.value!s}.includes({option!s}.value)", bool, like=chosen.value),
            on_change=chosen.set(now, uses="choose"),
        )
        return rx.el.label(button, option["label"], class_name="a2-choice", key=option["value"])

    return rx.el.fieldset(
        when(node.label, rx.el.legend(node.label, class_name="a2-label")),
        when(
            node.prop("filterable", bool),
            rx.el.input(
                type="search",
                class_name="a2-input",
                placeholder="Filter",
                value=words,
                on_change=set_words,
                custom_attrs={"aria-label": "Filter the choices"},
            ),
        ),
        rx.el.div(rx.foreach(options, choice), class_name="a2-choices", custom_attrs={"data-style": node.displayStyle}),
        problem(node),
        class_name="a2-field",
        **node.attrs,
    )
