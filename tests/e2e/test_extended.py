"""The extended catalog in a browser: each component drawn, sorted, copied, and nothing an agent writes runs."""

import os
from base64 import b64encode

import pytest
from playwright.sync_api import expect

from a2ui_app.catalogs.extended import EXTENDED_1_0

from .surface_board import Board, at, text

HOSTILE = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>[a](javascript:window.pwned=1)\'"`${x}'
DIFF = "--- a/app.py\n+++ b/app.py\n@@ -1,3 +1,3 @@\n import os\n--- old\n+print(1)\n done\n"
ROWS = [
    {"name": "beta", "size": 9, "share": 0.5, "when": "2026-01-02", "note": ""},
    {"name": "alpha", "size": 1200, "share": 0.125, "when": "2025-12-24", "note": "x"},
    {"name": "gamma", "size": 30, "share": 1, "when": "soon", "note": None},
]


@pytest.fixture
def board(server) -> Board:
    return Board(server)


def ext(id: str, type_: str, **props):
    return {"id": id, "component": type_, "catalogId": EXTENDED_1_0, **props}


def everything() -> list[dict]:
    columns = [
        {"key": "name", "label": "Name", "format": "code"},
        {"key": "size", "label": "Size", "format": "number"},
        {"key": "share", "label": "Share", "format": "percent"},
        {"key": "when", "label": "When", "format": "date"},
        {"key": "note", "label": "Note", "align": "center"},
    ]
    return [
        {
            "component": "Column",
            "children": ["row", "note", "alert", "bar", "moving", "table", "empty", "code", "diff", "fold"],
        },
        {"id": "row", "component": "Row", "children": [f"badge-{tone}" for tone in ("info", "success", "danger")]},
        *(ext(f"badge-{tone}", "Badge", text=tone, tone=tone) for tone in ("info", "success", "danger")),
        ext("note", "Callout", text="The build is **green**.", title="All good", tone="success"),
        ext("alert", "Callout", text="Two tests are slow.", tone="warning", child="inside"),
        text("inside", "A child"),
        ext("bar", "Progress", value=at("/done"), max=4, label="Copying"),
        ext("moving", "Progress", label="Waiting", tone="warning"),
        ext("table", "Table", columns=columns, rows=at("/rows"), caption="Files"),
        ext("empty", "Table", columns=columns, rows=[], empty="No files."),
        ext("code", "CodeBlock", code=at("/code"), language="python", title="hello.py", lineNumbers=True),
        ext("diff", "Diff", diff=DIFF, title="app.py"),
        ext(
            "fold",
            "Accordion",
            sections=[{"title": "One", "child": "one", "open": True}, {"title": "Two", "child": "two"}],
            single=True,
        ),
        text("one", "First part"),
        text("two", "Second part"),
    ]


DATA = {"done": 1, "rows": ROWS, "code": 'def greet(name):\n    return "Hello"  # a word\n'}


def names(page) -> list[str]:
    return page.get_by_role("region", name="Files").locator("tbody td:first-child").all_inner_texts()


def test_each_component_is_drawn(board, new_page):
    board.draw(*everything(), data=DATA)
    for scheme in ("light", "dark"):
        page = new_page(color_scheme=scheme, viewport={"width": 900, "height": 1500})
        page.goto(board.url)
        expect(page.locator(".a2x-badge")).to_have_text(["info", "success", "danger"])
        expect(page.get_by_role("note").first).to_contain_text("The build is green.")
        expect(page.get_by_role("progressbar", name="Copying")).to_have_attribute("aria-valuenow", "25")
        assert page.get_by_role("progressbar", name="Waiting").get_attribute("aria-valuenow") is None
        expect(page.get_by_text("24 Dec 2025")).to_be_visible()
        expect(page.get_by_text("12.5 %")).to_be_visible()
        expect(page.get_by_text("soon", exact=True)).to_be_visible()
        expect(page.get_by_text("No files.")).to_be_visible()
        expect(page.locator(".a2x-keyword").first).to_have_text("def")
        expect(page.locator("[data-kind=removed]")).to_contain_text("--- old")
        expect(page.locator("[data-kind=added]")).to_contain_text("+print(1)")
        expect(page.get_by_text("First part")).to_be_visible()
        expect(page.get_by_text("Second part")).to_be_hidden()
        page.get_by_text("Two", exact=True).click()
        expect(page.get_by_text("Second part")).to_be_visible()
        expect(page.get_by_text("First part")).to_be_hidden()
        if folder := os.environ.get("A2UI_SCREENSHOTS"):
            page.screenshot(path=f"{folder}/extended-{scheme}.png", full_page=True)


def test_a_click_on_a_head_sorts_up_down_and_back(board, page):
    board.draw(*everything(), data=DATA)
    page.goto(board.url)
    size = page.get_by_role("region", name="Files").get_by_role("button", name="Size")
    head = page.get_by_role("region", name="Files").get_by_role("columnheader", name="Size")
    for state, order in (
        ("none", ["beta", "alpha", "gamma"]),
        ("ascending", ["beta", "gamma", "alpha"]),
        ("descending", ["alpha", "gamma", "beta"]),
        ("none", ["beta", "alpha", "gamma"]),
    ):
        expect(head).to_have_attribute("aria-sort", state)
        assert names(page) == order
        size.click()
    expect(head).to_have_attribute("aria-sort", "ascending")
    board.set("/rows/3", {"name": "delta", "size": 20})
    expect(page.get_by_text("delta")).to_be_visible()
    assert names(page) == ["beta", "delta", "gamma", "alpha"]


def test_code_is_copied_whole(board, new_page):
    board.draw(*everything(), data=DATA)
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    page.goto(board.url)
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == DATA["code"]


def test_a_hostile_text_stays_a_text(board, page):
    board.draw(
        {"component": "Column", "children": ["badge", "note", "bar", "table", "code", "diff", "fold"]},
        ext("badge", "Badge", text=HOSTILE, tone=HOSTILE),
        ext("note", "Callout", text=HOSTILE, title=HOSTILE, tone=HOSTILE),
        ext("bar", "Progress", label=HOSTILE, tone=HOSTILE, value=1),
        ext(
            "table",
            "Table",
            columns=[{"key": "a", "label": HOSTILE}],
            rows=[{"a": HOSTILE}, {"a": {"b": HOSTILE}}],
            caption=HOSTILE,
        ),
        ext("code", "CodeBlock", code=HOSTILE, language="html", title=HOSTILE),
        ext("diff", "Diff", diff=HOSTILE, title=HOSTILE),
        ext("fold", "Accordion", sections=[{"title": HOSTILE, "child": "in", "open": True}]),
        text("in", HOSTILE),
    )
    page.goto(board.url)
    expect(page.locator(".a2x-badge")).to_have_text(HOSTILE)
    expect(page.locator(".a2x-code code")).to_have_text(HOSTILE)
    expect(page.locator(".a2-surface :is(img, script, a)")).to_have_count(0)
    assert page.evaluate("window.pwned") is None


POINTS = [{"m": "Jan", "a": 3}, {"m": "Feb", "a": 5}]


def test_charts_are_drawn_and_follow_their_data(board, page):
    chart = {"points": at("/points"), "x": "m", "series": [{"key": "a", "label": "Builds"}]}
    board.draw(
        {"component": "Column", "children": ["line", "bar", "pie"]},
        *(ext(kind, "Chart", kind=kind, caption=f"A {kind}", **chart) for kind in ("line", "bar", "pie")),
        data={"points": POINTS},
    )
    page.goto(board.url)
    expect(page.locator(".a2x-line")).to_have_count(1)
    expect(page.locator(".a2x-slice")).to_have_count(2)
    before = page.locator(".a2x-bar-shape").get_attribute("d")
    board.set("/points/2", {"m": "Mar", "a": 9})
    expect(page.locator(".a2x-slice")).to_have_count(3)
    assert page.locator(".a2x-bar-shape").get_attribute("d") != before
    expect(page.locator(".a2x-unseen table").first).to_contain_text("Mar")


def test_markdown_has_links_that_open_elsewhere_and_coloured_code(board, page):
    words = "## Head\n\n[link](https://x.example/) [bad](javascript:window.pwned=1)\n\n```python\ndef f(): pass\n```"
    board.draw(ext("root", "Markdown", text=words))
    page.goto(board.url)
    expect(page.get_by_role("heading", name="Head")).to_be_visible()
    link = page.get_by_role("link", name="link")
    expect(link).to_have_attribute("href", "https://x.example/")
    expect(link).to_have_attribute("rel", "noopener noreferrer")
    expect(page.get_by_role("link", name="bad")).to_have_count(0)
    expect(page.locator(".a2x-keyword")).to_have_text(["def", "pass"])


def test_a_tree_opens_with_the_keyboard(board, page):
    items = [{"label": "src", "items": [{"label": "app.py", "detail": "3 KB"}]}, {"label": "README"}]
    board.draw(ext("root", "Tree", items=items, open=0, label="Files"))
    page.goto(board.url)
    leaf = page.get_by_text("app.py")
    expect(leaf).to_be_hidden()
    page.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(leaf).to_be_visible()
    expect(page.get_by_text("3 KB")).to_be_visible()


def test_files_are_put_into_the_data(board, page):
    board.draw(ext("root", "FileUpload", label="Add files", value=at("/files"), maxBytes=10), data={"files": []})
    page.goto(board.url)
    field = page.get_by_label("Add files")
    field.set_input_files({"name": "big.txt", "mimeType": "text/plain", "buffer": b"x" * 11})
    expect(page.get_by_role("alert")).to_contain_text("big.txt is larger than 10 B")
    field.set_input_files({"name": "a.txt", "mimeType": "text/plain", "buffer": b"abc"})
    expect(page.get_by_text("a.txt (3 B)")).to_be_visible()
    board.holds("/files", [{"name": "a.txt", "type": "text/plain", "size": 3, "content": "YWJj"}])
    page.reload()
    expect(page.get_by_text("a.txt (3 B)")).to_be_visible()
    page.get_by_role("button", name="Remove a.txt").click()
    board.holds("/files", [])


def test_several_files_fit_up_to_the_limit_and_are_removed_together(board, page):
    upload = ext("root", "FileUpload", label="Add files", value=at("/files"), multiple=True)
    board.draw(upload, data={"files": []})
    page.goto(board.url)
    files = [{"name": f"{n}.bin", "mimeType": "", "buffer": b"x" * 350_000} for n in range(3)]
    page.get_by_label("Add files").set_input_files(files)
    expect(page.get_by_role("alert")).to_contain_text("1.1 MB together; 700 KB fit")
    board.holds("/files", [])
    page.get_by_label("Add files").set_input_files(files[:2])
    expect(page.get_by_text("1.bin (350 KB)")).to_be_visible()
    content = b64encode(b"x" * 350_000).decode()
    taken = [
        {"name": f"{n}.bin", "type": "application/octet-stream", "size": 350_000, "content": content} for n in (0, 1)
    ]
    board.holds("/files", taken)
    page.get_by_role("button", name="Remove all").click()
    board.holds("/files", [])
