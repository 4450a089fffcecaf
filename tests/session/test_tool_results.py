"""What a tool of ``callMcpTool`` shows beside its value."""

import json
from typing import Any

import pytest

from a2ui_app.catalogs.mcp import MCP_1_0, mcp_catalog
from a2ui_app.catalogs.registry import BASIC_1_0
from a2ui_app.session import effects
from a2ui_app.session.tool_results import MAX_IN_A_ROW

from .board import Board, button, column, text

APP = {
    "uri": "ui://clock",
    "mimeType": "text/html;profile=mcp-app",
    "text": "<h1>Clock</h1>",
    "_meta": {"ui": {"csp": {"connectDomains": ["https://time.example"]}}},
}
RESULT = {"content": [], "structuredContent": {"time": "12:00"}}


def call(**args: Any) -> dict[str, Any]:
    return {"functionCall": {"@call": "callMcpTool", "catalogId": MCP_1_0, "args": {"name": "clock", **args}}}


@pytest.fixture
def board() -> Board:
    action = call(arguments={"zone": "CET"}, targetDataPath="/app")
    catalogs = [BASIC_1_0, mcp_catalog()]
    return Board(column("b"), button("b", action), text("label", "Go"), catalogs=catalogs, mcp_client="effects")


def finish(board: Board, result: dict[str, Any] = RESULT, resource: dict[str, Any] | None = None) -> Any:
    """Click, and give the tool's result."""
    board.click("b")
    (asked,) = board.last.effects
    assert isinstance(asked, effects.CallTool) and not asked.for_app
    board.last = board.session.tool_result(asked.call_id, result, resource)
    return board.last


def template(words: str) -> str:
    components = [{"id": "root", "component": "Text", "text": words}]
    body = {"surfaceId": "drawn", "catalogId": BASIC_1_0, "components": components}
    return json.dumps({"version": "1.0", "createSurface": body})


def test_the_tools_app_is_written_to_the_target(board):
    finish(board, RESULT, APP)
    assert board.model["app"] == {
        "uri": "ui://clock",
        "htmlContent": "<h1>Clock</h1>",
        "csp": {"connectDomains": ["https://time.example"]},
        "permissions": {},
        "toolInput": {"zone": "CET"},
        "toolResult": RESULT,
    }


def test_a_tool_without_an_app_writes_nothing(board):
    finish(board)
    assert "app" not in board.model


def test_a_failed_tool_shows_nothing(board):
    finish(board, {"isError": True, "content": []}, APP)
    assert "app" not in board.model


def test_a_template_is_drawn_unless_its_surface_exists(board):
    resource = {"uri": "ui://board", "mimeType": "application/a2ui+json", "text": template("first")}
    assert effects.SurfaceCreated("drawn") in finish(board, RESULT, resource).effects
    finish(board, RESULT, {**resource, "text": template("second")})
    assert board.session.tree("drawn")["props"]["text"] == "first"  # type: ignore[index]


def test_messages_in_the_content_are_applied(board):
    part = {"type": "resource", "resource": {"mimeType": "application/a2ui+json", "text": template("here")}}
    finish(board, {"content": [{"type": "text", "text": "x"}, part]})
    assert board.session.tree("drawn")["props"]["text"] == "here"  # type: ignore[index]


@pytest.mark.parametrize("words", ["{", '{"version": "1.0", "nonsense": {}}', ""])
def test_what_cannot_be_applied_is_a_diagnostic(board, words):
    part = {"type": "resource", "resource": {"mimeType": "application/a2ui+json", "text": words}}
    found = finish(board, {"content": [part]}).effects
    (said,) = [effect for effect in found if isinstance(effect, effects.Diagnostic)]
    assert "clock" in said.payload["message"] and any(isinstance(effect, effects.RpcSettled) for effect in found)


# --- A client that answers at once


class Client:
    """Runs tools at once, and has what they show."""

    def __init__(self, **result: Any):
        self.result = {"content": [], **result}
        self.resource: dict[str, Any] | None = APP
        self.calls: list[dict[str, Any]] = []

    def call_tool(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        self.calls.append(arguments)
        return {**self.result, "structuredContent": {"n": len(self.calls)}}

    def read_resource(self, uri: str) -> dict[str, Any]:
        if self.resource is None:
            raise LookupError(uri)
        return {"contents": [{"uri": uri, "mimeType": "text/plain", "text": ""}, self.resource]}


def at_once(client: Client, text_: Any = "x") -> Board:
    catalogs = [BASIC_1_0, mcp_catalog()]
    rest = (button("b", call(targetDataPath="/app")), text("label", "Go"), text("t", text_))
    return Board(column("b", "t"), *rest, data={"n": 0}, catalogs=catalogs, mcp_client=client)


NAMED = {"_meta": {"ui": {"resourceUri": "ui://clock"}}}


def test_a_client_at_hand_shows_what_its_result_names():
    board = at_once(Client(**NAMED))
    board.click("b")
    assert board.model["app"]["htmlContent"] == "<h1>Clock</h1>"
    assert not [effect for effect in board.last.effects if isinstance(effect, effects.CallTool)]


def test_what_cannot_be_read_leaves_the_result():
    client = Client(**NAMED)
    client.resource = None
    board = at_once(client)
    board.click("b")
    assert board.last.ok and "app" not in board.model and len(client.calls) == 1


def test_a_value_may_draw_another_surface():
    part = {"type": "resource", "resource": {"mimeType": "application/a2ui+json", "text": template("here")}}
    value = {"@call": "callMcpTool", "catalogId": MCP_1_0, "args": {"name": "clock"}}
    number = {"@call": "jmespath", "catalogId": MCP_1_0, "args": {"expression": "structuredContent.n", "data": value}}
    client = Client(content=[part])
    board = at_once(client, number)
    assert len(client.calls) == 1 and board.texts("t") != [None]
    assert board.session.tree("drawn")["props"]["text"] == "here"  # type: ignore[index]


def test_a_circle_of_calls_ends():
    arguments = {"again": {"@path": "/app/toolResult/structuredContent/n"}}
    args = {"name": "clock", "arguments": arguments, "targetDataPath": "/app"}
    client = Client(**NAMED)
    board = at_once(client, {"@call": "callMcpTool", "catalogId": MCP_1_0, "args": args})
    assert len(client.calls) == MAX_IN_A_ROW
    assert "Too many" in str(board.diagnostics)
