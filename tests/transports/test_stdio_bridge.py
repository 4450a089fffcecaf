"""`python -m a2ui_app mcp`: the page's tools over stdio, by the official client."""

import asyncio
import os
import sys
from pathlib import Path

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from .test_agent_tools import Page, page  # noqa: F401  (a fixture)

ROOT = Path(__file__).parents[2]


def parameters(url: str, token: str) -> StdioServerParameters:
    arguments = ["-m", "a2ui_app", "mcp", "--url", url]
    return StdioServerParameters(
        command=sys.executable, args=arguments, cwd=ROOT, env={**os.environ, "A2UI_MCP_TOKEN": token}
    )


async def test_an_agent_that_takes_commands_only_reaches_the_page(page: Page) -> None:  # noqa: F811
    url = f"{page.address}{page.access.path}"

    async def use() -> str:
        async with Client(stdio_client(parameters(url, page.access.token))) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            assert {"ask_input", "render_ui"} <= names
            guide = (await client.read_resource("a2ui://guide")).contents[0]
            assert "# Drawing" in getattr(guide, "text", "")
            result = await client.call_tool("ask_input", {"title": "Name?"})
            return "".join(getattr(part, "text", "") for part in result.content)

    used = asyncio.create_task(use())
    page.answer(await page.dialog(), "Ada")
    assert '"Ada"' in await used


async def test_without_a_token_it_says_what_to_do() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "A2UI_MCP_TOKEN"}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "a2ui_app", "mcp", "--url", "http://127.0.0.1:1/mcp/x"),
        cwd=ROOT,
        env=environment,
        stderr=asyncio.subprocess.PIPE,
    )
    _, told = await process.communicate()
    assert process.returncode == 1
    assert b"A2UI_MCP_TOKEN" in told
