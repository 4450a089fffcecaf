"""pi: the parser on made-up samples and real output."""

import json

import pytest

from a2ui_app.backends.base import MessageType, Status, TokenUsage
from a2ui_app.backends.dialogs import UICall
from a2ui_app.backends.line_backend import Ask, Session, Tell, TurnEnded
from a2ui_app.backends.pi import EXTENSION, PiBackend
from a2ui_app.backends.pi_parser import PiParser

from .parsing import captures, feed, messages

STATE = {"type": "response", "command": "get_state", "success": True, "data": {"sessionId": "s1"}}
SETTLED = {"type": "agent_settled", "aborted": False}


def update(**event):
    return {"type": "message_update", "assistantMessageEvent": event}


def start():
    return {"type": "message_start", "message": {"role": "assistant", "content": []}}


def end(*content, reason="stop", **more):
    usage = {"input": 10, "output": 2, "cacheRead": 4, "cacheWrite": 1}
    message = {"role": "assistant", "content": list(content), "model": "opus", "usage": usage, "stopReason": reason}
    return {"type": "message_end", "message": {**message, **more}}


def text(words):
    return {"type": "text", "text": words}


def call(id="c1"):
    return {"type": "toolCall", "id": id, "name": "bash", "arguments": {"command": "date"}}


def started(*events, resume=None):
    parser = PiParser(resume)
    parser.open()
    parser.prompt("hi")
    return parser, feed(parser, STATE, *events)


def test_text_and_thinking():
    parser, events = started(
        start(),
        update(type="thinking_delta", contentIndex=0, delta="hm"),
        update(type="text_delta", contentIndex=1, delta="Hel"),
        update(type="text_delta", contentIndex=1, delta="lo"),
        end(text("Hello")),
        SETTLED,
    )
    assert [(m.type, m.content, m.call_id) for m in messages(events)][1:] == [
        ("thinking", "hm", "1:0"),
        ("text", "Hel", "1:1"),
        ("text", "lo", "1:1"),
    ]
    assert Session("s1") in events
    assert isinstance(events[-1], TurnEnded)
    outcome = parser.outcome()
    assert (outcome.status, outcome.output, outcome.usage) == (
        Status.COMPLETED,
        "Hello",
        {"opus": TokenUsage(10, 2, 4, 1)},
    )


def test_a_tool_call_is_told_early_and_once_with_its_input():
    parser, events = started(
        start(),
        update(type="toolcall_start", contentIndex=1, id="c1", toolName="bash"),
        update(type="toolcall_end", contentIndex=1, toolCall=call()),
        end(text("I will look."), call(), reason="toolUse"),
        {"type": "tool_execution_start", "toolCallId": "c1", "toolName": "bash", "args": {"command": "date"}},
        {"type": "tool_execution_end", "toolCallId": "c1", "result": {"content": [text("today")]}, "isError": False},
    )
    told = [(m.type, dict(m.input), m.output) for m in messages(events) if m.call_id == "c1"]
    assert told == [("tool-use", {}, ""), ("tool-use", {"command": "date"}, ""), ("tool-result", {}, "today")]
    assert parser.outcome().output == ""


def test_a_retry_takes_the_error_back():
    retry = {"type": "auto_retry_start", "attempt": 1, "maxAttempts": 3, "errorMessage": "500"}
    parser, events = started(end(reason="error", errorMessage="500"), retry, end(text("fine")), SETTLED)
    assert (parser.outcome().status, parser.outcome().output) == (Status.COMPLETED, "fine")
    assert [m.level for m in messages(events, MessageType.STATUS)] == ["session", "retrying"]
    parser, events = started(end(reason="error", errorMessage="401: bad key"), SETTLED)
    assert (parser.outcome().status, parser.outcome().error) == (Status.FAILED, "401: bad key")
    assert [m.content for m in messages(events, MessageType.ERROR)] == ["401: bad key"]


def test_an_abort():
    parser, _ = started(end(reason="aborted", errorMessage="aborted"), {"type": "agent_settled", "aborted": True})
    assert (parser.outcome().status, parser.outcome().error) == (Status.ABORTED, "")
    assert json.loads(parser.interrupt()) == {"type": "abort"}


def test_a_prompt_that_is_refused_or_handled():
    refused = {"type": "response", "command": "prompt", "id": "prompt-1", "success": False, "error": "no model"}
    parser, events = started(refused)
    assert (parser.outcome().status, parser.outcome().error) == (Status.FAILED, "no model")
    assert isinstance(events[-1], TurnEnded)
    handled = {**refused, "success": True, "data": {"disposition": "handled"}}
    parser, events = started(handled)
    assert (parser.outcome().status, isinstance(events[-1], TurnEnded)) == (Status.COMPLETED, True)


def test_the_next_prompt_counts_anew():
    parser, _ = started(end(text("one")), SETTLED)
    parser.prompt("again")
    feed(parser, end(text("two")), SETTLED)
    assert (parser.outcome().output, parser.outcome().usage) == ("two", {"opus": TokenUsage(10, 2, 4, 1)})


def ui(method, **more):
    return {"type": "extension_ui_request", "id": "u1", "method": method, "title": "T", **more}


@pytest.mark.parametrize(
    ("request_", "arguments", "answer", "reply"),
    [
        (
            ui("select", options=["A"]),
            {"title": "T", "options": [{"label": "A", "value": "A"}]},
            "A",
            {"value": "A"},
        ),
        (ui("confirm", message="M"), {"title": "T", "message": "M"}, True, {"confirmed": True}),
        (ui("confirm"), {"title": "T", "message": ""}, False, {"confirmed": False}),
        (ui("input", placeholder="P"), {"title": "T", "placeholder": "P"}, "typed", {"value": "typed"}),
        (ui("editor", prefill="P"), {"title": "T", "prefill": "P"}, "", {"value": ""}),
        (
            ui("input", timeout=5000),
            {"title": "T", "placeholder": None, "timeout": 5.0},
            None,
            {"cancelled": True},
        ),
    ],
)
def test_every_dialog(request_, arguments, answer, reply):
    parser = PiParser()
    assert feed(parser, request_) == [Ask("u1", UICall(request_["method"], arguments))]
    assert json.loads(parser.answer("u1", answer)) == {"type": "extension_ui_response", "id": "u1", **reply}
    assert parser.answer("u1", answer) == b""


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        (ui("notify", message="M", notifyType="warning"), Tell("notify", ("M", "warning"))),
        (ui("notify", message="M"), Tell("notify", ("M", "info"))),
        (ui("setStatus", statusKey="k", statusText="on"), Tell("set_status", ("k", "on"))),
        (ui("setStatus", statusKey="k"), Tell("set_status", ("k", None))),
        (ui("setWidget", widgetKey="k", widgetLines=["a"]), Tell("set_widget", ("k", ["a"]))),
        (ui("setTitle"), Tell("set_title", ("T",))),
        (ui("set_editor_text", text="x"), Tell("set_editor_text", ("x",))),
    ],
)
def test_every_notification(request_, told):
    assert feed(PiParser(), request_) == [told]


@pytest.mark.parametrize("real", captures("pi"))
def test_every_capture(real):
    parser = PiParser(real.option("--session"))
    events = real.play(parser)
    outcome = parser.outcome()
    assert not [m for m in messages(events, MessageType.LOG) if "not understood" in m.content]
    failed = any(w in real.name for w in ("-err", "missing", "term", "orphan", "reap"))
    expected = Status.ABORTED if "abort" in real.name else Status.FAILED if failed else Status.COMPLETED
    assert outcome.status == expected
    assert outcome.session_id
    if expected is Status.COMPLETED:
        assert outcome.output.startswith(("Hello from the fake model.", "Done: tool result received", "Thought"))
        assert outcome.usage["fake-model"].output_tokens in (23, 46)
    if real.option("--session"):
        assert outcome.resumed is True


async def test_the_command_line(fake, options):
    config = {"mcpServers": {"ui": {"url": "http://127.0.0.1:1/mcp"}}}
    command = {}

    class Seen(PiBackend):
        def command(self, options, resume, files):
            made = super().command(options, resume, files)
            command.update(argv=made.arguments, env=dict(made.env))
            with open(made.env["A2UI_MCP_CONFIG"]) as file:
                command["mcp"] = json.load(file)
            return made

    wants = options(
        model="fake/model-1", resume_session_id="s9", mcp_config=config, trusted_servers=["ui"], max_turns=3
    )
    run = await Seen(fake("secret_in_stderr")).execute("x", wants)
    told = [message async for message in run.messages]
    assert command["argv"] == [
        "--mode", "rpc", "--extension", str(EXTENSION),
        "--provider", "fake", "--model", "model-1", "--session", "s9",
    ]  # fmt: skip
    assert command["env"]["A2UI_TRUSTED_TOOLS"] == "mcp__ui__"
    assert command["mcp"]["mcpServers"]["ui"]["exposure"] == "direct"
    assert any("max_turns" in m.content for m in told)


def test_a_lost_session():
    parser = PiParser("s9")
    parser.ended(1, "No session found matching 's9'")
    assert parser.lost_session
    assert parser.outcome().resumed is False
