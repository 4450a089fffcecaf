"""Writes rows behind the caller's back: many changes of a row become one, many rows one transaction.

What streams in changes the same row many times a second. A row that was put is in the database within `PAUSE`; when
the database refuses, rows wait, the person is told, and it is tried again. What waits is bounded by what there is to
write: a row waits once, however often it changes.
"""

import logging
import threading
from collections.abc import Callable
from time import monotonic
from typing import Any

from sqlalchemy import Engine
from sqlmodel import SQLModel

from .upsert import Key, key_of, passes, write

log = logging.getLogger(__name__)

PAUSE = 0.3  # seconds from the first change to its transaction
RETRY = (0.5, 1.0, 2.0, 5.0)  # seconds between attempts while the database refuses
LAST_CHANCE = 5.0  # seconds that `close` and `flush` wait for a database that refuses

Rows = dict[Key, dict[str, Any]]


class Writer:
    """One thread. ``on_trouble`` gets a text for people while nothing can be written, then None."""

    def __init__(self, engine: Engine, on_trouble: Callable[[str | None], object]):
        self._engine = engine
        self._on_trouble = on_trouble
        self._changed = threading.Condition()  # guards all below
        self._rows: Rows = {}  # in the order they were first put
        self._put = self._written = self._wanted = 0  # counts of puts: all, in the database, waited for by a flush
        self._attempts = 0  # that failed since the last one that did not
        self._closed_at: float | None = None
        self._thread = threading.Thread(target=self._work, name="store", daemon=True)
        self._thread.start()

    def put(self, table: type[SQLModel], **values: Any) -> None:
        """Insert a row, or change the named columns of the one with its primary key. Returns at once."""
        key = key_of(table, values)
        with self._changed:
            if self._closed_at is not None:
                log.warning("a row of %s came after the store was closed and is left out", table.__name__)
                return
            self._rows[key] = self._rows.get(key, {}) | values
            self._put += 1
            self._changed.notify_all()

    def flush(self) -> None:
        """Wait until what was put so far is written; not while the database refuses, which may take long."""
        with self._changed:
            upto = self._wanted = self._put
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._written >= upto or self._attempts, LAST_CHANCE)

    def close(self) -> None:
        """Write what was put, and end. What a database still refuses after `LAST_CHANCE` is lost, and logged."""
        with self._changed:
            self._closed_at = monotonic()
            self._changed.notify_all()
        self._thread.join()

    def _work(self) -> None:
        while (batch := self._next_batch()) is not None:
            rows, upto = batch
            refused, error = self._write(rows)
            if error is None:
                self._succeeded(upto)
            else:
                self._failed(refused, error)

    def _next_batch(self) -> tuple[Rows, int] | None:
        """The rows to write, and the count of puts they hold; None when the writer is closed."""
        with self._changed:
            self._changed.wait_for(lambda: self._rows or self._closed_at is not None)
            self._changed.wait_for(lambda: self._wanted > self._written or self._closed_at is not None, PAUSE)
            if not self._rows:
                return None
            if self._closed_at is not None and self._attempts and monotonic() > self._closed_at + LAST_CHANCE:
                log.error("%d rows could not be written before the end and are lost", len(self._rows))
                return None
            rows, self._rows = self._rows, {}
            return rows, self._put

    def _succeeded(self, upto: int) -> None:
        with self._changed:
            self._written = upto
            recovered, self._attempts = self._attempts > 0, 0
            self._changed.notify_all()
        if recovered:
            self._tell(None)

    def _failed(self, refused: Rows, error: Exception) -> None:
        with self._changed:
            newer = self._rows
            self._rows = {key: refused.get(key, {}) | newer.get(key, {}) for key in refused | newer}
            self._attempts += 1
            self._changed.notify_all()
        cause = getattr(error, "orig", None) or error
        self._tell(f"Nothing can be saved at the moment ({cause}). It is kept and tried again.")
        self._back_off()

    def _back_off(self) -> None:
        with self._changed:
            closing = self._closed_at is not None
            seconds = RETRY[0] if closing else RETRY[min(self._attempts, len(RETRY)) - 1]
            self._changed.wait_for(lambda: self._closed_at is not None and not closing, seconds)

    def _write(self, rows: Rows) -> tuple[Rows, Exception | None]:
        """Write the rows in one transaction. Those that the database refuses for now, and why."""
        try:
            write(self._engine, rows)
        except Exception as error:  # whatever it is, the thread must go on
            return (rows, error) if passes(error) else self._write_each(rows)
        return {}, None

    def _write_each(self, rows: Rows) -> tuple[Rows, Exception | None]:
        """One of the rows can never be written: it must not keep the others."""
        left = dict(rows)
        for key, values in rows.items():
            try:
                write(self._engine, {key: values})
            except Exception as error:
                if passes(error):
                    return left, error
                log.exception("a row of %s cannot be written and is left out: %.500r", key[0].__name__, values)
            del left[key]
        return {}, None

    def _tell(self, trouble: str | None) -> None:
        try:
            self._on_trouble(trouble)
        except Exception:  # whoever listens must not stop the writing
            log.exception("nobody could be told: %s", trouble)
