"""Every agent that speaks the Agent Client Protocol (`AGENT --acp`): JSON-RPC over stdin and stdout.

One class; what differs between agents is data (acp_presets.py). The protocol is in acp_parser.py.
"""

import os
import shlex
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, ClassVar

from .acp_parser import AcpParser
from .acp_presets import PRESETS, Preset
from .base import BackendError, ExecOptions
from .environment import Takes, find_executable, mcp_servers, merge_env
from .line_backend import Command, LineBackend
from .registry import LAUNCH_HEADERS

ANY = Preset("", (), "")


class AcpBackend(LineBackend):
    """`preset` names an agent of PRESETS; without one `executable` is the whole command, as for a shell."""

    name = "acp"
    header = "any command (acp)"
    program = ""
    install = ""
    unsupported = ("max_turns", "system_prompt")
    denied_args: ClassVar[Mapping[str, Takes]] = {"--acp": Takes.NOTHING, "acp": Takes.NOTHING, "--yolo": Takes.NOTHING}

    def __init__(self, executable: str | Path | None = None, preset: str = "") -> None:
        known = PRESETS.get(preset, ANY)
        self._arguments = list(known.arguments)
        if not preset and executable is not None:
            try:
                executable, *self._arguments = shlex.split(str(executable)) or [""]
            except ValueError:
                raise BackendError(f"A quotation mark is missing in the command {executable}.") from None
        super().__init__(executable)
        self._preset = known
        self.name = preset or "acp"  # type: ignore[misc]
        self.header = LAUNCH_HEADERS[self.name]  # type: ignore[misc]
        self.program = known.program  # type: ignore[misc]
        self.install = known.install  # type: ignore[misc]

    def find(self) -> str:
        if not self.program and not self.executable:
            raise BackendError(
                "Say which command speaks ACP, for example my-agent --acp: as the extra arguments of the conversation, "
                "or with --executable in a terminal."
            )
        return find_executable(self.program or str(self.executable), self.executable, self.install)

    def command(self, options: ExecOptions, resume: str | None, files: ExitStack) -> Command:
        asking = self._preset.asking if options.permissions == "ask" else {}
        return Command(self._arguments, {**self._preset.env, **asking})

    def parser(self, options: ExecOptions, resume: str | None) -> AcpParser:
        auth = self._preset.auth
        env = merge_env({**self._preset.env, **options.env})
        return AcpParser(
            os.fspath(options.cwd),
            mcp_servers(options.mcp_config),
            resume=resume,
            model=options.model,
            mode=self._preset.mode if options.permissions == "ask" else "",
            auth=auth[1] if auth and env.get(auth[0]) else "",
            trusted=options.trusted_servers,
            bridge=bridge,
            settle=self._preset.settle,
        )


def bridge(server: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the command that bridges to an HTTP server of ours; None for another's, which has no bearer token."""
    scheme, _, token = str((server.get("headers") or {}).get("Authorization", "")).partition(" ")
    if scheme != "Bearer":
        return None
    env = {"A2UI_MCP_TOKEN": token, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    return {"command": sys.executable, "args": ["-m", "a2ui_app", "mcp", "--url", server["url"]], "env": env}
