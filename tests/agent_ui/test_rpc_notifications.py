"""Checklist E: the notifications of `RpcUI`, row by row."""

import asyncio
from typing import Any

import pytest

from a2ui_app.agent_ui import Ok, RpcUI

from .client import Client

pytestmark = pytest.mark.simulated_time


@pytest.fixture
async def client():
    return Client()


@pytest.fixture
async def ui(client):
    async with RpcUI(client.reader, client.written) as ui:
        yield ui


def test_row_080_to_087_are_synchronous():
    assert not any(
        asyncio.iscoroutinefunction(getattr(RpcUI, name))
        for name in ("notify", "set_status", "set_widget", "set_working_message", "set_title", "set_editor_text")
    )


async def test_row_080_notify(ui, client):
    assert ui.notify("m", "info") is None
    ui.notify("m")
    assert client.written.messages() == [{"method": "notify", "params": {"message": "m", "type": "info"}}] * 2


@pytest.mark.parametrize("type", ["warning", "error", "success"])
async def test_row_081_types(ui, client, type):
    ui.notify("m", type)
    assert client.written.messages() == [{"method": "notify", "params": {"message": "m", "type": type}}]


@pytest.mark.parametrize("text", ["t", None])
async def test_row_082_status(ui, client, text):
    ui.set_status("k", text)
    assert client.written.messages() == [{"method": "set_status", "params": {"key": "k", "text": text}}]


@pytest.mark.parametrize("content", ["text", ["a", "b"], None])
async def test_row_083_widget(ui, client, content):
    ui.set_widget("k", content)
    assert client.written.messages() == [
        {"method": "set_widget", "params": {"key": "k", "content": content, "opts": {}}}
    ]


async def test_row_084_opts_of_a_widget(ui, client):
    ui.set_widget("k", "c", position="above", server="x", timeout=1)
    assert client.written.messages()[0]["params"]["opts"] == {"position": "above"}


@pytest.mark.parametrize("message", ["m", None])
async def test_row_085_working_message(ui, client, message):
    ui.set_working_message(message)
    assert client.written.messages() == [{"method": "set_working_message", "params": {"message": message}}]


async def test_row_086_title(ui, client):
    ui.set_title("t")
    assert client.written.messages() == [{"method": "set_title", "params": {"title": "t"}}]


async def test_row_087_editor_text(ui, client):
    ui.set_editor_text("x")
    assert client.written.messages() == [{"method": "set_editor_text", "params": {"text": "x"}}]
    assert ui.get_editor_text() == "x"


async def test_row_088_no_editor_text(ui, client):
    ui.set_editor_text("x")
    ui.set_editor_text(None)
    assert client.written.messages()[-1] == {"method": "set_editor_text", "params": {"text": None}}
    assert ui.get_editor_text() == ""


async def test_row_089_reading_the_editor_text_writes_nothing(ui, client):
    assert ui.get_editor_text() == ""
    assert client.written.data == b""


async def test_row_090_edits_made_by_the_client_are_not_seen(ui, client):
    ui.set_editor_text("ours")
    client.send({"method": "set_editor_text", "params": {"text": "theirs"}})
    dialog = asyncio.create_task(ui.confirm("T", "M"))
    await client.request()  # our own notification
    client.answer(await client.request(), True)
    assert await dialog == Ok(True)  # so the line before it was read, too
    assert ui.get_editor_text() == "ours"


async def test_row_091_call_order_and_whole_lines(ui, client):
    async def caller(name: str) -> None:
        ui.notify(f"{name} 1")
        answer = asyncio.create_task(ui.input(f"{name} 2", "x" * 70_000))
        await asyncio.sleep(0)
        ui.set_title(f"{name} 3")
        await answer

    callers = asyncio.gather(caller("a"), caller("b"))
    messages = [await client.request() for _ in range(6)]
    for message in messages:
        if "id" in message:
            client.answer(message, None)
    await callers
    texts = [m["params"].get("message") or m["params"]["title"] for m in messages]
    for name in "ab":
        assert [text for text in texts if text.startswith(name)] == [f"{name} {n}" for n in (1, 2, 3)]
    assert all(call.endswith(b"\n") and call.count(b"\n") == 1 for call in client.written.calls)


def tell_everything(ui: Any) -> None:
    ui.notify("m", "error")
    ui.set_status("k", "t")
    ui.set_widget("k", "c")
    ui.set_working_message("m")
    ui.set_title("t")
    ui.set_editor_text("t")


async def test_row_092_without_a_running_adapter_notifications_are_dropped(client):
    ui = RpcUI(client.reader, client.written)
    tell_everything(ui)
    await ui.start()
    await ui.stop()
    tell_everything(ui)
    assert client.written.data == b""


async def test_row_093_has_ui(ui):
    assert ui.has_ui is True
