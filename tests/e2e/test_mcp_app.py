"""Embedded MCP apps in a browser: what an app may do, and what it cannot."""

from typing import Any

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from a2ui_app.catalogs.mcp import MCP_1_0

from .surface_board import Board, column

SCRIPT = """
let next = 1;
const waiting = {};
const told = [];
function tell(method, params) { parent.postMessage({ jsonrpc: "2.0", method, params }, "*"); }
function ask(method, params) {
  const id = next++;
  parent.postMessage({ jsonrpc: "2.0", id, method, params }, "*");
  return new Promise((done) => { waiting[id] = done; });
}
addEventListener("message", ({ data }) => {
  if (data.method) told.push(data), document.getElementById("told").textContent = JSON.stringify(told);
  else waiting[data.id]?.(data.result ?? data.error), delete waiting[data.id];
});
const show = (found) => { document.getElementById("out").textContent = JSON.stringify(found); };
async function start() {
  const host = await ask("ui/initialize", { protocolVersion: "2026-01-26", appInfo: {}, appCapabilities: {} });
  tell("ui/notifications/initialized", {});
  document.getElementById("host").textContent = JSON.stringify(host);
}
start();
"""
"""The protocol by hand, as an app without a library would write it."""


def page_of(body: str = "", script: str = "") -> str:
    """An app's HTML."""
    places = '<pre id="host"></pre><pre id="told"></pre><pre id="out"></pre>'
    return f"<!doctype html><body>{body}{places}<script>{SCRIPT}\n{script}</script></body>"


def app(html: str, **properties: Any) -> dict[str, Any]:
    """An McpApp that is the root's child."""
    return {"id": "app", "component": "McpApp", "catalogId": MCP_1_0, "htmlContent": html, **properties}


def inside(page: Page) -> FrameLocator:
    """The app's own frame."""
    return page.frame_locator(".a2-app iframe").frame_locator("iframe")


@pytest.fixture
def board(server) -> Board:
    return Board(server)


def test_an_app_is_greeted_with_theme_and_locale(board, new_page):
    page = new_page(locale="de-DE", color_scheme="dark", timezone_id="Europe/Berlin")
    board.draw(column("app"), app(page_of("<h1>Clock</h1>"), title="A clock"))
    page.goto(board.url)
    expect(page.get_by_title("A clock")).to_be_visible()
    expect(inside(page).get_by_role("heading")).to_have_text("Clock")
    host = inside(page).locator("#host")
    for told in ('"locale":"de-DE"', '"theme":"dark"', '"timeZone":"Europe/Berlin"', '"protocolVersion":"2026-01-26"'):
        expect(host).to_contain_text(told)
