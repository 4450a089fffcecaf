"""Conversations in the store: written as they change, read when somebody opens one."""

import time
import uuid
from collections.abc import Sequence
from typing import Any, cast

from ..backends import Result
from ..store import Store, tables
from .conversation import Conversation, Setup
from .conversations import Archive, Kept, Row
from .timeline import Entry, Kind

INTERRUPTED = "interrupted"


class StoreArchive(Archive):
    """Keeps conversations in ``store``. Runs that the last process left open are told as interrupted."""

    def __init__(self, store: Store):
        self._store = store
        self._runs: dict[str, str] = {}  # conversation -> its run
        store.interrupt_runs()

    def created(self, conversation: Conversation) -> None:
        now = time.time()
        self._store.put(tables.Conversation, created=now, updated=now, **_columns(conversation))

    def changed(self, conversation: Conversation) -> None:
        self._store.put(tables.Conversation, **_columns(conversation))

    def entry_changed(self, conversation: Conversation, entry: Entry) -> None:
        self._store.put(
            tables.Entry,
            conversation=conversation.id,
            number=entry.number,
            kind=entry.kind,
            text=entry.text,
            body=dict(entry.body),
            created=entry.created,
        )
        if entry.number == len(conversation.timeline) - 1:
            count = entry.number + 1
            seen = {"read": count} if conversation.channel.viewers else {}
            self._store.put(tables.Conversation, id=conversation.id, entries=count, updated=entry.created, **seen)

    def drew(self, conversation: Conversation, number: int, message: dict[str, Any]) -> None:
        self._store.put(tables.SurfaceMessage, conversation=conversation.id, number=number, message=message)

    def run_started(self, conversation: Conversation, prompt: Entry) -> None:
        run = self._runs[conversation.id] = uuid.uuid4().hex
        self._store.put(
            tables.Run,
            id=run,
            conversation=conversation.id,
            prompt=prompt.number,
            agent=conversation.setup.agent,
            started=time.time(),
        )

    def run_ended(self, conversation: Conversation, result: Result) -> None:
        run = self._runs.pop(conversation.id)
        self._store.put(
            tables.Run,
            id=run,
            conversation=conversation.id,
            status=str(result.status),
            error=result.error,
            ended=time.time(),
        )
        for model, used in result.usage.items():
            counts = {
                "input_tokens": used.input_tokens,
                "output_tokens": used.output_tokens,
                "cache_read_tokens": used.cache_read_tokens,
                "cache_write_tokens": used.cache_write_tokens,
            }
            self._store.put(tables.Usage, run=run, model=model, **counts)

    def load(self, id: str) -> Kept | None:
        row = self._store.conversation(id)
        if row is None:
            return None
        entries = [_closed(_entry(kept)) for kept in self._store.entries(id)]
        if _unfinished(entries):
            body = {"status": INTERRUPTED, "duration_ms": 0, "usage": {}, "resumed": None}
            entries.append(Entry(len(entries), "result", "", time.time(), body))
        setup = Setup(
            row.agent,
            row.cwd,
            row.model,
            "auto" if row.permissions == "auto" else "ask",
            tuple(row.custom_args),
            row.session_id,
        )
        drawn = [(kept.number, kept.message) for kept in self._store.surface_messages(id)]
        return Kept(setup, row.title, entries, drawn)

    def rows(self, query: str, *, archived: bool) -> list[Row]:
        return [
            Row(
                row.id,
                row.title,
                row.agent,
                row.updated,
                unread=row.entries > row.read,
                pinned=row.pinned,
                archived=row.archived,
            )
            for row in self._store.conversations(query, archived=archived)
        ]

    def mark(self, id: str, **flags: Any) -> None:
        if "deleted" in flags:
            flags["deleted"] = time.time() if flags["deleted"] else None
        self._store.put(tables.Conversation, id=id, **flags)


def _columns(conversation: Conversation) -> dict[str, Any]:
    setup = conversation.setup
    return {
        "id": conversation.id,
        "title": conversation.title,
        "agent": setup.agent,
        "cwd": setup.cwd,
        "model": setup.model,
        "permissions": setup.permissions,
        "custom_args": list(setup.custom_args),
        "session_id": setup.session_id,
    }


def _entry(kept: tables.Entry) -> Entry:
    return Entry(kept.number, cast(Kind, kept.kind), kept.text, kept.created, kept.body)


def _unfinished(entries: Sequence[Entry]) -> bool:
    """Whether the process ended while the agent was at work: its turn has no result."""
    told = [entry.kind for entry in entries if entry.kind in ("prompt", "result")]
    return bool(told) and told[-1] == "prompt"


def _closed(entry: Entry) -> Entry:
    """What was open when the process ended is not any more."""
    if entry.kind == "tool" and entry.body.get("status") == "running":
        entry.body["status"] = "cancelled"
    if entry.kind == "dialog" and entry.body.get("status") == "open":
        entry.body |= {"status": "withdrawn", "answer": "The server was stopped"}
    return entry
