"""The real agents as these tests run them: pinned packages, throw-away homes, fake keys, models on 127.0.0.1."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

MODELS = "http://127.0.0.1:8788"  # the scripted model server
UI_MCP = "http://127.0.0.1:8789/mcp"  # a tiny MCP server with `ui_select`
CACHE = Path(os.environ.get("A2UI_CLI_CACHE", Path.home() / ".cache/a2ui-app/clis"))
QUIET = {"NO_COLOR": "1", "DO_NOT_TRACK": "1", "DISABLE_TELEMETRY": "1", "TERM": "dumb", "LANG": "C.UTF-8"}


@dataclass(frozen=True)
class Real:
    """One real agent. `prepare` writes its configuration into a new home and returns the variables it needs."""

    name: str  # of our backend
    package: str  # npm package and version
    program: str
    prepare: Callable[[Path], dict[str, str]]
    model: str | None = None

    @property
    def folder(self) -> Path:
        return CACHE / self.package.replace("/", "_").replace("@", "_")

    @property
    def executable(self) -> Path:
        return self.folder / "node_modules/.bin" / self.program


def claude(home: Path) -> dict[str, str]:
    return {
        "ANTHROPIC_BASE_URL": MODELS,
        "ANTHROPIC_API_KEY": "test-key",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CODE_MAX_RETRIES": "1",
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_ERROR_REPORTING": "1",
    }


def opencode(home: Path) -> dict[str, str]:
    folder = home / ".config/opencode"
    folder.mkdir(parents=True)
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": f"{MODELS}/v1", "apiKey": "test-key"},
        "models": {"fake-model": {"name": "Fake"}},
    }
    config = {"provider": {"fake": provider}, "model": "fake/fake-model", "small_model": "fake/fake-model"}
    (folder / "opencode.json").write_text(json.dumps(config))
    return {
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        "OPENCODE_DISABLE_SHARE": "1",
    }


def pi(home: Path) -> dict[str, str]:
    folder = home / ".pi/agent"
    folder.mkdir(parents=True)
    provider = {
        "baseUrl": f"{MODELS}/v1",
        "api": "openai-completions",
        "apiKey": "test-key",
        "models": [{"id": "fake-model", "name": "Fake"}],
    }
    (folder / "models.json").write_text(json.dumps({"providers": {"fake": provider}}))
    return {"PI_OFFLINE": "1", "PI_TELEMETRY": "0"}


def codex(home: Path) -> dict[str, str]:
    folder = home / ".codex"
    folder.mkdir()
    (folder / "config.toml").write_text(
        'model = "fake-model"\nmodel_provider = "fake"\n'
        f'[model_providers.fake]\nname = "Fake"\nbase_url = "{MODELS}/v1"\nwire_api = "responses"\n'
        'env_key = "FAKE_KEY"\nrequest_max_retries = 1\nstream_max_retries = 1\n'
    )
    return {"CODEX_HOME": str(folder), "FAKE_KEY": "test-key"}


def gemini(home: Path) -> dict[str, str]:
    folder = home / ".gemini"
    folder.mkdir()
    (folder / "settings.json").write_text(json.dumps({"security": {"auth": {"selectedType": "gemini-api-key"}}}))
    return {
        "GEMINI_API_KEY": "test-key",
        "GOOGLE_GEMINI_BASE_URL": MODELS,
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
    }


def qwen(home: Path) -> dict[str, str]:
    return {"OPENAI_API_KEY": "test-key", "OPENAI_BASE_URL": f"{MODELS}/v1", "OPENAI_MODEL": "fake-model"}


REAL = [
    Real("claude", "@anthropic-ai/claude-code@2.1.332", "claude", claude),
    Real("opencode", "opencode-ai@1.18.33", "opencode", opencode, "fake/fake-model"),
    Real("pi", "@earendil-works/pi-coding-agent@1.6.0", "pi", pi, "fake/fake-model"),
]
"""Those that every test runs."""

ON_THE_PAGE = [
    *REAL,
    Real("codex", "@openai/codex@0.171.0", "codex", codex),
    Real("gemini", "@google/gemini-cli@0.61.0", "gemini", gemini),
    Real("qwen", "@qwen-code/qwen-code@0.24.4", "qwen", qwen),
    Real("opencode-acp", "opencode-ai@1.18.33", "opencode", opencode),
]
"""Those that test_desk.py and test_turns.py run."""


def processes_at(home: Path) -> list[str]:
    """Return the command lines of the living processes whose home is that folder."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if f"HOME={home}\0".encode() in (entry / "environ").read_bytes():
                found.append((entry / "cmdline").read_bytes().replace(b"\0", b" ").decode())
        except OSError:
            continue
    return found
