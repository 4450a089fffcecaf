"""Which agents there are: by name, by how they are launched, and what of them is installed here.

To add one: a class as in claude.py and a line in each of the two tables.
"""

import asyncio
import importlib
import shutil
from dataclasses import dataclass
from pathlib import Path

from .acp_presets import PRESETS
from .base import Backend
from .probe import version

_CLASSES = {  # name -> module and class; loaded when used
    "demo": "demo:DemoBackend",
    "claude": "claude:ClaudeBackend",
    "codex": "codex:CodexBackend",
    "opencode": "opencode:OpencodeBackend",
    "pi": "pi:PiBackend",
    "acp": "acp:AcpBackend",
}

LAUNCH_HEADERS = {
    "demo": "demo (built in)",
    "claude": "claude (stream-json)",
    "codex": "codex app-server",
    "opencode": "opencode run (json)",
    "pi": "pi (rpc)",
    **{name: f"{' '.join([preset.program, *preset.arguments])} (acp)" for name, preset in PRESETS.items()},
    "acp": "any command (acp)",
}


def names() -> list[str]:
    """Return the names that `new` knows."""
    return list(LAUNCH_HEADERS)


def new(agent_type: str, executable: str | Path | None = None) -> Backend:
    """Return the backend called `agent_type`; `executable` is its program when it is not the one on PATH.

    Raises ValueError for an unknown name, naming the known ones. Whether the program is there is checked by `execute`.
    """
    if agent_type in _CLASSES:
        module, _, cls = _CLASSES[agent_type].partition(":")
        return getattr(importlib.import_module(f".{module}", __package__), cls)(executable)
    if agent_type in PRESETS:
        return importlib.import_module(".acp", __package__).AcpBackend(executable, agent_type)
    raise ValueError(f"unknown agent type {agent_type!r}; known: {', '.join(names())}")


@dataclass(frozen=True)
class Agent:
    """An agent as this machine has it. `path` is empty when it is not installed (`install` says how) or built in."""

    name: str
    header: str
    path: str
    version: str
    install: str
    available: bool


async def detect() -> list[Agent]:
    """Return all agents, in the order of `names`, with those that are installed found and asked for their version."""
    return list(await asyncio.gather(*(_detect(name) for name in names())))


async def _detect(name: str) -> Agent:
    backend = new(name)
    path = (shutil.which(backend.program) or "") if backend.program else ""
    found = await version(path) if path else ""
    return Agent(name, LAUNCH_HEADERS[name], path, found, backend.install, available=bool(path or not backend.program))
