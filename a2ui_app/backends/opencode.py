"""opencode: `opencode run` when nobody can be asked, `opencode serve` when a person can.

Both get their configuration by a variable of the environment, so nothing of the person's is changed.
"""

from contextlib import ExitStack

from .base import ExecOptions
from .conversation import Conversation
from .environment import Takes
from .line_backend import Command, LineBackend
from .opencode_config import environment
from .opencode_run import OpencodeRunParser
from .opencode_server import ServeConversation
from .probe import output_lines


class OpencodeBackend(LineBackend):
    name = "opencode"
    header = "opencode run (json)"
    program = "opencode"
    install = "npm install -g opencode-ai"
    unsupported = ("max_turns",)
    denied_args = {
        "run": Takes.NOTHING,
        "--format": Takes.VALUE,
        "--dir": Takes.VALUE,
        "-s": Takes.VALUE,
        "--session": Takes.VALUE,
        "-c": Takes.NOTHING,
        "--continue": Takes.NOTHING,
        "--fork": Takes.NOTHING,
        "--attach": Takes.VALUE,
        "--auto": Takes.NOTHING,
        "--dangerously-skip-permissions": Takes.NOTHING,
        "--port": Takes.VALUE,
        "--hostname": Takes.VALUE,
        "-i": Takes.NOTHING,
        "--interactive": Takes.NOTHING,
    }

    def converse(self, options: ExecOptions | None = None, *, keep: bool = True) -> Conversation:
        """Return a conversation; see LineBackend.converse. Who has a UI gets the server, which can ask."""
        options = options or ExecOptions()
        if options.ui is None or options.permissions == "auto":
            return super().converse(options, keep=keep)
        return ServeConversation(self, self.check(options), options, keep)

    def command(self, options: ExecOptions, resume: str | None, files: ExitStack) -> Command:
        arguments = ["run", "--format", "json", "--thinking"]
        if options.permissions == "auto":
            arguments += ["--auto"]
        if options.model:
            arguments += ["--model", options.model]
        if resume:
            arguments += ["--session", resume]
        return Command(arguments, environment(options, files), stdin_to_eof=True)

    def parser(self, options: ExecOptions, resume: str | None) -> OpencodeRunParser:
        return OpencodeRunParser(resume, options.model)

    async def models(self) -> list[str]:
        return await output_lines([self.find(), "models"])
