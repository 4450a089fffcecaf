"""What embedded apps ask of a channel, and the tools it runs for them."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import pytest

from a2ui_app.catalogs.mcp import MCP_1_0
from a2ui_app.live.app_requests import REMEMBERED, SANDBOX_READY, AppRequests, html_of
from a2ui_app.live.channel import Channel
from a2ui_app.live.outbox import Sent

from .forms import button, create

APP = {"component": "McpApp", "catalogId": MCP_1_0, "htmlContent": "<p>", "allowedTools": ["t"]}


class Tools:
    """A tool that answers when the test says."""

    def __init__(self) -> None:
        self.called: list[tuple[str, dict[str, Any]]] = []
        self.answers: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.shows: Mapping[str, Any] | None = None

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> Mapping[str, Any]:
        self.called.append((name, arguments))
        return await self.answers.get()

    async def ui_of(self, name: str, result: Mapping[str, Any]) -> Mapping[str, Any] | None:
        return self.shows


class Page:
    """A page that asks; what it is answered by its own ids."""

    def __init__(self, channel: Channel):
        self._channel = channel
        self.answers: list[tuple[str, Any]] = []

    def ask(self, method: str, params: Any = None, id: str = "1", ref: int | None = None) -> tuple[str, ...]:
        tree = self._channel.session.tree("s")
        assert tree is not None
        text = params if isinstance(params, str) else json.dumps(params or {})
        return self._channel.ask(
            tree["ref"] if ref is None else ref, method, text, id, lambda id, reply: self.answers.append((id, reply))
        )


async def answered() -> None:
    """Wait until the tool calls that are under way are done."""
    calls = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    assert calls
    await asyncio.wait(calls, timeout=5)


def sent(channel: Channel) -> list[str]:
    return [item.message["action"]["name"] for item in channel.outbox.after(0) if isinstance(item, Sent)]


def shown(tools: Tools | None = None, **properties: Any) -> tuple[Channel, Page]:
    channel = Channel("c", tools=tools)
    assert channel.post(create(APP | properties, data={"state": 1}))[0].error is None
    return channel, Page(channel)


async def test_a_request_is_carried_out_once_and_answered_as_often_as_asked():
    channel, page = shown()
    for _ in range(3):
        page.ask("ui/message", {"role": "user", "content": "hi"})
    assert page.answers == [("1", {"result": {}})] * 3
    assert sent(channel) == ["ui/message"]
    page.ask("ui/message", {"role": "user", "content": "hi"}, id="2")
    assert sent(channel) == ["ui/message"] * 2


async def test_a_tools_result_is_the_reply_also_to_a_page_that_asked_again():
    tools = Tools()
    channel, page = shown(tools)
    page.ask("tools/call", {"name": "t", "arguments": {"a": 1}})
    page.ask("tools/call", {"name": "t", "arguments": {"a": 1}})
    assert page.answers == []
    result = {"content": [{"type": "text", "text": "done"}]}
    tools.answers.put_nowait(result)
    await answered()
    assert page.answers == [("1", {"result": result})]
    assert tools.called == [("t", {"a": 1})] and sent(channel) == ["t"]
    page.ask("tools/call", {"name": "t", "arguments": {"a": 1}})
    assert page.answers == [("1", {"result": result})] * 2 and len(tools.called) == 1


async def test_without_tools_an_apps_call_is_an_action_with_an_empty_result():
    channel, page = shown()
    page.ask("tools/call", {"name": "t"})
    assert page.answers == [("1", {"result": {"content": []}})] and sent(channel) == ["t"]


async def test_an_app_whose_surface_went_away_is_answered():
    tools = Tools()
    channel, page = shown(tools)
    page.ask("tools/call", {"name": "t"})
    await asyncio.sleep(0)
    channel.post({"version": "1.0", "deleteSurface": {"surfaceId": "s"}})
    tools.answers.put_nowait({"content": []})
    await answered()
    assert "gone" in page.answers[0][1]["error"]["message"]


async def test_closing_ends_the_tool_calls():
    tools = Tools()
    channel, page = shown(tools)
    page.ask("tools/call", {"name": "t"})
    await asyncio.sleep(0)
    channel.close()
    assert page.answers == [("1", {"error": {"code": -32603, "message": "The session was disposed."}})]
    await answered()
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_what_a_tool_shows_is_drawn():
    tools = Tools()
    tools.shows = {"mimeType": "text/html;profile=mcp-app", "uri": "ui://x", "text": "<h1>x</h1>"}
    channel = Channel("c", tools=tools)
    call = {"@call": "callMcpTool", "catalogId": MCP_1_0, "args": {"name": "t", "targetDataPath": "/app"}}
    channel.post(create(*button(functionCall=call), data={}))
    tree, surface = channel.session.tree("s"), channel.session.surface("s")
    assert tree is not None and surface is not None
    channel.invoke(tree["ref"], "action", "click")
    tools.answers.put_nowait({"content": []})
    await answered()
    assert surface.data["app"]["htmlContent"] == "<h1>x</h1>"


async def test_the_sandbox_gets_the_html_and_no_stranger_does():
    _, page = shown(htmlContent="url_encoded:%3Ch1%3EA%20b%3C%2Fh1%3E")
    page.ask(SANDBOX_READY)
    assert page.answers == [("1", {"result": {"html": "<h1>A b</h1>"}})]
    page.ask(SANDBOX_READY, ref=99)
    assert page.answers[1] == ("1", None)


@pytest.mark.parametrize("params", ["{", '"' + "x" * 65_536 + '"', '"' + "\u20ac" * 30_000 + '"', "\ud800"])
async def test_params_that_are_too_long_or_no_json_are_refused(params):
    channel, page = shown()
    page.ask("ui/message", params)
    assert page.answers[0][1]["error"]["code"] == -32602 and sent(channel) == []


async def test_a_request_of_what_is_no_app_is_an_error():
    _, page = shown()
    page.ask("ui/message", ref=99)
    assert page.answers[0][1]["error"]["code"] == -32603


async def test_a_link_opens_in_the_page_that_asks():
    _, page = shown()
    assert page.ask("ui/open-link", {"url": "https://example.com"}) == ("https://example.com",)
    assert page.ask("ui/open-link", {"url": "https://example.com"}) == ()  # once


def test_only_the_newest_requests_are_remembered():
    requests = AppRequests()
    answers: list[str] = []
    for n in range(REMEMBERED + 1):
        assert requests.begin(str(n), lambda id, reply: answers.append(id))
        requests.reply(str(n), None)
    assert not requests.begin("1", lambda id, reply: answers.append(id))
    assert requests.begin("0", lambda id, reply: answers.append(id))


def test_html_is_what_it_is_unless_it_says_that_it_is_encoded():
    assert html_of("100%25") == "100%25" and html_of("url_encoded:100%25") == "100%" and html_of(None) == ""
