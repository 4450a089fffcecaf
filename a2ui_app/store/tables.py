"""The tables. Times are seconds since the epoch; every column has a default, so that a row can be told in parts."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

from sqlalchemy import JSON, Column, Float, Index
from sqlmodel import Field, SQLModel

SEARCHED = 20_000  # characters of a text that a search compares


class Conversation(SQLModel, table=True):
    """``entries`` is how many its timeline has, ``read`` how many of them were seen; ``folded``: see `stored`."""

    id: str = Field(primary_key=True)
    title: str = ""
    folded: str = ""
    agent: str = ""
    cwd: str = ""
    model: str = ""
    permissions: str = "ask"
    custom_args: list[str] = Field(default_factory=list, sa_column=Column(JSON, nullable=False, default=list))
    session_id: str = ""
    created: float = 0.0
    updated: float = Field(default=0.0, index=True)
    entries: int = 0
    read: int = 0
    pinned: bool = False
    archived: bool = False
    deleted: float | None = Field(default=None, sa_column=Column(Float, nullable=True))


class Entry(SQLModel, table=True):
    """One thing of a timeline; ``folded``: see `stored`."""

    conversation: str = Field(primary_key=True, foreign_key="conversation.id")
    number: int = Field(primary_key=True)
    kind: str = ""
    text: str = ""
    folded: str = ""
    body: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False, default=dict))
    created: float = 0.0


class SurfaceMessage(SQLModel, table=True):
    """An A2UI message; applied in order they make the conversation's surfaces."""

    conversation: str = Field(primary_key=True, foreign_key="conversation.id")
    number: int = Field(primary_key=True)
    message: dict[str, Any] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False, default=dict))


class Run(SQLModel, table=True):
    """One prompt at work. ``ended`` is None while it runs."""

    __table_args__ = (Index("run_by_conversation", "conversation", "started"),)

    id: str = Field(primary_key=True)
    conversation: str = Field(default="", foreign_key="conversation.id")
    prompt: int = 0
    agent: str = ""
    status: str = "running"
    error: str = ""
    started: float = 0.0
    ended: float | None = Field(default=None, sa_column=Column(Float, nullable=True))


class Usage(SQLModel, table=True):
    """The tokens of one model in one run; the four counts exclude each other."""

    run: str = Field(primary_key=True, foreign_key="run.id")
    model: str = Field(primary_key=True)
    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0


class Setting(SQLModel, table=True):
    """A choice of the person."""

    key: str = Field(primary_key=True)
    value: Any = Field(default=None, sa_column=Column(JSON))


SEARCHABLE: Mapping[type[SQLModel], str] = {Conversation: "title", Entry: "text"}


def stored(table: type[SQLModel], values: Mapping[str, Any]) -> dict[str, Any]:
    """``values`` as the database keeps them: every text storable, and what is searched also ``folded``.

    SQLite's own lower() knows ASCII only and PostgreSQL's depends on its locale, so the comparison form is stored.
    """
    kept = {name: _storable(value) if isinstance(value, str) else value for name, value in values.items()}
    if (source := SEARCHABLE.get(table)) in kept:
        kept["folded"] = folded(kept[source])
    return kept


def folded(text: str) -> str:
    """The form in which a search compares text: Unicode's caseless compatibility matching (section 3.13, D146)."""
    return unicodedata.normalize("NFKC", text[:SEARCHED].casefold())


# Half a surrogate pair is no UTF-8 (agents cut JSON strings anywhere), and PostgreSQL keeps no NUL.
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def _storable(text: str) -> str:
    return _UNSTORABLE.sub("\ufffd", text)
