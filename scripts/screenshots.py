"""Take the screenshots in docs/screenshots: each page, light, dark and on a phone (`make screenshots`)."""

import asyncio
import os
import sys
import tempfile
from pathlib import Path

import httpx
from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from a2ui_app.live.conversation import Setup  # noqa: E402
from a2ui_app.web.home import CONVERSATIONS  # noqa: E402
from tests.e2e.running import CHROMIUM_FLAGS, RunningServer  # noqa: E402

FOLDER = ROOT / "docs" / "screenshots"
DESK, PHONE = {"width": 1440, "height": 900}, {"width": 390, "height": 844}

FORM = """
[{"version": "1.0", "createSurface": {"surfaceId": "form",
  "catalogId": "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json",
  "dataModel": {"name": "", "size": ["m"], "when": "2026-12-24"},
  "components": [
    {"id": "root", "component": "Card", "child": "form"},
    {"id": "form", "component": "Column", "children": ["title", "name", "size", "when", "send"]},
    {"id": "title", "component": "Text", "text": "## Order a jumper"},
    {"id": "name", "component": "TextField", "label": "Your name", "value": {"@path": "/name"}},
    {"id": "size", "component": "ChoicePicker", "label": "Size", "displayStyle": "chips", "value": {"@path": "/size"},
     "options": [{"label": "Small", "value": "s"}, {"label": "Medium", "value": "m"},
                 {"label": "Large", "value": "l"}]},
    {"id": "when", "component": "DateTimeInput", "label": "Deliver on", "enableDate": true,
     "value": {"@path": "/when"}},
    {"id": "send", "component": "Button", "child": "label", "variant": "primary",
     "action": {"event": {"name": "order", "context": {"name": {"@path": "/name"}, "size": {"@path": "/size"}}}}},
    {"id": "label", "component": "Text", "text": "Order"}]}}]
"""

PAGES = {"home": "/", "gallery": "/gallery", "charts": "/gallery/charts", "surface": "/surface/demo"}


def take(browser: Browser, url: str, name: str, **options: object) -> None:
    """One screenshot, once the page shows what it is for."""
    page = browser.new_page(**options)  # type: ignore[arg-type]
    page.goto(url)
    page.locator("main, .gallery, [data-ref]").first.wait_for()
    if name.startswith("home"):
        page.locator(".n-agent").first.wait_for()
    page.wait_for_function("document.fonts.status === 'loaded' && document.getAnimations().length === 0")
    page.screenshot(path=str(FOLDER / f"{name}.png"))
    page.close()


def converse() -> str:
    """Begin a conversation with the demo agent that has worked, drawn, and asks; its id."""
    folder = Path(tempfile.gettempdir()) / "shop"
    folder.mkdir(exist_ok=True)
    conversation = CONVERSATIONS.create(Setup("demo", str(folder), env={"A2UI_DEMO_PACE": "0"}))
    conversation.send("edit the price of a basket, and ask me what is unclear")
    ui = conversation.desk.ui
    tests = [{"label": "Unit tests", "value": 1, "description": "12 s"}, {"label": "All of them", "value": 2}]
    asyncio.get_running_loop().create_task(ui.select("Which tests shall I run?", tests, timeout=None, origin="demo"))
    ui.set_status("branch", "fix-basket")
    return conversation.id


def main() -> None:
    """Serve the app, draw a form in the channel `demo`, and take every page in three ways."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    server = RunningServer()
    httpx.post(f"{server.url}/a2ui/demo", content=FORM).raise_for_status()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ["CHROMIUM_PATH"], args=CHROMIUM_FLAGS)
        pages = PAGES | {"conversation": f"/c/{server.call(converse)}"}
        for name, path in pages.items():
            take(browser, server.url + path, name, viewport=DESK)
            take(browser, server.url + path, f"{name}-dark", viewport=DESK, color_scheme="dark")
            take(browser, server.url + path, f"{name}-phone", viewport=PHONE)
        browser.close()
    server.stop()


if __name__ == "__main__":
    main()
