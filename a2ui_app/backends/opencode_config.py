"""opencode's configuration for one run, which it takes from a variable of the environment."""

import json
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

from .base import ExecOptions
from .environment import mcp_servers, private_file

TOOL_TIMEOUT_MS = 3_600_000  # opencode gives up on an MCP tool after 60 s otherwise


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
