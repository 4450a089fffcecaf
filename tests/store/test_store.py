"""What was put is found again: on SQLite, and on PostgreSQL where a server can be started."""

import sys
import time
from pathlib import Path

import pytest
from sqlalchemy import event

from a2ui_app.store import Store, StoreError
from a2ui_app.store.paths import data_folder
from a2ui_app.store.tables import Conversation, Entry, Run, Setting, SurfaceMessage, Usage

from .said import say


def test_opening_again_changes_nothing(url: str) -> None:
    first = Store(url)
    say(first, "c1", "hello")
    first.close()
    again = Store(url)
    assert [entry.text for entry in again.entries("c1")] == ["hello"]
    again.close()


def test_what_is_put_can_be_read_at_once_and_changed_in_parts(store: Store) -> None:
    say(store, "c1", "hello", title="One", pinned=True, custom_args=["--fast"])
    store.put(Conversation, id="c1", title="Two")
    found = store.conversation("c1")
    assert found is not None
    assert (found.title, found.pinned, found.agent, found.custom_args) == ("Two", True, "demo", ["--fast"])
    assert store.conversation("c2") is None


def test_the_list_is_pinned_first_then_newest(store: Store) -> None:
    say(store, "old", updated=1)
    say(store, "new", updated=3)
    say(store, "pinned", updated=2, pinned=True)
    say(store, "away", updated=4, archived=True)
    say(store, "gone", updated=5, deleted=6.0)
    assert [row.id for row in store.conversations()] == ["pinned", "new", "old"]
    assert [row.id for row in store.conversations(limit=2)] == ["pinned", "new"]
    assert [row.id for row in store.conversations(archived=True)] == ["away"]
    assert store.conversation("gone") is None


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("straße", ["c1"]),
        ("STRASSE", ["c1"]),
        ("ÜBER", ["c1"]),
        ("u\u0308ber", ["c1"]),  # as macOS writes it
        ("ärger", ["c1"]),
        ("invoice", ["c2"]),
        ("pdf invoice", ["c2"]),
        ("invoice straße", []),
        ("100%", ["c2"]),
        ("%", ["c2"]),
        ("a_b", ["c3"]),
        ("\\", ["c3"]),
        ("日本", ["c3"]),
        ("👩‍💻", ["c3"]),
        ("", ["c1", "c2", "c3"]),
        ("  ", ["c1", "c2", "c3"]),
    ],
)
def test_search_finds_all_words_in_titles_and_texts(store: Store, query: str, found: list[str]) -> None:
    say(store, "c1", "Die Straße", "über allem", title="ÄRGER", updated=3)
    say(store, "c2", "a pdf, 100% done", title="Invoice", updated=2)
    say(store, "c3", "a_b", "axb", "C:\\日本語 👩‍💻", updated=1)
    assert [row.id for row in store.conversations(query)] == found


def test_a_new_title_is_found_and_the_old_is_not(store: Store) -> None:
    say(store, "c1", title="Before")
    store.put(Conversation, id="c1", title="After")
    assert [row.id for row in store.conversations("after")] == ["c1"]
    assert store.conversations("before") == []


def test_text_that_cannot_be_stored_is_stored_as_well_as_can_be(store: Store) -> None:
    half = "\ud83d"  # of an emoji, cut by an agent; and a NUL
    say(store, "c1", f"cut {half} and \0")
    store.put(Entry, conversation="c1", number=1, text="whole 😀", body={"output": f"\0{half}"})
    cut, whole = store.entries("c1")
    assert cut.text == "cut \ufffd and \ufffd"
    assert (whole.text, whole.body) == ("whole 😀", {"output": f"\0{half}"})


def test_numbers_that_are_no_json_become_null(store: Store) -> None:
    say(store, "c1")
    store.put(Entry, conversation="c1", number=0, body={"a": float("nan"), "b": [float("inf"), 1.5, 2**70]})
    assert store.entries("c1")[0].body == {"a": None, "b": [None, 1.5, 2**70]}


def test_surface_messages_come_in_order_and_are_replaced(store: Store) -> None:
    say(store, "c1")
    for number, message in ((1, {"b": 1}), (0, {"a": 1}), (1, {"b": 2})):
        store.put(SurfaceMessage, conversation="c1", number=number, message=message)
    assert [row.message for row in store.surface_messages("c1")] == [{"a": 1}, {"b": 2}]


def test_a_long_timeline_is_read_page_by_page_with_one_query_each(store: Store) -> None:
    say(store, "c1", *(f"line {number}" for number in range(10_000)))
    say(store, "c2", "another's")
    assert [entry.text for entry in store.entries("c2")] == ["another's"]
    asked: list[str] = []
    event.listen(store._engine, "before_cursor_execute", lambda *call: asked.append(call[2]))
    newest = store.entries("c1", limit=100)
    older = store.entries("c1", before=newest[0].number, limit=100)
    assert [entry.number for entry in older + newest] == list(range(9_800, 10_000))
    assert len(asked) == 2
    assert store.entries("c1", before=0, limit=100) == []
    assert len(store.entries("c1")) == 10_000
    assert len(asked) == 4


def test_runs_that_were_left_open_are_interrupted(store: Store) -> None:
    for id in ("c1", "c2"):
        say(store, id)
    store.put(Run, id="r1", conversation="c1", started=1.0)
    store.put(Run, id="r2", conversation="c1", started=2.0)
    store.put(Run, id="r3", conversation="c2", started=1.0, status="completed", ended=2.0)
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
    say(store, "c3", "c")
    store.put(SurfaceMessage, conversation="c1", number=0, message={})
    for id in ("c1", "c2"):
        store.put(Run, id=f"r-{id}", conversation=id)
        store.put(Usage, run=f"r-{id}", model="m")
    assert store.purge(before=15.0) == 1
    assert store.purge(before=15.0) == 0
    assert store.entries("c1") == []
    assert [entry.text for entry in store.entries("c2")] == ["b"]
    assert len(store.usage()) == 1
    store.put(Conversation, id="c2", deleted=None)
    assert {row.id for row in store.conversations()} == {"c2", "c3"}


def test_a_row_that_can_never_be_written_does_not_keep_the_others(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    store.put(Entry, conversation="nobody", number=0, text="lost")
    say(store, "c1", "kept")
    store.put(Entry, conversation="c1", number=1, body={"no": object()})
    store.put(Entry, conversation="c1", number=2, text="kept, too")
    assert [entry.text for entry in store.entries("c1")] == ["kept", "kept, too"]
    assert caplog.text.count("cannot be written") == 2


@pytest.mark.parametrize(
    ("url", "remedy"),
    [
        ("nonsense", "DATABASE_URL is no address"),
        ("mysql://host/name", "only sqlite and postgresql"),
        ("sqlite:////nowhere/at/all/a2ui.db", r"cannot be opened: unable to open database file\. Check"),
        ("postgresql://a2ui@/a2ui?host=/nowhere", "cannot be opened: .*nowhere"),
    ],
)
def test_a_database_that_cannot_be_opened(url: str, remedy: str) -> None:
    with pytest.raises(StoreError, match=remedy):
        Store(url)


def test_a_password_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://me:secret@/a2ui?host=/nowhere")
    with pytest.raises(StoreError) as told:
        Store()
    assert "a2ui" in str(told.value)
    assert "secret" not in str(told.value)


def test_a_driver_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"pip install 'psycopg\[binary\]'"):
        Store("postgresql://host/name")


def test_a_file_that_is_no_database(file: Path) -> None:
    file.write_bytes(b"my holiday pictures" * 100)
    with pytest.raises(StoreError, match="file is not a database"):
        Store(f"sqlite:///{file}")
    assert file.read_bytes().startswith(b"my holiday pictures")


@pytest.mark.parametrize("name", ["here", "with space", "what?", "100%", "#1"])
def test_the_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setenv("A2UI_DATA", str(tmp_path / name))
    assert data_folder() == tmp_path / name
    Store().close()
    assert (tmp_path / name).stat().st_mode & 0o777 == 0o700
    assert (tmp_path / name / "a2ui.db").stat().st_mode & 0o777 == 0o600


def test_a_data_folder_that_cannot_be_made(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setenv("A2UI_DATA", str(tmp_path / "file" / "folder"))
    with pytest.raises(StoreError, match="Set A2UI_DATA to another folder"):
        Store()
