"""McpApp: an app of an MCP server, in a frame inside a frame (`transports.sandbox`)."""

from hashlib import blake2b

import reflex as rx

from ...transports.sandbox import SANDBOX, Policy
from ..live_surface import Node, Wire, component, js, spread, when, with_props

FRAME = rx.asset("mcp_app.js", shared=True).importable_path


def prepare(node: Wire) -> Wire:
    """Where the sandbox is and what it grants, in place of what only the server has to know.

    The page asks for the app's HTML when its frame is there: it is long, and must not ride along with every change of
    shared data. A digest tells it when to ask again.
    """
    props = node["props"]
    policy = Policy.of_component(props.get("csp"), props.get("permissions"))
    content = str(props.get("htmlContent") or "")
    shown = with_props(
        node,
        content=blake2b(content.encode(), digest_size=8).hexdigest() if content else None,
        port=SANDBOX.port,
        policy=policy.query(),
        allow=policy.allow,
    )
    private = dict.fromkeys(("htmlContent", "csp", "permissions", "allowedTools", "allowedFunctions"))
    return with_props(shown, **private)


class AppFrame(rx.Component):
    """The outer frame, and the host's side of what the app says."""

    library = FRAME
    tag = "AppFrame"

    node: rx.Var[str]
    """The node's ref."""
    title: rx.Var[str]
    content: rx.Var[str]
    port: rx.Var[int]
    policy: rx.Var[str]
    allow: rx.Var[str]


@component("McpApp", prepare=prepare)
def mcp_app(node: Node) -> rx.Component:
    named = js(f"{node.field('accessibility')!s}?.label ?? {node.title!s} ?? 'App'", str)
    frame = AppFrame.create(
        node=node.ref,
        title=named,
        content=node.content,
        port=node.prop("port", int),
        policy=node.policy,
        allow=node.allow,
    )
    nowhere = js(f"{node.port!s} == null", bool)
    note = rx.el.p("Apps are not shown: this server has no sandbox for them.", class_name="a2-note", role="note")
    return rx.el.div(
        when(nowhere, note),
        when(js(f"{node.port!s} != null && {node.content!s} != null", bool), frame),
        class_name="a2-app",
        **spread(node.box),
    )
