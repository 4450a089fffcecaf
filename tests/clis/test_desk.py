"""Real agents on the page: they ask and draw through the app's MCP server, and hear what the person answered."""

import asyncio
import os
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from starlette.applications import Starlette

from a2ui_app import serve
from a2ui_app.live import conversation as conversation_module
from a2ui_app.live.conversation import Conversation, Setup, ToolServer
from a2ui_app.transports.agent_tools import AgentTools

from . import real as real_module
from .conftest import _wait_for
from .real import ON_THE_PAGE, Real

MODELS = "http://127.0.0.1:8790"
PATIENCE = 120.0  # seconds until a question is on the page


@pytest.fixture(scope="module", autouse=True)
def desk_models(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A model server whose model uses the page."""
    folder = tmp_path_factory.mktemp("desk")
    env = {"FAKE_LOG": str(folder / "log"), "PATH": os.environ["PATH"], "A2UI_CLI_TOOLS": os.environ["A2UI_CLI_TOOLS"]}
    script = Path(__file__).with_name("desk_models.py")
    server = subprocess.Popen([os.environ["A2UI_CLI_PYTHON"], str(script), "8790"], env=env)
    _wait_for(MODELS, server)
    yield
    server.kill()
    server.wait()


SEARCHES = ("qwen",)  # hides MCP tools behind a search of its own, which the scripted model does not know to use


@pytest.fixture(params=[real for real in ON_THE_PAGE if real.name not in SEARCHES], ids=lambda real: real.name)
def real(request: pytest.FixtureRequest) -> Real:
    return request.param


@pytest.fixture(autouse=True)
def models(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before `home`, which writes the address into the agent's configuration."""
    monkeypatch.setattr(real_module, "MODELS", MODELS)


@asynccontextmanager
async def opened(real: Real, home: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Conversation]:
    """A conversation with the agent, whose page's tools are served on loopback."""
    tools = AgentTools(progress_every=2.0)
    port = serve.choose_port("127.0.0.1", None)
    server = serve.new_server(Starlette(routes=tools.routes()), "127.0.0.1", port)

    class Served(ToolServer):
        def open(self, conversation: Conversation):
            return tools.open(conversation.id, conversation.desk).mcp_config(f"http://127.0.0.1:{port}")

        async def close(self, conversation: Conversation) -> None:
            await tools.close(conversation.id)

    new = conversation_module.backends.new
    monkeypatch.setattr(conversation_module.backends, "new", lambda name: new(name, real.executable))
    setup = Setup(real.name, home["HOME"], real.model or "", env=home)
    conversation = Conversation("c1", setup, tools=Served())
    async with tools.lifespan():
        ready = asyncio.Event()
        serving = asyncio.create_task(serve.serve_until_stopped(server, ready.set))
        await ready.wait()
        yield conversation
        await conversation.shut_down()
        server.stop()
        await serving


async def question(conversation: Conversation) -> str:
    async with asyncio.timeout(PATIENCE):
        while not conversation.screen.dialogs:
            assert conversation.busy, [(entry.kind, entry.text, entry.body) for entry in conversation.timeline]
            await asyncio.sleep(0.05)  # between two looks
    return conversation.screen.dialogs[0].id


@pytest.mark.parametrize("delay", [0.0, 70.0], ids=["at once", "after 70 s"])
async def test_an_agent_asks_and_hears_the_answer(real, home, monkeypatch, delay) -> None:
    """It runs without a permission: the tools are the app's own. 70 s is longer than three agents wait by default."""
    async with opened(real, home, monkeypatch) as conversation:
        conversation.send("SCN:mcp")
        dialog = await question(conversation)
        assert conversation.screen.dialogs[0].title == "Which flavour?"
        await asyncio.sleep(delay)  # the person thinks
        conversation.screen.handle_action({"surfaceId": dialog, "name": "answer", "context": {"entry": ["1"]}})
        await conversation.idle()
        tools = [entry for entry in conversation.timeline if entry.kind == "tool"]
        assert '"answer": "mint"' in tools[-1].body["output"] or '"answer":"mint"' in tools[-1].body["output"]
        assert "tool result received" in [e.text for e in conversation.timeline if e.kind == "text"][-1]
        assert conversation.timeline[-1].body["status"] == "completed"


async def test_an_agent_draws(real, home, monkeypatch) -> None:
    async with opened(real, home, monkeypatch) as conversation:
        conversation.send("SCN:mcpslow 1")
        async with asyncio.timeout(PATIENCE):
            await conversation.idle()
        (surface,) = conversation.desk.state()["surfaces"]
        assert (surface["surfaceId"], surface["dataModel"]) == ("shop", {"name": "Ada"})
        assert "surface" in [entry.kind for entry in conversation.timeline]
