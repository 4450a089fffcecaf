"""The way to the database: SQLite in the data folder, or what ``DATABASE_URL`` names."""

import json
import os
from typing import Any

from sqlalchemy import URL, Engine, event, make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError
from sqlmodel import create_engine

from .paths import data_folder
from .trouble import StoreError

VARIABLE = "DATABASE_URL"
BUSY_MS = 5000  # how long SQLite waits for another process's lock
CONNECT_SECONDS = 5  # how long PostgreSQL may take to answer
DRIVERS = {"sqlite": "sqlite", "postgresql": "postgresql+psycopg", "postgres": "postgresql+psycopg"}


def new_engine(url: str | None = None) -> Engine:
    """An engine for ``url``, else for ``DATABASE_URL``, else for SQLite in the data folder, which is made.

    Raises StoreError when the address cannot be used.
    """
    address = _address(url or os.environ.get(VARIABLE) or None)
    if address.drivername == "sqlite":
        engine = create_engine(address, json_serializer=to_json)
        event.listen(engine, "connect", _set_up_sqlite)
        return engine
    try:
        return create_engine(
            address,
            json_serializer=to_json,
            pool_pre_ping=True,
            connect_args={"connect_timeout": CONNECT_SECONDS},
        )
    except (ModuleNotFoundError, NoSuchModuleError) as error:
        raise StoreError(
            f"This database needs a driver that is not here ({error}). Run: .venv/bin/pip install 'psycopg[binary]'"
        ) from error


def to_json(value: Any) -> str:
    """As RFC 8259 has it, which PostgreSQL insists on: Python's NaN and Infinity become null (section 6)."""
    try:
        return json.dumps(value, allow_nan=False)
    except ValueError:
        return json.dumps(json.loads(json.dumps(value), parse_constant=lambda name: None))


def _address(url: str | None) -> URL:
    if url is None:
        return _own_file()
    try:
        address = make_url(url)
    except ArgumentError as error:
        raise StoreError(f"{VARIABLE} is no address of a database. Example: postgresql://user@host/name") from error
    if (driver := DRIVERS.get(address.drivername)) is not None:
        return address.set(drivername=driver)
    if address.drivername in DRIVERS.values():
        return address
    raise StoreError(
        f"{VARIABLE} names {address.drivername!r}; only sqlite and postgresql can be used. "
        "Example: postgresql://user@host/name"
    )


def _own_file() -> URL:
    folder = data_folder()
    file = folder / "a2ui.db"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        file.touch(mode=0o600)  # what people say to agents is nobody else's business
    except OSError as error:
        raise StoreError(
            f"{error.filename} cannot be made: {error.strerror}. Set A2UI_DATA to another folder."
        ) from error
    return URL.create("sqlite", database=str(file))


def _set_up_sqlite(connection: Any, _: object) -> None:
    cursor = connection.cursor()
    for pragma in (f"busy_timeout={BUSY_MS}", "journal_mode=WAL", "synchronous=NORMAL", "foreign_keys=ON"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
