"""The two ways to run the app: built (`make run`) and with hot reload (`make dev`). Each draws and takes input."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Page, expect

from a2ui_app import build
from a2ui_app.catalogs.registry import BASIC_1_0

FORM = {
    "version": "1.0",
    "createSurface": {
        "surfaceId": "form",
        "catalogId": BASIC_1_0,
        "dataModel": {"name": "Ada"},
        "components": [
            {"id": "root", "component": "Column", "children": ["field", "echo"]},
            {"id": "field", "component": "TextField", "label": "Name", "value": {"@path": "/name"}},
            {"id": "echo", "component": "Text", "text": {"@path": "/name"}},
        ],
    },
}


def draws_and_takes_input(page: Page, page_url: str, api_url: str) -> None:
    assert httpx.post(f"{api_url}/a2ui/smoke", json=FORM).json()["ok"]
    page.goto(f"{page_url}/surface/smoke")
    expect(page.get_by_label("Name")).to_have_value("Ada")
    page.get_by_label("Name").fill("Grace")
    expect(page.get_by_text("Grace", exact=True)).to_be_visible()
    state = httpx.get(f"{api_url}/a2ui/smoke").json()
    assert state["surfaces"][0]["dataModel"] == {"name": "Grace"}


@pytest.fixture(scope="module")
def built() -> Iterator[str]:
    """`python -m a2ui_app serve` as a process of its own; its link."""
    command = [sys.executable, "-m", "a2ui_app", "serve", "--port", str(free_port())]
    process = subprocess.Popen(command, cwd=build.ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stdout is not None
    printed = process.stdout.readline()
    yield printed.removeprefix("Open ").strip().rstrip("/")
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 0
    assert process.stdout.read() == ""  # one link, and nothing else


def test_built(built: str, page: Page):
    draws_and_takes_input(page, built, built)


@pytest.fixture(scope="module")
def hot_reload() -> Iterator[tuple[str, str]]:
    """`reflex run`: the page's address and the server's."""
    front, back = free_port(), free_port()
    command = [sys.executable, "-m", "reflex", "run", "--frontend-port", str(front), "--backend-port", str(back)]
    environment = {name: value for name, value in os.environ.items() if "REFLEX" not in name}
    process = subprocess.Popen(
        command,
        cwd=build.ROOT,
        env=environment | {"REFLEX_WEB_WORKDIR": ".build/dev"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        wait_until_up(f"http://127.0.0.1:{back}/ping", process)
        wait_until_up(f"http://localhost:{front}/", process)
        yield f"http://localhost:{front}", f"http://127.0.0.1:{back}"
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(20)


def test_hot_reload(hot_reload: tuple[str, str], page: Page):
    draws_and_takes_input(page, *hot_reload)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until_up(url: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + 120
    while time.monotonic() < end and process.poll() is None:
        try:
            if httpx.get(url, timeout=5).status_code == 200:
                return
        except httpx.TransportError:
            time.sleep(0.2)  # between two looks at the condition
    pytest.fail(f"{url} did not answer")
