"""Fixtures for the real agents. Collected only by `make test-clis` (run.py), never by `make test`."""

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from .real import MODELS, QUIET, REAL, UI_MCP, Real, processes_at

START = 20.0  # seconds the scripted servers have to start
POLL = 0.05

if "A2UI_CLI_TOOLS" not in os.environ:
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture(scope="session", autouse=True)
def requests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The scripted model server and the MCP server, on 127.0.0.1; gives the folder of what the model was asked."""
    tools, folder = Path(os.environ["A2UI_CLI_TOOLS"]), tmp_path_factory.mktemp("servers")
    hello = folder / "hello.txt"
    hello.write_text("hello from the temp file\n")
    env = {"FAKE_LOG": str(folder / "requests"), "FAKE_HELLO": str(hello), "UI_MCP_LOG": str(folder / "mcp.log")}
    env["PATH"] = os.environ["PATH"]
    commands = (["fake_models.py", "8788"], ["ui_mcp.py", "http", "8789"])
    started = [
        subprocess.Popen(
            [os.environ["A2UI_CLI_PYTHON"], str(tools / program), *arguments], env=env, stderr=subprocess.DEVNULL
        )
        for program, *arguments in commands
    ]
    try:
        for process, url in zip(started, (MODELS, UI_MCP), strict=True):
            _wait_for(url, process)
        yield folder / "requests"
    finally:
        for process in started:
            process.kill()  # the scripted server would wait for the streams that it lets hang
            process.wait()


def _wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    """Wait until the server answers, with an error too; a socket that is not open yet gives nothing to wait on."""
    end = time.monotonic() + START
    while time.monotonic() < end and server.poll() is None:
        try:
            urlopen(url, timeout=1)
            return
        except HTTPError:
            return
        except OSError:
            time.sleep(POLL)
    pytest.fail(f"no server at {url} (exit code {server.poll()})")


@pytest.fixture(params=REAL, ids=lambda real: real.name)
def real(request: pytest.FixtureRequest) -> Real:
    return request.param


@pytest.fixture
def home(real: Real, tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of an agent with a new home. After the test no process lives that has it."""
    folder = tmp_path / "home"
    folder.mkdir()
    yield {**QUIET, "HOME": str(folder), **real.prepare(folder)}
    assert processes_at(folder) == []
