"""`python -m a2ui_app run AGENT "prompt"`: one prompt to a coding agent, in the terminal.

What the agent says goes to stdout, what it does to stderr; with --json every message is a line of JSON on stdout and
the last line is the result. Ctrl+C asks the agent to stop.
"""

import argparse
import asyncio
import json
import re
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict

from a2ui_app import backends
from a2ui_app.agent_ui.terminal import TerminalUI
from a2ui_app.backends import BackendError, ExecOptions, Message, MessageType, Result, Status
from a2ui_app.cli.typed_lines import typed_lines

EXIT_CODES = {Status.COMPLETED: 0, Status.FAILED: 1, Status.TIMEOUT: 124, Status.ABORTED: 128 + signal.SIGINT}
SHOWN = 500  # characters of a tool's input or output

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")  # an agent must not steer the person's terminal


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `run`."""
    parser.add_argument("agent", choices=backends.names(), metavar="AGENT", help=", ".join(backends.names()))
    parser.add_argument("prompt", help="what to do")
    parser.add_argument("--cwd", default=".", help="the folder to work in (default: this one)")
    parser.add_argument("--model", help="the model, as the agent names it")
    parser.add_argument("--resume", metavar="SESSION", help="go on with this session of the agent")
    parser.add_argument("--timeout", type=float, metavar="SECONDS", help="stop after so long")
    parser.add_argument("--executable", metavar="PATH", help="the agent's program, when it is not on PATH")
    parser.add_argument("--allow-all", action="store_true", help="allow every tool without asking")
    parser.add_argument("--json", action="store_true", help="print messages and the result as lines of JSON")


def run(args: argparse.Namespace) -> int:
    """Work on the prompt. Exit code: 0 completed, 1 failed, 124 timed out, 130 stopped."""
    try:
        return asyncio.run(work(args))
    except BackendError as error:
        print(error, file=sys.stderr)
        return 1


async def work(args: argparse.Namespace) -> int:
    """Start the agent, show what it says, and return the exit code. Raises BackendError when it cannot start."""
    async with terminal(ask=sys.stdin.isatty() and not args.json) as ui:
        options = ExecOptions(
            args.cwd,
            args.model,
            timeout=args.timeout,
            resume_session_id=args.resume,
            ui=ui,
            permissions="auto" if args.allow_all else "ask",
        )
        run = await backends.new(args.agent, args.executable).execute(args.prompt, options)
        stopping: list[asyncio.Task[Result]] = []
        for number in (signal.SIGINT, signal.SIGTERM):
            stop = lambda: stopping.append(asyncio.create_task(run.cancel()))  # noqa: E731
            asyncio.get_running_loop().add_signal_handler(number, stop)
        show = show_json if args.json else Terminal().show
        async for message in run.messages:
            show(message)
        result = await run.result
    if args.json:
        print(json.dumps({"type": "result", **asdict(result)}, ensure_ascii=False), flush=True)
    else:
        show_result(result)
    return EXIT_CODES[result.status]


@asynccontextmanager
async def terminal(ask: bool) -> AsyncIterator[TerminalUI | None]:
    """Give a UI that asks at the terminal, or None: then the agent's requests are declined."""
    if not ask:
        yield None
        return
    ui = TerminalUI(lambda text: print(text, end="", file=sys.stderr, flush=True))
    typing = asyncio.create_task(pass_on_typed_lines(ui))
    try:
        yield ui
    finally:
        typing.cancel()
        await asyncio.wait({typing})


async def pass_on_typed_lines(ui: TerminalUI) -> None:
    """Give each typed line to the question that is open; other lines are nobody's."""
    async for text in typed_lines():
        ui.receive_line(text)
    ui.receive_end()


def show_json(message: Message) -> None:
    """Print what is not empty of a message."""
    print(json.dumps({k: v for k, v in asdict(message).items() if v}, ensure_ascii=False), flush=True)


class Terminal:
    """Prints messages for people: the text as it comes, everything else on lines of its own."""

    def __init__(self) -> None:
        self._block: str | None = None  # id of the text that is being printed
        self._calls: dict[str, str] = {}  # tools told, by call id, with their input

    def show(self, message: Message) -> None:
        match message.type:
            case MessageType.TEXT:
                if self._block not in (None, message.call_id):
                    print()
                self._block = message.call_id
                print(clean(message.content), end="", flush=True)
            case MessageType.TOOL_USE if message.input:
                told = json.dumps(dict(message.input), ensure_ascii=False)
                if self._calls.get(message.call_id) != told:
                    self._calls[message.call_id] = told
                    self._say(f"* {message.tool} {told}")
            case MessageType.TOOL_RESULT:
                self._say(f"  {message.level + ': ' if message.level else ''}{message.output}")
            case MessageType.STATUS if message.content:
                self._say(f"[{message.content}]")
            case MessageType.LOG if message.level == "warning":
                self._say(f"warning: {message.content}")

    def _say(self, text: str) -> None:
        if self._block is not None:
            print(flush=True)
            self._block = None
        text = clean(text).strip("\n")
        print(text if len(text) <= SHOWN else f"{text[:SHOWN]} …", file=sys.stderr, flush=True)


def show_result(result: Result) -> None:
    """Print how it ended, what it cost in tokens, and how to go on."""
    print(flush=True)
    told = [f"{result.status} after {result.duration_ms / 1000:.1f} s"]
    for model, used in result.usage.items():
        counts = f"{used.input_tokens} in, {used.output_tokens} out, {used.cache_read_tokens} cached"
        told.append(f"{model or 'tokens'}: {counts}")
    print(f"[{'; '.join(told)}]", file=sys.stderr)
    if result.error:
        print(clean(result.error), file=sys.stderr)
    if result.session_id:
        print(f"[go on with --resume {result.session_id}]", file=sys.stderr)


def clean(text: str) -> str:
    """Return `text` without characters that would steer the terminal."""
    return _CONTROL.sub("", text)
