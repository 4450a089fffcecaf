"""Agents by name, and what of them is installed."""

import pytest

from a2ui_app import backends
from a2ui_app.backends.base import Backend
from a2ui_app.backends.claude import ClaudeBackend
from a2ui_app.backends.opencode import OpencodeBackend
from a2ui_app.backends.pi import PiBackend
from a2ui_app.backends.probe import output_lines, version


def test_new_and_the_headers():
    assert isinstance(backends.new("claude"), ClaudeBackend)
    assert isinstance(backends.new("opencode"), OpencodeBackend)
    assert isinstance(backends.new("pi"), PiBackend)
    assert backends.LAUNCH_HEADERS["claude"] == "claude (stream-json)"
    assert backends.LAUNCH_HEADERS["opencode"] == "opencode run (json)"
    assert backends.LAUNCH_HEADERS["gemini"] == "gemini --acp (acp)"


@pytest.mark.parametrize("name", backends.names())
def test_every_name_gives_a_backend_that_says_how_to_install_it(name):
    backend = backends.new(name, "/somewhere/else")
    assert isinstance(backend, Backend)
    assert backend.header == backends.LAUNCH_HEADERS[name]
    assert backend.name == name
    assert backend.executable == "/somewhere/else"
    assert backend.install or not backend.program


def test_an_unknown_name_names_the_known():
    with pytest.raises(ValueError, match=r"unknown agent type 'x'; known: demo, claude, codex, opencode"):
        backends.new("x")


async def test_detect_finds_what_is_on_path(tmp_path, monkeypatch):
    program = tmp_path / "claude"
    program.write_text("#!/bin/sh\necho 'warning: something'\necho '2.1.332 (Claude Code)'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    found = {agent.name: agent for agent in await backends.detect()}
    assert list(found) == backends.names()
    assert (found["claude"].path, found["claude"].version) == (str(program), "2.1.332")
    assert found["pi"].path == ""
    assert "npm install" in found["pi"].install


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("echo v1.2.3", "1.2.3"),
        ("echo 'Active code page: 65001'; echo 'tool 0.171.0-beta.2'", "0.171.0-beta.2"),
        ("echo none; exit 1", ""),
        ("echo 'on stderr 1.2.3' >&2", ""),
    ],
)
async def test_version(tmp_path, script, expected):
    program = tmp_path / "tool"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    assert await version(str(program)) == expected


async def test_a_program_that_hangs_does_not_keep_the_others(tmp_path, monkeypatch, nothing_left):
    monkeypatch.setattr("a2ui_app.backends.probe.PROBE_TIMEOUT", 0.3)
    program = tmp_path / "tool"
    program.write_text(f"#!/bin/sh\nA2UI_TEST_TRACE={nothing_left} exec sleep 60\n")
    program.chmod(0o755)
    assert await version(str(program)) == ""


async def test_output_lines(tmp_path):
    program = tmp_path / "tool"
    program.write_text("#!/bin/sh\necho fake/one\necho\necho fake/two\n")
    program.chmod(0o755)
    assert await output_lines([str(program)]) == ["fake/one", "fake/two"]
    assert await OpencodeBackend(program).models() == ["fake/one", "fake/two"]


async def test_models_of_claude_and_pi(tmp_path):
    claude = tmp_path / "claude"
    answer = '{"type":"control_response","response":{"response":{"models":[{"value":"default"},{"value":"opus"}]}}}'
    claude.write_text(f"#!/bin/sh\nread line\necho '{answer}'\nread line\n")
    claude.chmod(0o755)
    assert await ClaudeBackend(claude).models() == ["default", "opus"]
    pi = tmp_path / "pi"
    answer = '{"type":"response","id":"models","data":{"models":[{"provider":"fake","id":"one"}]}}'
    pi.write_text(f"#!/bin/sh\nread line\necho noise\necho '{answer}'\nread line\n")
    pi.chmod(0o755)
    assert await PiBackend(pi).models() == ["fake/one"]
