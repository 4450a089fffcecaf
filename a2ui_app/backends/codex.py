"""codex: `codex app-server`, JSON-RPC over stdin and stdout; several prompts share one process and its thread."""

import os
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

from .base import ExecOptions
from .codex_parser import CodexParser
from .environment import Takes, mcp_servers
from .line_backend import Command, LineBackend

TOOL_TIMEOUT = 3600  # seconds; codex gives up on an MCP tool after 300 otherwise


class CodexBackend(LineBackend):
    name = "codex"
    header = "codex app-server"
    program = "codex"
    install = "npm install -g @openai/codex"
    unsupported = ("max_turns",)
    denied_args = {  # what decides who is asked is the conversation's, and -c could overrule it
        "app-server": Takes.NOTHING,
        "exec": Takes.NOTHING,
        "--listen": Takes.VALUE,
        "-c": Takes.VALUE,
        "--config": Takes.VALUE,
        "-a": Takes.VALUE,
        "--ask-for-approval": Takes.VALUE,
        "-s": Takes.VALUE,
        "--sandbox": Takes.VALUE,
        "--full-auto": Takes.NOTHING,
        "--yolo": Takes.NOTHING,
        "--dangerously-bypass-approvals-and-sandbox": Takes.NOTHING,
    }

    def command(self, options: ExecOptions, resume: str | None, files: ExitStack) -> Command:
        return Command(["app-server", "--listen", "stdio://"], {})

    def parser(self, options: ExecOptions, resume: str | None) -> CodexParser:
        return CodexParser(thread(options), resume=resume, trusted=tuple(options.trusted_servers))


def thread(options: ExecOptions) -> dict[str, Any]:
    """Return the parameters of a thread: where it works, whom it asks, which MCP servers it has."""
    asks = options.permissions == "ask"
    config: dict[str, Any] = {"features.default_mode_request_user_input": True}
    if servers := mcp_servers(options.mcp_config):
        config["mcp_servers"] = {name: _server(server) for name, server in servers.items()}
    parameters: dict[str, Any] = {
        "cwd": os.path.abspath(options.cwd),
        "approvalPolicy": "untrusted" if asks else "never",
        "sandbox": "workspace-write" if asks else "danger-full-access",
        "config": config,
    }
    if options.model:
        parameters["model"] = options.model
    if options.system_prompt:
        parameters["developerInstructions"] = options.system_prompt
    return parameters


def _server(server: Mapping[str, Any]) -> dict[str, Any]:
    """Return codex's form of an MCP server."""
    if "command" in server:
        form = {name: server[name] for name in ("command", "args", "env") if server.get(name)}
    else:
        form = {"url": server["url"]} | ({"http_headers": server["headers"]} if server.get("headers") else {})
    return {**form, "tool_timeout_sec": TOOL_TIMEOUT}
