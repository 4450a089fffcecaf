"""What a tool of ``callMcpTool`` shows beside its value."""

import json
from typing import Any

import pytest

from a2ui_app.catalogs.mcp import MCP_1_0, mcp_catalog
from a2ui_app.catalogs.registry import BASIC_1_0
from a2ui_app.session import effects

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
