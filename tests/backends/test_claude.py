"""Claude Code: the parser on made-up samples and on real output, and whole runs against the fake agent."""

import json

import pytest

from a2ui_app.agent_ui import Err, Ok, Reason
from a2ui_app.backends.base import BackendError, ExecOptions, MessageType, Status, TokenUsage
from a2ui_app.backends.claude import ClaudeBackend
from a2ui_app.backends.claude_parser import ClaudeParser
from a2ui_app.backends.line_backend import Ask, Session, TurnEnded, Withdraw, Write

from .parsing import capture, captures, feed, messages
from .people import Broken, Person

INIT = {"type": "system", "subtype": "init", "session_id": "s1", "model": "opus", "mcp_servers": []}


def assistant(*blocks, id="m1", model="opus", **more):
    usage = {"input_tokens": 10, "output_tokens": 1, "cache_read_input_tokens": 4, "cache_creation_input_tokens": 2}
    return {"type": "assistant", "message": {"id": id, "model": model, "content": list(blocks), "usage": usage}, **more}


def stream(parent=None, **event):
    return {"type": "stream_event", "event": event, "parent_tool_use_id": parent}


def delta(index, parent=None, **delta):
    return stream(parent, type="content_block_delta", index=index, delta=delta)


def result(**more):
    base = {"type": "result", "subtype": "success", "is_error": False, "result": "ok", "session_id": "s1"}
    return {**base, "terminal_reason": "completed", **more}


def text(words):
    return {"type": "text", "text": words}


def tool(id="t1", name="Bash", **input):
    return {"type": "tool_use", "id": id, "name": name, "input": input}


def started(*events, resume=None, trusted=()):
    parser = ClaudeParser(resume, trusted)
    parser.prompt("hi")
    return parser, feed(parser, INIT, *events)


# --- samples ------------------------------------------------------------------------------------------------------


def test_whole_messages_without_pieces():
    parser, events = started(assistant({"type": "thinking", "thinking": "hm"}, text("Hello")), result(result="Hello"))
    assert [(m.type, m.content, m.call_id) for m in messages(events, MessageType.TEXT, MessageType.THINKING)] == [
        ("thinking", "hm", "m1:0"),
        ("text", "Hello", "m1:1"),
    ]
    assert Session("s1") in events
    assert isinstance(events[-1], TurnEnded)
    assert (parser.outcome().status, parser.outcome().output) == (Status.COMPLETED, "Hello")


def test_pieces_are_not_told_again_with_the_whole_message():
    _, events = started(
        stream(type="message_start", message={"id": "m1", "model": "opus", "usage": {"input_tokens": 3}}),
        delta(0, type="thinking_delta", thinking="hm"),
        delta(1, type="text_delta", text="Hel"),
        delta(1, type="text_delta", text="lo"),
        assistant(text("Hello")),
    )
    assert [(m.content, m.call_id) for m in messages(events, MessageType.TEXT)] == [("Hel", "m1:1"), ("lo", "m1:1")]
    assert [m.content for m in messages(events, MessageType.THINKING)] == ["hm"]


def test_a_tool_call_is_told_early_and_completed():
    _, events = started(
        stream(type="message_start", message={"id": "m1", "model": "opus"}),
        stream(type="content_block_start", index=0, content_block=tool(id="t1")),
        assistant(tool(id="t1", command="date")),
        {"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "t1", "content": "today"}]}},
    )
    calls = messages(events, MessageType.TOOL_USE, MessageType.TOOL_RESULT)
    assert [(m.type, m.tool, m.call_id, dict(m.input), m.output) for m in calls] == [
        ("tool-use", "Bash", "t1", {}, ""),
        ("tool-use", "Bash", "t1", {"command": "date"}, ""),
        ("tool-result", "", "t1", {}, "today"),
    ]


def test_results_of_every_form():
    def output(content, **more):
        block = {"type": "tool_result", "tool_use_id": "t1", "content": content, **more}
        _, events = started({"type": "user", "message": {"content": [block]}})
        (message,) = messages(events, MessageType.TOOL_RESULT)
        return message.output, message.level

    assert output("plain") == ("plain", "")
    assert output([text("a"), text("b")]) == ("a\nb", "")
    assert output([{"type": "image", "source": {}}, {"type": "tool_reference", "tool_name": "x"}]) == (
        "[image]\n[tool_reference]",
        "",
    )
    assert output(None) == ("", "")
    assert output("no", is_error=True) == ("no", "error")


def test_the_answer_is_the_text_of_the_last_message_without_a_tool():
    parser, _ = started(
        assistant(text("I will look."), id="m1"),
        assistant(tool(), id="m1"),
        assistant(text("It is "), id="m2"),
        assistant(text("Monday."), id="m2"),
    )
    assert parser.outcome().output == "It is Monday."
    feed(parser, assistant(tool(), id="m2"))
    assert parser.outcome().output == ""


def test_a_subagent_s_text_is_not_the_answer():
    parser, events = started(
        assistant(tool(id="task", name="Task")),
        assistant(text("deep inside"), id="m2", parent_tool_use_id="task"),
        assistant(text("outside"), id="m3"),
    )
    assert parser.outcome().output == "outside"
    assert [m.content for m in messages(events, MessageType.TEXT)] == ["outside"]
    assert [m.content for m in messages(events, MessageType.THINKING)] == ["deep inside"]


def test_the_other_events():
    _, events = started(
        {"type": "system", "subtype": "api_retry", "attempt": 2, "max_retries": 10, "error_status": 529},
        {"type": "system", "subtype": "permission_denied", "message": "no"},
        {"type": "system", "subtype": "status", "status": "compacting"},
        {"type": "tool_progress", "heartbeat": True},
        {"type": "system", "subtype": "init", "session_id": "s1", "mcp_servers": [{"name": "x", "status": "failed"}]},
    )
    told = [(m.type, m.level, m.content) for m in messages(events)][1:]
    assert told == [
        ("status", "retrying", "The model's server answered 529; attempt 2 of 10"),
        ("log", "warning", "no"),
        ("status", "working", "Compacting the conversation"),
        ("log", "warning", "the MCP server x is failed"),
    ]


def test_the_requests_and_their_answers():
    parser = ClaudeParser(trusted_servers=("ui",))
    suggestions = [
        {"type": "addRules", "behavior": "allow", "destination": "localSettings"},
        {"type": "setMode", "mode": "acceptEdits", "destination": "session"},
    ]
    request = {"subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": "date"}}
    (asked,) = feed(
        parser,
        {"type": "control_request", "request_id": "r1", "request": {**request, "permission_suggestions": suggestions}},
    )
    assert isinstance(asked, Ask)
    permission = asked.request
    assert [choice.kind for choice in permission.choices] == ["allow_once", "allow_session", "reject_once"]  # type: ignore[union-attr]
    reply = json.loads(parser.answer("r1", permission.choices[1]))["response"]["response"]  # type: ignore[union-attr]
    assert reply["behavior"] == "allow"
    assert reply["updatedInput"] == {"command": "date"}
    assert reply["updatedPermissions"] == [{"type": "addRules", "behavior": "allow", "destination": "session"}]
    assert parser.answer("r1", None) == b"", "an answer is given once"

    ours = {"type": "control_request", "request_id": "r2", "request": {**request, "tool_name": "mcp__ui__ask"}}
    (asked,) = feed(parser, ours)
    assert asked.request.trusted  # type: ignore[union-attr]
    assert feed(parser, {"type": "control_cancel_request", "request_id": "r2"}) == [Withdraw("r2")]
    assert parser.answer("r2", None) == b""

    (refused,) = feed(parser, {"type": "control_request", "request_id": "r3", "request": {"subtype": "dance"}})
    assert isinstance(refused, Write)
    assert json.loads(refused.data)["response"]["subtype"] == "error"


@pytest.mark.parametrize(
    ("more", "status", "error"),
    [
        ({}, Status.COMPLETED, ""),
        ({"is_error": True, "api_error_status": 401, "result": "bad key"}, Status.FAILED, "bad key"),
        ({"is_error": True, "terminal_reason": "aborted_streaming"}, Status.ABORTED, ""),
        ({"subtype": "error_max_turns", "num_turns": 3}, Status.FAILED, "The agent stopped after 3 steps"),
        ({"is_error": True, "terminal_reason": "prompt_too_long"}, Status.FAILED, "no longer fits"),
        ({"subtype": "error_during_execution", "errors": ["boom"], "is_error": True}, Status.FAILED, "boom"),
    ],
)
def test_how_a_turn_ends(more, status, error):
    parser, events = started(result(**more))
    outcome = parser.outcome()
    assert outcome.status == status
    assert error in outcome.error
    assert [m.content for m in messages(events, MessageType.ERROR)] == ([outcome.error] if outcome.error else [])


def counts(input, output=0, read=0, write=0):
    return {
        "inputTokens": input,
        "outputTokens": output,
        "cacheReadInputTokens": read,
        "cacheCreationInputTokens": write,
    }


def test_usage_by_model_is_this_turn_s_own_in_every_turn_of_a_process():
    parser, _ = started(result(modelUsage={"opus": counts(10, 2), "haiku": counts(5, 1)}))
    assert parser.outcome().usage == {"opus": TokenUsage(10, 2), "haiku": TokenUsage(5, 1)}
    parser.prompt("again")
    feed(parser, INIT, result(modelUsage={"opus": counts(30, 6, 7, 8), "haiku": counts(5, 1)}))
    assert parser.outcome().usage == {"opus": TokenUsage(20, 4, 7, 8)}


def test_usage_of_a_resumed_session_leaves_out_what_came_before():
    parser, _ = started(
        assistant(text("x"), id="m1"),
        assistant(text("y"), id="m1"),
        assistant(text("z"), id="m2", model="haiku", parent_tool_use_id="t"),
        result(
            usage={"input_tokens": 20, "output_tokens": 9, "cache_read_input_tokens": 8},
            modelUsage={"opus": counts(1000, 500), "haiku": counts(400, 100)},
        ),
        resume="s1",
    )
    outcome = parser.outcome()
    assert outcome.resumed is True
    assert outcome.usage["haiku"] == TokenUsage(10, 1, 4, 2)
    assert sum(used.input_tokens for used in outcome.usage.values()) == 20


# --- what it really printed ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("real", captures("claude"))
def test_every_capture(real):
    parser = ClaudeParser(real.option("--resume"), ("ui",))
    events = real.play(parser)
    outcome = parser.outcome()
    assert not [m for m in messages(events, MessageType.LOG) if "not understood" in m.content]
    calls = {m.call_id for m in messages(events, MessageType.TOOL_USE)}
    assert {m.call_id for m in messages(events, MessageType.TOOL_RESULT)} <= calls
    failed = any(word in real.name for word in ("-err", "missing", "root", "sigterm", "orphan", "reap"))
    cancelled = "interrupt" in real.name or "sigint" in real.name
    expected = Status.FAILED if failed else Status.ABORTED if cancelled else Status.COMPLETED
    assert outcome.status == expected
    if expected is Status.COMPLETED:
        assert outcome.output.startswith(("Hello from the fake model.", "Done: tool result received", "NO-TOOL"))
        assert outcome.session_id
        assert all(used.input_tokens and used.output_tokens for used in outcome.usage.values())
        assert list(outcome.usage) == ["claude-opus-5-5"]
    if expected is Status.FAILED:
        assert outcome.error


def test_captured_resume():
    first, second = ClaudeParser(), ClaudeParser(capture("claude", "04-resume-b").option("--resume"))
    capture("claude", "04-resume-a").play(first)
    capture("claude", "04-resume-b").play(second)
    assert first.outcome().session_id == second.outcome().session_id
    assert second.outcome().resumed is True
    assert second.outcome().usage == {"claude-opus-5-5": TokenUsage(135, 23, 11, 7)}


def test_captured_retries_are_statuses():
    events = capture("claude", "05-err401").play(ClaudeParser())
    assert [m.level for m in messages(events, MessageType.STATUS)] == ["session", *["retrying"] * 10]


def test_captured_interrupt_keeps_the_tokens_that_were_used():
    parser = ClaudeParser()
    capture("claude", "06-cancel-interrupt").play(parser)
    assert parser.outcome().usage == {"claude-opus-5-5": TokenUsage(122, 9, 11, 7)}


# --- whole runs ---------------------------------------------------------------------------------------------------


async def play(executable, options, prompt="hello"):
    run = await ClaudeBackend(executable).execute(prompt, options)
    seen = [message async for message in run.messages]
    return await run.result, seen


@pytest.mark.parametrize(
    ("answer", "behavior"),
    [(Ok("allow_once"), "allow"), (Ok("reject_once"), "deny"), (Ok(None), "deny"), (Err(Reason.TIMEOUT), "deny")],
)
async def test_a_permission_is_asked(fake, options, answer, behavior):
    person = Person(answer)
    result, seen = await play(fake("permission"), options(ui=person))
    reply = json.loads(result.output)["response"]
    assert reply["behavior"] == behavior
    assert "updatedPermissions" not in reply
    assert "date" in person.asked[0][0], "what is to be allowed"
    assert person.asked[0][1] == ["Allow once", "Allow for this session", "Deny"]
    assert "waiting" in [message.level for message in seen]


async def test_a_permission_for_the_session_is_never_written_to_disk(fake, options):
    result, _ = await play(fake("permission"), options(ui=Person(Ok("allow_session"))))
    (rule,) = json.loads(result.output)["response"]["updatedPermissions"]
    assert rule["destination"] == "session"


async def test_without_a_person_a_permission_is_denied(fake, options):
    result, _ = await play(fake("permission"), options())
    assert json.loads(result.output)["response"]["behavior"] == "deny"


async def test_automatic_permission_is_for_once(fake, options):
    result, _ = await play(fake("permission"), options(permissions="auto"))
    assert json.loads(result.output)["response"] == {"behavior": "allow", "updatedInput": {"command": "date"}}


async def test_a_ui_that_breaks_is_a_denial(fake, options):
    result, _ = await play(fake("permission"), options(ui=Broken()))
    assert json.loads(result.output)["response"]["behavior"] == "deny"


@pytest.mark.parametrize(
    ("answers", "expected"),
    [([Ok("Blue")], "Blue"), ([Ok(["Red", "Blue"])], "Red, Blue"), ([Ok("\0other"), Ok("Green")], "Green")],
)
async def test_a_question_is_answered(fake, options, answers, expected):
    result, _ = await play(fake("question"), options(ui=Person(*answers)))
    reply = json.loads(result.output)["response"]
    assert reply["updatedInput"]["answers"] == {"Which colour?": expected}


async def test_a_question_that_nobody_answers_is_declined(fake, options):
    result, _ = await play(fake("question"), options(ui=Person(Ok(None))))
    assert json.loads(result.output)["response"]["behavior"] == "deny"


async def test_several_prompts_in_one_process(fake, options):
    async with ClaudeBackend(fake("obedient")).converse(options()) as conversation:
        results = []
        for prompt in ("one", "two", "three"):
            run = await conversation.execute(prompt)
            with pytest.raises(BackendError, match="still working"):
                await conversation.execute("too early")
            results.append(await run.result)
    assert [result.output for result in results] == ["one", "two", "three"]
    assert [result.usage for result in results] == [{"fake": TokenUsage(10, 2)}] * 3
    assert len({result.session_id for result in results}) == 1


async def test_a_conversation_outlives_its_process(fake, options):
    async with ClaudeBackend(fake("lost_session")).converse(options()) as conversation:
        assert (await (await conversation.execute("one")).result).output == "one"
        await conversation.stop(0.0)
        result = await (await conversation.execute("two")).result
    assert (result.output, result.resumed) == ("two", False), "the fake agent keeps no sessions"


async def test_the_command_line(fake, options, tmp_path):
    config = {"mcpServers": {"ui": {"url": "http://127.0.0.1:1/mcp"}}}
    result, seen = await play(
        fake("environment"),
        options(
            model="opus",
            system_prompt="be kind",
            max_turns=3,
            mcp_config=config,
            trusted_servers=["ui"],
            custom_args=["--effort", "high", "--output-format=text", "--resume", "x"],
            env={"EXTRA": "1"},
        ),
    )
    told = json.loads(result.output)
    argv = told["argv"]
    assert argv[:2] == ["-p", "--output-format"]
    assert argv[argv.index("--model") + 1] == "opus"
    assert told["system_prompt"] == "be kind"
    assert argv[argv.index("--max-turns") + 1] == "3"
    assert argv[argv.index("--allowedTools") + 1] == "mcp__ui"
    assert argv[-2:] == ["--effort", "high"]
    assert "hello" not in argv, "a prompt on the command line is seen by everybody on the machine"
    assert told["env"]["EXTRA"] == "1"
    assert told["cwd"] == told["env"]["PWD"] == str(tmp_path)
    refused = [m.content for m in seen if m.type == MessageType.LOG and "left out" in m.content]
    assert len(refused) == 2


async def test_a_wrong_mcp_configuration_is_told_before_the_start(fake, tmp_path):
    with pytest.raises(BackendError, match="mcpServers"):
        await ClaudeBackend(fake("obedient")).execute("x", ExecOptions(tmp_path, mcp_config={"servers": {}}))
    with pytest.raises(BackendError, match="command"):
        await ClaudeBackend(fake("obedient")).execute("x", ExecOptions(tmp_path, mcp_config={"mcpServers": {"a": {}}}))
