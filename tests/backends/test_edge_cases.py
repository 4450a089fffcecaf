"""The edge cases of driving real agents, by their number in the study of them (agent-clis.md, section 1.4).

Those that only protocols with requests of their own can have (codex app-server, ACP) are in test_edge_cases_rpc.py
(6, 15, 40, 42, 46) and test_edge_cases_acp.py (12, 13, 29, 35, 37, 40, 42, 43; it says why there is none for 30).
"""

import asyncio
import json
import os
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from a2ui_app.agent_ui import Ok
from a2ui_app.backends.base import Backend, MessageType, Status, TokenUsage
from a2ui_app.backends.claude import ClaudeBackend
from a2ui_app.backends.claude_parser import ClaudeParser
from a2ui_app.backends.environment import filter_custom_args, merge_env, redact
from a2ui_app.backends.opencode import OpencodeBackend
from a2ui_app.backends.opencode_run import OpencodeRunParser
from a2ui_app.backends.pi_parser import PiParser
from a2ui_app.backends.process import MARKER, Process, marked_processes
from a2ui_app.backends.texts import content_text

from .parsing import feed, messages
from .people import Person

INIT = {"type": "system", "subtype": "init", "session_id": "s1", "model": "opus"}
RESULT = {"type": "result", "subtype": "success", "is_error": False, "result": "ok", "session_id": "s1"}


async def play(executable, options, prompt="hello", backend: type[Backend] = ClaudeBackend):
    run = await backend(executable).execute(prompt, options)
    told = [message async for message in run.messages]
    return await run.result, told


def claude(*events, resume=None):
    parser = ClaudeParser(resume)
    parser.prompt("hi")
    return parser.outcome() if not events else (feed(parser, *events), parser.outcome())[1]


async def test_01_a_banner_before_stdin_is_read_and_a_big_prompt(fake, options):
    prompt = "p" * 3_000_000
    result, _ = await play(fake("banner_first"), options(), prompt)
    assert (result.status, result.output) == (Status.COMPLETED, prompt)


async def test_02_stdin_stays_open_until_the_result(fake, options):
    result, _ = await play(fake("permission"), options(permissions="auto"))
    assert json.loads(result.output)["response"]["behavior"] == "allow", "the answer still got through"


async def test_03_stdin_is_closed_for_agents_that_read_to_its_end(tmp_path, options):
    program = tmp_path / "opencode"
    program.write_text(
        "#!/bin/sh\nprompt=$(cat)\n"
        """echo '{"type":"text","sessionID":"s","part":{"id":"p","text":"'"$prompt"'"}}'\n"""
        """echo '{"type":"step_finish","sessionID":"s","part":{"reason":"stop"}}'\n"""
    )
    program.chmod(0o755)
    result, _ = await play(program, options(), "read to the end", OpencodeBackend)
    assert (result.status, result.output) == (Status.COMPLETED, "read to the end")


async def test_04_the_prompt_is_not_on_the_command_line(fake, options):
    result, _ = await play(fake("environment"), options(), "my private prompt")
    assert "my private prompt" not in json.dumps(json.loads(result.output)["argv"])


async def test_05_a_line_over_the_limit_is_skipped_and_told(fake, options):
    result, told = await play(fake(f"long_line:{33 * 1024 * 1024}"), options())
    assert result.status == Status.COMPLETED
    assert any("left out" in m.content for m in told if m.type == MessageType.LOG)


async def test_07_a_grandchild_that_holds_the_output_does_not_keep_the_run(fake, options):
    start = time.monotonic()
    result, _ = await play(fake("leader_killed"), options())
    assert result.status == Status.FAILED
    assert time.monotonic() - start < 5


async def test_08_tools_in_sessions_of_their_own_die_with_the_run(fake, options, nothing_left):
    result, _ = await play(fake("grandchild_holds_pipe"), options())
    assert result.status == Status.COMPLETED  # the fixture looks for what is left


async def test_09_daemons_die_with_the_run(fake, options):
    result, _ = await play(fake("daemon"), options())
    assert result.status == Status.COMPLETED


async def test_10_a_descendant_that_ignores_sigterm_dies_though_the_leader_obeys(tmp_path, nothing_left):
    program = tmp_path / "agent"
    program.write_text("#!/bin/sh\nsh -c 'trap \"\" TERM; echo up; while :; do sleep 1; done' &\nwait\n")
    program.chmod(0o755)
    env = {"PATH": os.environ["PATH"], "A2UI_TEST_TRACE": nothing_left}
    process = await Process.spawn([str(program)], cwd=tmp_path, env=env)
    assert await process.next_line() == b"up"
    await process.stop(grace=0.0)
    assert process.returncode == -15, "the leader ended by SIGTERM"


async def test_11_the_output_is_open_until_the_process_is_gone(tmp_path, nothing_left):
    """The agent writes on after SIGTERM; a closed pipe would make it fail (EPIPE) before its last words."""
    program, last = tmp_path / "agent", tmp_path / "last"
    script = f"trap 'echo bye && echo bye > {last}; exit 0' TERM; echo up; while :; do sleep 0.05; done"
    program.write_text(f"#!/bin/bash\n{script}\n")
    program.chmod(0o755)
    env = {"PATH": os.environ["PATH"], "A2UI_TEST_TRACE": nothing_left}
    process = await Process.spawn([str(program)], cwd=tmp_path, env=env)
    assert await process.next_line() == b"up"
    await process.stop(grace=0.0)
    assert (process.returncode, last.read_text()) == (0, "bye\n")


async def test_14_a_dialog_that_the_agent_takes_back_closes_and_is_not_answered(fake, options, tmp_path):
    gate, opened, closed = tmp_path / "gate", asyncio.Event(), asyncio.Event()

    class Waits(Person):
        async def select(self, title, options, *, timeout=None, **opts):  # noqa: ASYNC109
            opened.set()
            try:
                await asyncio.Event().wait()
                return Ok(None)
            finally:
                closed.set()

    run = await ClaudeBackend(fake("withdrawn_permission")).execute(
        "go", options(ui=Waits(), env={"FAKE_GATE": str(gate)})
    )
    await asyncio.wait_for(opened.wait(), 10)
    gate.write_text("go on")
    await asyncio.wait_for(closed.wait(), 10)
    result = await run.result
    assert result.output == "withdrawn"
    assert json.loads(gate.read_text()) == [], "no late answer"


async def test_16_no_sign_of_life_at_the_start_has_a_limit_of_its_own(fake, options):
    result, _ = await play(fake("mute"), options(startup_timeout=0.4, idle_timeout=None))
    assert result.status == Status.TIMEOUT
    assert "0.4 seconds" in result.error


async def test_17_silence_ends_a_run_but_not_while_a_person_thinks(fake, options):
    class Slow(Person):
        async def select(self, title, options, *, timeout=None, **opts):  # noqa: ASYNC109
            await asyncio.sleep(1.0)
            return Ok("allow_once")

    result, _ = await play(fake("permission"), options(ui=Slow(), idle_timeout=0.4, tool_timeout=0.4))
    assert result.status == Status.COMPLETED
    result, _ = await play(fake("silent"), options(idle_timeout=0.4))
    assert result.status == Status.TIMEOUT


async def test_17_a_tool_at_work_has_a_limit_of_its_own(fake, options):
    result, _ = await play(fake("interruptible"), options(idle_timeout=0.2, tool_timeout=0.8))
    assert result.status == Status.TIMEOUT
    assert "0.8 seconds" in result.error


async def test_18_retries_are_told(fake, options):
    result, told = await play(fake("retrying"), options())
    assert [m.level for m in told if m.type == MessageType.STATUS] == ["session", "retrying", "retrying"]
    assert (result.status, result.error) == (Status.FAILED, "API Error: 500")


def test_19_events_decide_not_the_exit_code():
    parser = PiParser()
    parser.prompt("hi")
    message = {"role": "assistant", "content": [], "stopReason": "error", "errorMessage": "500: broken"}
    feed(parser, {"type": "message_end", "message": message}, {"type": "agent_settled"})
    assert (parser.outcome().status, parser.outcome().error) == (Status.FAILED, "500: broken")


@pytest.mark.parametrize("code", [1, 41, 42, 143, 145, -9])
def test_20_every_exit_code_but_0_is_a_failure_with_the_end_of_stderr(code):
    parser = OpencodeRunParser()
    parser.ended(code, "the last words")
    assert (parser.outcome().status, parser.outcome().error) == (Status.FAILED, "the last words")


def test_21_success_with_an_error_is_an_error():
    outcome = claude(INIT, {**RESULT, "is_error": True, "api_error_status": 401, "result": "bad key"})
    assert (outcome.status, outcome.error) == (Status.FAILED, "bad key")


async def test_22_our_own_cancel_wins_over_what_the_agent_says(fake, options):
    run = await ClaudeBackend(fake("silent")).execute("go", options())
    assert (await run.cancel()).status == Status.ABORTED
    result, _ = await play(fake("interruptible"), options(timeout=0.4))
    assert result.status == Status.TIMEOUT, "the agent says aborted"


@pytest.mark.parametrize("reason", ["aborted_streaming", "aborted_tools"])
def test_23_an_interrupt_is_no_failure(reason):
    outcome = claude(INIT, {**RESULT, "is_error": True, "subtype": "error_during_execution", "terminal_reason": reason})
    assert (outcome.status, outcome.error) == (Status.ABORTED, "")


def test_24_a_full_context_is_a_failure_and_its_session_is_not_to_be_resumed():
    outcome = claude(INIT, {**RESULT, "terminal_reason": "prompt_too_long"})
    assert (outcome.status, outcome.session_id) == (Status.FAILED, "")


def test_25_an_end_without_a_result_is_a_failure():
    for parser in (ClaudeParser(), OpencodeRunParser(), PiParser()):
        parser.prompt("hi")
        parser.ended(0, "")
        assert parser.outcome().status == Status.FAILED
        assert "before it gave" in parser.outcome().error


def test_26_a_rejected_permission_of_opencode_run_is_a_failure_with_its_reason():
    parser = OpencodeRunParser()
    feed(parser, {"type": "step_start", "sessionID": "s"}, {"type": "step_finish", "part": {"reason": "tool-calls"}})
    parser.ended(0, "\x1b[93m! \x1b[0mpermission requested: bash (date); auto-rejecting")
    assert parser.outcome().status == Status.FAILED
    assert "permission requested: bash (date)" in parser.outcome().error


async def test_27_a_lost_session_is_told_and_a_fresh_one_started(fake, options):
    missing = "22222222-2222-4333-8444-555555555555"
    result, told = await play(fake("lost_session"), options(resume_session_id=missing))
    assert (result.status, result.resumed, result.output) == (Status.COMPLETED, False, "hello")
    assert result.session_id not in ("", missing)
    assert any("without its context" in m.content for m in told)


async def test_27_without_the_fresh_start_it_fails_and_the_echoed_id_is_not_kept(fake, options):
    missing = "22222222-2222-4333-8444-555555555555"
    wants = options(resume_session_id=missing, fresh_after_failed_resume=False)
    result, _ = await play(fake("lost_session"), wants)
    assert (result.status, result.resumed, result.session_id) == (Status.FAILED, False, "")
    assert "No conversation found" in result.error


@pytest.mark.parametrize(
    ("parser", "stderr"),
    [
        (ClaudeParser("x"), "No conversation found with session ID: x"),
        (OpencodeRunParser("x"), "Error: Session not found"),
        (PiParser("x"), "No session found matching 'x'"),
    ],
)
def test_27_a_lost_session_told_only_on_stderr(parser, stderr):
    parser.prompt("hi")
    parser.ended(1, stderr)
    assert parser.lost_session
    assert parser.outcome().session_id == ""


def test_27_a_failure_after_the_session_opened_is_no_lost_session():
    parser = ClaudeParser("s1")
    parser.prompt("hi")
    feed(parser, INIT, {**RESULT, "is_error": True, "errors": ["No conversation found"]})
    assert not parser.lost_session


async def test_28_another_id_than_asked_for_is_the_one_that_counts(fake, options):
    result, _ = await play(fake("other_session"), options(resume_session_id="s1"))
    assert (result.session_id, result.resumed) == ("99999999-2222-4333-8444-555555555555", False)


def test_31_a_subagent_s_messages_are_not_the_answer():
    message = {"id": "m2", "model": "opus", "content": [{"type": "text", "text": "inside"}]}
    outcome = claude(INIT, {"type": "assistant", "message": message, "parent_tool_use_id": "t1"})
    assert outcome.output == ""


def test_32_the_usage_of_a_message_is_counted_once_and_the_last_wins():
    def block(output):
        usage = {"input_tokens": 10, "output_tokens": output}
        content = [{"type": "text", "text": "x"}]
        return {"type": "assistant", "message": {"id": "m1", "model": "opus", "content": content, "usage": usage}}

    assert claude(INIT, block(1), block(1), block(5)).usage == {"opus": TokenUsage(10, 5)}


def test_33_counters_of_the_whole_session_are_not_counted_again():
    parser = ClaudeParser()
    for total in (10, 30):
        parser.prompt("hi")
        feed(parser, INIT, {**RESULT, "modelUsage": {"opus": {"inputTokens": total}}})
    assert parser.outcome().usage == {"opus": TokenUsage(20)}
    resumed = {"usage": {"input_tokens": 7}, "modelUsage": {"opus": {"inputTokens": 100}}}
    assert claude(INIT, {**RESULT, **resumed}, resume="s1").usage == {"opus": TokenUsage(7)}


def test_34_the_four_counts_exclude_each_other():
    usage = {"modelUsage": {"opus": {"inputTokens": 1, "cacheReadInputTokens": 2, "cacheCreationInputTokens": 3}}}
    assert claude(INIT, {**RESULT, **usage}).usage == {"opus": TokenUsage(1, 0, 2, 3)}
    parser = OpencodeRunParser()
    tokens = {"input": 1, "output": 4, "reasoning": 5, "cache": {"read": 2, "write": 3}}
    feed(parser, {"type": "step_finish", "part": {"reason": "stop", "tokens": tokens}})
    assert parser.outcome().usage == {"": TokenUsage(1, 9, 2, 3)}


def test_36_an_aborted_turn_keeps_what_was_streamed():
    usage = {"input_tokens": 10, "output_tokens": 3}
    message = {"id": "m1", "model": "opus", "content": [], "usage": usage}
    aborted = {**RESULT, "is_error": True, "terminal_reason": "aborted_streaming", "usage": {"input_tokens": 0}}
    assert claude(INIT, {"type": "assistant", "message": message}, aborted).usage == {"opus": TokenUsage(10, 3)}


def test_38_a_tool_call_is_told_early_and_its_input_later_with_the_same_id():
    parser = ClaudeParser()
    block = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {}}
    start = {"type": "content_block_start", "index": 0, "content_block": block}
    whole = {"id": "m1", "content": [{**block, "input": {"command": "date"}}]}
    events = feed(parser, {"type": "stream_event", "event": start}, {"type": "assistant", "message": whole})
    assert [(m.call_id, dict(m.input)) for m in messages(events)] == [("t1", {}), ("t1", {"command": "date"})]


async def test_39_a_tool_that_never_ends_is_closed_with_the_run(fake, options):
    run = await ClaudeBackend(fake("interruptible")).execute("go", options(timeout=0.4))
    told = [message async for message in run.messages]
    assert [(m.call_id, m.level) for m in told if m.type == MessageType.TOOL_RESULT] == [("t1", "cancelled")]


async def test_41_an_unknown_request_is_refused_at_once(fake, options):
    result, _ = await play(fake("unknown_request"), options())
    assert json.loads(result.output)["subtype"] == "error"


def test_44_content_may_be_a_string_and_a_replay_is_only_logged():
    parser = ClaudeParser()
    replay = {"type": "user", "message": {"content": "Set model"}, "isReplay": True}
    blocks = [{"type": "tool_result", "tool_use_id": "t0", "content": "old"}]
    events = feed(parser, replay, {"type": "user", "message": {"content": blocks}, "isReplay": True})
    assert {m.type for m in messages(events)} == {MessageType.LOG}
    assert content_text("a string") == "a string"


async def test_45_what_is_no_json_is_a_log(fake, options):
    result, told = await play(fake("garbage"), options())
    assert result.status == Status.COMPLETED
    assert "Warning: something unrelated" in [m.content for m in told if m.type == MessageType.LOG]


def test_47_our_tools_are_not_hidden_behind_a_tool_search(options):
    config = {"mcpServers": {"ui": {"url": "http://127.0.0.1:1/mcp"}, "own": {"command": "x"}}}
    with ExitStack() as files:
        made = ClaudeBackend().command(options(mcp_config=config, trusted_servers=["ui"]), None, files)
        path = made.arguments[made.arguments.index("--mcp-config") + 1]
        servers = json.loads(Path(path).read_text())["mcpServers"]
    assert servers["ui"]["alwaysLoad"] is True
    assert "alwaysLoad" not in servers["own"], "a person's own servers stay as they are"


async def test_48_secrets_are_not_in_the_error_text(fake, options):
    result, _ = await play(fake("secret_in_stderr"), options(env={"FAKE_API_KEY": "abcdef-secret-123"}))
    assert result.status == Status.FAILED
    assert result.error == "fatal: key *** was refused"


def test_48_a_secret_is_blotted_out_before_the_text_is_cut():
    secret = "s3cret-" * 20
    assert "s3cret" not in redact(f"{'x' * 100}{secret}", {"MY_TOKEN": secret})[-130:]
    assert redact("Authorization: Bearer abcdefghijklmnop", {}) == "Authorization: Bearer ***"
    assert redact("sk-ant-api03-abcdefghijklmnop", {}) == "***"
    assert redact("the word tokens and KEY=1", {"KEY": "1"}) == "the word tokens and KEY=1"


# --- the helpers that every backend shares ------------------------------------------------------------------------


def test_a_parent_agent_s_variables_are_left_out_and_the_person_s_kept():
    base = {
        "CLAUDECODE": "1", "CLAUDECODE_X": "1", "CLAUDE_CODE_ENTRYPOINT": "cli", "CLAUDE_CODE_SSE_PORT": "1",
        "CLAUDE_CODE_GIT_BASH_PATH": "C:/bash", "A2UI_APP_PASSWORD": "x", MARKER: "outer", "PATH": "/bin",
    }  # fmt: skip
    assert merge_env({"EXTRA": "1"}, base) == {"CLAUDE_CODE_GIT_BASH_PATH": "C:/bash", "PATH": "/bin", "EXTRA": "1"}


@pytest.mark.parametrize(
    ("args", "kept", "refused"),
    [
        (["--effort", "high"], ["--effort", "high"], []),
        (["--output-format", "text", "--effort", "high"], ["--effort", "high"], ["--output-format"]),
        (["--output-format=text", "x"], ["x"], ["--output-format"]),
        (["--verbose", "x"], ["x"], ["--verbose"]),
        (["--resume", "id", "x"], ["x"], ["--resume"]),
        (["--resume", "--x"], ["--x"], ["--resume"]),
        (['"--effort"', "'high'"], ["--effort", "high"], []),
        (['"--output-format"', "text"], [], ["--output-format"]),
        (["--mcp-config"], [], ["--mcp-config"]),
    ],
)
def test_custom_arguments(args, kept, refused):
    assert filter_custom_args(args, ClaudeBackend.denied_args) == (kept, refused)


async def test_the_marker_finds_a_process(tmp_path, nothing_left):
    env = {"PATH": os.environ["PATH"], "A2UI_TEST_TRACE": nothing_left}
    process = await Process.spawn(["/bin/sh", "-c", "sleep 60 & echo up; wait"], cwd=tmp_path, env=env)
    await process.next_line()
    assert len(marked_processes(process._marker)) == 2
    await process.stop(grace=0.0)
    assert marked_processes(process._marker) == set()
