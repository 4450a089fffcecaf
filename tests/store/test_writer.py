"""The writer when the database refuses: what waits, what is told, and that nothing is lost."""

import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import event, text

from a2ui_app.store import Store
from a2ui_app.store.tables import Conversation, Entry

from .said import say


class Told:
    """What a person was told, in order."""

    def __init__(self) -> None:
        self.texts: list[str | None] = []
        self._heard = threading.Condition()

    def __call__(self, trouble: str | None) -> None:
        with self._heard:
            self.texts.append(trouble)
            self._heard.notify_all()

    def wait(self, wanted: Callable[[list[str | None]], object]) -> None:
        with self._heard:
            assert self._heard.wait_for(lambda: wanted(self.texts), 20), self.texts

    def wait_for_trouble(self) -> str:
        self.wait(lambda texts: texts)
        return str(self.texts[0])

    def wait_for_the_end_of_it(self) -> None:
        self.wait(lambda texts: texts and texts[-1] is None)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("a2ui_app.store.engine.BUSY_MS", 10)
    monkeypatch.setattr("a2ui_app.store.writer.RETRY", (0.01,))


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def store(file: Path, told: Told) -> Iterator[Store]:
    store = Store(f"sqlite:///{file}", on_trouble=told)
    say(store, "c1")
    assert store.conversation("c1") is not None
    yield store
    store.close()


def pragma(store: Store, setting: Callable[[], str]) -> None:
    """Have every transaction from now on begin with what ``setting`` says: the true errors of SQLite follow."""
    event.listen(store._engine, "begin", lambda connection: connection.exec_driver_sql(f"PRAGMA {setting()}"))


def kept(store: Store) -> list[str]:
    return [entry.text for entry in store.entries("c1")]


def test_a_locked_database(store: Store, told: Told, file: Path) -> None:
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    store.put(Entry, conversation="c1", number=0, text="one", kind="text")
    assert "locked" in told.wait_for_trouble()
    store.put(Entry, conversation="c1", number=0, text="one more")
    store.put(Entry, conversation="c1", number=1, text="two")
    assert kept(store) == []  # reading does not wait for an end of the trouble
    other.execute("ROLLBACK")
    told.wait_for_the_end_of_it()
    assert kept(store) == ["one more", "two"]
    assert store.entries("c1")[0].kind == "text"
    other.close()


def test_a_database_that_is_read_only(store: Store, told: Told) -> None:
    refuse = [True]
    pragma(store, lambda: f"query_only={int(refuse[0])}")
    store.put(Entry, conversation="c1", number=0, text="one")
    assert "readonly" in told.wait_for_trouble()
    refuse[0] = False
    told.wait_for_the_end_of_it()
    assert kept(store) == ["one"]


def test_a_full_disk(store: Store, told: Told) -> None:
    pages = [1]  # SQLite takes the number it has when that is more
    pragma(store, lambda: f"max_page_count={pages[0]}")
    store.put(Entry, conversation="c1", number=0, text="much " * 20_000)
    assert "full" in told.wait_for_trouble()
    pages[0] = 1_000_000
    told.wait_for_the_end_of_it()
    assert kept(store) == ["much " * 20_000]


def test_a_server_that_goes_away_and_comes_back(postgres_url: str, told: Told) -> None:
    store = Store(postgres_url, on_trouble=told)
    say(store, "c1")
    assert store.conversation("c1") is not None
    name = store._engine.url.database
    with Store(postgres_url.replace(str(name), "postgres", 1))._engine.connect() as admin:
        admin = admin.execution_options(isolation_level="AUTOCOMMIT")
        admin.execute(text(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false"))
        admin.execute(text(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"))
        store.put(Entry, conversation="c1", number=0, text="one")
        assert "not currently accepting connections" in told.wait_for_trouble()
        admin.execute(text(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true"))
        told.wait_for_the_end_of_it()
    assert kept(store) == ["one"]
    store.close()


def test_a_server_that_is_read_only(postgres_url: str, told: Told) -> None:
    store = Store(postgres_url, on_trouble=told)
    say(store, "c1")
    refuse = [True]
    event.listen(
        store._engine,
        "begin",
        lambda connection: connection.exec_driver_sql("SET TRANSACTION READ ONLY") if refuse[0] else None,
    )
    store.put(Entry, conversation="c1", number=0, text="one")
    assert "read-only" in told.wait_for_trouble()
    refuse[0] = False
    told.wait_for_the_end_of_it()
    assert kept(store) == ["one"]
    store.close()


def test_many_changes_of_a_row_wait_as_one(store: Store, told: Told, file: Path) -> None:
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    store.put(Conversation, id="c1", title="a")
    told.wait_for_trouble()
    for count in range(1000):
        store.put(Entry, conversation="c1", number=0, text="x" * count)
    assert len(store._writer._rows) <= 2
    other.execute("ROLLBACK")
    told.wait_for_the_end_of_it()
    assert kept(store) == ["x" * 999]
    other.close()


def test_reading_does_not_wait_for_what_is_put_later(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("a2ui_app.store.writer.PAUSE", 0.01)
    commits: list[int] = []

    def put_more(_: object) -> None:
        if len(commits) < 200:
            commits.append(len(commits))
            store.put(Entry, conversation="c1", number=0, text=str(len(commits)))

    event.listen(store._engine, "commit", put_more)
    store.put(Entry, conversation="c1", number=1, text="here")
    assert store.entries("c1")[-1].text == "here"
    assert len(commits) < 100


def test_closing_writes_what_was_put(store: Store, file: Path) -> None:
    store.put(Entry, conversation="c1", number=0, text="last words")
    store.close()
    again = Store(f"sqlite:///{file}")
    assert kept(again) == ["last words"]
    again.close()


def test_closing_ends_when_the_database_still_refuses(
    store: Store, told: Told, file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("a2ui_app.store.writer.LAST_CHANCE", 0.05)
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    store.put(Entry, conversation="c1", number=0, text="one")
    told.wait_for_trouble()
    store.close()
    assert "1 rows could not be written" in caplog.text
    store.put(Entry, conversation="c1", number=1, text="two")
    assert "came after the store was closed" in caplog.text
    other.close()


def test_a_listener_that_fails_does_not_stop_the_writing(file: Path, caplog: pytest.LogCaptureFixture) -> None:
    def fail(trouble: str | None) -> None:
        heard.set()
        raise RuntimeError("the page is gone")

    heard = threading.Event()
    store = Store(f"sqlite:///{file}", on_trouble=fail)
    say(store, "c1")
    store.conversations()
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    store.put(Entry, conversation="c1", number=0, text="one")
    assert heard.wait(20)
    other.execute("ROLLBACK")
    store.close()
    again = Store(f"sqlite:///{file}")
    assert kept(again) == ["one"]
    again.close()
    other.close()
    assert "nobody could be told" in caplog.text
