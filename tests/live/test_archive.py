"""Conversations that outlive the process: kept in a real store, opened from it again."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from a2ui_app.live.archive import StoreArchive
from a2ui_app.live.conversation import Conversation, Setup
from a2ui_app.live.conversations import ConversationNotFound, Conversations
from a2ui_app.store import Store, tables

from .test_conversation import FORM, Agent, agent, ref_of  # noqa: F401  (agent is a fixture)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(f"sqlite:///{tmp_path / 'a2ui.db'}")
    yield store
    store.close()


def opened(store: Store) -> Conversations:
    """The conversations as a process finds them."""
    conversations = Conversations()
    conversations.start(StoreArchive(store))
    return conversations


async def test_a_conversation_is_as_it_was(store: Store, agent: Agent) -> None:  # noqa: F811
    setup = Setup("x", "/tmp", "big", "auto", ("--verbose",))
    before = opened(store)
    conversation = before.create(setup)
    conversation.send("Say hello")
    await conversation.idle()
    conversation.desk.draw(FORM)
    conversation.channel.write(ref_of(conversation, "name"), "value", "Ada")
    await before.shut_down()
    after = opened(store).open(conversation.id)
    assert [(entry.kind, entry.text) for entry in after.timeline] == [
        ("prompt", "Say hello"),
        ("text", "Hello"),
        ("result", ""),
        ("surface", "form"),
    ]
    assert after.title == "Say hello"
    assert (after.setup.model, after.setup.permissions, after.setup.custom_args) == ("big", "auto", ("--verbose",))
    assert after.setup.session_id == "s1"
    assert after.desk.state()["surfaces"][0]["dataModel"] == {"name": "Ada"}


async def test_what_was_never_there_is_said(store: Store) -> None:
    with pytest.raises(ConversationNotFound):
        opened(store).open("c0")


async def test_a_run_that_the_process_did_not_end_is_interrupted(store: Store) -> None:
    store.put(tables.Conversation, id="c1", agent="x", title="T")
    for number, (kind, body) in enumerate(
        [("prompt", {}), ("tool", {"status": "running"}), ("dialog", {"status": "open"}), ("text", {})]
    ):
        store.put(tables.Entry, conversation="c1", number=number, kind=kind, body=body)
    store.put(tables.Run, id="r1", conversation="c1")
    timeline = opened(store).open("c1").timeline
    assert [entry.kind for entry in timeline] == ["prompt", "tool", "dialog", "text", "result"]
    assert [timeline[number].body["status"] for number in (1, 2, 4)] == ["cancelled", "withdrawn", "interrupted"]


async def test_the_list_is_searched_and_tells_what_is_new(store: Store, agent: Agent) -> None:  # noqa: F811
    conversations = opened(store)
    conversation = conversations.create(Setup("x"))
    conversation.send("Find the needle")
    await conversation.idle()
    (row,) = await conversations.rows("NEEDLE")
    assert (row.id, row.title, row.state, row.unread) == (conversation.id, "Find the needle", "idle", True)
    conversations.mark(conversation.id, read=len(conversation.timeline))
    assert not (await conversations.rows())[0].unread
    assert await conversations.rows("hay") == []


async def test_what_a_page_shows_is_not_new(store: Store, agent: Agent) -> None:  # noqa: F811
    conversations = opened(store)
    conversation = conversations.create(Setup("x"))
    with conversation.channel.watch():
        conversation.send("one")
        await conversation.idle()
    assert not (await conversations.rows())[0].unread


async def test_flags(store: Store) -> None:
    conversations = opened(store)
    ids = [conversations.create(Setup("x")).id for _ in range(3)]
    conversations.mark(ids[0], pinned=True)
    conversations.mark(ids[1], archived=True)
    conversations.mark(ids[2], deleted=True)
    assert [row.id for row in await conversations.rows()] == [ids[0]]
    assert [row.id for row in await conversations.rows(archived=True)] == [ids[1]]
    conversations.mark(ids[2], deleted=False)
    assert {row.id for row in await conversations.rows()} == {ids[0], ids[2]}


async def test_whoever_lists_is_woken(store: Store) -> None:
    conversations = opened(store)
    changes = aiter(conversations.changes())
    await anext(changes)
    conversations.create(Setup("x"))
    await anext(changes)
    conversations.tell_trouble("The disk is full.")
    await anext(changes)
    assert conversations.trouble == "The disk is full."


async def test_usage_is_kept_for_each_run(store: Store, agent: Agent) -> None:  # noqa: F811
    conversation = opened(store).create(Setup("x"))
    conversation.send("one")
    await conversation.idle()
    ((_, name, used),) = store.usage(conversation.id)
    assert (name, used.model, used.input_tokens, used.output_tokens) == ("x", "m", 1, 2)
    assert isinstance(conversation, Conversation)
