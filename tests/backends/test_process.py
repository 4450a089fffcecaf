"""Processes and runs under faults, played by fake_cli.py. After each test nothing is left (see `nothing_left`)."""

import asyncio
import os
import stat
import sys
import time
from pathlib import Path

import pytest

from a2ui_app.backends.base import BackendError, ExecOptions, ExecutableNotFound, MessageType, Status
from a2ui_app.backends.claude import ClaudeBackend
from a2ui_app.backends.output import STDERR_KEPT, LineSplitter, SkippedLine, Stderr
from a2ui_app.backends.process import Process, end_orphans

from .conftest import traced_processes

MIB = 1024 * 1024


async def play(executable: str, options: ExecOptions, prompt: str = "hello"):
    run = await ClaudeBackend(executable).execute(prompt, options)
    messages = [message async for message in run.messages]
    return await run.result, messages


# --- lines --------------------------------------------------------------------------------------------------------


def test_lines_are_split_at_every_chunk_boundary():
    data = b"one\r\ntwo\n\nthree \xff\nlast"
    for size in range(1, len(data) + 1):
        splitter, lines = LineSplitter(), []
        for start in range(0, len(data), size):
            lines += splitter.feed(data[start : start + size])
        assert lines + splitter.close() == [b"one", b"two", b"", b"three \xff", b"last"]


def test_a_line_over_the_limit_is_skipped_and_the_next_is_read():
    splitter = LineSplitter(max_line=10)
    assert splitter.feed(b"0123456789\n") == [b"0123456789"]
    assert splitter.feed(b"01234567890") == []
    assert splitter.feed(b"12\nnext\n") == [SkippedLine(13), b"next"]
    assert splitter.close() == []


def test_stderr_is_passed_on_line_by_line_and_its_end_is_kept():
    lines: list[str] = []
    stderr = Stderr(lines.append)
    stderr.feed(b"one\r\ntw")
    assert lines == ["one"]
    stderr.feed(b"o \xff\n" + b"x" * (STDERR_KEPT + 1))
    assert lines == ["one", "two \ufffd"]
    stderr.feed(b"\nlast")
    stderr.close()
    assert lines[2:] == [f"[{STDERR_KEPT + 1} bytes were left out]", "last"]
    assert stderr.text() == "x" * (STDERR_KEPT + 1) + "\nlast"


async def test_a_line_of_stderr_comes_while_the_program_runs_and_without_secrets(tmp_path, nothing_left):
    lines: asyncio.Queue[str] = asyncio.Queue()
    env = {"PATH": os.environ["PATH"], "API_KEY": "a-secret-of-ours", "A2UI_TEST_TRACE": nothing_left}
    script = 'echo "the key is $API_KEY" >&2; read line; printf "got $line" >&2'
    process = await Process.spawn(["/bin/sh", "-c", script], cwd=tmp_path, env=env, on_stderr_line=lines.put_nowait)
    try:
        assert await asyncio.wait_for(lines.get(), 10) == "the key is ***"
        assert process.returncode is None
        process.write(b"it\n")
        assert await asyncio.wait_for(lines.get(), 10) == "got it", "the last line needs no end"
    finally:
        await process.stop()
    assert process.stderr_tail() == "the key is ***\ngot it"


# --- faults -------------------------------------------------------------------------------------------------------


async def test_a_line_of_10_mb_passes(fake, options):
    result, messages = await play(fake(f"long_line:{10 * MIB}"), options())
    assert result.status == Status.COMPLETED
    assert [len(m.content) for m in messages if m.type == MessageType.TEXT] == [10 * MIB]


async def test_a_line_of_33_mib_is_skipped_and_the_run_goes_on(fake, options):
    result, messages = await play(fake(f"long_line:{33 * MIB}"), options())
    assert (result.status, result.output) == (Status.COMPLETED, "after the long line")
    assert any(m.type == MessageType.LOG and "left out" in m.content for m in messages)


async def test_100000_lines_to_a_slow_reader(fake, options):
    run = await ClaudeBackend(fake("many_lines:100000")).execute("go", options())
    result = await run.result  # nobody reads meanwhile
    messages = [message async for message in run.messages]
    assert (result.status, result.output) == (Status.COMPLETED, "all said")
    assert len(messages) <= 258
    assert result.dropped + len(messages) >= 100_000
    assert "left out" in messages[-1].content


async def test_100000_lines_to_a_reader_that_keeps_up_are_all_delivered(fake, options):
    result, messages = await play(fake("many_lines:100000"), options())
    assert result.dropped == 0
    assert sum(m.type == MessageType.TEXT for m in messages) == 100_000


async def test_stdout_closed_while_alive(fake, options):
    result, _ = await play(fake("stdout_closed"), options())
    assert result.status == Status.FAILED
    assert "before it gave a result" in result.error


async def test_a_child_that_ignores_sigterm_is_killed(fake, options):
    run = await ClaudeBackend(fake("deaf_to_sigterm")).execute("go", options())
    async for message in run.messages:
        if message.type == MessageType.TEXT:
            break
    result = await run.cancel()
    assert result.status == Status.ABORTED
    assert result.duration_ms < 12_000


async def test_a_grandchild_in_its_own_session_that_holds_the_pipe_is_killed(fake, options):
    result, _ = await play(fake("grandchild_holds_pipe"), options())
    assert (result.status, result.output) == (Status.COMPLETED, "left a child behind")


async def test_a_grandchild_that_holds_the_pipe_after_the_leader_died_does_not_keep_the_run(fake, options):
    result, _ = await play(fake("leader_killed"), options())
    assert result.status == Status.FAILED
    assert result.duration_ms < 12_000


async def test_a_daemon_is_found_and_killed(fake, options):
    result, _ = await play(fake("daemon"), options())
    assert result.output == "daemon started"


async def test_exit_0_without_a_result_is_a_failure(fake, options):
    result, _ = await play(fake("no_result"), options())
    assert result.status == Status.FAILED
    assert result.error == "claude ended (exit code 0) before it gave a result"
    assert result.output == "half an ans"


async def test_garbage_between_lines_is_logged(fake, options):
    result, messages = await play(fake("garbage"), options())
    assert (result.status, result.output) == (Status.COMPLETED, "fine")
    logs = [m.content for m in messages if m.type == MessageType.LOG]
    assert "Warning: something unrelated" in logs
    assert "{not json" in logs
    assert any("not understood" in log for log in logs)


async def test_invalid_utf8_is_logged(fake, options):
    result, messages = await play(fake("invalid_utf8"), options())
    assert (result.status, result.output) == (Status.COMPLETED, "fine")
    assert any("broken" in m.content for m in messages if m.type == MessageType.LOG)


async def test_stdin_never_read_does_not_block(fake, options):
    result, _ = await play(fake("stdin_never_read"), options(), "p" * (5 * MIB))
    assert (result.status, result.output) == (Status.COMPLETED, "not listened")


async def test_a_file_that_is_not_executable(tmp_path, nothing_left):
    path = tmp_path / "claude"
    path.write_text("#!/bin/sh\n")
    with pytest.raises(ExecutableNotFound, match="chmod"):
        await ClaudeBackend(path).execute("hello", ExecOptions(tmp_path))


async def test_a_file_that_is_no_program(tmp_path, nothing_left):
    path = tmp_path / "claude"
    path.write_bytes(b"\x7fELF nonsense")
    path.chmod(0o755)
    result, _ = await play(str(path), ExecOptions(tmp_path))
    assert result.status == Status.FAILED
    assert "cannot be started" in result.error


async def test_a_missing_executable_says_how_to_install_it(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(ExecutableNotFound, match="npm install -g"):
        await ClaudeBackend().execute("hello", ExecOptions(tmp_path))


async def test_a_missing_folder_is_told_before_the_start(fake, tmp_path):
    with pytest.raises(BackendError, match="not there"):
        await ClaudeBackend(fake("obedient")).execute("hello", ExecOptions(tmp_path / "nowhere"))


# --- ends ---------------------------------------------------------------------------------------------------------


async def test_cancel_asks_first_and_closes_open_tools(fake, options):
    run = await ClaudeBackend(fake("interruptible")).execute("go", options())
    messages = []
    async for message in run.messages:
        messages.append(message)
        if message.type == MessageType.TOOL_USE:
            await run.cancel()
    result = await run.result
    assert result.status == Status.ABORTED
    assert result.error == ""
    assert result.duration_ms < 2500, "the agent ends by itself when asked"
    assert [m.level for m in messages if m.type == MessageType.TOOL_RESULT] == ["cancelled"]


async def test_cancel_twice_gives_the_same_result(fake, options):
    run = await ClaudeBackend(fake("silent")).execute("go", options())
    first, second = await asyncio.gather(run.cancel(), run.cancel())
    assert first is second


@pytest.mark.parametrize("limit", [None, 0.7])
async def test_a_run_that_is_over_but_for_its_end_is_not_cancelled(fake, options, limit):
    run = await ClaudeBackend(fake("lingering")).execute("go", options(timeout=limit))
    async for message in run.messages:
        if message.type == MessageType.TEXT and limit is None:
            await asyncio.sleep(0.3)
            await run.cancel()
    result = await run.result
    assert (result.status, result.output) == (Status.COMPLETED, "said")


async def test_a_waiter_that_gives_up_leaves_the_result_to_the_others(fake, options):
    run = await ClaudeBackend(fake("silent")).execute("go", options())
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(run.result, 0.05)
    assert (await run.cancel()).status == Status.ABORTED


async def test_timeout(fake, options):
    result, _ = await play(fake("silent"), options(timeout=0.5))
    assert result.status == Status.TIMEOUT
    assert "longer than 0.5 seconds" in result.error


async def test_idle_timeout(fake, options):
    result, _ = await play(fake("silent"), options(idle_timeout=0.5))
    assert result.status == Status.TIMEOUT
    assert "no sign of life" in result.error


async def test_the_loop_that_shuts_down_leaves_nothing(fake, nothing_left, tmp_path):
    def other_loop() -> None:
        async def main() -> None:
            options = ExecOptions(tmp_path, env={"A2UI_TEST_TRACE": nothing_left})
            await ClaudeBackend(fake("deaf_to_sigterm")).execute("go", options)
            await asyncio.sleep(0.3)

        asyncio.run(main())

    await asyncio.to_thread(other_loop)


async def test_cancel_at_any_moment_of_the_start_leaves_nothing(fake, options):
    for turns in range(12):
        run = await ClaudeBackend(fake("silent")).execute("go", options())
        for _ in range(turns):  # let the start get so far
            await asyncio.sleep(0)
        assert (await asyncio.wait_for(run.cancel(), 20)).status == Status.ABORTED


async def test_lines_that_came_before_can_be_forgotten(tmp_path, nothing_left):
    env = {**os.environ, "A2UI_TEST_TRACE": nothing_left}
    process = await Process.spawn(["/bin/sh", "-c", r"printf 'a\nb\nhalf'; read x; echo ' c'"], cwd=tmp_path, env=env)
    assert await process.next_line() == b"a"
    process.forget_unread()
    process.write(b"go\n")
    assert await process.next_line() == b"half c", "a line that was not complete is still read"
    await process.stop()


async def test_stop_while_cancelled_still_kills(fake, nothing_left, tmp_path):
    env = {**os.environ, "A2UI_TEST_TRACE": nothing_left}
    process = await Process.spawn([fake("deaf_to_sigterm")], cwd=tmp_path, env=env)
    process.write(b'{"type": "user"}\n')
    await process.next_line()
    stopping = asyncio.create_task(process.stop(grace=5))
    await asyncio.sleep(0.05)
    stopping.cancel()
    with pytest.raises(asyncio.CancelledError):
        await stopping
    assert await asyncio.wait_for(process.wait(), 5) == -9


# --- what a process gets ------------------------------------------------------------------------------------------


async def test_private_files_are_private_and_gone(fake, options, monkeypatch):
    seen = {}

    def keep(self, options, resume, files, command=ClaudeBackend.command):
        result = command(self, options, resume, files)
        path = Path(result.arguments[result.arguments.index("--mcp-config") + 1])
        seen["mode"], seen["path"] = stat.S_IMODE(path.stat().st_mode), path
        return result

    monkeypatch.setattr(ClaudeBackend, "command", keep)
    config = {"mcpServers": {"ui": {"type": "http", "url": "http://127.0.0.1:1/mcp"}}}
    result, _ = await play(fake("obedient"), options(mcp_config=config))
    assert result.status == Status.COMPLETED
    assert seen["mode"] == 0o600
    assert not seen["path"].parent.exists()


async def test_a_run_ends_soon_after_its_result(fake, options):
    start = time.monotonic()
    result, _ = await play(fake("obedient"), options())
    assert result.status == Status.COMPLETED
    assert time.monotonic() - start < 2


async def test_agents_of_a_process_that_was_killed_are_ended_and_those_of_others_are_not(tmp_path, nothing_left):
    """Each of two processes starts an agent; one is killed, as a server may be, and leaves its agent behind."""
    script = (
        "import asyncio, os, sys\n"
        "from a2ui_app.backends.process import Process\n"
        "async def main():\n"
        "    process = await Process.spawn(['/bin/sleep', '60'], cwd='.', env=dict(os.environ))\n"
        "    print(process.pid, flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "asyncio.run(main())\n"
    )
    env = {**os.environ, "A2UI_TEST_TRACE": nothing_left, "PYTHONPATH": str(Path(__file__).parents[2])}
    owners = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-c", script, env=env, cwd=tmp_path, stdout=asyncio.subprocess.PIPE
        )
        for _ in range(2)
    ]
    agents = []
    for owner in owners:
        assert owner.stdout is not None
        agents.append(int(await owner.stdout.readline()))
    owners[0].kill()
    await owners[0].wait()
    assert agents[0] in end_orphans()
    os.kill(agents[1], 0)  # it lives, as its owner does
    owners[1].kill()
    await owners[1].wait()
    assert agents[1] in end_orphans()
    while traced_processes(nothing_left):  # noqa: ASYNC110 - until the kernel has taken them away
        await asyncio.sleep(0.01)
