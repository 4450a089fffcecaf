"""The MCP server for agents, through the official client over HTTP on loopback, on the desk of a real conversation."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from starlette.applications import Starlette

from a2ui_app import serve
from a2ui_app.live.conversation import Conversation, Setup
from a2ui_app.transports.agent_tools import SERVER_NAME, AgentTools, examples
from a2ui_app.transports.agent_tools.server import Access

MOST_TOKENS = 3000
CHARACTERS_PER_TOKEN = 4


class Page:
    """A conversation, the server in front of it, and its agent's client."""

    def __init__(self, address: str, tools: AgentTools, conversation: Conversation, access: Access, client: Client):
        self.address = address
        self.tools = tools
        self.conversation = conversation
        self.access = access
        self.client = client

    async def call(self, tool: str, **arguments: Any) -> Any:
        """Call a tool; its result read from JSON. Raises AssertionError with the text of a failure."""
        result = await self.client.call_tool(tool, arguments)
        text = "".join(getattr(part, "text", "") for part in result.content)
        assert not result.is_error, text
        return json.loads(text) if text.startswith(("{", "[")) else text

    async def fails(self, tool: str, **arguments: Any) -> str:
        """Call a tool that must fail; what it says."""
        result = await self.client.call_tool(tool, arguments)
        assert result.is_error
        return "".join(getattr(part, "text", "") for part in result.content)

    async def dialog(self) -> str:
        """Wait until a question is open; its id."""
        return await self.until(lambda: self.conversation.screen.dialogs and self.conversation.screen.dialogs[-1].id)

    async def until(self, look: Callable[[], Any]) -> Any:
        async with asyncio.timeout(10):
            while not (found := look()):  # noqa: ASYNC110 - nothing tells when it changes
                await asyncio.sleep(0.01)
            return found

    async def give_up(self, call: asyncio.Task[Any]) -> None:
        """End a call as a client does that waited long enough; the server has noticed when this returns."""
        call.cancel()
        await asyncio.wait({call})
        await self.until(lambda: not self.tools.questions("c1").awaited)

    def answer(self, dialog: str, entry: Any = None, name: str = "answer") -> None:
        action = {"surfaceId": dialog, "name": name, "context": {"entry": entry}}
        assert self.conversation.screen.handle_action(action)


@asynccontextmanager
async def connected(config: dict[str, Any]) -> AsyncIterator[Client]:
    """A client of the server that a CLI would find in ``config``."""
    server = config["mcpServers"][SERVER_NAME]
    async with AsyncExitStack() as stack:
        http = await stack.enter_async_context(httpx2.AsyncClient(headers=server["headers"], timeout=30))
        transport = streamable_http_client(server["url"], http_client=http)
        yield await stack.enter_async_context(Client(transport))


@pytest.fixture
async def page() -> AsyncIterator[Page]:
    """Opened and closed by one task, as anyio wants it; pytest's fixtures are not."""
    opened: asyncio.Future[Page] = asyncio.get_running_loop().create_future()
    over = asyncio.Event()

    async def own() -> None:
        async with open_page() as page:
            opened.set_result(page)
            await over.wait()

    owner = asyncio.create_task(own())
    await asyncio.wait({owner, opened}, return_when=asyncio.FIRST_COMPLETED)
    yield opened.result() if opened.done() else await owner  # type: ignore[misc]
    over.set()
    await owner


@asynccontextmanager
async def open_page() -> AsyncIterator[Page]:
    tools = AgentTools(progress_every=0.05)
    conversation = Conversation("c1", Setup("x"))
    access = tools.open("c1", conversation.desk)
    async with tools.lifespan():
        port = serve.choose_port("127.0.0.1", None)
        server = serve.new_server(Starlette(routes=tools.routes()), "127.0.0.1", port)
        ready = asyncio.Event()
        serving = asyncio.create_task(serve.serve_until_stopped(server, ready.set))
        await ready.wait()
        address = f"http://127.0.0.1:{port}"
        async with connected(access.mcp_config(address)) as client:
            yield Page(address, tools, conversation, access, client)
        await conversation.shut_down()
        await tools.close("c1")
        server.stop()
        await serving


FORM = {
    "components": [
        {"id": "root", "component": "Column", "children": ["name", "send"]},
        {"id": "name", "component": "TextField", "label": "Name", "value": {"@path": "/name"}},
        {
            "id": "send",
            "component": "Button",
            "child": "label",
            "action": {"event": {"name": "save", "context": {"name": {"@path": "/name"}}}},
        },
        {"id": "label", "component": "Text", "text": "Save"},
    ],
    "data": {"name": "Ada"},
}


def press(page: Page, component_id: str) -> None:
    nodes = page.conversation.channel.session.snapshot().nodes
    ref = next(ref for ref, node in nodes.items() if node and node["id"] == component_id)
    page.conversation.channel.invoke(ref, "action", f"click-{component_id}-{ref}")


async def test_what_models_read_is_short(page: Page) -> None:
    listed = await page.client.list_tools()
    names = {tool.name for tool in listed.tools}
    assert names == {
        *("ask_select", "ask_confirm", "ask_input", "ask_editor"),
        *("notify", "set_status", "set_widget", "set_working_message", "set_title"),
        *("render_ui", "update_ui_data", "get_ui_state", "wait_for_action", "close_ui"),
    }
    told = [{"name": t.name, "description": t.description, "schema": t.input_schema} for t in listed.tools]
    assert len(json.dumps(told)) / CHARACTERS_PER_TOKEN < MOST_TOKENS
    assert all("Example: {" in (tool.description or "") for tool in listed.tools)


async def test_the_guide_and_the_catalog_can_be_read(page: Page) -> None:
    resources = {str(resource.uri) for resource in (await page.client.list_resources()).resources}
    assert {"a2ui://guide", "a2ui://catalogs/basic"} <= resources
    guide = (await page.client.read_resource("a2ui://guide")).contents[0]
    assert "# Drawing with A2UI 1.0" in getattr(guide, "text", "")


@pytest.mark.parametrize(
    ("tool", "arguments", "entry", "answer"),
    [
        ("ask_select", {"title": "?", "options": ["a", "b"]}, ["1"], "b"),
        ("ask_select", {"title": "?", "options": [{"label": "A", "value": {"x": 1}}]}, ["0"], {"x": 1}),
        ("ask_select", {"title": "?", "options": ["a", "b"], "multiple": True}, ["0", "1"], ["a", "b"]),
        ("ask_confirm", {"title": "?", "danger": True}, None, True),
        ("ask_input", {"title": "?", "placeholder": "x"}, "typed", "typed"),
        ("ask_editor", {"title": "?", "text": "pre"}, "long\ntext", "long\ntext"),
    ],
)
async def test_a_question_is_answered(page: Page, tool: str, arguments: Any, entry: Any, answer: Any) -> None:
    asked = asyncio.create_task(page.call(tool, **arguments))
    page.answer(await page.dialog(), entry)
    assert await asked == {"answer": answer}


async def test_no_answer_says_so(page: Page) -> None:
    asked = asyncio.create_task(page.call("ask_confirm", title="?"))
    page.answer(await page.dialog(), name="cancel")
    assert (await asked)["answer"] is None


async def test_a_call_that_waits_gives_signs_of_life(page: Page) -> None:
    ticks: list[float] = []

    async def progress(progress: float, total: float | None, message: str | None) -> None:
        ticks.append(progress)

    asked = asyncio.create_task(page.client.call_tool("ask_input", {"title": "?"}, progress_callback=progress))
    dialog = await page.dialog()
    await page.until(lambda: len(ticks) >= 2)
    page.answer(dialog, "x")
    assert not (await asked).is_error
    assert ticks == sorted(ticks)


async def test_the_answer_of_a_call_that_was_given_up_is_kept_for_the_same_question(page: Page) -> None:
    asked = asyncio.create_task(page.call("ask_input", title="Name?"))
    dialog = await page.dialog()
    await page.give_up(asked)
    assert len(page.conversation.screen.dialogs) == 1  # the person can still answer
    page.answer(dialog, "Ada")
    assert await page.call("ask_input", title="Name?") == {"answer": "Ada"}
    assert page.conversation.screen.dialogs == ()


async def test_it_is_also_told_to_whoever_asks_what_happened(page: Page) -> None:
    asked = asyncio.create_task(page.call("ask_input", title="Name?"))
    dialog = await page.dialog()
    await page.give_up(asked)
    page.answer(dialog, "Ada")
    await asyncio.sleep(0)
    told = await page.call("wait_for_action", seconds=0)
    assert told["answers"] == [{"tool": "ask_input", "question": "Name?", "answer": "Ada"}]
    assert "answers" not in await page.call("wait_for_action", seconds=0)


async def test_asking_again_while_the_dialog_is_open_joins_it(page: Page) -> None:
    first = asyncio.create_task(page.call("ask_input", title="Name?"))
    dialog = await page.dialog()
    await page.give_up(first)
    second = asyncio.create_task(page.call("ask_input", title="Name?"))
    await asyncio.sleep(0.1)
    assert len(page.conversation.screen.dialogs) == 1
    page.answer(dialog, "Ada")
    assert await second == {"answer": "Ada"}


async def test_notices_reach_the_board(page: Page) -> None:
    await page.call("notify", message="saved", level="success")
    await page.call("set_status", key="tests", text="4 of 5")
    await page.call("set_widget", key="plan", lines=["one", "two"])
    await page.call("set_working_message", message="Testing")
    await page.call("set_title", title="Work")
    board = page.conversation.screen.board
    assert [notice.message for notice in board.notices] == ["saved"]
    assert (board.statuses, board.working_message, board.title) == ({"tests": "4 of 5"}, "Testing", "Work")
    assert board.widgets["plan"].lines == ("one", "two")
    await page.call("set_status", key="tests", text=None)
    assert page.conversation.screen.board.statuses == {}


async def test_a_surface_is_drawn_used_read_changed_and_closed(page: Page) -> None:
    assert await page.call("render_ui", surfaceId="form", **FORM) == {"ok": True, "surfaces": ["form"]}
    state = await page.call("get_ui_state", surfaceId="form")
    assert state["surfaces"][0]["dataModel"] == {"name": "Ada"}
    await page.call("update_ui_data", surfaceId="form", path="name", value="Grace")
    waiting = asyncio.create_task(page.call("wait_for_action", seconds=10))
    await page.until(lambda: page.conversation._actions.awaited)
    press(page, "send")
    told = {"name": "save", "surfaceId": "form", "context": {"name": "Grace"}}
    assert await waiting == {"action": told, "data": {"name": "Grace"}}
    assert await page.call("close_ui", surfaceId="form") == "ok"
    assert (await page.call("get_ui_state"))["surfaces"] == []


async def test_the_examples_of_the_guide_can_be_drawn(page: Page) -> None:
    table = [{**examples.TABLE, "id": "root"}]
    assert (await page.call("render_ui", components=table, data={"files": []}))["ok"]
    assert (await page.call("render_ui", **examples.FORM))["ok"]
    assert (await page.call("render_ui", messages=[examples.CREATE]))["ok"]


async def test_drawing_again_replaces(page: Page) -> None:
    await page.call("render_ui", surfaceId="form", **FORM)
    text = [{"id": "root", "component": "Text", "text": "Done"}]
    await page.call("render_ui", surfaceId="form", components=text)
    (surface,) = (await page.call("get_ui_state"))["surfaces"]
    assert surface["tree"]["type"] == "Text"


@pytest.mark.parametrize(
    "messages",
    [
        json.dumps([{"createSurface": {"surfaceId": "s", "components": [{"id": "root", "component": "Divider"}]}}]),
        '```json\n{"createSurface": {"surfaceId": "s", "components": [{"id": "root", "component": "Divider"}]}}\n```',
        {"messages": [{"createSurface": {"surfaceId": "s", "components": [{"id": "root", "component": "Divider"}]}}]},
    ],
    ids=["string", "fence", "wrapped"],
)
async def test_what_is_certain_is_forgiven(page: Page, messages: Any) -> None:
    assert await page.call("render_ui", messages=messages) == {"ok": True, "surfaces": ["s"]}


async def test_what_is_wrong_leaves_the_page_as_it_was(page: Page) -> None:
    await page.call("render_ui", surfaceId="form", **FORM)
    wrong = [{"id": "root", "component": "Text", "txt": "x"}]
    said = await page.fails("render_ui", surfaceId="form", components=wrong)
    assert "Nothing was drawn" in said
    (surface,) = (await page.call("get_ui_state"))["surfaces"]
    assert surface["tree"]["type"] == "Column"


async def test_bad_arguments_are_told_with_their_place(page: Page) -> None:
    assert "/options" in await page.fails("ask_select", title="?", options=[])
    assert "/options/0/label" in await page.fails("ask_select", title="?", options=[{"value": 1}])
    assert "drawn are: none" in await page.fails("close_ui", surfaceId="x")
    assert "drawn are: none" in await page.fails("update_ui_data", surfaceId="x", path="/", value=1)
    assert "dialog-" in await page.fails(
        "render_ui", messages=[{"createSurface": {"surfaceId": "dialog-x", "components": []}}]
    )


async def test_only_the_runs_own_token_opens_its_desk(page: Page) -> None:
    other = page.tools.open("c2", Conversation("c2", Setup("x")).desk)
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    headers = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
    async with httpx.AsyncClient(base_url=page.address, headers=headers) as client:
        for path, token in (
            ("/mcp/c1", ""),
            ("/mcp/c1", "made-up"),
            ("/mcp/c1", other.token),
            ("/mcp/c2", page.access.token),
            ("/mcp/c3", page.access.token),
        ):
            bearer = {"authorization": f"Bearer {token}"} if token else {}
            reply = await client.post(path, json=request, headers=bearer)
            assert reply.status_code == 401
    await page.tools.close("c2")


async def test_after_the_run_its_token_opens_nothing(page: Page) -> None:
    asked = asyncio.create_task(page.client.call_tool("ask_input", {"title": "?"}))
    await page.dialog()
    await page.tools.close("c1")
    await page.until(lambda: not page.conversation.screen.dialogs)
    async with httpx.AsyncClient(base_url=page.address) as client:
        headers = {"authorization": f"Bearer {page.access.token}"}
        assert (await client.post("/mcp/c1", json={}, headers=headers)).status_code == 401
    asked.cancel()
    await asyncio.wait({asked})
