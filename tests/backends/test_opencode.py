"""opencode: the parsers of `run` and `serve` on made-up samples and real output; a fake server for whole turns."""

import json
import sys
from contextlib import ExitStack
from pathlib import Path

import pytest

from a2ui_app.agent_ui import Ok
from a2ui_app.backends.base import ExecOptions, MessageType, Status, TokenUsage
from a2ui_app.backends.dialogs import Permission, Questions
from a2ui_app.backends.line_backend import Ask, TurnEnded, Withdraw
from a2ui_app.backends.opencode import OpencodeBackend
from a2ui_app.backends.opencode_config import environment
from a2ui_app.backends.opencode_run import OpencodeRunParser
from a2ui_app.backends.opencode_serve import OpencodeServeParser, Post

from .parsing import CAPTURES, captures, feed, messages
from .people import Person

# --- run ----------------------------------------------------------------------------------------------------------


def step(kind, **part):
    return {"type": kind, "sessionID": "ses_1", "part": {"id": "p1", **part}}


START = step("step_start")
TOOL = step(
    "tool_use", tool="bash", callID="c1", state={"status": "completed", "input": {"command": "date"}, "output": "today"}
)


def finish(reason):
    cache = {"read": 4, "write": 1}
    return step("step_finish", reason=reason, tokens={"input": 10, "output": 2, "reasoning": 3, "cache": cache})


def run_of(*events, returncode=0, stderr="", resume=None):
    parser = OpencodeRunParser(resume, "fake/model")
    told = feed(parser, *events)
    parser.ended(returncode, stderr)
    return parser.outcome(), told


def test_a_run_with_a_tool():
    outcome, told = run_of(
        START, step("text", text="I will look."), TOOL, finish("tool-calls"),
        START, step("reasoning", text="hm"), step("text", text="It is Monday."), finish("stop"),
    )  # fmt: skip
    assert (outcome.status, outcome.output, outcome.session_id) == (Status.COMPLETED, "It is Monday.", "ses_1")
    assert outcome.usage == {"fake/model": TokenUsage(20, 10, 8, 2)}
    kinds = [(m.type, m.content or m.output or m.tool) for m in messages(told)]
    assert kinds == [
        ("status", "Session started"),
        ("text", "I will look."),
        ("tool-use", "bash"),
        ("tool-result", "today"),
        ("thinking", "hm"),
        ("text", "It is Monday."),
    ]


@pytest.mark.parametrize(
    ("events", "returncode", "stderr", "error"),
    [
        ([], 0, "", "before it gave an answer"),
        ([START, step("text", text="half")], 0, "", "before it gave an answer"),
        ([START, TOOL, finish("tool-calls")], 0, "permission requested: bash; auto-rejecting", "permission requested"),
        ([START, TOOL, finish("tool-calls")], 0, "", "after a tool call"),
        ([{"type": "error", "error": {"name": "APIError", "data": {"message": "bad key"}}}], 1, "", "bad key"),
        ([{"type": "error", "error": {"name": "APIError"}}], 0, "", "APIError"),
        ([START, finish("stop")], 3, "", "exit code 3"),
        ([], 1, "\x1b[91mError:\x1b[0m no model", "Error: no model"),
    ],
)
def test_a_run_that_fails(events, returncode, stderr, error):
    outcome, _ = run_of(*events, returncode=returncode, stderr=stderr)
    assert outcome.status == Status.FAILED
    assert error in outcome.error


def test_a_lost_session():
    parser = OpencodeRunParser("ses_9")
    parser.ended(1, "Error: Session not found")
    assert parser.lost_session
    assert parser.outcome().session_id == ""


@pytest.mark.parametrize(
    "real", [c for c in captures("opencode", but="acp") if "serve" not in str(c.id)], ids=lambda c: c and c.name
)
def test_every_capture_of_run(real):
    parser = OpencodeRunParser(real.option("--session"))
    events = real.play(parser)
    outcome = parser.outcome()
    assert not [m for m in messages(events, MessageType.LOG) if "not understood" in m.content]
    blocked = real.name in ("02-shell", "02-read-outside", "07-ask-all-shell")
    failed = blocked or any(w in real.name for w in ("-err", "missing", "cancel", "orphan", "reap"))
    assert outcome.status == (Status.FAILED if failed else Status.COMPLETED)
    if not failed:
        assert outcome.output.startswith(("Hello from the fake model.", "Done: tool result received", "NO-TOOL"))
        assert outcome.usage[""].cache_read_tokens in (40, 80)
    if blocked:
        assert "auto-rejecting" in outcome.error
    assert (outcome.session_id == "") == ("missing" in real.name)


# --- serve --------------------------------------------------------------------------------------------------------


def event(type, session="ses_1", **properties):
    return {"type": type, "properties": {"sessionID": session, **properties}}


def message(id="m1", role="assistant", session="ses_1", **info):
    return event("message.updated", session, info={"id": id, "role": role, "modelID": "opus", **info})


def part(kind, id="p1", message="m1", session="ses_1", **more):
    return event("message.part.updated", session, part={"id": id, "type": kind, "messageID": message, **more})


def delta(text, id="p1", message="m1", session="ses_1"):
    return event("message.part.delta", session, messageID=message, partID=id, field="text", delta=text)


BUSY = event("session.status", status={"type": "busy"})
IDLE = event("session.idle")


def test_text_comes_once_as_pieces_or_whole():
    parser = OpencodeServeParser("ses_1")
    events = feed(
        parser, BUSY, message("u1", role="user"), part("text", "pu", "u1", text="the prompt"), message(),
        part("text", text=""), delta("Hel"), delta("lo"), part("text", text="Hello!"),
        part("reasoning", "p2", text="hm"), IDLE,
    )  # fmt: skip
    assert [m.content for m in messages(events, MessageType.TEXT)] == ["Hel", "lo", "!"]
    assert [m.content for m in messages(events, MessageType.THINKING)] == ["hm"]
    assert isinstance(events[-1], TurnEnded)
    assert (parser.outcome().status, parser.outcome().output) == (Status.COMPLETED, "Hello!")


def test_an_idle_before_the_work_began_is_from_the_prompt_before():
    assert feed(OpencodeServeParser("ses_1"), IDLE) == []


def test_tools_by_state():
    parser, running = OpencodeServeParser("ses_1"), {"status": "running", "input": {"command": "date"}}
    done = {"status": "completed", "input": {"command": "date"}, "output": "today"}
    events = feed(
        parser, message(),
        part("tool", tool="bash", callID="c1", state={"status": "pending", "input": {}}),
        part("tool", tool="bash", callID="c1", state=running),
        part("tool", tool="bash", callID="c1", state=running),
        part("tool", tool="bash", callID="c1", state=done),
        part("tool", tool="read", callID="c2", state={"status": "error", "input": {}, "error": "no"}),
    )  # fmt: skip
    told = [(str(m.type), m.call_id, m.output, m.level) for m in messages(events)]
    assert told.count(("tool-result", "c1", "today", "")) == 1
    assert told[-1] == ("tool-result", "c2", "no", "error")
    assert len([kind for kind, call, *_ in told if (kind, call) == ("tool-use", "c1")]) == 3


def test_what_a_failed_attempt_said_is_no_part_of_the_answer():
    parser = OpencodeServeParser("ses_1")
    retry = event("session.status", status={"type": "retry", "attempt": 1, "message": "Connection reset"})
    events = feed(
        parser, BUSY, message(), part("text", text="cut in the mid"), retry, BUSY,
        part("text", "p2", text="whole"), IDLE,
    )  # fmt: skip
    assert [m.content for m in messages(events, MessageType.TEXT)] == ["cut in the mid", "whole"]
    assert (parser.outcome().status, parser.outcome().output) == (Status.COMPLETED, "whole")


def test_requests_and_their_answers():
    parser = OpencodeServeParser("ses_1")
    asked = event("permission.asked", id="per_1", permission="bash", metadata={"command": "date"}, patterns=["date"])
    (ask,) = feed(parser, asked)
    assert isinstance(ask, Ask)
    assert isinstance(ask.request, Permission)
    assert (ask.request.title, ask.request.detail) == ("Allow bash?", "date")
    replies = [parser.answer("per_1", choice).body["reply"] for choice in (*ask.request.choices, None)]
    assert replies == ["once", "always", "reject", "reject"]
    question = {"question": "Which?", "header": "H", "options": [{"label": "A"}], "multiple": True}
    (ask,) = feed(parser, event("question.asked", id="que_1", questions=[question]))
    assert isinstance(ask, Ask)
    assert isinstance(ask.request, Questions)
    assert parser.answer("que_1", {"0": ["A", "B"]}) == Post("/question/que_1/reply", {"answers": [["A", "B"]]})
    assert parser.answer("que_1", None) == Post("/question/que_1/reject", {})
    assert feed(parser, event("permission.replied", requestID="per_1")) == [Withdraw("per_1")]


def test_a_subagent_asks_here_but_does_not_answer():
    parser = OpencodeServeParser("ses_1")
    created = event("session.created", "ses_2", info={"parentID": "ses_1"})
    events = feed(
        parser, created, message("m9", session="ses_2", tokens={"input": 5, "output": 1}),
        part("text", "p9", "m9", "ses_2", text="inside"), event("session.idle", "ses_2"),
        event("permission.asked", "ses_2", id="per_2", permission="edit"),
        message("m8", session="ses_3"), part("text", "p8", "m8", "ses_3", text="someone else's"),
    )  # fmt: skip
    assert [m.content for m in messages(events)] == ["inside"]
    assert messages(events)[0].type == MessageType.THINKING
    assert [e.request_id for e in events if isinstance(e, Ask)] == ["per_2"]
    assert parser.outcome().usage == {"opus": TokenUsage(5, 1)}


def test_usage_is_each_message_s_last():
    parser = OpencodeServeParser("ses_1")
    feed(
        parser, message(tokens={"input": 1, "output": 1}), message(tokens={"input": 10, "output": 2, "reasoning": 3}),
        message("m2", tokens={"input": 20, "output": 4, "cache": {"read": 7, "write": 8}}),
    )  # fmt: skip
    assert parser.outcome().usage == {"opus": TokenUsage(30, 9, 7, 8)}


def test_how_a_turn_ends():
    def end(*events):
        parser = OpencodeServeParser("ses_1")
        feed(parser, BUSY, *events)
        return parser.outcome().status, parser.outcome().error

    def failure(name, text):
        return event("session.error", error={"name": name, "data": {"message": text}})

    assert end(IDLE) == (Status.COMPLETED, "")
    assert end(failure("MessageAbortedError", "Aborted"), IDLE) == (Status.ABORTED, "")
    assert end(failure("APIError", "bad key"), IDLE) == (Status.FAILED, "bad key")
    assert end() == (Status.FAILED, "opencode ended before it gave an answer")


def test_the_capture_of_serve():
    path = CAPTURES / "opencode/10-serve-sse.jsonl"
    if not path.exists():
        pytest.skip("no captures of opencode on this machine")
    parser = OpencodeServeParser("ses_dd02e3f06ffeJYG0ARyHDJJC5c")
    events = [e for line in path.read_bytes().splitlines() for e in parser.receive(line)]
    assert sum(isinstance(e, TurnEnded) for e in events) == 5
    assert [type(e.request) for e in events if isinstance(e, Ask)] == [Permission, Questions]
    assert sum(m.level == "retrying" for m in messages(events, MessageType.STATUS)) == 3
    assert not messages(events, MessageType.LOG)
    assert "Done: tool result received (shell)." in "".join(m.content for m in messages(events, MessageType.TEXT))
    assert parser.outcome().status == Status.ABORTED


# --- configuration ------------------------------------------------------------------------------------------------


def configuration(options):
    with ExitStack() as files:
        config = json.loads(environment(options, files)["OPENCODE_CONFIG_CONTENT"])
        for path in config.get("instructions", []):
            config["text"] = Path(path).read_text()
        return config


def test_the_configuration():
    servers = {"ui": {"url": "http://127.0.0.1:1/mcp", "headers": {"a": "b"}}, "own": {"command": "x", "args": ["y"]}}
    options = ExecOptions(mcp_config={"mcpServers": servers}, trusted_servers=["ui"], system_prompt="be kind")
    config = configuration(options)
    assert config["text"] == "be kind"
    assert config["permission"] == {"bash": "ask", "edit": "ask", "webfetch": "ask", "ui_*": "allow"}
    assert config["mcp"]["ui"] == {
        "type": "remote", "url": "http://127.0.0.1:1/mcp", "enabled": True, "timeout": 3_600_000, "headers": {"a": "b"},
    }  # fmt: skip
    assert config["mcp"]["own"]["command"] == ["x", "y"]
    assert "permission" not in configuration(ExecOptions(permissions="auto"))


# --- a server -----------------------------------------------------------------------------------------------------

SERVER = '''#!{python}
"""A server as `opencode serve`: one session, one turn, a permission in the middle."""
import json, queue, sys, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

events = queue.Queue()
def say(type, **properties):
    events.put({{"type": type, "properties": {{"sessionID": "ses_1", **properties}}}})

class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *args): pass
    def reply(self, body, status=200):
        data = json.dumps(body).encode()
        self.send_response(status); self.send_header("content-length", str(len(data))); self.end_headers()
        self.wfile.write(data)
    def do_GET(self):
        if self.headers["authorization"] is None: return self.reply({{}}, 401)
        if self.path != "/event": return self.reply({{}}, 404)
        self.send_response(200); self.send_header("content-type", "text/event-stream"); self.end_headers()
        events.put({{"type": "server.connected", "properties": {{}}}})
        while True:
            event = events.get()
            if event is None: return
            self.wfile.write(b"data: " + json.dumps(event, ensure_ascii=False).encode() + b"\\n\\n"); self.wfile.flush()
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])) or "null")
        if self.path == "/session": return self.reply({{"id": "ses_1"}})
        if self.path.endswith("/prompt_async"):
            say("session.status", status={{"type": "busy"}})
            say("message.updated", info={{"id": "m1", "role": "assistant", "modelID": "opus"}})
            words = body["parts"][0]["text"]
            if words == "break": sys.stderr.write("the roof fell in\\n"); sys.stderr.flush(); import os; os._exit(3)
            if words == "hang": return self.reply({{}})
            say("permission.asked", id="per_1", permission="bash", metadata={{"command": words}})
        elif self.path.startswith("/permission/"):
            text = body["reply"] + " \\u2028 told"
            say("message.part.updated", part={{"id": "p1", "type": "text", "messageID": "m1", "text": text}})
            say("session.idle")
        elif self.path.endswith("/abort"):
            say("session.error", error={{"name": "MessageAbortedError", "data": {{}}}})
            say("session.idle")
        self.reply({{}})

server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(f"opencode server listening on http://127.0.0.1:{{server.server_port}}", flush=True)
server.serve_forever()
'''


@pytest.fixture
def server(tmp_path):
    path = tmp_path / "opencode"
    path.write_text(SERVER.format(python=sys.executable))
    path.chmod(0o755)
    return OpencodeBackend(path)


@pytest.mark.parametrize(("answer", "reply"), [("allow_once", "once"), ("always", "always"), ("reject_once", "reject")])
async def test_a_turn_with_a_permission(server, options, answer, reply):
    run = await server.execute("date", options(ui=Person(Ok(answer))))
    told = [message async for message in run.messages]
    result = await run.result
    assert (result.status, result.output) == (Status.COMPLETED, f"{reply} \u2028 told")
    assert (result.session_id, run.session_id) == ("ses_1", "ses_1")
    assert "waiting" in [m.level for m in told]


async def test_a_conversation_keeps_its_session(server, options):
    async with server.converse(options(ui=Person(Ok("allow_once")))) as conversation:
        first = await (await conversation.execute("one")).result
        assert first.output.startswith("once")
        assert conversation.session_id == "ses_1"


async def test_a_lost_session_on_the_server(server, options):
    run = await server.execute("date", options(ui=Person(Ok("allow_once")), resume_session_id="ses_0"))
    result = await run.result
    assert (result.status, result.resumed, result.session_id) == (Status.COMPLETED, False, "ses_1")
    wants = options(ui=Person(), resume_session_id="ses_0", fresh_after_failed_resume=False)
    result = await (await server.execute("date", wants)).result
    assert (result.status, result.session_id) == (Status.FAILED, "")


async def test_cancel_aborts_the_session(server, options):
    run = await server.execute("hang", options(ui=Person()))
    async for message in run.messages:
        if message.level == "session":
            await run.cancel()
    assert (await run.result).status == Status.ABORTED


async def test_a_server_that_dies(server, options):
    result = await (await server.execute("break", options(ui=Person()))).result
    assert result.status == Status.FAILED
    assert "the roof fell in" in result.error


async def test_a_server_that_does_not_start(fake, options):
    result = await (await OpencodeBackend(fake("secret_in_stderr")).execute("x", options(ui=Person()))).result
    assert result.status == Status.FAILED
    assert "did not start" in result.error
