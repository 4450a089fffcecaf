"""A real MCP server for tests, a process of its own: a tool with an app, tools that fail, and one that draws A2UI.

``python tests/mcp_server.py`` speaks over stdio; ``python tests/mcp_server.py PORT`` serves streamable HTTP.
"""

import json
import os
import sys
from pathlib import Path

from mcp.server.apps import Apps, ResourceCsp
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resources import TextResource

CLOCK = (
    """<!doctype html>
<h1>Clock</h1>
<button onclick="ask('tools/call', { name: 'clock', arguments: { zone: 'CET' } }).then((r) => show('tool', r))">
  Refresh
</button>
<button onclick="ask('ui/requests/function-call', { call: 'split', args: { value: 'a-b', separator: '-' } })
  .then((r) => show('function', r))">Split</button>
<button onclick="tell('ui/notifications/data-model-change', { key: 'state', subpath: '/zone', value: 'CET' })">
  Choose
</button>
<button onclick="ask('ui/message', { role: 'user', content: { type: 'text', text: 'It is late' } })">Say</button>
<button onclick="ask('ui/open-link', { url: 'https://time.example/' }).then((r) => show('link', r))">Open</button>
<script>
"""
    + Path(__file__).with_name("mcp_app.js").read_text()
    + "</script>"
)
BOARD = [
    {
        "version": "1.0",
        "createSurface": {
            "surfaceId": "drawn",
            "catalogId": "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json",
            "components": [{"id": "root", "component": "Text", "text": "Drawn by a tool"}],
        },
    }
]

apps = Apps()


@apps.tool(resource_uri="ui://clock/app.html")
def clock(zone: str = "UTC") -> dict[str, str]:
    """Tells the time."""
    return {"zone": zone, "time": "12:00"}


apps.add_html_resource("ui://clock/app.html", CLOCK, csp=ResourceCsp(connect_domains=["https://time.example"]))

server = MCPServer("test", extensions=[apps])


@server.tool()
def add(a: int, b: int) -> int:
    """Adds."""
    return a + b


@server.tool()
def broken() -> str:
    """Fails."""
    raise ToolError("it does not work")


@server.tool()
def stop() -> None:
    """Ends the server."""
    os._exit(3)


@server.tool(meta={"ui": {"resourceUri": "ui://board/board.json"}})
def board() -> str:
    """Draws a surface."""
    return "drawn"


server.add_resource(
    TextResource(uri="ui://board/board.json", name="board", mime_type="application/a2ui+json", text=json.dumps(BOARD))
)

if __name__ == "__main__":
    if len(sys.argv) > 1:
        server.run("streamable-http", port=int(sys.argv[1]))
    else:
        server.run()
