"""How fast a backend parses and delivers: `python -m bench.backends [EVENTS]`.

A child process prints Claude's smallest event (a piece of text) as fast as it can; the run's reader counts messages.
The rate is per second of this process's own CPU time, so it says what one core can do; memory is this process's at a
tenth and at the end, which shows whether it grows.
"""

import asyncio
import json
import os
import sys
import tempfile
import time
from pathlib import Path

from a2ui_app.backends.base import ExecOptions, MessageType
from a2ui_app.backends.claude import ClaudeBackend
from a2ui_app.backends.claude_parser import ClaudeParser

DELTA = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "word "}}
EVENT = {"type": "stream_event", "event": DELTA, "session_id": "5068c1b9-7056-4e6a-b8e2-7419da5f61ba"}
EVENT |= {"parent_tool_use_id": None, "uuid": "92785408-4ef6-46de-baeb-405cd0dec19c", "api_message_id": "msg_11"}
LINE = json.dumps(EVENT, separators=(",", ":"))
RESULT = json.dumps({"type": "result", "subtype": "success", "is_error": False, "result": "done", "session_id": "s"})
BATCH = 1000

SCRIPT = f"""#!{sys.executable}
import sys
sys.stdin.readline(); sys.stdin.readline()
batch = ({LINE!r} + "\\n") * {BATCH}
for _ in range(int(sys.argv[-1]) // {BATCH}):
    sys.stdout.write(batch)
print({RESULT!r}, flush=True)
"""


def resident_mib() -> float:
    """Return the memory this process holds now, in MiB (Linux)."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


async def deliver(events: int) -> dict[str, float]:
    """Run `events` through process, parser and channel to a reader that keeps up."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "claude"
        program.write_text(SCRIPT)
        program.chmod(0o755)
        wall, cpu = time.perf_counter(), time.process_time()
        run = await ClaudeBackend(program).execute("go", ExecOptions(folder, custom_args=[str(events)]))
        seen, early = 0, 0.0
        async for message in run.messages:
            seen += message.type is MessageType.TEXT
            if seen == events // 10:
                early = resident_mib()
        late = resident_mib()
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        result = await run.result
    assert seen + result.dropped == events, f"{seen} seen, {result.dropped} dropped, of {events}"
    return {"wall": events / wall, "cpu": events / cpu, "early": early, "late": late, "dropped": result.dropped}


def parse(events: int) -> float:
    """Return the events per second of the parser alone."""
    parser, line = ClaudeParser(), LINE.encode()
    start = time.process_time()
    for _ in range(events):
        parser.receive(line)
    return events / (time.process_time() - start)


def run(events: int = 1_000_000) -> None:
    """Print the figures."""
    print(f"parser alone            {parse(200_000):>10,.0f} events/s of {len(LINE)} bytes")
    rates = asyncio.run(deliver(events))
    print(f"delivered, per CPU s    {rates['cpu']:>10,.0f} events/s (goal 50,000)")
    print(f"delivered, per wall s   {rates['wall']:>10,.0f} events/s")
    print(f"dropped                 {rates['dropped']:>10,.0f} of {events:,}")
    print(f"memory at 10% and 100%  {rates['early']:>10,.1f} MiB {rates['late']:,.1f} MiB")


if __name__ == "__main__":
    run(*map(int, sys.argv[1:]))
