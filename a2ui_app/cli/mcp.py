"""`python -m a2ui_app mcp`: the page's tools over stdio, for agents that take MCP servers as commands only.

A bridge: what comes in on stdin goes to the app's MCP server over HTTP, and its answers come back. The address is
``--url`` and the run's token is in ``A2UI_MCP_TOKEN``, so that neither shows in a list of processes.
"""

import argparse
import asyncio
import os
import sys
from typing import Any

import httpx2
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

TOKEN = "A2UI_MCP_TOKEN"
ANSWER_WITHIN = 3700.0  # seconds; a person may take an hour


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `mcp`."""
    parser.add_argument("--url", required=True, help="the conversation's address, http://127.0.0.1:8123/mcp/ID")


def run(args: argparse.Namespace) -> int:
    """Serve until stdin ends. 1 when the app cannot be reached."""
    token = os.environ.get(TOKEN)
    if not token:
        print(f"Put the run's token into {TOKEN}.", file=sys.stderr)
        return 1
    failed: list[BaseException] = []
    try:
        asyncio.run(_bridge(args.url, token))
    except* (MCPError, httpx2.HTTPError, OSError) as errors:
        failed += errors.exceptions
    if failed:
        print(f"The page at {args.url} cannot be reached: {failed[0]}", file=sys.stderr)
    return 1 if failed else 0


async def _bridge(url: str, token: str) -> None:
    headers = {"Authorization": f"Bearer {token}"}
    async with (
        httpx2.AsyncClient(headers=headers, timeout=ANSWER_WITHIN) as http,
        Client(streamable_http_client(url, http_client=http)) as page,
        stdio_server() as (read, write),
    ):
        server = _server(page)
        await server.run(read, write, server.create_initialization_options())


def _server(page: Client) -> Server[Any]:
    """A server that has what ``page`` has."""

    async def list_tools(context: Any, params: Any) -> Any:
        return await page.list_tools()

    async def call_tool(context: Any, params: Any) -> Any:
        async def progress(progress: float, total: float | None, message: str | None) -> None:
            await context.session.report_progress(progress, total, message)

        return await page.call_tool(params.name, params.arguments or {}, progress_callback=progress)

    async def list_resources(context: Any, params: Any) -> Any:
        return await page.list_resources()

    async def read_resource(context: Any, params: Any) -> Any:
        return await page.read_resource(str(params.uri))

    return Server(
        "A2UI App",
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_read_resource=read_resource,
    )
