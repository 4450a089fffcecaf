"""What a child process gets from us and what it must not get: variables, arguments, files, and no secret in a text."""

import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from pathlib import Path
from typing import Any

from .base import BackendError, ExecutableNotFound

# Variables by which an agent tells its own children that they run inside it; a child agent would join that session.
# Only these: others of the same prefix are settings of the person (CLAUDE_CODE_GIT_BASH_PATH, CODEX_HOME).
PARENT_VARIABLES = frozenset(
    {
        "CLAUDE_CODE_ENTRYPOINT",
        "CLAUDE_CODE_EXECPATH",
        "CLAUDE_CODE_SESSION_ID",
        "CLAUDE_CODE_SSE_PORT",
        "CODEX_SANDBOX",
        "CODEX_SANDBOX_NETWORK_DISABLED",
        "CODEX_THREAD_ID",
        "CURSOR_AGENT",
        "GEMINI_CLI",
        "OPENCODE",
        "OPENCODE_PID",
        "QWEN_CODE",
    }
)
PARENT_PREFIXES = ("CLAUDECODE", "A2UI_APP_")  # the second is our own: passwords and markers

_SECRET_NAME = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|AUTH)", re.IGNORECASE)
_SECRET_TEXT = re.compile(r"\b(?:sk|pk|ghp|gho|xai|glpat|xox[bp])[-_][A-Za-z0-9_\-]{12,}|(?<=Bearer )[\w.\-~+/]{12,}=*")
_SHORTEST_SECRET = 6  # shorter values would blot out ordinary words


def merge_env(extra: Mapping[str, str] | None = None, base: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return `base` (default: our own environment) without a parent agent's variables, with `extra` on top."""
    base = os.environ if base is None else base
    kept = {k: v for k, v in base.items() if k not in PARENT_VARIABLES and not k.startswith(PARENT_PREFIXES)}
    return {**kept, **(extra or {})}


def redact(text: str, env: Mapping[str, str]) -> str:
    """Return `text` with the values of secret variables of `env`, and what looks like a key, replaced by `***`."""
    secrets = {v for k, v in env.items() if _SECRET_NAME.search(k) and len(v) >= _SHORTEST_SECRET}
    for secret in sorted(secrets, key=len, reverse=True):  # a secret may contain another
        text = text.replace(secret, "***")
    return _SECRET_TEXT.sub("***", text)


def find_executable(program: str, given: str | None, install: str) -> str:
    """Return the path of the executable `given`, else of `program` on PATH.

    Raises ExecutableNotFound, saying what to do: `install` is the command that installs it.
    """
    wanted = given or program
    found = shutil.which(wanted)
    if found is not None:
        return str(Path(found).absolute())
    path = Path(wanted)
    if path.is_file():
        raise ExecutableNotFound(f"{wanted} is not executable. Make it so with: chmod +x {wanted}")
    if given is not None:
        raise ExecutableNotFound(f"{given} was not found. Give the path of {program}, or install it with: {install}")
    raise ExecutableNotFound(f"{program} was not found on PATH. Install it with: {install}")


class Takes(Enum):
    """Whether a command line flag is followed by a value."""

    NOTHING = "nothing"
    VALUE = "value"
    OPTIONAL = "optional"  # the next argument is its value unless it starts with "-"


def filter_custom_args(args: Sequence[str], denied: Mapping[str, Takes]) -> tuple[list[str], list[str]]:
    """Split a person's arguments in those that may pass and the flags that may not, in the form `--f v` and `--f=v`.

    `denied` names the flags a backend's protocol depends on. One pair of quotes around an argument is taken away: it
    was meant for a shell.
    """
    kept: list[str] = []
    refused: list[str] = []
    rest = [_unquote(argument) for argument in args]
    while rest:
        argument = rest.pop(0)
        flag, equals, _ = argument.partition("=")
        takes = denied.get(flag)
        if takes is None:
            kept.append(argument)
            continue
        refused.append(flag)
        has_value = takes is Takes.VALUE or (takes is Takes.OPTIONAL and rest and not rest[0].startswith("-"))
        if has_value and not equals and rest:
            rest.pop(0)
    return kept, refused


def _unquote(argument: str) -> str:
    quoted = len(argument) >= 2 and argument[0] == argument[-1] and argument[0] in "\"'"
    return argument[1:-1] if quoted else argument


@contextmanager
def private_file(content: str, name: str) -> Iterator[Path]:
    """Write `content` to a file that only we can read (0600, in a new folder 0700); both are gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="a2ui-app-"))
    try:
        path = folder / name
        path.touch(mode=0o600)
        path.write_text(content, encoding="utf-8")
        yield path
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def mcp_servers(config: Mapping[str, Any] | None) -> dict[str, dict[str, Any]]:
    """Return the servers of an MCP configuration by name. Raises BackendError when its form is wrong."""
    if config is None:
        return {}
    servers = config.get("mcpServers")
    if not isinstance(servers, Mapping) or not all(isinstance(server, Mapping) for server in servers.values()):
        raise BackendError('The MCP configuration needs the form {"mcpServers": {"name": {…}}}.')
    for name, server in servers.items():
        if not (isinstance(server.get("command"), str) or isinstance(server.get("url"), str)):
            raise BackendError(f'The MCP server {name!r} needs a "command" or a "url".')
    return {name: dict(server) for name, server in servers.items()}


def mcp_config_file(config: Mapping[str, Any]):
    """Return a context manager: `config` as a private JSON file, gone afterwards."""
    return private_file(json.dumps(config), "mcp.json")
