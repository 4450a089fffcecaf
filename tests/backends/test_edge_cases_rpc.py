"""The edge cases that only JSON-RPC agents can have, as codex shows them; numbers as in test_edge_cases.py."""

from a2ui_app.backends.base import MessageType, Status
from a2ui_app.backends.codex_parser import CodexParser

from .parsing import feed, messages
from .test_codex import DONE, INIT, THREAD, asked, note, sent, started


def test_06_a_long_thread_is_resumed_without_its_turns() -> None:
    parser = CodexParser({"cwd": "/x"}, resume="t1")
    parser.open()
    (resume,) = sent(feed(parser, INIT))
    assert (resume["method"], resume["params"]["excludeTurns"]) == ("thread/resume", True)


def test_15_an_app_server_that_dies_is_a_failure_with_its_last_words() -> None:
    parser, _ = started()
    parser.ended(-9, "out of memory")
    outcome = parser.outcome()
    assert outcome.status is Status.FAILED
    assert "out of memory" in outcome.error


def test_40_request_id_zero_is_an_id() -> None:
    approval = note("item/commandExecution/requestApproval", command="ls", itemId="i1")
    parser, events = started({"id": 0, **approval})
    assert b'"id":0' in parser.answer(asked(events).request_id, None)


def test_42_a_failure_that_is_retried_is_no_error() -> None:
    parser, events = started(note("error", error={"message": "Reconnecting"}, willRetry=True), DONE)
    assert not messages(events, MessageType.ERROR)
    assert parser.outcome().status is Status.COMPLETED


def test_46_the_prompt_waits_for_the_mcp_server() -> None:
    parser = CodexParser({"config": {"mcp_servers": {"ui": {}}}})
    parser.open()
    parser.prompt("hi")
    assert "turn/start" not in [m["method"] for m in sent(feed(parser, INIT, THREAD))]
    ready = feed(parser, note("mcpServer/startupStatus/updated", name="ui", status="ready"))
    assert [m["method"] for m in sent(ready)] == ["turn/start"]
