"""The fake agent as an executable, and the promise that every test keeps: nothing is left behind."""

import os
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from a2ui_app.backends import line_backend, process, run
from a2ui_app.backends.base import ExecOptions

FAKE = Path(__file__).with_name("fake_cli.py")
TRACE = "A2UI_TEST_TRACE"  # every process of a test inherits it


@pytest.fixture(autouse=True)
def short_graces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait less for agents that never end by themselves; the order of what is done to them stays."""
    monkeypatch.setattr(run, "INTERRUPT_GRACE", 0.3)
    monkeypatch.setattr(line_backend, "EXIT_GRACE", 0.3)
    monkeypatch.setattr(process, "TERM_GRACE", 0.5)


@pytest.fixture
def fake(tmp_path: Path) -> Callable[[str], str]:
    """Return a function: scenario -> path of an executable that plays it."""

    def make(scenario: str) -> str:
        path = tmp_path / f"fake-{scenario.replace(':', '-')}"
        path.write_text(f'#!/bin/sh\nexec {sys.executable} {FAKE} {scenario} "$@"\n')
        path.chmod(0o755)
        return str(path)

    return make


@pytest.fixture
def options(tmp_path: Path, nothing_left: str) -> Callable[..., ExecOptions]:
    """Return a function that makes options whose processes can be found."""

    def make(**fields: object) -> ExecOptions:
        env = {TRACE: nothing_left, **fields.pop("env", {})}  # type: ignore[dict-item]
        return ExecOptions(**{"cwd": tmp_path, **fields}, env=env)  # type: ignore[arg-type]

    return make


@pytest.fixture
def nothing_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """After the test: no process with this value of TRACE, no new file descriptor, no temporary file of ours."""
    trace = uuid.uuid4().hex
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    descriptors = _descriptors()
    yield trace
    assert traced_processes(trace) == []
    assert _descriptors() - descriptors == set()
    assert list(temporary.iterdir()) == []


def traced_processes(trace: str) -> list[int]:
    wanted = f"{TRACE}={trace}".encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (entry / "environ").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def _descriptors() -> set[str]:
    """The open pipes, sockets and files, by number and what they are."""
    found = set()
    for name in os.listdir("/proc/self/fd"):
        try:
            found.add(f"{name} {os.readlink(f'/proc/self/fd/{name}')}")
        except OSError:
            continue
    return {entry for entry in found if "/proc/" not in entry and "anon_inode" not in entry}
