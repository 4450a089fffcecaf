"""Calls between agent and renderer, in both directions, and functions that ask for more than a value."""

import pickle
from datetime import UTC, datetime
from typing import Any

import pytest

from a2ui_app.catalogs.functions import Function
from a2ui_app.catalogs.mcp import MCP_1_0, mcp_catalog
from a2ui_app.catalogs.registry import BASIC_1_0
from a2ui_app.session import Session, effects

from .board import Board, at, button, call, column, field, text


def sent_calls(board: Board) -> list[dict[str, Any]]:
    return [message["callAgentFunction"] for message in board.sent if "callAgentFunction" in message]


def answer(board: Board, call_id: str, **outcome: Any) -> None:
    board.send(agentFunctionResponse={"functionCallId": call_id, **outcome})


def test_a_function_nobody_has_here_is_asked_of_the_agent():
    board = Board(text("root", call("lookUp", id=at("/id"))), data={"id": 7})
    (asked,) = sent_calls(board)
    assert asked["callFunction"] == {"@call": "lookUp", "args": {"id": 7}, "catalogId": BASIC_1_0}
    assert effects.AgentCallSent(asked["functionCallId"], 30_000) in board.last.effects
    assert board.node("root")["busy"] and board.texts("root") == [None]
    answer(board, asked["functionCallId"], value="found")
    assert not board.node("root")["busy"] and board.texts("root") == ["found"]


def test_the_same_call_is_not_sent_again_until_an_argument_changes():
    board = Board(text("root", call("lookUp", id=at("/id"))), data={"id": 7})
    first = sent_calls(board)[0]["functionCallId"]
    board.update({**text("root", call("lookUp", id=at("/id"))), "weight": 1})
    assert sent_calls(board) == []
    answer(board, first, value="seven")
    board.data("/other", 1)
    assert sent_calls(board) == []
    board.data("/id", 8)
    assert [asked["callFunction"]["args"] for asked in sent_calls(board)] == [{"id": 8}]
    assert board.texts("root") == [None]


@pytest.mark.parametrize("how", ["error", "timeout", "dispose"])
def test_a_call_that_fails_leaves_null_and_is_reported(how):
    board = Board(text("root", call("lookUp")), data={})
    call_id = sent_calls(board)[0]["functionCallId"]
    if how == "error":
        answer(board, call_id, error={"code": "OUT", "message": "no luck"})
    else:
        session = board.session
        board.last = session.timeout_agent_call(call_id) if how == "timeout" else session.dispose()
    (settled,) = [effect for effect in board.last.effects if isinstance(effect, effects.RpcSettled)]
    expected = {"error": "OUT", "timeout": "TIMEOUT", "dispose": "CANCELLED"}[how]
    assert settled.outcome["error"]["code"] == expected
    assert [found["code"] for found in board.diagnostics] == ["EXPRESSION_ERROR"]
    assert board.session.surface("s") is not None
    if how != "dispose":
        assert board.texts("root") == [None] and not board.node("root")["busy"]


def test_late_unknown_and_second_answers_change_nothing():
    board = Board(text("root", call("lookUp")), data={})
    call_id = sent_calls(board)[0]["functionCallId"]
    answer(board, call_id, value=1)
    answer(board, call_id, value=2)
    assert board.last.effects == [] and board.texts("root") == ["1"]
    answer(board, "nobody", value=3)
    assert board.last.effects == []
    assert board.session.timeout_agent_call(call_id).effects == []


def test_a_check_that_waits_is_not_valid():
    check = {"condition": call("free", name=at("/n")), "message": "Taken"}
    board = Board(field("root", "/n", checks=[check]), data={"n": "a"})
    assert not board.node("root")["valid"] and board.node("root")["errors"] == []
    answer(board, sent_calls(board)[0]["functionCallId"], value={"valid": False})
    assert board.node("root")["errors"] == ["Taken"]


def test_a_function_call_action_is_sent_each_time():
    board = Board(button("root", {"functionCall": call("save", n=at("/n"))}), text("label", "Go"), data={"n": 1})
    board.click("root")
    first = sent_calls(board)
    board.click("root")
    second = sent_calls(board)
    assert first[0]["callFunction"] == second[0]["callFunction"]
    assert first[0]["functionCallId"] != second[0]["functionCallId"]


def test_a_pending_call_survives_pickling():
    board = Board(text("root", call("lookUp")), data={})
    call_id = sent_calls(board)[0]["functionCallId"]
    board.session = pickle.loads(pickle.dumps(board.session))
    answer(board, call_id, value="back")
    assert board.texts("root") == ["back"]


def test_before_1_0_nothing_is_asked_of_the_agent():
    unknown = {"call": "lookUp", "args": {}}
    board = Board(text("root", unknown), data={}, version="v0.9")
    assert sent_calls(board) == [] and board.diagnostics[0]["code"] == "EXPRESSION_ERROR"


def test_agent_only_functions_are_refused_in_a_binding():
    import dataclasses

    from a2ui_app.catalogs.registry import basic_catalog

    basic = basic_catalog("1.0")
    secret = Function("secret", lambda arguments: "x", allowed_callers="agentOnly")
    catalog = dataclasses.replace(basic, id="urn:test", functions={**basic.functions, "secret": secret})
    session = Session([catalog])
    create = {"surfaceId": "s", "catalogId": "urn:test", "components": [text("root", call("secret"))]}
    outcome = session.handle_message({"version": "1.0", "createSurface": create})
    assert any(isinstance(e, effects.Diagnostic) and "agentOnly" in e.payload["message"] for e in outcome.effects)
    asked = {"@call": "secret", "catalogId": "urn:test"}
    reply = session.handle_message(
        {"version": "1.0", "callRendererFunction": {"functionCallId": "f", "callFunction": asked}}
    )
    body = {"functionCallId": "f", "value": "x"}
    assert reply.effects == [effects.Send({"version": "1.0", "rendererFunctionResponse": body})]


# --- MCP ---------------------------------------------------------------------------------------------------------


class Tools:
    """An MCP client that answers at once."""

    def call_tool(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        if name == "broken":
            raise ConnectionError("gone")
        return {"content": [], "structuredContent": {"name": name, **arguments}}


def mcp(name: str, /, **args: Any) -> dict[str, Any]:
    return {"@call": name, "catalogId": MCP_1_0, "args": args}


def app_board(mcp_client: Any = None, *more: dict[str, Any], **properties: Any) -> Board:
    app = {"id": "app", "component": "McpApp", "catalogId": MCP_1_0, "htmlContent": "<p>", **properties}
    return Board(
        column("app", *(component["id"] for component in more)),
        app,
        *more,
        data={"shared": {"n": 1}},
        catalogs=[BASIC_1_0, mcp_catalog()],
        mcp_client=mcp_client,
    )


def ask(board: Board, method: str, params: Any) -> dict[str, Any] | None:
    board.last = board.session.mcp_app_request("s", board.node("app")["ref"], method, params)
    assert board.last.error is None
    return board.last.reply


def test_an_action_waits_for_its_tool_and_then_writes():
    picked = mcp("jmespath", expression="structuredContent.n", data=mcp("callMcpTool", name="t", arguments={"n": 5}))
    action = {"functionCall": mcp("updateDataModel", updates={"/result": picked})}
    board = app_board("effects", button("b", action), text("label", "Go"))
    board.click("b")
    (tool,) = board.last.effects
    assert tool == effects.CallTool("call-1", "t", {"n": 5})
    board.session = pickle.loads(pickle.dumps(board.session))
    board.session.tool_result("call-1", {"content": [], "structuredContent": {"n": 5}})
    assert board.model["result"] == 5
    board.click("b")
    failed = board.session.tool_result("call-2", {"isError": True, "content": [{"type": "text", "text": "no"}]})
    assert "no" in next(e for e in failed.effects if isinstance(e, effects.Diagnostic)).payload["message"]


def test_a_client_that_answers_at_once_needs_no_effect():
    action = {"functionCall": mcp("updateDataModel", updates={"/r": mcp("callMcpTool", name="t", arguments={})})}
    board = app_board(Tools(), button("b", action), text("label", "Go"))
    board.click("b")
    assert board.model["r"]["structuredContent"] == {"name": "t"}


def test_updating_data_is_for_actions_only():
    board = app_board(None, text("t", mcp("updateDataModel", updates={"/x": 1})))
    assert "action" in board.diagnostics[0]["message"] and "x" not in board.model


def test_an_apps_tool_call_goes_out_as_an_action_and_gets_its_result():
    board = app_board(allowedTools=["t"])
    assert ask(board, "tools/call", {"name": "t", "arguments": {"a": 1}}) == {"result": {"content": []}}
    assert board.sent[0]["action"]["name"] == "t" and board.sent[0]["action"]["context"] == {"a": 1}
    board = app_board(Tools(), allowedTools=["t", "broken"])
    reply = ask(board, "tools/call", {"name": "t", "arguments": {"a": 1}})
    assert reply == {"result": {"content": [], "structuredContent": {"name": "t", "a": 1}}}
    assert ask(board, "tools/call", {"name": "broken"})["result"]["isError"]  # type: ignore[index]


def test_an_awaited_tool_replies_to_the_app_later():
    board = app_board("effects", allowedTools=["t"])
    assert ask(board, "tools/call", {"name": "t"}) is None
    call_id = next(e.call_id for e in board.last.effects if isinstance(e, effects.CallTool))
    result = {"content": [{"type": "text", "text": "done"}]}
    settled = board.session.tool_result(call_id, result).effects
    assert effects.AppReply(call_id, {"result": result}) in settled


def test_an_app_calls_functions_shares_data_and_speaks():
    board = app_board(
        allowedFunctions={"split": {"type": "object", "required": ["value"]}},
        data={"paths": {"state": "/shared", "modelContext": "/context"}},
    )
    assert board.node("app")["props"]["data"] == {"paths": {"state": {"n": 1}, "modelContext": None}}
    change = {"key": "state", "subpath": "n", "value": 2}
    assert ask(board, "ui/notifications/data-model-change", change) is None
    assert board.model["shared"] == {"n": 2}
    ask(board, "ui/notifications/data-model-change", change)
    assert board.last.effects == []  # the echo ends here
    ask(board, "ui/update-model-context", {"content": "c", "structuredContent": {"s": 1}})
    assert board.model["context"] == {"s": 1}
    assert ask(board, "ui/message", {"role": "user", "content": "hi"}) == {"result": {}}
    assert board.sent[0]["action"]["context"] == {"role": "user", "content": "hi"}
    assert ask(board, "ui/request-display-mode", {}) == {"result": {"mode": "inline"}}
    assert ask(board, "ui/open-link", {"url": "https://example.com"}) == {"result": {}}
    assert board.last.effects == [effects.OpenUrl("https://example.com")]


REFUSED = [
    ("tools/call", {"name": "other"}, -32602),
    ("tools/call", "no object", -32602),
    ("ui/requests/function-call", {"call": "openUrl", "args": {}}, -32602),
    ("ui/requests/function-call", {"call": "split", "args": {"value": 5}}, -32602),
    ("ui/notifications/data-model-change", {"key": "other", "value": 1}, -32602),
    ("ui/update-model-context", {"content": 1}, -32602),
    ("ui/open-link", {"url": "javascript:alert(1)"}, -32602),
    ("tools/call", {"name": "t", "arguments": {"__proto__": 1}}, -32602),
    ("ui/message", {"content": "x" * 70_000}, -32602),
    ("ui/message", {"content": [[[[[[[[[[[1]]]]]]]]]]]}, -32602),
    ("eval", {}, -32601),
]


@pytest.mark.parametrize("method, params, code", REFUSED)
def test_an_app_gets_no_more_than_its_component_lists(method, params, code):
    board = app_board(
        allowedTools=["t"],
        allowedFunctions={"split": {"properties": {"value": {"type": "string"}}}},
        data={"paths": {}},
    )
    before = board.model
    assert ask(board, method, params)["error"]["code"] == code  # type: ignore[index]
    assert board.last.effects == [] and board.model == before


def test_a_schema_of_an_app_reaches_no_other_host():
    board = app_board(allowedFunctions={"split": {"$ref": "http://127.0.0.1:1/schema.json"}})
    reply = ask(board, "ui/requests/function-call", {"call": "split", "args": {}})
    assert reply["error"]["code"] == -32603  # type: ignore[index]


def test_requests_for_what_is_no_app_are_an_error():
    board = app_board()
    assert board.session.mcp_app_request("s", board.node("root")["ref"], "ping", {}).error is not None
    assert board.session.mcp_app_request("s", 999, "ping", {}).error is not None


def test_the_clock_is_given():
    session = Session(clock=lambda: datetime(2026, 2, 3, 4, 5, 6, 700_000, UTC))
    create = {
        "surfaceId": "s",
        "catalogId": BASIC_1_0,
        "components": [button("root", {"event": {"name": "go", "userMessage": at("/m")}}), text("label", "Go")],
        "dataModel": {"m": "Went"},
    }
    session.handle_message({"version": "1.0", "createSurface": create})
    (sent,) = session.invoke("s", 1, "action").effects
    assert isinstance(sent, effects.Send)
    assert sent.message["action"] == {
        "name": "go",
        "surfaceId": "s",
        "sourceComponentId": "root",
        "timestamp": "2026-02-03T04:05:06.700Z",
        "context": {},
        "userMessage": "Went",
    }
