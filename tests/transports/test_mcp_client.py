"""The MCP client against a real server, over both transports."""

import asyncio
import json
import socket
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from a2ui_app.transports.mcp_client import A2UI_MIME, APP_MIME, ConfigError, McpServers

SERVER = Path(__file__).parents[1] / "mcp_server.py"
STDIO = {"command": sys.executable, "args": [str(SERVER)]}


@pytest.fixture(params=["stdio", "http"])
async def servers(request: pytest.FixtureRequest) -> AsyncIterator[McpServers]:
    if request.param == "stdio":
        servers = McpServers.from_config({"mcpServers": {"test": STDIO}})
        yield servers
        await servers.close()
        return
    port = free_port()
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(SERVER), str(port), stderr=asyncio.subprocess.DEVNULL
    )
    await listens(port)
    servers = McpServers.from_config({"mcpServers": {"test": {"url": f"http://127.0.0.1:{port}/mcp"}}})
    yield servers
    await servers.close()
    process.kill()
    await process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


async def listens(port: int) -> None:
    """Wait until a server listens on ``port``."""
    async with asyncio.timeout(20):
        while True:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                await asyncio.sleep(0.05)
            else:
                writer.close()
                return


def words(result: dict[str, Any]) -> str:
    return " ".join(part["text"] for part in result["content"])


async def test_tools_are_called_and_their_apps_read(servers):
    result = await servers.call_tool("clock", {"zone": "CET"})
    assert result["structuredContent"] == {"zone": "CET", "time": "12:00"} and not result["isError"]
    shown = await servers.ui_of("clock", result)
    assert (shown["uri"], shown["mimeType"]) == ("ui://clock/app.html", APP_MIME)
    assert "<h1>Clock</h1>" in shown["text"]
    assert shown["_meta"]["ui"] == {"csp": {"connectDomains": ["https://time.example"]}}
    assert await servers.ui_of("clock", result) is shown  # read once
    assert await servers.ui_of("add", await servers.call_tool("add", {"a": 1, "b": 2})) is None
    drawn = await servers.ui_of("board", {})
    assert drawn["mimeType"] == A2UI_MIME and json.loads(drawn["text"])[0]["createSurface"]["surfaceId"] == "drawn"


async def test_what_a_server_does_wrong_is_a_result_that_says_so(servers):
    assert "it does not work" in words(await servers.call_tool("broken", {}))
    missing = await servers.call_tool("nothing", {})
    assert missing["isError"] and words(missing) == "nothing: No MCP server has this tool."
    wrong = await servers.call_tool("add", {"a": "x"})
    assert wrong["isError"] and "add" in words(wrong)
    assert await servers.ui_of("add", {"_meta": {"ui": {"resourceUri": "ui://not/here"}}}) is None
    assert await servers.ui_of("add", {"_meta": {"ui": {"resourceUri": "file:///etc/passwd"}}}) is None


async def test_a_server_that_ended_is_started_again():
    servers = McpServers.from_config({"mcpServers": {"test": STDIO}})
    ended = await servers.call_tool("stop", {})
    assert ended["isError"] and "test" in words(ended)
    assert (await servers.call_tool("add", {"a": 1, "b": 2}))["structuredContent"] == {"result": 3}
    await servers.close()


async def test_a_server_that_cannot_be_reached_does_not_hide_the_others():
    gone = {"url": f"http://127.0.0.1:{free_port()}/mcp"}
    servers = McpServers.from_config({"mcpServers": {"gone": gone, "none": {"command": "/no/such"}, "test": STDIO}})
    assert (await servers.call_tool("add", {"a": 1, "b": 2}))["structuredContent"] == {"result": 3}
    missing = await servers.call_tool("nothing", {})
    assert "Not connected: gone: " in words(missing) and "none: " in words(missing) and "/no/such" in words(missing)
    await servers.close()


async def test_many_calls_at_once_share_a_connection():
    servers = McpServers.from_config({"mcpServers": {"test": STDIO}})
    results = await asyncio.gather(*(servers.call_tool("add", {"a": n, "b": n}) for n in range(20)))
    assert [result["structuredContent"]["result"] for result in results] == [2 * n for n in range(20)]
    await servers.close()


@pytest.mark.parametrize(
    ("config", "says"),
    [
        ([], "mcpServers"),
        ({"mcpServers": {"a": {}}}, "'a' needs a 'command' or a 'url'"),
        ({"mcpServers": {"a": {"command": "x", "args": 3}}}, "'a'"),
        ({"mcpServers": {"a": {"url": "http://x", "type": "sse"}}}, "'sse' is not supported"),
        ({"mcpServers": {"a": {"url": "http://x", "headers": []}}}, "'headers'"),
    ],
)
def test_a_configuration_that_cannot_be_used_says_why(config, says):
    with pytest.raises(ConfigError, match=says):
        McpServers.from_config(config)


async def test_the_servers_of_a_file_start_in_its_folder(tmp_path):
    (tmp_path / "server.py").write_text(SERVER.read_text().replace('with_name("mcp_app.js").read_text()', "name"))
    (tmp_path / "mcp.json").write_text(json.dumps({"mcpServers": {"x": {**STDIO, "args": ["server.py"]}}}))
    servers = McpServers.from_file(tmp_path / "mcp.json")
    assert (await servers.call_tool("add", {"a": 1, "b": 2}))["structuredContent"] == {"result": 3}
    await servers.close()


def test_a_file_that_cannot_be_read_says_why(tmp_path):
    with pytest.raises(ConfigError, match="cannot be read"):
        McpServers.from_file(tmp_path / "none.json")
    (tmp_path / "mcp.json").write_text("{")
    with pytest.raises(ConfigError, match="cannot be read"):
        McpServers.from_file(tmp_path / "mcp.json")
