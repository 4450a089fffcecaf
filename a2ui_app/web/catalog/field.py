"""What every input has: a label above, the control, and below it what a check found."""

import reflex as rx

from ..live_surface import Node, spread


def field(node: Node, control: rx.Component, *beside_label: rx.Component) -> rx.Component:
    """A labelled control. The control's id is ``node.dom_id("input")``."""
    label = rx.el.label(node.label, class_name="a2-label", html_for=node.dom_id("input"))
    head = rx.el.div(label, *beside_label, class_name="a2-head") if beside_label else rx.cond(node.label, label)
    return rx.el.div(head, control, problem(node), class_name="a2-field", **spread(node.box))


def problem(node: Node) -> rx.Component:
    """The message of the first failing check, where `Node.aria` says it is; nothing when none fails."""
    return rx.cond(
        node.first_error,
        rx.el.p(
            node.first_error,
            class_name="a2-problem",
            id=js_id(node),
            custom_attrs={"data-severity": node.field("severity")},
        ),
    )


def js_id(node: Node) -> rx.Var[str]:
    """The id of the message below a control."""
    return node.dom_id("error")
