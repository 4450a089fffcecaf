"""codex: the app-server's protocol on made-up samples and on real output; rows of the edge cases by number."""

import os
from typing import Any

import orjson
import pytest

from a2ui_app import backends
from a2ui_app.backends.base import ExecOptions, MessageType, Status, TokenUsage
from a2ui_app.backends.codex import CodexBackend, thread
from a2ui_app.backends.codex_parser import CodexParser
from a2ui_app.backends.dialogs import Permission, Questions
from a2ui_app.backends.line_backend import Ask, Session, TurnEnded, Withdraw, Write

from .parsing import Capture, captures, feed, messages

INIT = {"id": 1, "result": {"userAgent": "x"}}
THREAD = {"id": 2, "result": {"thread": {"id": "t1"}, "model": "gpt"}}
TURN = {"id": 3, "result": {"turn": {"id": "u1"}}}
DONE = {"method": "turn/completed", "params": {"threadId": "t1", "turn": {"id": "u1", "status": "completed"}}}


def note(method: str, **params: Any) -> dict[str, Any]:
    return {"method": method, "params": {"threadId": "t1", **params}}


def started(*events: Any, **given: Any) -> tuple[CodexParser, list[Any]]:
    parser = CodexParser(given.pop("thread", {"cwd": "/x"}), **given)
    parser.open()
    parser.prompt("hi")
    return parser, feed(parser, INIT, THREAD, TURN, *events)


def sent(events: list[Any]) -> list[dict[str, Any]]:
    return [orjson.loads(event.data) for event in events if isinstance(event, Write)]


def asked(events: list[Any]) -> Ask:
    (ask,) = [event for event in events if isinstance(event, Ask)]
    return ask


def app_runs() -> list[Any]:
    """All but the one that sent other requests than a run does."""
    return [
        run
        for run in captures("codex")
        if run.values[0] is None or ("-app-" in str(run.id) and "misc" not in str(run.id))
    ]


@pytest.mark.parametrize("real", app_runs())
def test_what_the_real_app_server_printed(real: Capture) -> None:
    resume = "0" if "resume" in real.name else None
    parser = CodexParser({}, resume=resume, trusted=("ui",))
    parser.open()
    events = real.play(parser)
    assert not [m for m in messages(events, MessageType.LOG) if "not understood" in m.content]
    outcome = parser.outcome()
    if "resume-missing" in real.name:
        assert parser.lost_session
    elif "err" in real.name:
        assert outcome.status is Status.FAILED
        assert outcome.error
    elif "cancel" not in real.name and "badserver" not in real.name:
        assert outcome.status is Status.COMPLETED, outcome
        assert outcome.output
        assert outcome.session_id
        assert sum(used.output_tokens for used in outcome.usage.values()) > 0
    if "shell" in real.name:
        (use,) = {m.call_id for m in messages(events, MessageType.TOOL_USE)}
        (done,) = messages(events, MessageType.TOOL_RESULT)
        assert (done.call_id, done.output) == (use, "hello from the temp file\n")


def test_a_turn_from_the_thread_to_its_end() -> None:
    _, events = started(
        note("item/reasoning/summaryTextDelta", itemId="r1", delta="hm"),
        note("item/agentMessage/delta", itemId="m1", delta="Hel"),
        note("item/agentMessage/delta", itemId="m1", delta="lo"),
        note("item/completed", item={"type": "agentMessage", "id": "m1", "text": "Hello"}),
        DONE,
    )
    assert [(m.type, m.content) for m in messages(events)] == [("thinking", "hm"), ("text", "Hel"), ("text", "lo")]
    assert [event for event in events if isinstance(event, Session | TurnEnded)] == [Session("t1"), TurnEnded()]
    methods = [message["method"] for message in sent(events)]
    assert methods == ["thread/start", "turn/start"]


def test_a_text_without_pieces_is_told_whole() -> None:
    parser, events = started(note("item/completed", item={"type": "agentMessage", "id": "m1", "text": "Hi"}), DONE)
    assert [m.content for m in messages(events, MessageType.TEXT)] == ["Hi"]
    assert parser.outcome().output == "Hi"


def test_the_prompt_waits_for_the_mcp_servers() -> None:
    servers = {"config": {"mcp_servers": {"a": {}, "b": {}}}}
    parser, events = started(thread=servers)
    assert [message["method"] for message in sent(events)] == ["thread/start"]
    assert sent(feed(parser, note("mcpServer/startupStatus/updated", name="a", status="ready"))) == []
    events = feed(parser, note("mcpServer/startupStatus/updated", name="b", status="failed", error="no such file"))
    assert [message["method"] for message in sent(events)] == ["turn/start"]
    assert "no such file" in messages(events, MessageType.LOG)[0].content


def test_row_33_counters_of_the_thread_are_not_counted_as_the_turns() -> None:
    def usage(total: int, last: int) -> dict[str, Any]:
        counts = [
            {"inputTokens": number * 10, "cachedInputTokens": number * 4, "outputTokens": number}
            for number in (total, last)
        ]
        return note("thread/tokenUsage/updated", tokenUsage={"total": counts[0], "last": counts[1]})

    parser, _ = started(usage(100, 2), usage(103, 3), DONE, resume="t1")
    assert parser.outcome().usage == {"gpt": TokenUsage(5 * 6, 5, 5 * 4, 0)}


COMMAND = {"command": "rm x", "availableDecisions": ["accept", {"acceptWithExecpolicyAmendment": {}}, "cancel"]}


@pytest.mark.parametrize(("place", "decision"), [(0, "accept"), (-1, "decline")])
def test_a_permission_is_asked_and_never_given_for_good(place: int, decision: str) -> None:
    parser, _ = started()
    ask = asked(feed(parser, {"id": 0, "method": "item/commandExecution/requestApproval", "params": COMMAND}))
    assert isinstance(ask.request, Permission)
    assert [choice.id for choice in ask.request.choices] == ["accept", "decline"]
    reply = orjson.loads(parser.answer(ask.request_id, ask.request.choices[place]))
    assert (reply["id"], reply["result"]) == (0, {"decision": decision})  # ids begin at 0
    assert parser.answer(ask.request_id, None) == b""


def test_files_that_are_to_change_are_named() -> None:
    item = {"type": "fileChange", "id": "f1", "changes": [{"path": "/x/a.py", "diff": "+1"}]}
    parser, events = started(note("item/started", item=item))
    assert messages(events, MessageType.TOOL_USE)[0].input == {"changes": [{"path": "/x/a.py", "diff": "+1"}]}
    ask = asked(feed(parser, {"id": 1, "method": "item/fileChange/requestApproval", "params": {"itemId": "f1"}}))
    assert ask.request.detail == "/x/a.py"  # type: ignore[union-attr]


@pytest.mark.parametrize(("server", "trusted"), [("a2ui", True), ("other", False)])
def test_only_our_own_mcp_tools_run_without_asking(server: str, trusted: bool) -> None:
    parser, _ = started(trusted=("a2ui",))
    about = {"codex_approval_kind": "mcp_tool_call", "tool_name": "x"}
    params = {"serverName": server, "_meta": about}
    ask = asked(feed(parser, {"id": 0, "method": "mcpServer/elicitation/request", "params": params}))
    assert ask.request.trusted is trusted  # type: ignore[union-attr]
    reply = orjson.loads(parser.answer(ask.request_id, ask.request.choices[0]))  # type: ignore[union-attr]
    assert reply["result"]["action"] == "accept"


def test_a_question_is_put_and_answered() -> None:
    parser, _ = started()
    question = {"id": "q1", "question": "Which?", "options": [{"label": "Red"}], "isOther": True}
    params = {"questions": [question]}
    ask = asked(feed(parser, {"id": 0, "method": "item/tool/requestUserInput", "params": params}))
    assert isinstance(ask.request, Questions)
    reply = orjson.loads(parser.answer(ask.request_id, {"q1": ["Red"]}))
    assert reply["result"] == {"answers": {"q1": {"answers": ["Red"]}}}


def test_row_14_a_request_that_is_resolved_elsewhere_closes_its_dialog() -> None:
    parser, _ = started()
    feed(parser, {"id": 0, "method": "item/commandExecution/requestApproval", "params": COMMAND})
    assert feed(parser, note("serverRequest/resolved", requestId=0)) == [Withdraw("request-0")]


def test_what_we_do_not_know_is_answered_at_once() -> None:
    parser, _ = started()
    (reply,) = sent(feed(parser, {"id": 4, "method": "item/something/new", "params": {}}))
    assert reply["error"]["code"] == -32601


def test_retries_are_told_as_a_state_and_a_failure_as_an_error() -> None:
    parser, events = started(
        note("error", error={"message": "Reconnecting... 1/5"}, willRetry=True),
        note("error", error={"message": "no more"}, willRetry=False),
        note("turn/completed", turn={"status": "failed", "error": {"message": "no more"}}),
    )
    assert messages(events, MessageType.STATUS)[0].level == "retrying"
    assert parser.outcome().error == "no more"


def test_an_interrupt_names_the_turn() -> None:
    parser, _ = started()
    assert orjson.loads(parser.interrupt())["params"] == {"threadId": "t1", "turnId": "u1"}
    feed(parser, note("turn/completed", turn={"status": "interrupted"}))
    assert parser.outcome().status is Status.ABORTED
    assert parser.interrupt() == b""


def test_a_lost_thread_is_told_apart() -> None:
    parser = CodexParser({}, resume="gone")
    parser.open()
    parser.prompt("hi")
    events = feed(parser, INIT, {"id": 2, "error": {"code": -32600, "message": "no rollout found"}})
    assert parser.lost_session
    assert TurnEnded() in events


def test_other_threads_are_not_this_one() -> None:
    _, events = started(
        {"method": "item/agentMessage/delta", "params": {"threadId": "t2", "itemId": "m", "delta": "x"}}
    )
    assert messages(events) == []


def test_the_thread_that_is_asked_for() -> None:
    config = {"mcpServers": {"a2ui": {"url": "http://h/", "headers": {"Authorization": "Bearer x"}}}}
    asked_for = thread(ExecOptions(cwd=".", model="m", system_prompt="be kind", mcp_config=config))
    assert asked_for["cwd"] == os.getcwd()
    assert (asked_for["approvalPolicy"], asked_for["sandbox"]) == ("untrusted", "workspace-write")
    server = asked_for["config"]["mcp_servers"]["a2ui"]
    assert server == {"url": "http://h/", "http_headers": {"Authorization": "Bearer x"}, "tool_timeout_sec": 3600}
    assert (asked_for["model"], asked_for["developerInstructions"]) == ("m", "be kind")
    assert thread(ExecOptions(permissions="auto"))["approvalPolicy"] == "never"


def test_its_header() -> None:
    assert isinstance(backends.new("codex"), CodexBackend)
    assert backends.LAUNCH_HEADERS["codex"] == "codex app-server"


async def test_a_program_that_is_no_app_server_is_told(tmp_path: Any, options: Any) -> None:
    program = tmp_path / "codex"
    program.write_text("#!/bin/sh\necho 'error: unrecognized subcommand' >&2\nexit 2\n")
    program.chmod(0o755)
    run = await CodexBackend(program).execute("hi", options())
    async for _ in run.messages:
        pass
    result = await run.result
    assert result.status is Status.FAILED
    assert "unrecognized subcommand" in result.error


def test_row_29_the_end_of_another_turn_does_not_end_this_one() -> None:
    parser, events = started(note("turn/completed", turn={"id": "earlier", "status": "interrupted"}))
    assert TurnEnded() not in events
    assert TurnEnded() in feed(parser, DONE)
    assert parser.outcome().status is Status.COMPLETED


@pytest.mark.parametrize(
    "arguments",
    [["-c", "approval_policy=never"], ["--config=sandbox_mode=x"], ["-a", "never"], ["--yolo"], ["--sandbox", "x"]],
)
def test_arguments_cannot_change_who_is_asked(arguments: list[str]) -> None:
    assert CodexBackend().custom_args(ExecOptions(custom_args=[*arguments, "--enable", "x"])) == ["--enable", "x"]
