"""Brings a database to the tables of this version, when it is opened: whole or not at all."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine

from .trouble import StoreError

SCRIPTS = Path(__file__).resolve().parents[2] / "alembic"
LOCK = 0xA2_01  # of PostgreSQL's advisory locks: any number that nobody else takes in this database


def migrate(engine: Engine) -> None:
    """Run the migrations that the database has not seen. Raises StoreError when it is newer than this version."""
    with engine.connect() as connection:
        found = MigrationContext.configure(connection).get_current_revision()
        connection.rollback()
        if found == newest():
            return
        if found is not None and found not in _known():
            raise StoreError(
                f"The database {engine.url!r} was made by a newer version of A2UI App. "
                "Update the app, or set A2UI_DATA to another folder."
            )
        _lock(connection)
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        connection.commit()
        connection.invalidate()  # it has a setting of its own, see _lock


def newest() -> str | None:
    """The revision that this version's tables have."""
    return ScriptDirectory.from_config(_config()).get_current_head()


def _lock(connection: Connection) -> None:
    """Begin a transaction that no other process can be in: two servers may be started at once on a new database."""
    if connection.dialect.name == "sqlite":
        # A table that is made anew is dropped first, and what refers to it must not mind. Works outside of a
        # transaction only; Python's driver begins none for DDL, so it is begun here.
        connection.exec_driver_sql("PRAGMA foreign_keys=OFF")
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({LOCK})")


def _known() -> set[str]:
    return {script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions()}


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS).replace("%", "%%"))
    return config
