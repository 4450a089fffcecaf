"""FileUpload: files that a person chooses, put into the data model for the agent."""

import reflex as rx

from ...live_surface import Node, Wire, component, with_props
from ..field import field
from .parts import EXTENDED, records

MOST_BYTES = 700_000
"""Of all files of one choice, whatever an agent allows.

They travel in one socket message, base64 and all, and Reflex ends a connection whose message is over 1,000,000 bytes.
"""


def prepare(node: Wire) -> Wire:
    """Names and sizes only: the page has no use for what the files hold."""
    props = node["props"]
    most = props.get("maxBytes")
    limit = min(most, MOST_BYTES) if isinstance(most, int) and most > 0 else MOST_BYTES
    chosen, _ = records(props.get("value"), 100)
    files = [{"name": str(one.get("name", "")), "size": one.get("size", 0)} for one in chosen]
    return with_props(node, value=None, files=files, maxBytes=limit, maxTotal=MOST_BYTES)


class FileInput(rx.Component):
    """The control."""

    library = EXTENDED
    tag = "FileInput"

    node: rx.Var[dict]
    field_id: rx.Var[str]


@component("FileUpload", prepare=prepare)
def file_upload(node: Node) -> rx.Component:
    return field(node, FileInput.create(node=node.whole, field_id=node.dom_id("input")))
