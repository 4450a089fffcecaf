"""A timeline as a page shows it: a node for each entry, in chunks, so that a page is sent only what it looks at.

timeline   {"last": number of the newest chunk, or -1}
first      {"at": number of the oldest chunk that the page has}
c12        a chunk; its children are the keys of entries
e617       an entry
"""

from typing import Any

from .timeline import Entry, Timeline

CHUNK = 50
"""Entries of one chunk."""

SHOWN_FIRST = 4
"""Chunks that a page gets when it opens; it asks for earlier ones as its reader scrolls up."""

Nodes = dict[str, Any]


def newest(timeline: Timeline) -> Nodes:
    """What a page that opens is shown."""
    last = (len(timeline) - 1) // CHUNK
    first = max(0, last - SHOWN_FIRST + 1)
    return chunks(timeline, first, last) | {"timeline": {"last": last}, "first": {"at": first}}


def earlier(timeline: Timeline, first: int) -> Nodes:
    """What a page that has the chunks from ``first`` on is shown when it wants more."""
    start = max(0, first - SHOWN_FIRST)
    return chunks(timeline, start, first - 1) | {"first": {"at": start}}


def chunks(timeline: Timeline, first: int, last: int) -> Nodes:
    """The chunks ``first`` to ``last`` and their entries."""
    nodes: Nodes = {}
    for number in range(first, last + 1):
        entries = timeline.part(number * CHUNK, (number + 1) * CHUNK)
        nodes[f"c{number}"] = chunk_node(entries)
        nodes |= {f"e{entry.number}": entry_node(entry) for entry in entries}
    return nodes


def changed(timeline: Timeline, entry: Entry, *, new: bool) -> Nodes:
    """What every page is shown when ``entry`` is new or changed."""
    nodes: Nodes = {f"e{entry.number}": entry_node(entry)}
    if new:
        number = entry.number // CHUNK
        nodes[f"c{number}"] = chunk_node(timeline.part(number * CHUNK, (number + 1) * CHUNK))
        nodes["timeline"] = {"last": number}
    return nodes


def chunk_node(entries: list[Entry]) -> dict[str, Any]:
    """The wire node of a chunk."""
    return {"type": "Timeline.Chunk", "props": {"children": [f"e{entry.number}" for entry in entries]}}


def entry_node(entry: Entry) -> dict[str, Any]:
    """The wire node of an entry: a type of its own for each kind, which no catalog has."""
    return {
        "type": f"Timeline.{entry.kind.capitalize()}",
        "props": {"text": entry.text, "at": entry.created, **entry.body},
    }
