"""MCP servers, and their tools for surfaces and embedded apps: the official client, over stdio or streamable HTTP.

A server is connected to when its first tool is wanted, and again after the connection broke. Nothing here raises for
what a server does: a tool that cannot be called is a result with ``isError``, as MCP has it for tools that fail.
"""

import asyncio
import json
import logging
from base64 import b64decode
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final, TypeVar

import httpx2
from mcp import Client, MCPError, StdioServerParameters
from mcp.client import advertise
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CONNECTION_CLOSED, BlobResourceContents, Tool
from pydantic import ValidationError

APPS: Final = "io.modelcontextprotocol/ui"
"""The MCP Apps extension."""

APP_MIME: Final = "text/html;profile=mcp-app"
A2UI_MIME: Final = "application/a2ui+json"

CALL_TIMEOUT = 60.0
"""Seconds a server may take for one request."""

CONNECT_TIMEOUT = 30.0

MAX_PAGES = 50
"""Pages of one server's list of tools."""

_log = logging.getLogger(__name__)


Result = TypeVar("Result")

Connect = Callable[[AsyncExitStack], Awaitable[Client]]
"""Connects to a server; what it opens is entered on the stack."""


class ServerFault(Exception):
    """A server that cannot be reached or has not done what it was asked; the text says which and why."""


class ConfigError(ValueError):
    """A configuration of MCP servers that cannot be used; the text names the server and the remedy."""


class McpServers:
    """The servers of a configuration as one set of tools. Of two tools of one name the first server's counts.

    Belongs to one event loop; `close` ends the connections and the processes behind them.
    """

    def __init__(self, servers: Mapping[str, Connect]):
        self._connections = {name: _Connection(name, connect) for name, connect in servers.items()}
        self._tools: dict[str, tuple[_Connection, Tool]] = {}
        self._resources: dict[tuple[str, str], dict[str, Any]] = {}

    @classmethod
    def from_config(cls, config: Any, folder: Path | None = None) -> "McpServers":
        """The servers of the common form ``{"mcpServers": {name: {"command", "args", "env"} | {"url", "headers"}}}``.

        Commands start in ``folder`` unless they name a ``cwd``. Raises ConfigError.
        """
        servers = config.get("mcpServers") if isinstance(config, Mapping) else None
        if not isinstance(servers, Mapping):
            raise ConfigError('An MCP configuration has the form {"mcpServers": {"name": {…}}}.')
        return cls({str(name): _connector(str(name), server, folder) for name, server in servers.items()})

    @classmethod
    def from_file(cls, path: Path) -> "McpServers":
        """The servers of a JSON file; see `from_config`. Commands start in the file's folder.

        Raises ConfigError, also for a file that cannot be read.
        """
        try:
            return cls.from_config(json.loads(path.read_text(encoding="utf-8")), path.resolve().parent)
        except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
            raise ConfigError(f"The MCP configuration {path} cannot be read: {error}") from error

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The tool's CallToolResult as JSON."""
        try:
            connection, _ = await self._tool(name)
            result = await connection.ask(lambda client: client.call_tool(name, arguments))
        except ServerFault as fault:
            return failed(f"{name}: {fault}")
        return result.model_dump(mode="json", by_alias=True, exclude_none=True)

    async def ui_of(self, name: str, result: Mapping[str, Any]) -> dict[str, Any] | None:
        """What tool ``name`` shows with ``result``, as MCP's resource contents; None: nothing, or it cannot be read.

        HTML of an MCP app, or A2UI messages, as its ``mimeType`` says; read once for each address.

        The result's own ``_meta.ui.resourceUri`` comes before the tool's. Only ``ui://`` resources are read.
        """
        try:
            connection, tool = await self._tool(name)
            uri = _ui_uri(result.get("_meta")) or _ui_uri(tool.meta)
            if uri is None:
                return None
            if (connection.name, uri) not in self._resources:
                self._resources[connection.name, uri] = await connection.ask(lambda client: _read(client, uri))
        except ServerFault as fault:
            _log.warning("The UI of MCP tool '%s' cannot be read: %s", name, fault)
            return None
        return self._resources[connection.name, uri]

    async def close(self) -> None:
        """Disconnect from all servers."""
        await asyncio.gather(*(connection.close() for connection in self._connections.values()))

    async def _tool(self, name: str) -> tuple["_Connection", Tool]:
        """Where tool ``name`` is. Raises ServerFault when no server has it."""
        silent = [] if name in self._tools else await self._learn_tools()
        if name not in self._tools:
            missing = f" Not connected: {'; '.join(silent)}" if silent else ""
            raise ServerFault(f"No MCP server has this tool.{missing}")
        return self._tools[name]

    async def _learn_tools(self) -> list[str]:
        """Ask every server for its tools; what those that did not tell said."""
        connections = self._connections.values()
        lists = await asyncio.gather(*(c.ask(_tools_of) for c in connections), return_exceptions=True)
        silent: list[str] = []
        for connection, found in zip(connections, lists, strict=True):
            if isinstance(found, ServerFault):
                silent.append(str(found))
            elif isinstance(found, BaseException):
                raise found
            else:
                for tool in found:
                    self._tools.setdefault(tool.name, (connection, tool))
        return silent


class _Connection:
    """A server, and a task that keeps the connection to it open: anyio wants it closed by the task that opened it."""

    def __init__(self, name: str, connect: Connect):
        self.name = name
        self._connect = connect
        self._client: asyncio.Future[Client] | None = None
        self._closing = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def ask(self, request: Callable[[Client], Awaitable[Result]]) -> Result:
        """The answer to ``request``. Raises ServerFault."""
        try:
            return await request(await self._connected())
        except Exception as error:  # a server may do anything, and the client raise whatever comes of it
            if isinstance(error, MCPError) and error.code == CONNECTION_CLOSED:
                self._closing.set()  # the next request connects again
                self._client = None
            raise ServerFault(f"{self.name}: {_words(error)}") from error

    async def close(self) -> None:
        self._closing.set()
        if self._task is not None:
            await asyncio.wait([self._task])

    async def _connected(self) -> Client:
        """The client. Raises what connecting raised; the next call tries again."""
        if self._client is None or (self._task is not None and self._task.done()):
            self._client = asyncio.get_running_loop().create_future()
            self._closing = asyncio.Event()
            self._task = asyncio.create_task(self._keep(self._client, self._closing), name=f"MCP server {self.name}")
        return await asyncio.shield(self._client)

    async def _keep(self, opened: "asyncio.Future[Client]", closing: asyncio.Event) -> None:
        try:
            async with AsyncExitStack() as stack:
                async with asyncio.timeout(CONNECT_TIMEOUT):
                    client = await self._connect(stack)
                opened.set_result(client)
                await closing.wait()
        except Exception as error:  # told to who waits for the connection, else to the log
            if not opened.done():
                opened.set_exception(error)
            elif not closing.is_set():
                _log.warning("The connection to MCP server '%s' broke: %s", self.name, _words(error))


def failed(text: str) -> dict[str, Any]:
    """The CallToolResult of a tool that could not be called."""
    return {"isError": True, "content": [{"type": "text", "text": text}]}


def _connector(name: str, server: Any, folder: Path | None) -> Connect:
    """How to connect to a server of a configuration. Raises ConfigError."""
    if isinstance(server, Mapping) and isinstance(server.get("command"), str):
        try:
            known = {key: server[key] for key in ("command", "args", "env", "cwd") if key in server}
            return _over_stdio(StdioServerParameters.model_validate({"cwd": folder} | known))
        except ValidationError as error:
            raise ConfigError(f"MCP server '{name}': {error.errors()[0]['msg']}.") from error
    if isinstance(server, Mapping) and isinstance(server.get("url"), str):
        if server.get("type", "http") not in ("http", "streamable-http"):
            raise ConfigError(f"MCP server '{name}': the type '{server['type']}' is not supported; use 'http'.")
        headers = server.get("headers", {})
        if not isinstance(headers, Mapping):
            raise ConfigError(f"MCP server '{name}': 'headers' must be an object.")
        return _over_http(server["url"], {str(key): str(value) for key, value in headers.items()})
    raise ConfigError(f"MCP server '{name}' needs a 'command' or a 'url'.")


def _over_stdio(parameters: StdioServerParameters) -> Connect:
    async def connect(stack: AsyncExitStack) -> Client:
        return await stack.enter_async_context(_client(parameters))

    return connect


def _over_http(url: str, headers: dict[str, str]) -> Connect:
    async def connect(stack: AsyncExitStack) -> Client:
        timeout = httpx2.Timeout(CONNECT_TIMEOUT, read=CALL_TIMEOUT)
        http = await stack.enter_async_context(httpx2.AsyncClient(headers=headers, timeout=timeout))
        return await stack.enter_async_context(_client(streamable_http_client(url, http_client=http)))

    return connect


def _client(server: Any) -> Client:
    apps = advertise(APPS, {"mimeTypes": [APP_MIME, A2UI_MIME]})
    return Client(server, read_timeout_seconds=CALL_TIMEOUT, extensions=[apps])


async def _tools_of(client: Client) -> list[Tool]:
    found: list[Tool] = []
    cursor: str | None = None
    for _ in range(MAX_PAGES):
        page = await client.list_tools(cursor=cursor)
        found += page.tools
        cursor = page.next_cursor
        if cursor is None:
            break
    return found


async def _read(client: Client, uri: str) -> dict[str, Any]:
    """The first content of a resource that a page can show. Raises ServerFault."""
    for content in (await client.read_resource(uri)).contents:
        mime = (content.mime_type or "").replace(" ", "")
        if mime in (APP_MIME, A2UI_MIME):
            blob = isinstance(content, BlobResourceContents)
            text = b64decode(content.blob).decode("utf-8") if blob else content.text
            return {"uri": uri, "mimeType": mime, "text": text, "_meta": content.meta or {}}
    raise ServerFault(f"{uri} has no content of type {APP_MIME} or {A2UI_MIME}.")


def _ui_uri(meta: Any) -> str | None:
    """The address of what a tool or its result shows, from its ``_meta`` (also in the flat form of early servers)."""
    if not isinstance(meta, Mapping):
        return None
    ui = meta.get("ui")
    uri = ui.get("resourceUri") if isinstance(ui, Mapping) else meta.get("ui/resourceUri")
    return uri if isinstance(uri, str) and uri.startswith("ui://") else None


def _words(error: BaseException) -> str:
    """What ``error`` says; of a group, what its first says."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error) or type(error).__name__
