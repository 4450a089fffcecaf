"""Claude Code: `claude -p` with stream-json both ways and its control protocol (permissions, questions, interrupt).

The process takes any number of prompts; each ends with a `result` event. Requests of the agent (`control_request`) are
answered on stdin, which therefore stays open until the last result.
"""

import json
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

from .base import ExecOptions
from .claude_parser import ClaudeParser
from .environment import Takes, mcp_servers, private_file
from .line_backend import Command, LineBackend
from .probe import first_answer

TOOL_TIMEOUT_MS = 3_600_000  # an MCP tool of ours may wait for a person; Claude gives up after 300 s otherwise


class ClaudeBackend(LineBackend):
    name = "claude"
    header = "claude (stream-json)"
    program = "claude"
    install = "npm install -g @anthropic-ai/claude-code"
    denied_args = {
        "-p": Takes.NOTHING,
        "--print": Takes.NOTHING,
        "--output-format": Takes.VALUE,
        "--input-format": Takes.VALUE,
        "--verbose": Takes.NOTHING,
        "--include-partial-messages": Takes.NOTHING,
        "--permission-prompt-tool": Takes.VALUE,
        "--permission-mode": Takes.VALUE,
        "--dangerously-skip-permissions": Takes.NOTHING,
        "--allow-dangerously-skip-permissions": Takes.NOTHING,
        "--mcp-config": Takes.VALUE,
        "-r": Takes.OPTIONAL,
        "--resume": Takes.OPTIONAL,
        "-c": Takes.NOTHING,
        "--continue": Takes.NOTHING,
        "--session-id": Takes.VALUE,
        "--replay-user-messages": Takes.NOTHING,
    }

    def command(self, options: ExecOptions, resume: str | None, files: ExitStack) -> Command:
        arguments = ["-p", "--output-format", "stream-json", "--input-format", "stream-json", "--verbose"]
        # Without the prompt tool Claude denies by itself and has no AskUserQuestion. "auto" permissions are answered by
        # us one by one: Claude's own bypass mode is refused for root, and cannot be told what the agent did.
        arguments += ["--include-partial-messages", "--permission-prompt-tool", "stdio", "--permission-mode", "default"]
        if servers := mcp_servers(options.mcp_config):
            config = json.dumps({"mcpServers": {n: _server(n, s, options) for n, s in servers.items()}})
            arguments += ["--mcp-config", str(files.enter_context(private_file(config, "mcp.json")))]
        if options.trusted_servers:
            arguments += ["--allowedTools", ",".join(f"mcp__{name}" for name in options.trusted_servers)]
        if options.model:
            arguments += ["--model", options.model]
        if options.system_prompt:
            # By file: an argument is limited in length, and everybody on the machine can see it.
            path = files.enter_context(private_file(options.system_prompt, "system-prompt.md"))
            arguments += ["--append-system-prompt-file", str(path)]
        if options.max_turns is not None:
            arguments += ["--max-turns", str(options.max_turns)]
        if resume:
            arguments += ["--resume", resume]
        return Command(arguments, {})

    def parser(self, options: ExecOptions, resume: str | None) -> ClaudeParser:
        return ClaudeParser(resume, options.trusted_servers)

    async def models(self) -> list[str]:
        parser = ClaudeParser()

        def understand(line: bytes) -> list[str] | None:
            parser.receive(line)
            return parser.models or None

        argv = [self.find(), "-p", "--output-format", "stream-json", "--input-format", "stream-json", "--verbose"]
        return await first_answer(argv, understand, send=parser.open()) or []


def _server(name: str, server: Mapping[str, Any], options: ExecOptions) -> dict[str, Any]:
    kind = {} if "command" in server or "type" in server else {"type": "http"}
    ours = {"alwaysLoad": True, "timeout": TOOL_TIMEOUT_MS} if name in options.trusted_servers else {}
    return {**kind, **ours, **server}
