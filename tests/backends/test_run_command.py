"""`python -m a2ui_app run`: as a process, with the fake agent."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def command(*arguments: str) -> list[str]:
    code = "import sys, argparse; from a2ui_app.cli import run; p = argparse.ArgumentParser(); run.configure(p); "
    code += "sys.exit(run.run(p.parse_args()))"
    return [sys.executable, "-c", code, *arguments]


@pytest.fixture
def start(fake, tmp_path, nothing_left):
    def run(scenario: str, *arguments: str) -> subprocess.Popen:
        argv = command("claude", "hello", "--cwd", str(tmp_path), "--executable", fake(scenario), *arguments)
        env = {**os.environ, "A2UI_TEST_TRACE": nothing_left, "PYTHONPATH": str(ROOT)}
        pipe = subprocess.PIPE
        return subprocess.Popen(argv, env=env, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe, text=True, cwd=ROOT)

    return run


def test_text_goes_to_stdout(start):
    out, err = (process := start("obedient")).communicate(timeout=30)
    assert (process.returncode, out.strip()) == (0, "hello")
    assert "completed after" in err
    assert "fake: 10 in, 2 out" in err
    assert "--resume 11111111" in err


def test_lines_of_json(start):
    out, _ = (process := start("permission", "--json")).communicate(timeout=30)
    lines = [json.loads(line) for line in out.splitlines()]
    assert process.returncode == 0
    assert [line["type"] for line in lines] == ["status", "tool-use", "tool-result", "result"]
    assert lines[1]["input"] == {"command": "date"}
    assert (lines[-1]["status"], json.loads(lines[-1]["output"])["response"]["behavior"]) == ("completed", "deny")


def test_allow_all(start):
    out, _ = start("permission", "--json", "--allow-all").communicate(timeout=30)
    assert json.loads(json.loads(out.splitlines()[-1])["output"])["response"]["behavior"] == "allow"


def test_a_failure(start):
    _, err = (process := start("no_result")).communicate(timeout=30)
    assert process.returncode == 1
    assert "before it gave a result" in err


def test_a_time_out(start):
    _, err = (process := start("interruptible", "--timeout", "1")).communicate(timeout=30)
    assert process.returncode == 124
    assert "longer than 1 seconds" in err


def test_ctrl_c_stops_the_agent(start):
    process = start("interruptible", "--json")
    assert process.stdout is not None
    assert json.loads(process.stdout.readline())["type"] == "status"
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=30)
    assert process.returncode == 130
    assert json.loads(out.splitlines()[-1])["status"] == "aborted"


def test_a_missing_program(tmp_path):
    argv = command("claude", "hello", "--executable", str(tmp_path / "nothing"))
    done = subprocess.run(argv, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert done.returncode == 1
    assert "npm install" in done.stderr
