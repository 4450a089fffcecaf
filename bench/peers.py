"""`make bench-peers`: our page beside the official React and Lit renderers, on one workload in one run.

The renderers, the workload and the measuring are in a folder of their own, not part of the project: A2UI_PEERS names it
(default ../shared/tools/peers; its README has the contract). It is copied, its npm packages are installed in the copy,
and its `bench.py` drives all pages. Around our app this file puts what the contract asks of a server, and nothing else.
"""

import asyncio
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import orjson

from a2ui_app.live.channel import Channel
from a2ui_app.live.registry import CHANNELS
from a2ui_app.session import Session
from tests.e2e.running import RunningServer

from .table import goal, heading, row

ROOT = Path(__file__).resolve().parents[1]
PEERS = Path(os.environ.get("A2UI_PEERS", ROOT.parent / "shared" / "tools" / "peers"))
SIZES = (100, 1000, 3000)


class Contract:
    """An ASGI app around ours: a fresh workload for each page, the probe in its head, and updates on request."""

    def __init__(self, app: Any, folder: Path):
        self.app = app
        self.probe = adapted((folder / "pages" / "probe.js").read_text(encoding="utf-8"))
        self.workloads = {n: orjson.loads((folder / f"workload-{n}.json").read_bytes()) for n in SIZES}
        self.acks: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.sequence = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        path, kind = scope.get("path", ""), scope["type"]
        if kind == "websocket" and path == "/probe":
            await self._probe_socket(receive, send)
        elif kind == "http" and path == "/probe.js":
            await respond(send, self.probe, b"text/javascript")
        elif kind == "http" and path == "/updates":
            await respond(send, orjson.dumps(await self._updates(scope)), b"application/json")
        elif kind == "http" and path.startswith("/surface/bench-"):
            self._start(int(path.rpartition("-")[2]))
            headers = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
            plain = {**scope, "headers": headers, "extensions": {}}  # neither compressed nor sent past us as a file
            await self.app(plain, receive, InjectProbe(send))
        else:
            await self.app(scope, receive, send)

    def _start(self, count: int) -> None:
        """The workload in a channel of its own, made while the page loads, as the other renderers make theirs."""
        channel = self._channel(count)
        channel.restart(Session(bindings="auto"))
        channel.post(self.workloads[count])
        self.sequence = 0

    @staticmethod
    def _channel(count: int) -> Channel:
        return CHANNELS.open(f"bench-{count}")

    async def _probe_socket(self, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while (event := await receive())["type"] == "websocket.receive":
            self.acks.put_nowait(json.loads(event["text"]))

    async def _updates(self, scope: Any) -> dict[str, list[float]]:
        query = dict(part.split("=") for part in scope["query_string"].decode().split("&"))
        count, times = int(query["n"]), int(query["count"])
        channel = self._channel(count)
        found: dict[str, list[float]] = {"rtt_ms": [], "one_way_ms": [], "bytes": []}
        for _ in range(times):
            self.sequence += 1
            number = (self.sequence * 37) % (count // 10)
            body = {"surfaceId": "bench", "path": f"/rows/{number}/value", "value": f"[v{number}=u{self.sequence}]"}
            message = {"version": "v0.9", "updateDataModel": body}
            start = time.time() * 1000
            channel.post(message)
            ack = await asyncio.wait_for(self._ack(self.sequence), 10)
            found["rtt_ms"].append(time.time() * 1000 - start)
            found["one_way_ms"].append(ack["page_time"] - start)
            found["bytes"].append(len(orjson.dumps(message)))
        return found

    async def _ack(self, sequence: int) -> dict[str, Any]:
        while True:
            ack = await self.acks.get()
            if ack["seq"] == sequence:
                return ack


def adapted(probe: str) -> bytes:
    """The probe for our page: its header's button is not the surface's, and React must find the head it rendered."""
    look = "r.querySelectorAll(sel)]"
    if look not in probe:
        raise RuntimeError("probe.js has changed: see adapted() in bench/peers.py")
    own = "r.querySelectorAll(sel)].filter(element => !element.closest('header'))"
    return (probe.replace(look, own) + "\ndocument.currentScript.remove();\n").encode()


class InjectProbe:
    """Puts the probe's script first into the head of a page on its way out."""

    def __init__(self, send: Any):
        self.send = send
        self.start: dict[str, Any] = {}
        self.body = b""

    async def __call__(self, event: dict[str, Any]) -> None:
        if event["type"] == "http.response.start":
            self.start = event
            return
        self.body += event.get("body", b"")
        if event.get("more_body"):
            return
        body = self.body.replace(b"<head>", b'<head><script src="/probe.js"></script>', 1)
        headers = [(name, value) for name, value in self.start["headers"] if name.lower() != b"content-length"]
        await self.send({**self.start, "headers": [*headers, (b"content-length", str(len(body)).encode())]})
        await self.send({"type": "http.response.body", "body": body})


async def respond(send: Any, body: bytes, media_type: bytes) -> None:
    headers = [(b"content-type", media_type), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def prepare(folder: Path) -> None:
    """Copy the peers, install their packages and build their pages."""
    shutil.copytree(PEERS, folder, copy_function=shutil.copyfile)
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755)
    for command in (["npm", "install", "--no-audit", "--no-fund"], ["node", "gen.mjs"], ["node", "build.mjs"]):
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def engines(folder: Path) -> dict[str, float]:
    """Milliseconds to create and resolve 1000 nodes: the official engine in Node (its better way), and our session."""
    done = subprocess.run(["node", "--expose-gc", "engine.mjs"], cwd=folder, check=True, capture_output=True, text=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    theirs = min(line["create_resolve_ms"] for line in lines if line["n"] == 1000)
    text = (folder / "workload-1000.json").read_bytes()
    times = []
    for _ in range(20):
        messages = orjson.loads(text)
        start = time.perf_counter()
        assert Session().handle_message(messages).ok
        times.append((time.perf_counter() - start) * 1000)
    return {"web_core": theirs, "ours": statistics.median(times)}


def pages(folder: Path, url: str, arguments: list[str]) -> dict[tuple[str, int], dict[str, Any]]:
    """What the driver of the peers measured, by target and size."""
    command = [sys.executable, "bench.py", "--targets", "react,lit", "--extra", f"ours={url}", *arguments]
    lines = []
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as driver:
        assert driver.stdout is not None
        for text in driver.stdout:
            lines.append(json.loads(text))
            if "failed" in lines[-1]:
                print(text, end="", flush=True)
    return {(line["target"], line["n"]): line for line in lines if "load_ms" in line}


SHOWN = ("load_ms", "update_rtt_p50_ms", "update_rtt_p95_ms", "key_p50_ms", "update_bytes", "elements", "typed_ok")


def main(arguments: list[str]) -> int:
    if not PEERS.is_dir() or not shutil.which("node") or not shutil.which("npm"):
        print(f"bench-peers needs node, npm and the peers' folder ({PEERS}, or A2UI_PEERS).", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "peers"
        prepare(folder)
        engine = engines(folder)
        heading("create + resolve 1000 nodes, ms", "@a2ui/web_core in Node", "our session")
        row(f"{engine['web_core']:.1f}", f"{engine['ours']:.1f}")
        goal("engine over web_core's", engine["ours"] / engine["web_core"], 1, at_least=False)
        server = RunningServer(lambda app: Contract(app, folder))
        found = pages(folder, f"{server.url}/surface/bench-{{n}}?n={{n}}", arguments)
        server.stop()
    heading("pages", "target, nodes", *SHOWN)
    for (target, count), line in found.items():
        row(f"{target}, {count}", *(line[name] for name in SHOWN))
    compare(found)
    return 0


def compare(found: dict[tuple[str, int], dict[str, Any]]) -> None:
    for count in SIZES:
        if not all((target, count) in found for target in ("react", "lit", "ours")):
            continue
        react, lit, ours = (found[target, count] for target in ("react", "lit", "ours"))
        if count >= 1000:
            fastest = min(react["load_ms"], lit["load_ms"])
            goal(f"load at {count} over the faster peer's", ours["load_ms"] / fastest, 1, at_least=False)
        update = ours["update_rtt_p50_ms"] / lit["update_rtt_p50_ms"]
        goal(f"update p50 at {count} over Lit's", update, 2, at_least=False)
        goal(f"key p50 at {count} over Lit's", ours["key_p50_ms"] / lit["key_p50_ms"], 3, at_least=False)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
