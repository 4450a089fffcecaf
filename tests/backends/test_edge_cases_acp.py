"""The edge cases of JSON-RPC agents as the Agent Client Protocol shows them; numbers as in test_edge_cases.py.

Not here: 30 (updates after the answer to a prompt), which no agent was seen to send; they are not waited for.
"""

import sys
from pathlib import Path
from typing import Any

import pytest

from a2ui_app.backends.acp import AcpBackend
from a2ui_app.backends.acp_parser import AcpParser
from a2ui_app.backends.base import MessageType, Status, TokenUsage

from .parsing import capture, feed, messages

AGENT = Path(__file__).with_name("fake_acp.py")


def update(**fields: Any) -> dict[str, Any]:
    return {"method": "session/update", "params": {"update": fields}}


def chunk(text: str, **more: Any) -> dict[str, Any]:
    return update(sessionUpdate="agent_message_chunk", content={"type": "text", "text": text}, **more)


def started(*events: Any, name: str = "") -> tuple[AcpParser, list[Any]]:
    parser = AcpParser("/tmp", {})
    parser.open()
    parser.prompt("hi")
    hello = {"id": 1, "result": {"agentInfo": {"name": name}}}
    return parser, feed(parser, hello, {"id": 2, "result": {"sessionId": "s1"}}, *events)


@pytest.mark.parametrize("scenario", ["stays", "stays-hang-deaf"])
async def test_12_13_an_agent_that_hears_neither_the_end_nor_a_cancel_is_killed(options, scenario: str) -> None:
    """The fixture asserts that no process is left."""
    backend = AcpBackend(f"{sys.executable} {AGENT} {scenario}")
    run = await backend.execute("hi", options())
    if "hang" in scenario:
        async for message in run.messages:
            if message.type is MessageType.TOOL_RESULT:
                break
        assert (await run.cancel()).status is Status.ABORTED
    else:
        async for _ in run.messages:
            pass
        assert (await run.result).status is Status.COMPLETED


def test_29_what_is_played_back_of_a_loaded_session_is_not_told() -> None:
    parser = AcpParser("/tmp", {}, resume="s1")
    parser.open()
    parser.prompt("hi")
    feed(parser, {"id": 1, "result": {"agentCapabilities": {"loadSession": True}}})
    assert messages(feed(parser, chunk("long ago")), MessageType.TEXT) == []
    feed(parser, {"id": 2, "result": {}})
    assert [m.content for m in messages(feed(parser, chunk("now")), MessageType.TEXT)] == ["now"]


def test_35_tokens_are_read_from_an_empty_chunk() -> None:
    usage = {"usage": {"inputTokens": 5, "outputTokens": 2, "cachedReadTokens": 1, "totalTokens": 7}}
    parser, _ = started(chunk("x"), chunk("", _meta=usage), chunk("", _meta=usage), {"id": 3, "result": {}})
    assert list(parser.outcome().usage.values()) == [TokenUsage(8, 4, 2, 0)]


def test_37_a_call_that_is_only_said_to_be_over_is_told_from_its_start() -> None:
    _, events = started(update(sessionUpdate="tool_call_update", toolCallId="t", status="completed", title="ls"))
    assert [(m.type, m.tool) for m in messages(events)] == [("tool-use", "ls"), ("tool-result", "")]


def test_37_a_call_that_is_only_asked_for_is_told_by_its_permission() -> None:
    params = {"toolCall": {"toolCallId": "t", "title": "rm x"}, "options": []}
    _, events = started({"id": 0, "method": "session/request_permission", "params": params})
    assert [m.tool for m in messages(events, MessageType.TOOL_USE)] == ["rm x"]


def test_40_request_id_zero_is_an_id() -> None:
    parser, _ = started({"id": 0, "method": "session/request_permission", "params": {"options": []}})
    assert b'"id":0' in parser.answer("permission-0", None)


def test_42_warnings_of_the_agent_are_not_its_models_answer() -> None:
    about = {"claudeCode": {"kind": "informational"}}
    _, events = started(chunk("Warning: no metadata\n\n"), chunk("Hello", messageId="m"), name="x/codex-acp")
    assert [m.content for m in messages(events, MessageType.TEXT)] == ["Hello"]
    assert [m.content for m in messages(events, MessageType.LOG)] == ["Warning: no metadata"]
    _, events = started(chunk("We are changing", _meta=about))
    assert messages(events, MessageType.TEXT) == []
    _, events = started(chunk("Warning: this is my answer"), name="another")
    assert len(messages(events, MessageType.TEXT)) == 1


def test_43_a_turn_that_ends_without_an_answer_is_a_failure() -> None:
    parser, _ = started({"id": 3, "result": {"stopReason": "end_turn", "usage": None}})
    outcome = parser.outcome()
    assert outcome.status is Status.FAILED
    assert "without an answer" in outcome.error


def test_43_as_codex_acp_does_it_on_http_500() -> None:
    parser = AcpParser("/tmp", {})
    parser.open()
    capture("codex-acp", "acp-04-err500").play(parser)
    assert parser.outcome().status is Status.FAILED


def test_a_turn_that_only_used_tools_is_no_failure() -> None:
    call = update(sessionUpdate="tool_call_update", toolCallId="t", status="completed", title="ls")
    parser, _ = started(call, {"id": 3, "result": {"stopReason": "end_turn"}})
    assert parser.outcome().status is Status.COMPLETED
