"""Agents that speak the Agent Client Protocol: what differs between them, as data.

To add one: an entry here. Any other command works as ``backends.new("acp", executable="my-agent --acp")``.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Preset:
    """How to start an agent. ``mode``: the session mode to choose, where its default would decide without its person.

    ``auth``: an environment variable, and the authentication method to use when it is set. ``asking``: variables that
    make it ask before tools run. ``settle``: seconds until it knows the tools of its MCP servers, which it does not
    wait for itself.
    """

    program: str
    arguments: tuple[str, ...]
    install: str
    mode: str = ""
    auth: tuple[str, str] | None = None
    env: Mapping[str, str] = field(default_factory=dict)
    asking: Mapping[str, str] = field(default_factory=dict)
    settle: float = 0.0


_OPENCODE = {"experimental": {"mcp_timeout": 3_600_000}}  # ms; 60 s otherwise, too short for a person
_OPENCODE_ASKS = {"bash": "ask", "edit": "ask", "webfetch": "ask", "a2ui_*": "allow"}  # by default it asks nothing

PRESETS: Mapping[str, Preset] = {
    "gemini": Preset(
        "gemini",
        ("--acp",),
        "npm install -g @google/gemini-cli",
        auth=("GEMINI_API_KEY", "gemini-api-key"),
    ),
    "qwen": Preset("qwen", ("--acp",), "npm install -g @qwen-code/qwen-code", mode="default", settle=4.0),
    "kimi": Preset(
        "kimi",
        ("acp",),
        "npm install -g @moonshot-ai/kimi-code",
        env={"KIMI_MCP_TOOL_TIMEOUT_MS": "3600000"},  # a question may wait for its person; 60 s otherwise
    ),
    "copilot": Preset("copilot", ("--acp",), "npm install -g @github/copilot"),
    "grok": Preset("grok", ("--no-auto-update", "agent", "stdio"), "npm install -g @xai-official/grok"),
    "hermes": Preset("hermes", ("acp",), "pip install 'hermes-agent[mcp]'"),
    "opencode-acp": Preset(
        "opencode",
        ("acp",),
        "npm install -g opencode-ai",
        env={"OPENCODE_CONFIG_CONTENT": json.dumps(_OPENCODE)},
        asking={"OPENCODE_CONFIG_CONTENT": json.dumps({**_OPENCODE, "permission": _OPENCODE_ASKS})},
    ),
    "claude-agent-acp": Preset(
        "claude-agent-acp", (), "npm install -g @agentclientprotocol/claude-agent-acp", mode="default"
    ),
    "codex-acp": Preset("codex-acp", (), "npm install -g @agentclientprotocol/codex-acp", mode="read-only", settle=4.0),
}
