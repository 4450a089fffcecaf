"""The Agent Client Protocol: the parser on real output of ten agents, and whole runs with an agent of our own."""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from a2ui_app import backends
from a2ui_app.agent_ui import Ok
from a2ui_app.agent_ui.headless import HeadlessUI
from a2ui_app.backends.acp import AcpBackend, bridge
from a2ui_app.backends.acp_parser import AcpParser
from a2ui_app.backends.acp_presets import PRESETS
from a2ui_app.backends.acp_usage import usage_of
from a2ui_app.backends.base import BackendError, ExecOptions, Message, MessageType, Result, Status, TokenUsage
from a2ui_app.backends.line_backend import Ask, Later, Withdraw, Write

from .parsing import CAPTURES, Capture, captures, feed, messages

AGENT = Path(__file__).with_name("fake_acp.py")
CAPTURED = ("gemini", "qwen", "kimi", "copilot", "grok", "hermes", "opencode", "claude-agent-acp", "codex-acp", "vibe")


def real_runs() -> list[Any]:
    found = [
        pytest.param(agent, run.values[0], id=f"{agent}-{run.id}")
        for agent in CAPTURED
        for run in captures(agent)
        if run.values[0] is not None and str(run.id).startswith("acp-") and "mode" not in str(run.id)
    ]
    return found or [pytest.param("", None, marks=pytest.mark.skip(reason=f"no captures in {CAPTURES}"))]


@pytest.mark.parametrize(("agent", "real"), real_runs())
def test_what_real_agents_printed(agent: str, real: Capture) -> None:
    resumes = real.name.startswith("acp-06-resume") and not real.name.endswith("-a")
    parser = AcpParser("/tmp", {}, resume="00000000" if resumes else None, auth="gemini-api-key")
    parser.open()
    events = real.play(parser)
    assert not [m for m in messages(events, MessageType.LOG) if "not understood" in m.content]
    outcome = parser.outcome()
    if "resume-missing" in real.name and agent != "hermes":  # hermes answers an unknown session like a known one
        assert parser.lost_session
    elif any(part in real.name for part in ("01-text", "02-think", "03-", "07-")) and "cancel" not in real.name:
        assert outcome.status is Status.COMPLETED, outcome
        assert outcome.session_id
        assert outcome.output or "reject" in real.name
    if "02-think" in real.name and agent not in ("copilot", "hermes"):
        assert messages(events, MessageType.THINKING) or agent in ("codex-acp", "kimi", "vibe", "opencode", "gemini")
    for use in messages(events, MessageType.TOOL_USE):
        assert use.tool
        assert use.call_id


@pytest.fixture
def agent(tmp_path: Path) -> Callable[[str], AcpBackend]:
    """A function: scenario -> backend of the agent that plays it."""
    return lambda scenario: AcpBackend(f"{sys.executable} {AGENT} {scenario}")


async def finish(backend: AcpBackend, options: ExecOptions, prompt: str = "hi") -> tuple[list[Message], Result]:
    run = await backend.execute(prompt, options)
    told = [message async for message in run.messages]
    return told, await run.result


class Person(HeadlessUI):
    """Answers every question with the option of a name."""

    has_ui = True

    def __init__(self, choice: str):
        self.choice = choice
        self.asked: list[list[str]] = []

    async def select(self, title: str, options: Any, **opts: Any) -> Any:
        self.asked.append([option["label"] for option in options])
        return Ok(next((option["value"] for option in options if option["label"] == self.choice), None))


async def test_a_run_from_the_prompt_to_the_usage(agent, options) -> None:
    told, result = await finish(agent("plain"), options())
    assert result.status is Status.COMPLETED
    assert result.output == "you said hi"
    assert result.session_id == "s1"
    assert result.usage == {"small": TokenUsage(10, 3, 4, 0)}
    kinds = [m.type for m in told if m.type not in (MessageType.STATUS, MessageType.LOG)]
    assert kinds == ["thinking", "text", "tool-use", "tool-result", "text"]
    use, done = (next(m for m in told if m.type == kind) for kind in ("tool-use", "tool-result"))
    assert (use.tool, use.input, done.output) == ("Bash", {"command": "ls"}, "a.py")


@pytest.mark.parametrize(("choice", "level"), [("Allow", ""), ("Reject", "error")])
async def test_a_permission_is_asked_and_never_given_for_good(agent, options, choice: str, level: str) -> None:
    person = Person(choice)
    told, result = await finish(agent("ask"), options(ui=person))
    assert person.asked == [["Allow", "Reject"]]  # not "Always allow", which the agent writes to disk
    assert next(m.level for m in told if m.type == "tool-result") == level
    assert result.status is Status.COMPLETED


@pytest.mark.parametrize(("permissions", "level"), [("ask", "error"), ("auto", "")])
async def test_without_a_person_a_permission_is_declined_unless_all_are_allowed(agent, options, permissions, level):
    told, _ = await finish(agent("ask"), options(permissions=permissions))
    assert next(m.level for m in told if m.type == "tool-result") == level


@pytest.mark.parametrize("scenario", ["load", "resume"])
async def test_a_session_is_resumed_and_its_history_not_told_again(agent, options, scenario: str) -> None:
    told, result = await finish(agent(scenario), options(resume_session_id="s1"))
    assert result.resumed is True
    assert "what was said before" not in "".join(m.content for m in told)


@pytest.mark.parametrize("scenario", ["load", "resume", "none"])
async def test_a_lost_session_goes_on_in_a_new_one(agent, options, scenario: str) -> None:
    _, result = await finish(agent(scenario), options(resume_session_id="gone"))
    assert result.status is Status.COMPLETED
    assert result.resumed is False
    assert result.session_id == "s1"


async def test_the_mode_is_set_before_the_prompt_where_a_preset_wants_it() -> None:
    parser = AcpParser("/tmp", {}, mode="default", model="big")
    parser.open()
    parser.prompt("hi")
    feed(parser, {"id": 1, "result": {}})
    session = {
        "sessionId": "s1",
        "modes": {"currentModeId": "auto", "availableModes": [{"id": "auto"}, {"id": "default"}]},
        "configOptions": [{"id": "model", "currentValue": "small"}],
    }
    sent = [event.data for event in feed(parser, {"id": 2, "result": session}) if isinstance(event, Write)]
    assert b'"session/set_mode"' in sent[0]
    sent = [event.data for event in feed(parser, {"id": 3, "result": {}}) if isinstance(event, Write)]
    assert b'"session/set_config_option"' in sent[0]
    assert b'"big"' in sent[0]
    sent = [event.data for event in feed(parser, {"id": 4, "result": {}}) if isinstance(event, Write)]
    assert b'"session/prompt"' in sent[0]


def test_an_agent_that_does_not_wait_for_its_tools_is_waited_for() -> None:
    parser = AcpParser("/tmp", {"a2ui": {"command": "x"}}, settle=4.0)
    parser.open()
    parser.prompt("hi")
    feed(parser, {"id": 1, "result": {}})
    events = feed(parser, {"id": 2, "result": {"sessionId": "s1"}})
    assert events[-1] == Later(4.0)
    assert b'"session/prompt"' in parser.wake()
    assert parser.wake() == b""


async def test_a_cancel_is_asked_for_first(agent, options) -> None:
    run = await agent("hang").execute("hi", options())
    async for message in run.messages:
        if message.type is MessageType.TOOL_RESULT:
            break
    result = await run.cancel()
    assert result.status is Status.ABORTED
    assert result.session_id == "s1"


async def test_a_cancel_while_a_permission_is_asked(agent, options) -> None:
    class Slow(HeadlessUI):
        has_ui = True

        async def select(self, *args: Any, **opts: Any) -> Any:
            asked.set()
            await asyncio.Event().wait()

    asked = asyncio.Event()
    run = await agent("ask").execute("hi", options(ui=Slow()))
    await asked.wait()
    assert (await run.cancel()).status is Status.ABORTED


@pytest.mark.parametrize(
    ("scenario", "error"),
    [
        ("exit", "out of memory"),
        ("fail", "the model is away"),
        ("cut", "largest length"),
        ("login", "Sign in to the agent in a terminal first (An API key)"),
    ],
)
async def test_what_goes_wrong_is_told(agent, options, scenario: str, error: str) -> None:
    _, result = await finish(agent(scenario), options())
    assert result.status is Status.FAILED
    assert error in result.error


async def test_mcp_servers_are_given_in_the_protocols_form(agent, options) -> None:
    config = {
        "mcpServers": {
            "a": {"command": "x", "args": ["y"], "env": {"K": "v"}},
            "b": {"url": "http://h/", "headers": {"A": "b"}},
        }
    }
    parser = AcpParser("/tmp", config["mcpServers"])
    parser.open()
    (new,) = feed(parser, {"id": 1, "result": {"agentCapabilities": {"mcpCapabilities": {"http": True}}}})
    assert isinstance(new, Write)
    assert b'"type":"http"' in new.data
    assert b'{"name":"A","value":"b"}' in new.data
    assert b'{"name":"K","value":"v"}' in new.data
    told, _ = await finish(agent("nohttp"), options(mcp_config=config))
    assert any("no MCP servers over HTTP, so it does not get b" in m.content for m in told)


def test_an_agent_without_http_gets_the_page_by_a_command() -> None:
    server = {"url": "http://h/mcp/c1", "headers": {"Authorization": "Bearer secret"}}
    parser = AcpParser("/tmp", {"a2ui": server}, bridge=bridge)
    parser.open()
    (new,) = feed(parser, {"id": 1, "result": {}})
    assert isinstance(new, Write)
    assert b'"--url","http://h/mcp/c1"' in new.data
    assert b'{"name":"A2UI_MCP_TOKEN","value":"secret"}' in new.data
    assert bridge({"url": "http://h/"}) is None


@pytest.mark.parametrize(
    ("title", "kind", "trusted"),
    [
        ("mcp__a2ui__ask_select", "other", True),
        ("a2ui-ask_select", None, True),
        ("ask_select (a2ui MCP Server)", "other", True),
        ("ask_select (a2ui MCP Server)", "execute", False),
        ("a2ui_render_ui", "other", True),
        ("a2ui_render_ui", "execute", False),
        ("rm -rf / # mcp__a2ui__ask_select", "other", False),
        ("mcp__a2ui__x; rm -rf /", "other", False),
        ("mcp__other__ask_select", "other", False),
    ],
)
def test_only_our_own_tools_run_without_asking(title: str, kind: str | None, trusted: bool) -> None:
    parser = AcpParser("/tmp", {}, trusted=["a2ui"])
    call = {"toolCallId": "1", "title": title, "kind": kind}
    options = [{"optionId": "y", "name": "Yes", "kind": "allow_once"}]
    asked = feed(
        parser, {"id": 9, "method": "session/request_permission", "params": {"toolCall": call, "options": options}}
    )
    (ask,) = [event for event in asked if isinstance(event, Ask)]
    assert ask.request.trusted is trusted  # type: ignore[union-attr]


def test_a_request_that_is_taken_back_closes_its_dialog() -> None:
    parser = AcpParser("/tmp", {})
    feed(parser, {"id": 9, "method": "session/request_permission", "params": {"options": []}})
    (event,) = feed(parser, {"method": "$/cancel_request", "params": {"id": 9}})
    assert event == Withdraw("permission-9")
    assert parser.answer("permission-9", None) == b""


def test_what_we_do_not_offer_is_answered_at_once() -> None:
    parser = AcpParser("/tmp", {})
    (event,) = feed(parser, {"id": 5, "method": "fs/read_text_file", "params": {}})
    assert isinstance(event, Write)
    assert b"-32601" in event.data


TOLD = {"inputTokens": 10, "outputTokens": 3, "cachedReadTokens": 4}


@pytest.mark.parametrize(
    ("result", "chunks", "usage"),
    [
        ({"usage": {**TOLD, "totalTokens": 17}}, {}, (10, 3, 4, 0)),
        ({"usage": {**TOLD, "totalTokens": 13}}, {}, (6, 3, 4, 0)),
        ({"_meta": {"usage": {"input_tokens": 5, "output_tokens": 1}}}, {}, (5, 1, 0, 0)),
        ({}, {"inputTokens": 5, "outputTokens": 2}, (5, 2, 0, 0)),
    ],
)
def test_tokens_are_counted_once_wherever_they_are_told(result: Any, chunks: Any, usage: tuple[int, ...]) -> None:
    assert usage_of(result, chunks, "m") == {"m": TokenUsage(*usage)}


def test_gemini_tells_each_model() -> None:
    told = [{"model": "a", "token_count": {"input_tokens": 7, "output_tokens": 2}}]
    assert usage_of({"_meta": {"quota": {"model_usage": told}}}, {}, "m") == {"a": TokenUsage(7, 2)}
    assert usage_of({}, {}, "m") == {}


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_an_agent_of_its_own(name: str) -> None:
    backend = backends.new(name)
    assert backends.LAUNCH_HEADERS[name].endswith("(acp)")
    assert backend.install
    assert backend.program


async def test_a_command_is_wanted_where_there_is_no_preset(options) -> None:
    with pytest.raises(BackendError, match="which command speaks ACP"):
        await backends.new("acp").execute("hi", options())
    with pytest.raises(BackendError, match="quotation mark"):
        backends.new("acp", "x 'y")
