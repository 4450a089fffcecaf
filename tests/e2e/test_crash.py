"""The server is killed in the middle of a run: what was told is there again, and the conversation goes on."""

import os
import re
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Page, expect

from a2ui_app import build

from .test_smoke import free_port


def serve(folder: Path, port: int) -> tuple[subprocess.Popen[str], str]:
    """The server as a process of its own, and its link."""
    process = subprocess.Popen(
        [sys.executable, "-m", "a2ui_app", "serve", "--port", str(port)],
        cwd=build.ROOT,
        env=os.environ | {"A2UI_DATA": str(folder), "A2UI_DEMO_PACE": "1"},
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    return process, process.stdout.readline().removeprefix("Open ").strip()


def test_a_killed_server_loses_no_conversation(tmp_path: Path, page: Page) -> None:
    port = free_port()
    process, link = serve(tmp_path, port)
    try:
        page.goto(link)
        box = page.get_by_label("Your prompt")
        box.fill("form")
        box.press("Enter")
        surface = page.locator("[data-surface^=form]")
        surface.get_by_role("textbox").first.fill("kept-by-the-store")
        expect(surface.get_by_role("textbox").first).to_have_value("kept-by-the-store")
        wait_for(tmp_path, "SELECT count(*) FROM surfacemessage WHERE message LIKE '%kept-by-the-store%'")
        address = page.url
        process.kill()
        process.wait()
        with sqlite3.connect(tmp_path / "a2ui.db") as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        process, link = serve(tmp_path, port)
        page.goto(address)  # the session outlives the server
        expect(page.get_by_text(re.compile("^Interrupted: the server was stopped"))).to_be_visible()
        expect(page.get_by_role("article", name="You")).to_have_text("form")
        expect(surface.get_by_role("textbox").first).to_have_value("kept-by-the-store")
        box = page.get_by_label("Your prompt")
        box.fill("help")
        box.press("Enter")
        expect(page.get_by_role("heading", name="What I can show")).to_be_visible()
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
        assert process.stdout is not None
        process.stdout.close()


def wait_for(folder: Path, query: str) -> None:
    """Wait until a query of the store counts something."""
    import time

    end = time.monotonic() + 10
    while True:
        with sqlite3.connect(folder / "a2ui.db") as connection:
            if connection.execute(query).fetchone()[0]:
                return
        assert time.monotonic() < end, query
        time.sleep(0.02)  # between two looks at another process's file
