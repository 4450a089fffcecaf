"""One-node updates in a browser: bytes on the socket, and the time from the mutation to the changed DOM.

The page and the server run on one machine, so one clock serves both ends (`time.time` and `Date.now` with fractions).
"""

import os
import statistics
import time
from typing import Any

from playwright.sync_api import Page, sync_playwright

from a2ui_app.catalogs.registry import BASIC_1_0
from a2ui_app.live.registry import CHANNELS
from tests.e2e.running import CHROMIUM_FLAGS, RunningServer

from .table import goal, heading, row

UPDATES = 60

WATCH = """() => {
  window.seen = {};
  new MutationObserver(() => {
    const text = document.querySelector('[data-probe]')?.textContent ?? window.probe.textContent;
    if (!(text in window.seen)) window.seen[text] = performance.timeOrigin + performance.now();
  }).observe(window.probe, {subtree: true, childList: true, characterData: true});
}"""


def surface(count: int) -> dict[str, Any]:
    """``count`` nodes: rows of ten under one column; the first text is bound to /probe."""
    rows = range(count // 10)
    parts: list[dict[str, Any]] = [{"id": "root", "component": "Column", "children": [f"row{n}" for n in rows]}]
    for n in rows:
        children = [f"t{n}_{k}" for k in range(9)]
        parts.append({"id": f"row{n}", "component": "Row", "children": children})
        parts += [
            {"id": child, "component": "Text", "text": {"@path": "/probe"} if child == "t0_0" else f"{n}.{k}"}
            for k, child in enumerate(children)
        ]
    body = {"surfaceId": "s", "catalogId": BASIC_1_0, "components": parts, "dataModel": {"probe": "start"}}
    return {"version": "1.0", "createSurface": body}


def update(value: str) -> dict[str, Any]:
    return {"version": "1.0", "updateDataModel": {"surfaceId": "s", "path": "/probe", "value": value}}


def measure(server: RunningServer, page: Page, count: int) -> tuple[float, float, float]:
    """Bytes of one update, and the median and 95th percentile of the milliseconds to the DOM."""
    channel = server.call(CHANNELS.open, f"bench-{count}")
    server.call(channel.post, surface(count))
    frames: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(str(frame))))
    page.goto(f"{server.url}/surface/bench-{count}")
    probe = page.get_by_text("start", exact=True)
    probe.wait_for()
    page.evaluate("element => { window.probe = element; }", probe.element_handle())
    page.evaluate(WATCH)
    delays, sizes = [], []
    for number in range(UPDATES):
        value = f"value {number}"
        frames.clear()
        before = time.time() * 1000
        server.call(channel.post, update(value))
        page.wait_for_function("value => value in window.seen", arg=value)
        delays.append(page.evaluate("value => window.seen[value]", value) - before)
        sizes.append(sum(len(frame.encode()) for frame in frames if value in frame))
    delays.sort()
    return statistics.median(sizes), statistics.median(delays), delays[int(len(delays) * 0.95)]


def run() -> None:
    server = RunningServer()
    heading("one-node updates in Chromium", "nodes", "bytes on the socket", "to DOM, ms (median)", "p95")
    results = {}
    with sync_playwright() as playwright:
        path = os.environ.get("CHROMIUM_PATH")
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        for count in (100, 1000, 3000):
            page = browser.new_page()
            results[count] = measure(server, page, count)
            size, median, late = results[count]
            row(count, f"{size:.0f}", f"{median:.2f}", f"{late:.2f}")
            page.close()
        browser.close()
    server.stop()
    goal("bytes of one update at any size", max(size for size, _, _ in results.values()), 300, at_least=False)
    goal("DOM time at 3000 over 100", results[3000][1] / results[100][1], 2, at_least=False)


if __name__ == "__main__":
    run()
