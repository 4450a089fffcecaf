"""`python -m a2ui_app host -- COMMAND`: run a program that speaks RPC or DebugRPC, and answer it in the terminal."""

import argparse
import asyncio
import shutil
import signal
import sys
from collections.abc import Sequence

from a2ui_app.agent_ui.host import Host
from a2ui_app.agent_ui.terminal import TerminalUI
from a2ui_app.backends.base import BackendError
from a2ui_app.backends.environment import merge_env
from a2ui_app.backends.process import Process
from a2ui_app.cli.typed_lines import typed_lines

NOT_FOUND = 127  # exit codes as a shell has them
INTERRUPTED = 128 + signal.SIGINT
TERMINATED = 128 + signal.SIGTERM


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `host`."""
    parser.add_argument("--cwd", default=".", help="the folder to run it in (default: this one)")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="the program and its arguments, after --")


def run(args: argparse.Namespace) -> int:
    """Run the program to its end. The exit code is the program's, 127 if not found, 128 + n after a signal."""
    command = args.command[1:] if args.command[:1] == ["--"] else args.command
    if not command:
        print("Name the program to run, for example: python -m a2ui_app host -- python agent.py", file=sys.stderr)
        return 2
    try:
        return asyncio.run(host(command, args.cwd))
    except KeyboardInterrupt:
        return INTERRUPTED
    except asyncio.CancelledError:
        return TERMINATED
    except BackendError as error:
        print(error, file=sys.stderr)
        return NOT_FOUND


async def host(command: Sequence[str], cwd: str) -> int:
    """Run `command` in the folder `cwd`; return its exit code. Raises BackendError if it cannot be started."""
    executable = shutil.which(command[0])
    if executable is None:
        raise BackendError(f"{command[0]} was not found. Check its name, or give its path.")
    process = await Process.spawn([executable, *command[1:]], cwd=cwd, env=merge_env(), on_stderr_line=complain)
    ui = TerminalUI(write)
    this = asyncio.current_task()
    assert this is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, this.cancel)
    try:
        async with Host(ui, process.write) as program:
            typing = asyncio.create_task(pass_on_typed_lines(ui, program, process))
            try:
                async for line in process.lines():
                    output = program.receive(line) if isinstance(line, bytes) else f"[{line.size} bytes were left out]"
                    if output is not None:
                        write(output + "\n")
                code = await process.wait()
            finally:
                typing.cancel()
                await asyncio.wait({typing})
    finally:
        await process.stop()
    return code if code >= 0 else 128 - code


async def pass_on_typed_lines(ui: TerminalUI, program: Host, process: Process) -> None:
    """Give each typed line to the question that is open, or else to the program; and the end of the input to both."""
    async for text in typed_lines():
        if not ui.receive_line(text):
            process.write(text.encode() + b"\n")
    ui.receive_end()
    await program.idle()  # the last answers go out first
    process.close_stdin()


def write(text: str) -> None:
    """Show `text` now."""
    sys.stdout.write(text)
    sys.stdout.flush()


def complain(line: str) -> None:
    """Show a line of the program's stderr now, on ours."""
    print(line, file=sys.stderr, flush=True)
