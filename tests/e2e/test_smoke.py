"""The two ways to run the app: built (`make run`) and with hot reload (`make dev`). Each draws and takes input.

And the gate of the built one as a browser meets it.
"""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from a2ui_app import build
from a2ui_app.access import Keys
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


def draws_and_takes_input(page: Page, page_url: str, api_url: str, bearer: str = "") -> None:
    headers = {"authorization": f"Bearer {bearer}"} if bearer else {}
    assert httpx.post(f"{api_url}/a2ui/smoke", json=FORM, headers=headers).json()["ok"]
    page.goto(f"{page_url}/surface/smoke")
    expect(page.get_by_label("Name")).to_have_value("Ada")
    page.get_by_label("Name").fill("Grace")
    expect(page.get_by_text("Grace", exact=True)).to_be_visible()
    state = httpx.get(f"{api_url}/a2ui/smoke", headers=headers).json()
    assert state["surfaces"][0]["dataModel"] == {"name": "Grace"}


@dataclass(frozen=True)
class Built:
    """`python -m a2ui_app serve` as a process of its own: the link it printed, its address, its keys."""

    link: str
    address: str
    keys: Keys
    environment: dict[str, str]


@pytest.fixture
def built(tmp_path: Path) -> Iterator[Built]:
    port = free_port()
    command = [sys.executable, "-m", "a2ui_app", "serve", "--port", str(port)]
    environment = os.environ | {"A2UI_DATA": str(tmp_path)}
    process = subprocess.Popen(
        command, cwd=build.ROOT, env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout is not None
    link = process.stdout.readline().removeprefix("Open ").strip()
    yield Built(link, f"http://127.0.0.1:{port}", Keys(tmp_path), environment)
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 0
    assert process.stdout.read() == ""  # one link, and nothing else


def test_built(built: Built, new_page: Callable[..., Page]):
    """The link opens the page once, in one browser; the command that a channel's page shows works as it is."""
    stranger = new_page()
    stranger.goto(built.address)
    expect(stranger.get_by_text("Open the link that the server printed.")).to_be_visible()
    page = new_page()
    page.goto(built.link)
    expect(page.get_by_role("heading", name="What should the agent do?")).to_be_visible()
    draws_and_takes_input(page, built.address, built.address, built.keys.channel_token("smoke"))
    stranger.goto(built.link)
    expect(stranger.get_by_text("This link was used already")).to_be_visible()
    another = subprocess.run(
        [sys.executable, "-m", "a2ui_app", "link"],
        cwd=build.ROOT,
        env=built.environment,
        capture_output=True,
        text=True,
    )
    stranger.goto(another.stdout.strip())
    expect(stranger.get_by_role("heading", name="What should the agent do?")).to_be_visible()


def test_the_command_on_a_channels_page_works_as_it_is(built: Built, page: Page):
    page.goto(built.link)
    expect(page.get_by_role("heading", name="What should the agent do?")).to_be_visible()
    page.goto(f"{built.address}/surface/curl")
    command = page.locator("pre").first
    expect(command).to_contain_text("Bearer")
    done = subprocess.run(["sh", "-c", command.inner_text()], capture_output=True, text=True)
    assert '"ok":true' in done.stdout, done
    expect(page.get_by_label("Your name")).to_be_visible()


def test_a_page_of_another_origin_reaches_nothing(built: Built, browser: Browser):
    """A malicious page in the browser of somebody who is signed in: on another port, so the cookie would be sent."""
    page = browser.new_page()  # not that of the other tests, which takes what the browser refuses for a fault
    page.goto(built.link)
    expect(page.get_by_role("heading", name="What should the agent do?")).to_be_visible()
    with Elsewhere() as evil:
        page.goto(evil.url)
        tried = page.evaluate(
            """async (address) => {
              const options = {method: "POST", mode: "no-cors", credentials: "include", body: "{}"};
              const posted = await fetch(address + "/a2ui/evil", options).then(({type}) => type, () => "failed");
              const socket = await new Promise((done) => {
                const socket = new WebSocket(address.replace("http", "ws") + "/_event/?EIO=4&transport=websocket");
                socket.onopen = () => done("open");
                socket.onerror = () => done("refused");
              });
              const read = await fetch(address + "/a2ui/x", {credentials: "include"})
                .then(() => "read", () => "refused");
              const frame = document.createElement("iframe");
              frame.src = address;
              document.body.append(frame);
              return {socket, read, posted};
            }""",
            built.address,
        )
    assert tried == {"socket": "refused", "read": "refused", "posted": "opaque"}
    bearer = {"authorization": f"Bearer {built.keys.channel_token('evil')}"}
    assert httpx.get(f"{built.address}/a2ui/evil", headers=bearer).json()["surfaces"] == []


def test_the_network_needs_a_password(tmp_path: Path):
    command = [sys.executable, "-m", "a2ui_app", "serve", "--host", "0.0.0.0", "--port", str(free_port())]
    environment = os.environ | {"A2UI_DATA": str(tmp_path)}
    done = subprocess.run(command, cwd=build.ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 1
    assert "python -m a2ui_app password" in done.stderr


class Elsewhere:
    """A page of another origin on this machine."""

    def __enter__(self) -> "Elsewhere":
        class Page(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("content-type", "text/html")
                self.end_headers()
                self.wfile.write(b"<!doctype html><title>evil</title>")

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
        self.url = f"http://127.0.0.1:{self._server.server_port}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="module")
def hot_reload(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """`reflex run`: the page's address and the server's."""
    front, back = free_port(), free_port()
    command = [sys.executable, "-m", "reflex", "run", "--frontend-port", str(front), "--backend-port", str(back)]
    environment = {name: value for name, value in os.environ.items() if "REFLEX" not in name}
    process = subprocess.Popen(
        command,
        cwd=build.ROOT,
        env=environment | {"REFLEX_WEB_WORKDIR": ".build/dev", "A2UI_DATA": str(tmp_path_factory.mktemp("data"))},
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
