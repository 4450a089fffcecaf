"""`python -m a2ui_app host -- COMMAND` with real programs: what it shows, how it answers, what it leaves behind."""

import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMAND = """
import argparse, sys
from a2ui_app.cli import host
parser = argparse.ArgumentParser()
host.configure(parser)
sys.exit(host.run(parser.parse_args()))
"""

RPC = """
import asyncio
from a2ui_app.agent_ui import RpcUI
async def main():
    async with RpcUI() as ui:
        ui.notify("hello")
        print("an ordinary line")
        print(await ui.select("Model", [{"label": "A", "value": "a"}, {"label": "B", "value": "b"}]))
        print(await ui.confirm("Sure?", "M"))
asyncio.run(main())
"""
DEBUG_RPC = """
import asyncio, json, sys
from a2ui_app.agent_ui import DebugRpcUI
async def main():
    async with DebugRpcUI() as ui:
        print(json.dumps({"type": "ready", "ui": True}), flush=True)
        prompt = await asyncio.to_thread(sys.stdin.readline)
        asking = asyncio.create_task(ui.input("Name for " + prompt.strip()))
        ui.handle_response(json.loads(await asyncio.to_thread(sys.stdin.readline)))
        print(await asking)
asyncio.run(main())
"""


class Terminal:
    """The command as a person sees it: shown text, and lines to type."""

    def __init__(self, process: asyncio.subprocess.Process):
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        self.process = process
        self.stdin, self.stdout, self.stderr = process.stdin, process.stdout, process.stderr

    async def until(self, text: str) -> str:
        return (await self.stdout.readuntil(text.encode())).decode()

    def type(self, line: str) -> None:
        self.stdin.write(line.encode() + b"\n")


@asynccontextmanager
async def hosted(*command: str) -> AsyncIterator[Terminal]:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", COMMAND, *command), cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe
    )
    try:
        async with asyncio.timeout(40):
            yield Terminal(process)
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def test_a_program_that_speaks_rpc():
    async with hosted("--", sys.executable, "-c", RPC) as terminal:
        shown = await terminal.until("(empty line cancels): ")
        assert "[info] hello\n" in shown and "\n? Model\n  1) A\n  2) B\n" in shown
        terminal.type("2")
        shown += await terminal.until("[y/N] ")
        assert "an ordinary line\n" in shown and "Ok(value='b')\n" in shown
        terminal.type("y")
        assert await terminal.until("Ok(value=True)\n")
        assert await terminal.process.wait() == 0
        assert await terminal.stderr.read() == b""


async def test_a_program_that_speaks_debug_rpc_and_takes_prompts():
    async with hosted("--", sys.executable, "-c", DEBUG_RPC) as terminal:
        assert await terminal.until("\n") == '{"type": "ready", "ui": true}\n'
        terminal.type("the ship")  # no question is open: this is for the program
        assert await terminal.until("? Name for the ship\n(/cancel cancels) ")
        terminal.type("Beagle")
        assert await terminal.until("Ok(value='Beagle')\n")
        assert await terminal.process.wait() == 0


async def test_the_end_of_the_input_reaches_the_program():
    async with hosted("--", sys.executable, "-c", RPC) as terminal:
        await terminal.until("(empty line cancels): ")
        terminal.stdin.close()
        shown = (await terminal.stdout.read()).decode()
        assert "Err(reason='connection_closed')" in shown  # the open question
        assert "Err(reason=<Reason.CONNECTION_CLOSED" in shown  # the next one: its stdin was closed, too
        assert await terminal.process.wait() == 0


async def test_an_answer_right_before_the_end_of_the_input_still_arrives():
    async with hosted("--", sys.executable, "-c", RPC) as terminal:
        await terminal.until("(empty line cancels): ")
        terminal.type("2")
        terminal.stdin.close()
        assert "Ok(value='b')" in (await terminal.stdout.read()).decode()


@pytest.mark.parametrize(("source", "code"), [("raise SystemExit(7)", 7), ("import os; os.kill(os.getpid(), 15)", 143)])
async def test_the_exit_code_is_the_programs(source, code):
    async with hosted("--", sys.executable, "-c", source) as terminal:
        assert await terminal.process.wait() == code


async def test_complaints_of_the_program_are_shown():
    async with hosted("--", sys.executable, "-c", "import sys; sys.exit('it broke')") as terminal:
        assert b"it broke" in await terminal.stderr.read()
        assert await terminal.process.wait() == 1


async def test_complaints_are_shown_as_they_come():
    source = "import sys; print('one', file=sys.stderr, flush=True); input(); sys.exit('two')"
    async with hosted("--", sys.executable, "-c", source) as terminal:
        assert await terminal.stderr.readline() == b"one\n"  # the program waits for its line all the while
        terminal.type("go on")
        assert await terminal.stderr.read() == b"two\n"
        assert await terminal.process.wait() == 1


@pytest.mark.parametrize(
    ("command", "code", "remedy"),
    [
        ([], 2, b"Name the program to run, for example"),
        (["--", "no-such-program"], 127, b"no-such-program was not found. Check its name, or give its path."),
        (["--cwd", "/no/such/folder", "--", "true"], 127, b"The folder /no/such/folder is not there"),
    ],
)
async def test_what_cannot_be_started(command, code, remedy):
    async with hosted(*command) as terminal:
        complaint = await terminal.stderr.read()
        assert remedy in complaint and b"Traceback" not in complaint
        assert await terminal.process.wait() == code


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_ends_the_program_and_what_it_started(number):
    source = """
import os, subprocess, sys, time
child = subprocess.Popen(["sleep", "1000"], start_new_session=True)
print(os.getpid(), child.pid, flush=True)
time.sleep(1000)
"""
    async with hosted("--", sys.executable, "-c", source) as terminal:
        pids = [int(pid) for pid in (await terminal.until("\n")).split()]
        terminal.process.send_signal(number)
        assert await terminal.process.wait() == 128 + number
        assert b"Traceback" not in await terminal.stderr.read()
    assert [pid for pid in pids if alive(pid)] == []


def alive(pid: int) -> bool:
    """Whether the process runs; a zombie, which nobody in a container may collect, does not."""
    if Path("/proc/self/stat").exists():  # Linux, where a slim machine has no ps
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].strip()
        except (FileNotFoundError, ProcessLookupError):
            return False
    else:
        state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True).stdout.strip()
    return state != "" and not state.startswith("Z")
