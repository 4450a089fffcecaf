"""What every input has: a label above, the control, and below it what a check found."""

import reflex as rx

from ..live_surface import Drawn, Node, spread, when


def field(node: Node, control: Drawn, *beside_label: rx.Component) -> rx.Component:
    """A labelled control, whose id must be ``node.dom_id("input")``."""
    label = rx.el.label(node.label, class_name="a2-label", html_for=node.dom_id("input"))
    head = rx.el.div(label, *beside_label, class_name="a2-head") if beside_label else when(node.label, label)
    return rx.el.div(head, control, problem(node), class_name="a2-field", **spread(node.box))


def problem(node: Node) -> rx.Var:
    """The message of the first failing check, where `Node.aria` says it is; nothing when none fails."""
    return when(
        node.first_error,
        rx.el.p(
            node.first_error,
            class_name="a2-problem",
            id=node.dom_id("error"),
            custom_attrs={"data-severity": node.field("severity")},
        ),
    )
