"""Rows into the database, in one transaction: inserted, or the named columns of the ones that are there changed."""

from collections.abc import Mapping
from functools import cache
from itertools import groupby
from typing import Any

from sqlalchemy import Engine, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DatabaseError, DBAPIError, InternalError, OperationalError
from sqlmodel import SQLModel

from .tables import stored

Key = tuple[type[SQLModel], tuple[Any, ...]]
INSERT = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


def key_of(table: type[SQLModel], values: Mapping[str, Any]) -> Key:
    """What makes the row one of its own: its table and primary key. Raises KeyError when that is incomplete."""
    return table, tuple(values[column.name] for column in _columns(table).primary_key)


def write(engine: Engine, rows: Mapping[Key, Mapping[str, Any]]) -> None:
    """Write all or none, in their order: a row that refers to another comes after it."""
    kept = [(table, stored(table, values)) for (table, _), values in rows.items()]
    with engine.begin() as connection:
        for (table, names), alike in groupby(kept, lambda row: (row[0], tuple(sorted(row[1])))):
            connection.execute(_upsert(_columns(table), names, engine.dialect.name), [values for _, values in alike])


def passes(error: Exception) -> bool:
    """Whether a later attempt may succeed: it is the database's trouble (locked, full, gone), not the row's."""
    if not isinstance(error, DBAPIError):
        return False
    # PostgreSQL is read-only as an InternalError, a damaged SQLite file is a DatabaseError and nothing narrower.
    return (
        isinstance(error, OperationalError | InternalError)
        or type(error) is DatabaseError
        or error.connection_invalidated
    )


@cache
def _upsert(table: Table, names: tuple[str, ...], dialect: str) -> Any:
    insert = INSERT[dialect](table)
    keys = [column.name for column in table.primary_key]
    others = {name: insert.excluded[name] for name in names if name not in keys}
    if not others:
        return insert.on_conflict_do_nothing(index_elements=keys)
    return insert.on_conflict_do_update(index_elements=keys, set_=others)


def _columns(table: type[SQLModel]) -> Table:
    return table.__table__  # type: ignore[attr-defined]
