"""Agents that speak lines of JSON over stdin and stdout: the driver that all of them share.

A backend of this kind is two things. A `Parser` knows the protocol and does no I/O: lines in, events out, and the bytes
to send. A `LineBackend` knows the command line. Everything else (the process, its end, dialogs, a lost session, several
prompts in one process) is here.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any, ClassVar, TypeAlias

from .base import Backend, ExecOptions, Message, MessageType, Outcome
from .conversation import FINISH_GRACE, Conversation
from .dialogs import Dialogs, Request, tell
from .environment import Takes, filter_custom_args, find_executable, mcp_servers, merge_env
from .process import EXIT_GRACE, Process, SkippedLine, existing_folder
from .run import Run, Turn


@dataclass(frozen=True, slots=True)
class Write:
    """Bytes for the agent's stdin."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Ask:
    """A request to a person; the answer goes to `Parser.answer`."""

    request_id: str
    request: Request


@dataclass(frozen=True, slots=True)
class Withdraw:
    """The agent no longer wants the answer to a request."""

    request_id: str


@dataclass(frozen=True, slots=True)
class Tell:
    """A notification for the person: a method of `AgentUI` that returns at once."""

    operation: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Session:
    """The agent told the id of its session."""

    session_id: str


@dataclass(frozen=True, slots=True)
class Later:
    """Ask the parser again after some seconds: what `Parser.wake` returns is sent then."""

    seconds: float


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The agent is done with the prompt."""


Event: TypeAlias = Message | Write | Ask | Withdraw | Tell | Session | Later | TurnEnded


class Parser(ABC):
    """One agent process's side of the protocol, without I/O. `lost_session` says that the session to resume is gone."""

    lost_session = False

    def open(self) -> bytes:
        """Return what to send before the first prompt."""
        return b""

    @abstractmethod
    def prompt(self, text: str) -> bytes:
        """Start a new turn; return what to send."""

    @abstractmethod
    def receive(self, line: bytes) -> Iterable[Event]:
        """Return the events of one line of stdout. Never raises: what is not understood becomes a log message."""

    def answer(self, request_id: str, answer: Any) -> bytes:
        """Return what to send for the answer to an `Ask`."""
        raise NotImplementedError

    def wake(self) -> bytes:
        """Return what to send when the time of a `Later` is over."""
        return b""

    def interrupt(self) -> bytes:
        """Return what to send to end the turn early; empty when the protocol has no such thing."""
        return b""

    @abstractmethod
    def ended(self, returncode: int | None, stderr: str) -> None:
        """The output ended before the turn did (`returncode` None: the process had to be killed for that)."""

    @abstractmethod
    def outcome(self) -> Outcome:
        """Return how the turn stands now."""


@dataclass(frozen=True)
class Command:
    """How to start an agent. `stdin_to_eof`: it starts working at the end of its input, not before."""

    arguments: list[str]
    env: Mapping[str, str]
    stdin_to_eof: bool = False


class LineBackend(Backend):
    """A backend whose agent speaks lines. Subclasses say the command line and bring the parser."""

    denied_args: ClassVar[Mapping[str, Takes]]  # flags the protocol depends on: not for a person to set
    unsupported: ClassVar[tuple[str, ...]] = ()  # names of options that the agent has nothing for

    @abstractmethod
    def command(self, options: ExecOptions, resume: str | None, files: ExitStack) -> Command:
        """Return the command line after the executable, without custom arguments; `files` removes temporary files."""

    @abstractmethod
    def parser(self, options: ExecOptions, resume: str | None) -> Parser:
        """Return a parser for a new process."""

    async def execute(self, prompt: str, options: ExecOptions | None = None) -> Run:
        """Start work on `prompt` in a process of its own. See Backend.execute."""
        return await self.converse(options, keep=False).execute(prompt)

    def converse(self, options: ExecOptions | None = None, *, keep: bool = True) -> Conversation:
        """Return a conversation whose prompts share one process. Raises as `execute` does."""
        options = options or ExecOptions()
        return LineConversation(self, self.check(options), options, keep)

    def find(self) -> str:
        """Return the path of the executable. Raises ExecutableNotFound."""
        return find_executable(self.program, self.executable, self.install)

    def check(self, options: ExecOptions) -> str:
        """Return the path of the executable after checking all that can be checked before a start. Raises as said."""
        existing_folder(options.cwd)
        mcp_servers(options.mcp_config)
        return self.find()

    def custom_args(self, options: ExecOptions) -> list[str]:
        """Return the person's own arguments that may pass."""
        return filter_custom_args(options.custom_args, self.denied_args)[0]

    def warn(self, options: ExecOptions, run: Run) -> None:
        """Tell which options are not heeded: nothing is left out silently."""
        for flag in filter_custom_args(options.custom_args, self.denied_args)[1]:
            text = f"the argument {flag} was left out: the connection to {self.name} depends on it"
            run.messages.put(Message(MessageType.LOG, text, level="warning"))  # not `emit`: no sign of life
        for name in self.unsupported:
            if getattr(options, name) is not None:
                text = f"{self.name} has no {name}; it was left out"
                run.messages.put(Message(MessageType.LOG, text, level="warning"))


class LineConversation(Conversation):
    """Prompts to one process, which is started when needed and stays for the next prompt."""

    def __init__(self, backend: LineBackend, executable: str, options: ExecOptions, keep: bool) -> None:
        super().__init__(options, keep)
        self.stdin_to_eof = False
        self._backend = backend
        self._executable = executable
        self._process: Process | None = None
        self._parser: Parser | None = None
        self._files = ExitStack()

    def turn(self, prompt: str) -> Turn:
        return LineTurn(self, prompt)

    async def connect(self, run: Run) -> tuple[Process, Parser]:
        """Return the living process and its parser, started if need be."""
        if self._process is not None and self._parser is not None and self._process.returncode is None:
            self._process.forget_unread()  # what came after the turn before must not end this one
            return self._process, self._parser
        await self.stop(0.0)  # it may have died since the last prompt
        backend, options, resume = self._backend, self.options, self.session_id or None
        command = backend.command(options, resume, self._files)
        backend.warn(options, run)
        argv = [self._executable, *command.arguments, *backend.custom_args(options)]
        env = merge_env({**command.env, **options.env})
        self._process = await Process.spawn(argv, cwd=options.cwd, env=env)
        self._parser = backend.parser(options, resume)
        self._process.write(self._parser.open())
        self.stdin_to_eof = command.stdin_to_eof
        return self._process, self._parser

    async def stop(self, grace: float) -> None:
        """End the process and remove its files."""
        process, self._process = self._process, None
        try:
            if process is not None:
                await process.stop(grace=grace)
        finally:
            self._files.close()


class LineTurn(Turn):
    """One prompt of a conversation."""

    def __init__(self, conversation: LineConversation, prompt: str) -> None:
        self._conversation = conversation
        self._prompt = prompt
        self._process: Process | None = None
        self._parser: Parser | None = None
        self._dialogs: Dialogs | None = None
        self._lost_session = False

    async def play(self, run: Run) -> None:
        conversation, options = self._conversation, self._conversation.options
        healthy = finished = False
        try:
            healthy = await self._attempt(run)
            assert self._parser is not None
            if self._parser.lost_session and options.fresh_after_failed_resume:
                self._lost_session = True
                conversation.session_id = ""
                await conversation.stop(EXIT_GRACE)
                text = "The earlier session was not found. A new one was started, without its context."
                run.emit(Message(MessageType.STATUS, text, level="session"))
                healthy = await self._attempt(run)
            run.settle()
            conversation.session_id = self._parser.outcome().session_id
            finished = True
        finally:
            if not finished and self._parser is not None:  # cut off: the session goes on where it stands
                conversation.session_id = self._parser.outcome().session_id or conversation.session_id
            if not (conversation.keep and healthy):
                # An agent that works at the end of its input has had that end: only a signal makes it stop early.
                early = 0.0 if conversation.stdin_to_eof else EXIT_GRACE
                await conversation.stop(FINISH_GRACE if finished else early)

    async def interrupt(self) -> None:
        data = self._parser.interrupt() if self._parser is not None else b""
        if self._dialogs is not None:
            await self._dialogs.close()  # before the interrupt: a late answer would meet a turn that is over
        if self._process is None or not data:
            raise NotImplementedError
        self._process.write(data)

    def outcome(self) -> Outcome:
        if self._parser is None:
            return Outcome()
        outcome = self._parser.outcome()
        if not self._lost_session:
            return outcome
        return Outcome(outcome.status, outcome.output, outcome.error, outcome.session_id, outcome.usage, resumed=False)

    async def _attempt(self, run: Run) -> bool:
        """Play the prompt once; tell whether the process is ready for another one."""
        self._process, self._parser = process, parser = await self._conversation.connect(run)
        self._dialogs = dialogs = Dialogs(
            run, self._conversation.options, lambda request_id, answer: process.write(parser.answer(request_id, answer))
        )
        process.write(parser.prompt(self._prompt))
        if self._conversation.stdin_to_eof:
            process.close_stdin()
        try:
            while (line := await process.next_line()) is not None:
                run.touch()
                if isinstance(line, SkippedLine):
                    run.emit(Message(MessageType.LOG, f"a line of {line.size} bytes was left out", level="warning"))
                elif self._handle(parser.receive(line), run, dialogs):
                    return True
        finally:
            await dialogs.close()
        await self._conversation.stop(EXIT_GRACE)
        parser.ended(process.returncode, process.stderr_tail())
        return False

    def _handle(self, events: Iterable[Event], run: Run, dialogs: Dialogs) -> bool:
        """Do what the events say; tell whether the turn ended."""
        ended = False
        for event in events:
            match event:
                case Message():
                    run.emit(event)
                case Write(data) if self._process is not None:
                    self._process.write(data)
                case Ask(request_id, request):
                    dialogs.open(request_id, request)
                case Withdraw(request_id):
                    dialogs.withdraw(request_id)
                case Tell(operation, arguments):
                    tell(self._conversation.options, operation, *arguments)
                case Session(session_id):
                    run.session_id = session_id
                case Later(seconds):
                    asyncio.get_running_loop().call_later(seconds, self._wake, self._process, self._parser)
                case TurnEnded():
                    ended = True
        return ended

    def _wake(self, process: Process | None, parser: Parser | None) -> None:
        if process is not None and parser is not None and process.returncode is None:
            process.write(parser.wake())
