"""pi: `pi --mode rpc`, commands and events as lines of JSON, with a UI protocol that maps one to one to ours.

pi asks for no permissions and takes no MCP servers by flag; pi_extension.ts, which comes with us, gives it both.
"""

import json
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import orjson

from .base import ExecOptions
from .environment import Takes, mcp_servers, private_file
from .line_backend import Command, LineBackend
from .pi_parser import PiParser
from .probe import first_answer

EXTENSION = Path(__file__).with_name("pi_extension.ts")
TOOL_TIMEOUT = 3600  # seconds; pi gives up on an MCP tool after 60 otherwise


class PiBackend(LineBackend):
    name = "pi"
    header = "pi (rpc)"
    program = "pi"
    install = "npm install -g @earendil-works/pi-coding-agent"
    unsupported = ("max_turns",)
    denied_args = {
        "--mode": Takes.VALUE,
        "-p": Takes.NOTHING,
        "--print": Takes.NOTHING,
        "--session": Takes.VALUE,
        "--session-id": Takes.VALUE,
        "-c": Takes.NOTHING,
        "--continue": Takes.NOTHING,
        "-r": Takes.NOTHING,
        "--resume": Takes.NOTHING,
        "--fork": Takes.VALUE,
        "--no-session": Takes.NOTHING,
        "--export": Takes.VALUE,
    }

    def command(self, options: ExecOptions, resume: str | None, files: ExitStack) -> Command:
        arguments = ["--mode", "rpc", "--extension", str(EXTENSION)]
        env = {"PI_SKIP_VERSION_CHECK": "1", "A2UI_PERMISSIONS": options.permissions}
        env["A2UI_TRUSTED_TOOLS"] = " ".join(f"mcp__{name}__" for name in options.trusted_servers)
        if servers := mcp_servers(options.mcp_config):
            config = json.dumps({"mcpServers": {n: _server(n, s, options) for n, s in servers.items()}})
            env["A2UI_MCP_CONFIG"] = str(files.enter_context(private_file(config, "mcp.json")))
        if options.model:
            arguments += model_arguments(options.model)
        if options.system_prompt:
            path = files.enter_context(private_file(options.system_prompt, "system-prompt.md"))
            arguments += ["--append-system-prompt", str(path)]  # pi reads the file of that name
        if resume:
            arguments += ["--session", resume]
        return Command(arguments, env)

    def parser(self, options: ExecOptions, resume: str | None) -> PiParser:
        return PiParser(resume)

    async def models(self) -> list[str]:
        request = orjson.dumps({"id": "models", "type": "get_available_models"}) + b"\n"
        return await first_answer([self.find(), "--mode", "rpc", "--no-session"], _models, send=request) or []


def _server(name: str, server: Mapping[str, Any], options: ExecOptions) -> dict[str, Any]:
    """Return pi's form of an MCP server; the app's own is shown to the model at once, not behind a tool search."""
    exposure = {"exposure": "direct"} if name in options.trusted_servers else {}
    return {"timeout": TOOL_TIMEOUT, **exposure, **server}


def model_arguments(model: str) -> list[str]:
    """Return the flags for `provider/model` or a bare model name."""
    provider, slash, name = model.partition("/")
    return ["--provider", provider, "--model", name] if slash else ["--model", model]


def _models(line: bytes) -> list[str] | None:
    try:
        answer: Any = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(answer, Mapping) or answer.get("id") != "models":
        return None
    models = (answer.get("data") or {}).get("models") or []
    return [f"{model['provider']}/{model['id']}" for model in models]
