"""A coding agent that misbehaves on purpose. `python fake_cli.py SCENARIO [arguments]` speaks Claude's stream-json.

Only the standard library, and no import of the app: it must start fast and stand alone.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

MIB = 1024 * 1024
SESSION = "11111111-2222-4333-8444-555555555555"


def send(event: dict) -> None:
    sys.stdout.write(json.dumps(event) + "\n")
    sys.stdout.flush()


def init(session: str = SESSION) -> None:
    send({"type": "system", "subtype": "init", "session_id": session, "model": "fake", "tools": []})


def text(words: str, message_id: str = "m1") -> None:
    block = {"type": "text", "text": words}
    usage = {"input_tokens": 5, "output_tokens": 1}
    send({"type": "assistant", "message": {"id": message_id, "model": "fake", "content": [block], "usage": usage}})


def result(words: str = "done", **more: object) -> None:
    send({"type": "result", "subtype": "success", "is_error": False, "result": words, "session_id": SESSION, **more})


def next_frame(kind: str | None = None) -> dict | None:
    """Return the next frame from stdin (of a type), None at its end."""
    for line in sys.stdin:
        frame = json.loads(line)
        if kind is None or frame["type"] == kind:
            return frame
    return None


def answer(words: str) -> None:
    init()
    text(words)
    result(words)


def obedient() -> None:
    """Answer every prompt with itself until stdin ends."""
    for number in range(1000):
        frame = next_frame("user")
        if frame is None:
            return
        init()
        words = frame["message"]["content"][0]["text"]
        text(words, f"m{number}")
        used = {"inputTokens": 10 * (number + 1), "outputTokens": 2 * (number + 1)}
        result(words, modelUsage={"fake": used}, usage={"input_tokens": 10, "output_tokens": 2})


def long_line(size: int) -> None:
    next_frame("user")
    init()
    text("x" * size)
    result("after the long line")


def many_lines(count: int) -> None:
    next_frame("user")
    init()
    event = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "word "}}
    line = json.dumps({"type": "stream_event", "event": event}) + "\n"
    for _ in range(count // 1000):
        sys.stdout.write(line * 1000)
    sys.stdout.flush()
    result("all said")


def stdout_closed() -> None:
    next_frame("user")
    init()
    sys.stdout.flush()
    os.close(1)
    time.sleep(60)


def deaf_to_sigterm() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    next_frame("user")
    init()
    text("never ending")
    time.sleep(60)


def grandchild_holds_pipe() -> None:
    """A descendant in a session of its own, deaf to SIGTERM, with our stdout; the leader ends."""
    next_frame("user")
    code = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
    subprocess.Popen([sys.executable, "-c", code], start_new_session=True, stdin=subprocess.DEVNULL)
    answer("left a child behind")


def leader_killed() -> None:
    """As before, but the leader ends without a result."""
    next_frame("user")
    init()
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True)


def no_result() -> None:
    next_frame("user")
    init()
    text("half an ans")


def garbage() -> None:
    next_frame("user")
    print("Warning: something unrelated", flush=True)
    init()
    print("{not json", flush=True)
    print('["a", "list"]', flush=True)
    print('{"type": "assistant"}', flush=True)
    print('{"type": "from the future"}', flush=True)
    print(flush=True)
    text("fine")
    result("fine")


def invalid_utf8() -> None:
    next_frame("user")
    init()
    sys.stdout.buffer.write(b"\xff\xfe broken \x80\n")
    sys.stdout.buffer.write(b'{"type": "assistant", "message": "\xff"}\n')
    text("fine")
    result("fine")


def stdin_never_read() -> None:
    init()
    text("I do not listen")
    time.sleep(0.3)
    result("not listened")


def banner_first() -> None:
    """Fill stdout before stdin is read: whoever writes the prompt first without reading blocks."""
    sys.stdout.write("banner\n" * 50_000)
    sys.stdout.flush()
    obedient()


def permission() -> None:
    next_frame("user")
    init()
    call = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "date"}}
    send({"type": "assistant", "message": {"id": "m1", "model": "fake", "content": [call]}})
    request = {"subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": "date"}, "tool_use_id": "t1"}
    request["permission_suggestions"] = [{"type": "addRules", "behavior": "allow", "destination": "localSettings"}]
    send({"type": "control_request", "request_id": "r1", "request": request})
    frame = next_frame("control_response")
    result(json.dumps(frame["response"] if frame else None))


def withdrawn_permission() -> None:
    next_frame("user")
    init()
    request = {"subtype": "can_use_tool", "tool_name": "Bash", "input": {}, "tool_use_id": "t1"}
    send({"type": "control_request", "request_id": "r1", "request": request})
    wait_for(os.environ["FAKE_GATE"])
    send({"type": "control_cancel_request", "request_id": "r1"})
    result("withdrawn")
    late = [json.loads(line) for line in sys.stdin]
    Path(os.environ["FAKE_GATE"]).write_text(json.dumps(late))


def question() -> None:
    next_frame("user")
    init()
    ask = {"question": "Which colour?", "header": "Colour", "multiSelect": False}
    ask["options"] = [{"label": "Red", "description": "r"}, {"label": "Blue", "description": "b"}]
    request = {"subtype": "can_use_tool", "tool_name": "AskUserQuestion", "input": {"questions": [ask]}}
    send({"type": "control_request", "request_id": "q1", "request": request})
    frame = next_frame("control_response")
    result(json.dumps(frame["response"] if frame else None))


def unknown_request() -> None:
    next_frame("user")
    init()
    send({"type": "control_request", "request_id": "u1", "request": {"subtype": "dance"}})
    frame = next_frame("control_response")
    result(json.dumps(frame["response"] if frame else None))


def interruptible() -> None:
    next_frame("user")
    init()
    call = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "sleep 99"}}
    send({"type": "assistant", "message": {"id": "m1", "model": "fake", "content": [call]}})
    while True:
        frame = next_frame("control_request")
        if frame is None:
            return
        if frame["request"]["subtype"] == "interrupt":
            break
    result("", is_error=True, subtype="error_during_execution", terminal_reason="aborted_tools")
    next_frame()


def lost_session() -> None:
    """Knows no session: the first start, with --resume, fails; without it a new session works."""
    if "--resume" not in sys.argv:
        obedient()
        return
    requested = sys.argv[sys.argv.index("--resume") + 1]
    text_ = f"No conversation found with session ID: {requested}"
    send({"type": "result", "subtype": "error_during_execution", "is_error": True, "num_turns": 0} | {
        "session_id": requested, "errors": [text_]
    })  # fmt: skip
    sys.exit(1)


def other_session() -> None:
    next_frame("user")
    init("99999999-2222-4333-8444-555555555555")
    result("somewhere else", session_id="99999999-2222-4333-8444-555555555555")


def retrying() -> None:
    next_frame("user")
    init()
    for attempt in (1, 2):
        send({"type": "system", "subtype": "api_retry", "attempt": attempt, "max_retries": 10, "error_status": 500})
    result("API Error: 500", is_error=True, api_error_status=500, terminal_reason="api_error")
    sys.exit(1)


def prompt_too_long() -> None:
    next_frame("user")
    init()
    result("Prompt is too long", is_error=True, terminal_reason="prompt_too_long")


def silent() -> None:
    next_frame("user")
    init()
    time.sleep(60)


def mute() -> None:
    """Not even a sign of life."""
    time.sleep(60)


def secret_in_stderr() -> None:
    print("fatal: key", os.environ.get("FAKE_API_KEY"), "was refused", file=sys.stderr, flush=True)
    sys.exit(7)


def environment() -> None:
    next_frame("user")
    told = {"env": dict(os.environ), "argv": sys.argv[2:], "cwd": os.getcwd()}
    if "--append-system-prompt-file" in sys.argv:
        told["system_prompt"] = Path(sys.argv[sys.argv.index("--append-system-prompt-file") + 1]).read_text()
    answer(json.dumps(told))
    next_frame()


def daemon() -> None:
    """Leave a daemon: double fork, own session, no parent of ours."""
    next_frame("user")
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.close(1)
            os.close(2)
            time.sleep(60)
        os._exit(0)
    answer("daemon started")


def lingering() -> None:
    """Answer, and take a while to end."""
    next_frame("user")
    answer("said")
    time.sleep(1.5)


def wait_for(path: str) -> None:
    while not Path(path).exists():
        time.sleep(0.01)


def main() -> None:
    name, _, argument = sys.argv[1].partition(":")
    scenario = globals()[name]
    scenario(int(argument)) if argument else scenario()


if __name__ == "__main__":
    main()
