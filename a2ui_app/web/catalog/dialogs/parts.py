"""What every dialog has: the question, who asks and since when, its buttons."""

from collections.abc import Sequence
from typing import Any

import reflex as rx

from ...live_surface import Drawn, Node, js, spread

LIBRARY = rx.asset("dialogs.js", shared=True).importable_path


class Facts(rx.Component):
    """Who asks, for how long already, and when it ends."""

    library = LIBRARY
    tag = "Facts"

    node: rx.Var[dict]


class Options(rx.Component):
    """The list to choose from."""

    library = LIBRARY
    tag = "Options"

    node: rx.Var[dict]


def dialog(node: Node, *content: Drawn, buttons: Sequence[Drawn], kind: Any = "") -> rx.Component:
    """A dialog; ``kind`` is danger or nothing."""
    arrival = js("arrival", dict, uses="useArrival", library=LIBRARY, hook="const arrival = useArrival()")
    return rx.el.section(
        rx.el.h2(node.title, id=node.dom_id("title")),
        *content,
        rx.el.footer(Facts.create(node=node.whole), *buttons),
        class_name="d-dialog",
        role="dialog",
        custom_attrs={"aria-labelledby": node.dom_id("title"), "data-kind": kind},
        **spread(node.box, js("({ ref: arrival })", dict, like=arrival), key_handler("escaping", node)),
    )


def button(label: Any, event: rx.Var, kind: Any = "") -> rx.Component:
    """A button of a dialog; ``kind`` is main, danger or nothing."""
    return rx.el.button(label, type="button", on_click=event, class_name="d-button", custom_attrs={"data-kind": kind})


def key_handler(name: str, node: Node) -> rx.Var:
    """Attributes for `spread`: the key handler ``name`` of dialogs.js."""
    return js(f"({{ onKeyDown: {name}({node.whole!s}) }})", dict, uses=name, library=LIBRARY)
