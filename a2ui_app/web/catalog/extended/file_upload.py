"""FileUpload: files that a person chooses, put into the data model for the agent."""

import reflex as rx

from ...live_surface import Node, Wire, component, with_props
from ..field import field
from .parts import EXTENDED, records

MOST_BYTES = 5_000_000
"""Of one file, whatever an agent allows: it travels in one message."""

DEFAULT_BYTES = 1_000_000


def prepare(node: Wire) -> Wire:
    """Names and sizes only: the page has no use for what the files hold."""
    props = node["props"]
    most = props.get("maxBytes")
    limit = min(most, MOST_BYTES) if isinstance(most, int) and most > 0 else DEFAULT_BYTES
    chosen, _ = records(props.get("value"), 100)
    files = [{"name": str(one.get("name", "")), "size": one.get("size", 0)} for one in chosen]
    return with_props(node, value=None, files=files, maxBytes=limit)


class FileInput(rx.Component):
    """The control."""

    library = EXTENDED
    tag = "FileInput"

    node: rx.Var[dict]
    field_id: rx.Var[str]


@component("FileUpload", prepare=prepare)
def file_upload(node: Node) -> rx.Component:
    return field(node, FileInput.create(node=node.whole, field_id=node.dom_id("input")))
