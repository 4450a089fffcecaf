"""The MCP server at ``/mcp/{conversation}``: one for the app; who calls is known by the token of their run."""

import json
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resources import TextResource
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from ...catalogs.extended import document
from ...catalogs.registry import BASIC_1_0, get_catalog
from . import texts
from .questions import Questions
from .tools import Caller, Desk, add_tools

SERVER_NAME = "a2ui"
"""What the agents' configurations call this server; its tools are trusted by that name."""


@dataclass(frozen=True)
class Access:
    """How an agent reaches its desk: the path on this server, and the bearer token of its run."""

    path: str
    token: str

    def mcp_config(self, address: str) -> dict[str, Any]:
        """The MCP configuration for a CLI; ``address`` is where this server is reached."""
        headers = {"Authorization": f"Bearer {self.token}"}
        server = {"type": "http", "url": f"{address}{self.path}", "headers": headers}
        return {"mcpServers": {SERVER_NAME: server}}


class AgentTools:
    """Opens desks to agents. Its `lifespan` must run while it serves; a new one is needed to run again."""

    def __init__(self, *, progress_every: float = 8.0):
        self._progress_every = progress_every
        self._callers: dict[str, Caller] = {}  # by token
        self._tokens: dict[str, str] = {}  # by conversation
        self._server = MCPServer("A2UI App", instructions=texts.INSTRUCTIONS, log_level="WARNING")
        add_tools(self._server, self._caller)
        for uri, name, text in _resources():
            self._server.add_resource(TextResource(uri=uri, name=name, text=text, mime_type=_mime(uri)))
        self._manager: StreamableHTTPSessionManager | None = None

    def open(self, conversation: str, desk: Desk) -> Access:
        """Let an agent work on ``desk`` until `close`. A conversation whose agent is open already keeps its token."""
        token = self._tokens.get(conversation)
        if token is None:
            token = self._tokens[conversation] = secrets.token_urlsafe(24)
            self._callers[token] = Caller(desk, Questions(self._progress_every))
        return Access(f"/mcp/{conversation}", token)

    async def close(self, conversation: str) -> None:
        """End the token of a conversation, and take back the questions of its agent."""
        token = self._tokens.pop(conversation, None)
        if token is not None:
            await self._callers.pop(token).questions.close()

    def questions(self, conversation: str) -> Questions:
        """The questions of a conversation that is open."""
        return self._callers[self._tokens[conversation]].questions

    @asynccontextmanager
    async def lifespan(self) -> AsyncIterator[None]:
        """While the app runs."""
        # MCPServer makes its manager together with a Starlette app, whose own routes are not wanted here. Stateless: a
        # call that a client gave up must not hold up the next one, as it can when they share a session's stream.
        self._server.streamable_http_app(streamable_http_path="/mcp", stateless_http=True)
        self._manager = self._server.session_manager
        async with self._manager.run():
            yield
        self._manager = None

    def routes(self) -> list[BaseRoute]:
        """The route of the server."""
        return [Route("/mcp/{conversation}", _Endpoint(self))]

    async def serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request whose token is that of its conversation."""
        headers = dict(scope["headers"])
        scheme, _, token = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
        conversation = scope["path_params"]["conversation"]
        known = self._tokens.get(conversation)
        if known is None or scheme.lower() != "bearer" or not secrets.compare_digest(known.encode(), token.encode()):
            refused = PlainTextResponse("This run's token is wanted.\n", 401, headers={"www-authenticate": "Bearer"})
            await refused(scope, receive, send)
        elif self._manager is None:
            await PlainTextResponse("The server is stopping.\n", 503)(scope, receive, send)
        else:
            await self._manager.handle_request(scope, receive, send)

    def _caller(self, context: Context) -> Caller:
        authorization = (context.headers or {}).get("authorization", "")
        caller = self._callers.get(authorization.partition(" ")[2])
        if caller is None:
            raise ToolError("This run is over; its page cannot be reached any more.")
        return caller


class _Endpoint:
    """An ASGI app for `Route`, which would take a method for a request handler."""

    def __init__(self, tools: AgentTools):
        self._tools = tools

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._tools.serve(scope, receive, send)


def _resources() -> list[tuple[str, str, str]]:
    basic: Mapping[str, Any] = get_catalog(BASIC_1_0).document
    return [
        ("a2ui://guide", "How to draw, with examples", texts.GUIDE),
        ("a2ui://catalogs/basic", "The basic catalog of A2UI 1.0", json.dumps(basic)),
        ("a2ui://catalogs/extended", "Tables, charts, code, diffs and more", json.dumps(document())),
    ]


def _mime(uri: str) -> str:
    return "text/markdown" if uri.endswith("guide") else "application/json"
