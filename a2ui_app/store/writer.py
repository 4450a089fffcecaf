"""Writes rows behind the caller's back: many changes of a row become one, many rows one transaction.

What streams in changes the same row many times a second. A row that was put is in the database within `PAUSE`; when
the database refuses, rows wait, the person is told, and it is tried again.
"""

import logging
import threading
from collections.abc import Callable
from time import monotonic
from typing import Any

from sqlalchemy import Engine, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import OperationalError, SQLAlchemyError
from sqlmodel import SQLModel

log = logging.getLogger(__name__)

PAUSE = 0.3  # seconds from the first change to its transaction
RETRY = (0.5, 1.0, 2.0, 5.0)  # seconds between attempts while the database refuses
LAST_CHANCE = 5.0  # seconds that `close` and `flush` wait for a database that refuses

Key = tuple[type[SQLModel], tuple[Any, ...]]


class Writer:
    """One thread. ``on_trouble`` gets a text for people while nothing can be written, then None."""

    def __init__(self, engine: Engine, on_trouble: Callable[[str | None], object]):
        self._engine = engine
        self._on_trouble = on_trouble
        self._rows: dict[Key, dict[str, Any]] = {}  # in the order they were first put
        self._changed = threading.Condition()
        self._writing = False
        self._hurry = False
        self._closed = False
        self._attempts = 0  # that failed since the last one that did not
        self._troubled = False
        self._thread = threading.Thread(target=self._work, name="store", daemon=True)
        self._thread.start()

    def put(self, table: type[SQLModel], **values: Any) -> None:
        """Insert a row, or change the named columns of the one with its primary key. Returns at once."""
        key = (table, tuple(values[column.name] for column in _table(table).primary_key))
        with self._changed:
            self._rows[key] = self._rows.get(key, {}) | values
            self._changed.notify_all()

    def flush(self) -> None:
        """Wait until what was put is written; not while the database refuses, which may take long."""
        with self._changed:
            if self._attempts:
                return
            self._hurry = True
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._idle or self._attempts > 0, LAST_CHANCE)
            self._hurry = False

    def close(self) -> None:
        """Write what was put, and end."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self._thread.join(LAST_CHANCE)

    @property
    def _idle(self) -> bool:
        return not self._rows and not self._writing

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._rows or self._closed)
                if not self._rows:
                    return
                self._changed.wait_for(lambda: self._hurry or self._closed, PAUSE)
                rows, self._rows, self._writing = self._rows, {}, True
            error = self._write(rows)
            with self._changed:
                self._writing = False
                if error is not None:  # what came meanwhile is newer
                    merged = {key: rows.get(key, {}) | self._rows.get(key, {}) for key in rows | self._rows}
                    self._rows = merged
                self._attempts = self._attempts + 1 if error is not None else 0
                self._changed.notify_all()
                attempts = self._attempts
            self._tell(error)
            if error is not None:
                self._wait_to_try_again(attempts)

    def _wait_to_try_again(self, attempts: int) -> None:
        until = monotonic() + RETRY[min(attempts, len(RETRY)) - 1]
        with self._changed:
            if self._closed and attempts > len(RETRY):
                self._rows.clear()  # the process ends; it was told why
                return
            self._changed.wait_for(lambda: False, max(0.0, until - monotonic()))

    def _write(self, rows: dict[Key, dict[str, Any]]) -> OperationalError | None:
        """Write the rows in one transaction. The error is one that passes, such as a lock or a full disk."""
        try:
            self._write_all(rows)
        except OperationalError as error:
            return error
        except SQLAlchemyError:  # one of them can never be written: it must not keep the others
            return self._write_each(rows)
        return None

    def _write_all(self, rows: dict[Key, dict[str, Any]]) -> None:
        with self._engine.begin() as connection:
            for (table, _), values in rows.items():
                connection.execute(_upsert(_table(table), values, self._engine.dialect.name))

    def _write_each(self, rows: dict[Key, dict[str, Any]]) -> OperationalError | None:
        for key, values in rows.items():
            try:
                self._write_all({key: values})
            except OperationalError as error:
                return error
            except SQLAlchemyError:
                log.exception("a row of %s cannot be written and is left out: %.500r", key[0].__name__, values)
        return None

    def _tell(self, error: OperationalError | None) -> None:
        if error is not None:
            cause = getattr(error, "orig", None) or error
            self._on_trouble(f"Nothing can be saved at the moment ({cause}). It is kept and tried again.")
            self._troubled = True
        elif self._troubled:
            self._troubled = False
            self._on_trouble(None)


def _table(table: type[SQLModel]) -> Table:
    return table.__table__  # type: ignore[attr-defined]


def _upsert(table: Table, values: dict[str, Any], dialect: str) -> Any:
    insert = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}[dialect](table).values(**values)
    keys = [column.name for column in table.primary_key]
    others = {name: insert.excluded[name] for name in values if name not in keys}
    if not others:
        return insert.on_conflict_do_nothing(index_elements=keys)
    return insert.on_conflict_do_update(index_elements=keys, set_=others)
