"""Migrations: they make the tables that the code declares, once, whole or not at all, and never a newer database's."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import Connection, text
from sqlmodel import SQLModel

from a2ui_app.store import Store, StoreError, engine, migrate
from a2ui_app.store.engine import new_engine
from a2ui_app.store.migrate import SCRIPTS, newest

ROOT = SCRIPTS.parent


def config(connection: Connection) -> Config:
    """For commands of Alembic's own."""
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS))
    config.attributes["connection"] = connection
    return config


def test_they_make_the_tables_that_the_code_declares(url: str) -> None:
    Store(url).close()
    with new_engine(url).connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), SQLModel.metadata) == []
        assert connection.execute(text("SELECT version_num FROM alembic_version")).all() == [(newest(),)]


def test_they_can_be_taken_back_and_made_again(url: str) -> None:
    Store(url).close()
    with new_engine(url).begin() as connection:
        command.downgrade(config(connection), "base")
        assert connection.execute(text("SELECT count(*) FROM alembic_version")).scalar() == 0
    Store(url).close()


def test_what_an_older_version_kept_is_kept_and_found(url: str) -> None:
    with new_engine(url).begin() as connection:
        command.upgrade(config(connection), "0001")
        values = "'c1', 'ÄRGER', 'demo', '', '', 'ask', '[]', '', 1, 2, 0, 0, false, false"
        columns = "id, title, agent, cwd, model, permissions, custom_args, session_id, created, updated, entries, read"
        connection.execute(text(f"INSERT INTO conversation ({columns}, pinned, archived) VALUES ({values})"))
    store = Store(url)
    assert [row.title for row in store.conversations("ärger")] == ["ÄRGER"]
    store.close()


def test_a_newer_database_is_refused_with_a_remedy(url: str) -> None:
    Store(url).close()
    with new_engine(url).begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(StoreError, match=r"newer version of A2UI App\. Update the app"):
        Store(url)


def test_an_older_database_that_may_not_be_written_is_refused_with_a_remedy(file: Path) -> None:
    with new_engine(f"sqlite:///{file}").begin() as connection:
        command.upgrade(config(connection), "0001")
    with pytest.raises(StoreError, match=r"attempt to write a readonly database\. Check that it may be written"):
        Store(f"sqlite:///file:{file}?mode=ro&uri=true")


def test_sqlite_is_set_up(file: Path) -> None:
    Store(f"sqlite:///{file}").close()
    with new_engine(f"sqlite:///{file}").connect() as connection:
        found = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "busy_timeout", "foreign_keys", "synchronous")
        }
    assert found == {"journal_mode": "wal", "busy_timeout": engine.BUSY_MS, "foreign_keys": 1, "synchronous": 1}


def test_one_that_fails_leaves_nothing(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stopped(Exception):
        pass

    def fail_in_the_end(given: Config, revision: str) -> None:
        upgrade(given, revision)
        raise Stopped

    upgrade = command.upgrade
    with monkeypatch.context() as patched, pytest.raises(Stopped):
        patched.setattr(migrate.command, "upgrade", fail_in_the_end)
        Store(url)
    with new_engine(url).connect() as connection:
        assert MigrationContext.configure(connection).get_current_revision() is None
    Store(url).close()


OPEN = """
import sys
from a2ui_app.store import Store
print("ready", flush=True)
sys.stdin.readline()
Store(sys.argv[1]).close()
"""


def test_servers_that_start_at_once_on_a_new_database(url: str) -> None:
    command = [sys.executable, "-c", OPEN, url]
    pipe = subprocess.PIPE
    starts = [
        subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, cwd=ROOT, bufsize=1)
        for _ in range(6)
    ]
    for start in starts:
        assert start.stdout is not None
        assert start.stdout.readline() == "ready\n"
    for start in starts:
        assert start.stdin is not None
        start.stdin.write("go\n")
    assert [start.communicate(timeout=60)[1] for start in starts] == [""] * 6
    assert [start.returncode for start in starts] == [0] * 6


def test_they_run_whatever_the_working_folder_is(file: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(
        [sys.executable, "-c", OPEN, f"sqlite:///{file}"], check=True, cwd=tmp_path, env=environment, input=b""
    )
    with sqlite3.connect(file) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(newest(),)]
    connection.close()
