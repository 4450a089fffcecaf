"""The store on a real SQLite file: what was put is there, also after the worst."""

import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import inspect

from a2ui_app.store import Store, StoreError
from a2ui_app.store.migrate import newest
from a2ui_app.store.paths import data_folder
from a2ui_app.store.store import new_engine
from a2ui_app.store.tables import Conversation, Entry, Run, Setting, SurfaceMessage, Usage


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "a2ui.db"


@pytest.fixture
def store(file: Path) -> Iterator[Store]:
    store = Store(f"sqlite:///{file}")
    yield store
    store.close()


def say(store: Store, id: str, *texts: str, title: str = "", updated: float = 1.0, **more: object) -> None:
    store.put(Conversation, id=id, title=title, agent="demo", updated=updated, **more)
    for number, text in enumerate(texts):
        store.put(Entry, conversation=id, number=number, kind="text", text=text, folded=text.casefold())


def test_a_new_database_has_every_table_of_this_version(store: Store, file: Path) -> None:
    with sqlite3.connect(file) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [(newest(),)]
    tables = inspect(new_engine(f"sqlite:///{file}")).get_table_names()
    assert set(tables) >= {"conversation", "entry", "surfacemessage", "run", "usage", "setting"}


def test_the_migrations_make_the_tables_that_the_code_declares(store: Store) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext
    from sqlmodel import SQLModel

    with store._engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), SQLModel.metadata) == []


def test_opening_again_changes_nothing(file: Path) -> None:
    first = Store(f"sqlite:///{file}")
    say(first, "c1", "hello")
    first.close()
    again = Store(f"sqlite:///{file}")
    assert [entry.text for entry in again.entries("c1")] == ["hello"]
    again.close()


def test_a_newer_database_is_refused_with_a_remedy(file: Path) -> None:
    Store(f"sqlite:///{file}").close()
    with sqlite3.connect(file) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(StoreError, match=r"newer version of A2UI App\. Update the app"):
        Store(f"sqlite:///{file}")


def test_what_is_put_can_be_read_at_once_and_changed_in_parts(store: Store) -> None:
    say(store, "c1", "hello", title="One", pinned=True)
    store.put(Conversation, id="c1", title="Two")
    found = store.conversation("c1")
    assert found is not None
    assert (found.title, found.pinned, found.agent) == ("Two", True, "demo")
    assert store.conversation("c2") is None


def test_the_list_is_pinned_first_then_newest(store: Store) -> None:
    say(store, "old", updated=1)
    say(store, "new", updated=3)
    say(store, "pinned", updated=2, pinned=True)
    say(store, "away", updated=4, archived=True)
    say(store, "gone", updated=5, deleted=6.0)
    assert [row.id for row in store.conversations()] == ["pinned", "new", "old"]
    assert [row.id for row in store.conversations(archived=True)] == ["away"]
    assert store.conversation("gone") is None


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("straße", ["c1"]),
        ("STRASSE", ["c1"]),
        ("Über", ["c1"]),
        ("invoice", ["c2"]),
        ("pdf invoice", ["c2"]),
        ("invoice straße", []),
        ("100%", ["c2"]),
        ("%", ["c2"]),
        ("a_b", ["c3"]),
        ("\\", []),
        ("", ["c1", "c2", "c3"]),
    ],
)
def test_search_finds_all_words_in_titles_and_texts(store: Store, query: str, found: list[str]) -> None:
    say(store, "c1", "Die Straße", "über allem", updated=3)
    say(store, "c2", "a pdf, 100% done", title="Invoice", updated=2)
    say(store, "c3", "a_b", "axb", updated=1)
    assert [row.id for row in store.conversations(query)] == found


def test_surface_messages_come_in_order_and_are_replaced(store: Store) -> None:
    say(store, "c1")
    for number, message in ((1, {"b": 1}), (0, {"a": 1}), (1, {"b": 2})):
        store.put(SurfaceMessage, conversation="c1", number=number, message=message)
    assert [row.message for row in store.surface_messages("c1")] == [{"a": 1}, {"b": 2}]


def test_runs_that_were_left_open_are_interrupted(store: Store) -> None:
    say(store, "c1")
    say(store, "c2")
    store.put(Run, id="r1", conversation="c1", started=1.0)
    store.put(Run, id="r2", conversation="c2", started=1.0, status="completed", ended=2.0)
    assert store.interrupt_runs() == ["c1"]
    assert store.interrupt_runs() == []


def test_usage_of_one_conversation_and_of_all(store: Store) -> None:
    for id in ("c1", "c2"):
        say(store, id)
        store.put(Run, id=f"r-{id}", conversation=id, agent="claude", started=time.time(), ended=1.0)
        store.put(Usage, run=f"r-{id}", model="m", input_tokens=5)
    assert len(store.usage()) == 2
    ((day, agent, used),) = store.usage("c1")
    assert (day, agent, used.model, used.input_tokens) == (time.strftime("%Y-%m-%d"), "claude", "m", 5)


def test_settings(store: Store) -> None:
    assert store.setting("agent", "demo") == "demo"
    store.put(Setting, key="agent", value={"name": "claude"})
    assert store.setting("agent") == {"name": "claude"}


def test_what_was_deleted_is_forgotten_for_good_later(store: Store) -> None:
    say(store, "c1", "a", deleted=10.0)
    say(store, "c2", "b", deleted=20.0)
    store.put(SurfaceMessage, conversation="c1", number=0, message={})
    store.put(Run, id="r1", conversation="c1")
    store.put(Usage, run="r1", model="m")
    assert store.purge(before=15.0) == 1
    assert store.entries("c1") == []
    assert [entry.text for entry in store.entries("c2")] == ["b"]


def test_a_locked_database_loses_nothing_and_tells_the_person(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("a2ui_app.store.store.BUSY_MS", 10)
    monkeypatch.setattr("a2ui_app.store.writer.RETRY", (0.01,))
    told: list[str | None] = []
    heard = threading.Condition()

    def hear(text: str | None) -> None:
        with heard:
            told.append(text)
            heard.notify_all()

    store = Store(f"sqlite:///{file}", on_trouble=hear)
    say(store, "c1")
    store.conversations()
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    store.put(Entry, conversation="c1", number=0, text="one")
    with heard:
        assert heard.wait_for(lambda: told, 10)
    store.put(Entry, conversation="c1", number=0, text="one more")
    store.put(Entry, conversation="c1", number=1, text="two")
    other.execute("ROLLBACK")
    with heard:
        assert heard.wait_for(lambda: told[-1] is None, 10)
    assert "locked" in str(told[0])
    assert [entry.text for entry in store.entries("c1")] == ["one more", "two"]
    store.close()
    other.close()


def test_a_row_that_can_never_be_written_does_not_keep_the_others(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    store.put(Entry, conversation="nobody", number=0, text="lost")
    say(store, "c1", "kept")
    assert [entry.text for entry in store.entries("c1")] == ["kept"]
    assert "cannot be written" in caplog.text


@pytest.mark.parametrize(
    ("url", "remedy"),
    [
        ("nonsense", "DATABASE_URL is no address"),
        ("sqlite:////nowhere/at/all/a2ui.db", "cannot be opened"),
    ],
)
def test_a_database_that_cannot_be_opened(url: str, remedy: str) -> None:
    with pytest.raises(StoreError, match=remedy):
        Store(url)


def test_the_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("A2UI_DATA", str(tmp_path / "here"))
    assert data_folder() == tmp_path / "here"
    store = Store()
    assert (tmp_path / "here" / "a2ui.db").exists()
    assert (tmp_path / "here").stat().st_mode & 0o777 == 0o700
    store.close()


WRITES = """
import sys
from a2ui_app.store import Store
from a2ui_app.store.tables import Conversation, Entry
store = Store("sqlite:///" + sys.argv[1])
store.put(Conversation, id="c1")
number = 0
while True:
    store.put(Entry, conversation="c1", number=number, text=str(number))
    if number % 20 == 0:
        print(number, flush=True)
    sys.stdin.readline()
    number += 1
"""


def test_a_kill_at_any_moment_leaves_a_sound_prefix(tmp_path: Path) -> None:
    """The writer is killed in the middle of a stream, several times, each time after another number of entries."""
    for count in (1, 47, 160, 333):
        file = tmp_path / f"{count}.db"
        child = subprocess.Popen(
            [sys.executable, "-c", WRITES, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdout.readline()
        child.stdin.write("\n" * count)
        child.stdin.flush()
        for _ in range(count // 20):
            child.stdout.readline()
        child.kill()
        child.wait()
        child.stdin.close()
        child.stdout.close()
        with sqlite3.connect(file) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            numbers = [number for (number,) in connection.execute("SELECT number FROM entry ORDER BY number")]
        assert numbers == list(range(len(numbers)))
