"""opencode: `opencode run` when nobody can be asked, `opencode serve` when a person can.

Both get their configuration by a variable of the environment, so nothing of the person's is changed.
"""

import json
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

from .base import ExecOptions
from .conversation import Conversation
from .environment import Takes, mcp_servers, private_file
from .line_backend import Command, LineBackend
from .opencode_run import OpencodeRunParser
from .opencode_server import ServeConversation
from .probe import output_lines

TOOL_TIMEOUT_MS = 3_600_000  # opencode gives up on an MCP tool after 60 s otherwise


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


def environment(options: ExecOptions, files: ExitStack) -> dict[str, str]:
    """Return the variables that configure opencode for `options`; `files` removes the temporary file it may need."""
    config: dict[str, Any] = {}
    if servers := mcp_servers(options.mcp_config):
        config["mcp"] = {name: _server(server) for name, server in servers.items()}
    if options.permissions == "ask":  # opencode's own default runs commands and edits files unasked
        trusted = {f"{name}_*": "allow" for name in options.trusted_servers}
        config["permission"] = {"bash": "ask", "edit": "ask", "webfetch": "ask", **trusted}
    if options.system_prompt:
        config["instructions"] = [str(files.enter_context(private_file(options.system_prompt, "instructions.md")))]
    return {"OPENCODE_CONFIG_CONTENT": json.dumps(config), "OPENCODE_DISABLE_AUTOUPDATE": "1"}


def _server(server: Mapping[str, Any]) -> dict[str, Any]:
    """Return opencode's form of an MCP server."""
    timeout = server.get("timeout", TOOL_TIMEOUT_MS)
    if "url" in server:
        headers = {"headers": dict(server["headers"])} if server.get("headers") else {}
        return {"type": "remote", "url": server["url"], "enabled": True, "timeout": timeout, **headers}
    command = [server["command"], *server.get("args", [])]
    return {
        "type": "local",
        "command": command,
        "environment": dict(server.get("env") or {}),
        "enabled": True,
        "timeout": timeout,
    }
