"""Icon: the catalog's 59 names drawn by Lucide, or a path of the agent's own."""

import re

import reflex as rx

from ..live_surface import Node, Wire, component, js, pick, with_props

LUCIDE = {
    "accountCircle": "circle-user-round",
    "add": "plus",
    "arrowBack": "arrow-left",
    "arrowForward": "arrow-right",
    "attachFile": "paperclip",
    "calendarToday": "calendar",
    "call": "phone-call",
    "camera": "camera",
    "check": "check",
    "close": "x",
    "delete": "trash-2",
    "download": "download",
    "edit": "pencil",
    "event": "calendar-days",
    "error": "circle-alert",
    "fastForward": "fast-forward",
    "favorite": "heart",
    "favoriteOff": "heart-off",
    "folder": "folder",
    "help": "circle-help",
    "home": "house",
    "info": "info",
    "locationOn": "map-pin",
    "lock": "lock",
    "lockOpen": "lock-open",
    "mail": "mail",
    "menu": "menu",
    "moreVert": "ellipsis-vertical",
    "moreHoriz": "ellipsis",
    "notificationsOff": "bell-off",
    "notifications": "bell",
    "pause": "pause",
    "payment": "credit-card",
    "person": "user",
    "phone": "phone",
    "photo": "image",
    "play": "play",
    "print": "printer",
    "refresh": "refresh-cw",
    "rewind": "rewind",
    "search": "search",
    "send": "send",
    "settings": "settings",
    "share": "share-2",
    "shoppingCart": "shopping-cart",
    "skipNext": "skip-forward",
    "skipPrevious": "skip-back",
    "star": "star",
    "starHalf": "star-half",
    "starOff": "star-off",
    "stop": "square",
    "upload": "upload",
    "visibility": "eye",
    "visibilityOff": "eye-off",
    "volumeDown": "volume-1",
    "volumeMute": "volume",
    "volumeOff": "volume-x",
    "volumeUp": "volume-2",
    "warning": "triangle-alert",
}

_PATH = re.compile(r"[MmLlHhVvCcSsQqTtAaZz0-9eE ,.+\-\n]{1,20000}")
"""What the ``d`` attribute of an SVG path is made of."""


def prepare(node: Wire) -> Wire:
    """Tell a name from a path; what is neither is drawn as an empty square that says so."""
    name = node["props"].get("name")
    if isinstance(name, dict):
        path = name.get("svgPath")
        fits = isinstance(path, str) and _PATH.fullmatch(path)
        return with_props(node, name="@path" if fits else "@none", path=path if fits else None)
    return node if name in LUCIDE else with_props(node, name="@none")


@component("Icon", prepare=prepare)
def icon(node: Node) -> rx.Component:
    labelled = js(f"{node.field('accessibility')!s}?.label", bool)
    own = rx.el.svg(rx.el.path(d=node.path), view_box="0 0 24 24", width="24", height="24", fill="currentColor")
    return rx.el.span(
        pick(node.name, {name: rx.icon(lucide, size=24) for name, lucide in LUCIDE.items()} | {"@path": own}),
        class_name="a2-icon",
        role=rx.cond(labelled, "img", "presentation"),
        custom_attrs={"aria-hidden": ~labelled},
        **node.attrs,
    )
