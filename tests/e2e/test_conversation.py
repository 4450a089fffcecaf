"""The conversation page with the demo agent: begin, stream, ask, draw, act, go on, come back."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from a2ui_app.live.conversation import Conversation, Setup
from a2ui_app.web.home import CONVERSATIONS

from .surface_board import eventually

QUICK = {"A2UI_DEMO_PACE": "0"}


class Talk:
    """A conversation of the running server."""

    def __init__(self, server: Any):
        self._server = server
        setup = Setup("demo", env=QUICK)
        self.conversation: Conversation = server.call(CONVERSATIONS.create, setup)
        self.url = f"{server.url}/c/{self.conversation.id}"

    def send(self, text: str) -> None:
        self._server.call(self.conversation.send, text)

    def call(self, function: Callable[..., Any], *args: Any) -> Any:
        return self._server.call(function, *args)

    @property
    def kinds(self) -> list[str]:
        return self._server.call(lambda: [entry.kind for entry in self.conversation.timeline])


@pytest.fixture
def talk(server: Any) -> Talk:
    return Talk(server)


def prompt_box(page: Page):
    return page.get_by_label("Your prompt")


def send(page: Page, text: str) -> None:
    prompt_box(page).fill(text)
    prompt_box(page).press("Enter")


def dialog(page: Page, title: str):
    return page.get_by_role("dialog", name=title)


def test_a_newcomer_begins_with_the_demo_agent(app_url: str, page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A2UI_DEMO_PACE", "0")
    page.goto(app_url)
    expect(page.get_by_role("radio", name=re.compile("demo"))).to_be_checked()
    send(page, "help, please")
    page.wait_for_url("**/c/*")
    expect(page.get_by_role("heading", name="What I can show")).to_be_visible()
    expect(page.get_by_role("heading", name="help, please", level=1)).to_be_visible()
    expect(page.get_by_text(re.compile("^Done"))).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("help, please"))).to_be_visible()
    expect(page).to_have_title("help, please · A2UI App")
    expect(prompt_box(page)).to_be_focused()


def test_every_question_is_answered_by_keyboard_and_told_in_the_timeline(talk: Talk, page: Page) -> None:
    page.goto(talk.url)
    send(page, "ask")
    expect(dialog(page, "Which tea?")).to_be_visible()
    expect(page.locator(".c-run")).to_contain_text("Waiting for you")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(dialog(page, "Start now?")).to_be_visible()
    page.keyboard.press("Enter")
    expect(dialog(page, "Delete the folder build?").get_by_role("button", name="Cancel")).to_be_focused()
    page.keyboard.press("Escape")  # Enter would not delete either
    expect(dialog(page, "What is your name?")).to_be_visible()
    page.keyboard.type("Grace")
    page.keyboard.press("Enter")
    editor = dialog(page, "Change the note as you like").get_by_role("textbox")
    expect(editor).to_have_value("# Tea\n\nAt four.")
    editor.press("End")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("dialog", name=re.compile("rm -r build dist"))).to_be_visible()
    page.keyboard.press("1")
    table = page.get_by_role("table")
    expect(table).to_contain_text("black")
    expect(table).to_contain_text("Grace")
    expect(table).to_contain_text("no answer")
    assert talk.kinds.count("dialog") == 6
    expect(prompt_box(page)).to_be_focused()


def test_a_question_shows_in_every_tab_outlives_a_reload_and_is_answered_once(
    talk: Talk, new_page: Callable[..., Page]
) -> None:
    one, two = new_page(), new_page()
    for page in (one, two):
        page.goto(talk.url)
    talk.send("ask")
    for page in (one, two):
        expect(dialog(page, "Which tea?")).to_be_visible()
    one.reload()
    dialog(one, "Which tea?").get_by_text("Mint").click()
    for page in (one, two):
        expect(dialog(page, "Which tea?")).to_have_count(0)
        expect(dialog(page, "Start now?")).to_be_visible()
    talk.call(talk.conversation.stop)
    for page in (one, two):
        expect(page.get_by_role("dialog")).to_have_count(0)
        expect(page.get_by_text(re.compile("^Stopped"))).to_be_visible()


def test_what_is_typed_into_a_question_outlives_a_reload(talk: Talk, page: Page) -> None:
    page.goto(talk.url)
    asked = talk.call(lambda: _ask(talk))
    field = dialog(page, "Name?").get_by_role("textbox")
    field.press_sequentially("Ada Lov")
    expect(field).to_have_value("Ada Lov")
    eventually(lambda: talk.call(lambda: talk.conversation.channel.session.surfaces()[0].data), {"entry": "Ada Lov"})
    page.reload()
    field = dialog(page, "Name?").get_by_role("textbox")
    expect(field).to_have_value("Ada Lov")
    field.press("End")
    field.press_sequentially("elace")
    field.press("Enter")
    eventually(lambda: asked.done() and asked.result().value, "Ada Lovelace")


def _ask(talk: Talk) -> Any:
    import asyncio

    return asyncio.get_running_loop().create_task(talk.conversation.desk.ui.input("Name?", timeout=None))


def test_a_form_is_drawn_filled_in_and_answered(talk: Talk, page: Page) -> None:
    page.goto(talk.url)
    send(page, "form")
    surface = page.locator("[data-surface^=form]")
    expect(surface).to_be_visible()
    name = surface.get_by_role("textbox").first
    name.fill("analytical-engine")
    surface.get_by_role("button").filter(has_text=re.compile("create|send", re.I)).first.click()
    expect(page.get_by_text(re.compile("^Done"))).to_be_visible()
    expect(page.get_by_role("log", name="Conversation")).to_contain_text("analytical-engine")
    assert "action" in talk.kinds


def test_an_action_after_the_run_is_the_next_prompt(talk: Talk, page: Page) -> None:
    page.goto(talk.url)
    send(page, "table")
    expect(page.get_by_text(re.compile("^Done"))).to_be_visible()
    page.locator("[data-surface^=table]").get_by_role("button", name=re.compile("Close")).first.click()
    expect(page.get_by_text(re.compile("^Done"))).to_have_count(2)
    kinds = talk.kinds
    assert kinds.count("prompt") == 1
    assert kinds.count("action") == 1


def test_tools_edits_and_plans_are_shown(talk: Talk, page: Page) -> None:
    page.goto(talk.url)
    send(page, "edit")
    expect(page.get_by_text(re.compile("^Done"))).to_be_visible()
    expect(page.locator(".c-diff [data-line=add]").first).to_be_visible()
    expect(page.locator(".c-todos [data-state=done]").first).to_be_visible()
    assert page.locator(".c-tool[data-status=failed]").count() == 1
    head = page.locator(".c-tool").first.locator("summary")
    head.focus()
    page.keyboard.press("Enter")
    assert talk.kinds[0] == "prompt"


def test_prompts_wait_in_a_queue_that_can_be_edited(talk: Talk, page: Page) -> None:
    page.goto(talk.url)
    send(page, "ask")
    expect(dialog(page, "Which tea?")).to_be_visible()
    send(page, "help one")
    send(page, "help two")
    queue = page.get_by_role("region", name="Prompts that wait")
    expect(queue).to_contain_text("2 waiting")
    queue.get_by_role("button", name="help one").click()
    queue.get_by_label("Edit the prompt").fill("help edited")
    queue.get_by_label("Edit the prompt").press("Enter")
    expect(queue.get_by_role("button", name="help edited")).to_be_visible()
    queue.get_by_role("button", name="Take out").nth(1).click()
    expect(queue).to_contain_text("1 waiting")
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_text(re.compile("^Stopped"))).to_be_visible()
    queue.get_by_role("button", name="Send now").click()
    expect(page.get_by_role("article", name="You").filter(has_text="help edited")).to_be_visible()
    expect(queue).to_have_count(0)


def test_a_long_answer_is_followed_until_its_reader_scrolls_away(talk: Talk, page: Page) -> None:
    page.goto(talk.url)
    send(page, "stream 400")
    expect(page.get_by_text(re.compile("^Done"))).to_be_in_viewport()
    view = page.get_by_role("log", name="Conversation")
    view.hover()
    page.mouse.wheel(0, -100_000)
    newest = page.get_by_role("button", name="Newest")
    expect(newest).to_be_visible()
    talk.send("help")
    eventually(lambda: talk.kinds.count("result"), 2)
    assert view.evaluate("(view) => view.scrollTop") == 0
    newest.click()
    expect(page.get_by_text(re.compile("^Done")).last).to_be_in_viewport()


def test_a_long_conversation_opens_at_its_end_and_shows_the_rest_when_asked(talk: Talk, page: Page) -> None:
    def fill() -> None:
        for number in range(1200):
            talk.conversation.timeline.add("note", f"note number {number}")

    talk.call(fill)
    page.goto(talk.url)
    expect(page.get_by_text("note number 1199", exact=True)).to_be_in_viewport()
    expect(page.get_by_text("note number 0", exact=True)).to_have_count(0)
    view = page.get_by_role("log", name="Conversation")
    for _ in range(20):
        before = view.evaluate("(view) => (view.scrollTop = 0, view.scrollHeight)")
        if page.get_by_text("note number 0", exact=True).count():
            break
        page.wait_for_function("(before) => document.querySelector('.c-view').scrollHeight > before", arg=before)
    expect(page.get_by_text("note number 0", exact=True)).to_have_count(1)
    assert page.locator(".c-note").count() == 1200


def test_the_draft_is_kept_and_the_last_prompts_come_back(talk: Talk, page: Page) -> None:
    page.goto(talk.url)
    prompt_box(page).fill("half a thought")
    page.reload()
    expect(prompt_box(page)).to_have_value("half a thought")
    prompt_box(page).fill("help")
    prompt_box(page).press("Enter")
    expect(prompt_box(page)).to_have_value("")
    prompt_box(page).press("ArrowUp")
    expect(prompt_box(page)).to_have_value("help")
    prompt_box(page).press("Shift+Enter")
    expect(prompt_box(page)).to_have_value("help\n")


def test_a_file_is_attached_and_its_path_told(talk: Talk, page: Page) -> None:
    page.goto(talk.url)
    page.get_by_label("Attach files").set_input_files({"name": "a b.txt", "mimeType": "text/plain", "buffer": b"hello"})
    expect(page.get_by_role("button", name="Remove a b.txt")).to_be_visible()
    send(page, "help")
    expect(page.get_by_role("article", name="You")).to_contain_text("a b.txt")
    (path,) = talk.call(lambda: talk.conversation.timeline[0].body["files"])
    with open(path, "rb") as file:
        assert file.read() == b"hello"


def test_conversations_are_searched_pinned_archived_and_deleted_with_undo(talk: Talk, page: Page) -> None:
    talk.call(talk.conversation.rename, "Zebra crossing")
    page.goto(talk.url)
    row = page.locator(".s-row").filter(has_text="Zebra crossing")
    expect(row).to_be_visible()
    page.get_by_label("Search conversations").fill("nothing like it")
    expect(page.get_by_text("Nothing has these words.")).to_be_visible()
    page.get_by_label("Search conversations").fill("zebra")
    row.hover()
    row.get_by_role("button", name="Pin").click()
    expect(row.get_by_role("button", name="Pin")).to_have_attribute("aria-pressed", "true")
    row.get_by_role("button", name="Delete").click()
    expect(row).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(row).to_be_visible()
    row.hover()
    row.get_by_role("button", name="Archive").click()
    expect(row).to_have_count(0)
    page.get_by_role("button", name="Archived").click()
    expect(row).to_be_visible()


def test_a_conversation_that_is_not_there_leads_to_the_start(app_url: str, page: Page) -> None:
    page.goto(f"{app_url}/c/c000000000000")
    expect(page.get_by_role("heading", name="What should the agent do?")).to_be_visible()


def test_an_agent_that_fails_says_why(talk: Talk, page: Page) -> None:
    page.goto(talk.url)
    send(page, "crash")
    expect(page.get_by_role("alert").first).to_be_visible()
    send(page, "help")
    expect(page.get_by_role("heading", name="What I can show")).to_be_visible()


def test_what_an_agent_writes_is_never_markup(talk: Talk, page: Page) -> None:
    evil = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>'

    def fill() -> None:
        timeline = talk.conversation.timeline
        for kind in ("prompt", "text", "thinking", "error", "note", "dialog", "action", "surface"):
            timeline.add(kind, evil, surface=evil, answer=evil, status=evil, context={"a": evil}, files=[evil])
        timeline.add(
            "tool", evil, input={"command": evil, "old_string": evil, "new_string": "x"}, output=evil, status="done"
        )
        ui = talk.conversation.desk.ui
        ui.notify(evil, "error")
        ui.set_status("s", evil)
        ui.set_widget("w", evil)
        ui.set_title(evil)
        ui.set_working_message(evil)

    page.goto(talk.url)
    talk.call(fill)
    expect(page.locator(".c-prompt")).to_contain_text("onerror")
    expect(page.locator(".b-status")).to_contain_text("<img")
    assert page.evaluate("window.pwned") is None
    assert page.locator("img[src=x]").count() == 0


def test_a_phone_shows_the_list_when_asked(talk: Talk, new_page: Callable[..., Page]) -> None:
    page = new_page(viewport={"width": 390, "height": 760}, has_touch=True)
    page.goto(talk.url)
    new = page.get_by_role("link", name="New conversation", exact=True)
    expect(new).to_be_hidden()
    page.locator(".s-menu").click()
    expect(new).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_conversation_is_saved_and_its_permissions_changed(talk: Talk, page: Page) -> None:
    page.goto(talk.url)
    send(page, "help")
    expect(page.get_by_text(re.compile("^Done"))).to_be_visible()
    page.get_by_label("More").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as Markdown").click()
    assert download.value.suggested_filename == "help.md"
    assert "What I can show" in download.value.path().read_text(encoding="utf-8")
    page.get_by_role("button", name="Full auto").click()
    expect(page.locator(".c-auto")).to_be_visible()
    assert talk.conversation.setup.permissions == "auto"
