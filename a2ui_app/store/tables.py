"""The tables. Times are seconds since the epoch; every column has a default, so that a row can be told in parts."""

from typing import Any

from sqlalchemy import JSON, Column, Float, Index
from sqlmodel import Field, SQLModel


class Conversation(SQLModel, table=True):
    """``entries`` is how many its timeline has, ``read`` how many of them were seen."""

    id: str = Field(primary_key=True)
    title: str = ""
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
    """One thing of a timeline. ``folded`` is its text as a search compares it."""

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
