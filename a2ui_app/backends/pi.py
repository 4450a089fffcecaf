"""pi: `pi --mode rpc`, commands and events as lines of JSON, with a UI protocol that maps one to one to ours.

pi asks for no permissions by itself; pi_gate.ts, an extension that comes with us, makes it ask by that UI protocol.
"""

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import orjson

from .base import ExecOptions
from .environment import Takes
from .line_backend import Command, LineBackend
from .pi_parser import PiParser
from .probe import first_answer

GATE = Path(__file__).with_name("pi_gate.ts")


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
        arguments, env = ["--mode", "rpc"], {"PI_SKIP_VERSION_CHECK": "1"}
        if options.permissions == "ask":
            arguments += ["--extension", str(GATE)]
            env["A2UI_TRUSTED_TOOLS"] = " ".join(f"mcp__{name}__" for name in options.trusted_servers)
        if options.model:
            arguments += model_arguments(options.model)
        if options.system_prompt:
            arguments += ["--append-system-prompt", options.system_prompt]
        if resume:
            arguments += ["--session", resume]
        return Command(arguments, env)

    def parser(self, options: ExecOptions, resume: str | None) -> PiParser:
        return PiParser(resume)

    async def models(self) -> list[str]:
        request = orjson.dumps({"id": "models", "type": "get_available_models"}) + b"\n"
        return await first_answer([self.find(), "--mode", "rpc", "--no-session"], _models, send=request) or []


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
