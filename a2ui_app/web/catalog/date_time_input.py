"""DateTimeInput: a date, a time or both, in the browser's own picker."""

import re
from typing import Literal

import reflex as rx

from ..live_surface import Node, Wire, component, js, spread, with_props
from .field import field

Kind = Literal["date", "time", "datetime-local"]

_ISO = re.compile(r"(?:(\d{4}-\d\d-\d\d)(?:[T ](?=\d)|$))?(?:(\d\d:\d\d)(:\d\d)?)?")


def prepare(node: Wire) -> Wire:
    """Choose the picker, and give it the part of each ISO 8601 text it can show. A zone is left out, the hour stays."""
    props = node["props"]
    kind = kind_of(bool(props.get("enableDate")), bool(props.get("enableTime")))
    shown = {name: picker_value(props[name], kind) for name in ("value", "min", "max") if name in props}
    return with_props(
        node, kind=kind, **{name: value or (None if name != "value" else "") for name, value in shown.items()}
    )


def kind_of(date: bool, time: bool) -> Kind:
    """The picker; with neither it is a date."""
    if time:
        return "datetime-local" if date else "time"
    return "date"


def picker_value(text: object, kind: Kind) -> str:
    """The part of an ISO 8601 text that a picker shows, "" when it has none."""
    found = _ISO.match(text) if isinstance(text, str) else None
    date, time, seconds = found.groups() if found else (None, None, None)
    if kind == "date":
        return date or ""
    if kind == "time":
        return time or ""
    if not date:
        return ""
    return f"{date}T{time or '00:00'}{seconds if seconds and seconds != ':00' else ''}"


@component("DateTimeInput", prepare=prepare)
def date_time_input(node: Node) -> rx.Component:
    value = node.bind("value")
    return field(
        node,
        rx.el.input(
            id=node.dom_id("input"),
            class_name="a2-input",
            type=node.kind,
            min=node.min,
            max=node.max,
            value=js(f'{value.value!s} ?? ""', str, like=value.value),
            on_change=value.on_change,
            **spread(node.aria),
        ),
    )
