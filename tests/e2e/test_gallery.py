"""The gallery: samples play, scrub, take input and edits; one's own messages are read, explained and shared."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from a2ui_app.live.channel import Channel
from a2ui_app.live.registry import CHANNELS
from a2ui_app.samples import GROUPS, all_samples

from .surface_board import SlowLink, eventually

BASIC = "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json"
DRAW = {
    "version": "1.0",
    "createSurface": {
        "surfaceId": "mine",
        "catalogId": BASIC,
        "components": [{"id": "root", "component": "Text", "text": {"@path": "/words"}}],
        "dataModel": {"words": "First words"},
    },
}
CHANGE = {"version": "1.0", "updateDataModel": {"surfaceId": "mine", "path": "/words", "value": "Second words"}}
JSONL = f"{json.dumps(DRAW)}\n\n{json.dumps(CHANGE)}\n"


@pytest.fixture
def gallery(page: Page, app_url: str) -> Callable[..., Page]:
    """Opens an address under /gallery."""

    def open_(path: str = "", on: Page = page, at: str = app_url) -> Page:
        on.goto(f"{at}/gallery{path}")
        expect(on.locator(".g-title h1")).not_to_have_text("")
        return on

    return open_


def channel_of(page: Page) -> Channel:
    token = page.evaluate("sessionStorage.getItem('token')")
    channel = CHANNELS.get(f"tab-{token}")
    assert channel is not None, "the tab has no channel"
    return channel


def shown(page: Page) -> Locator:
    return page.locator(".g-frame")


def at_message(page: Page, position: int, total: int) -> None:
    expect(page.get_by_label("Messages shown")).to_have_text(f"{position} / {total}")


def containing(text: str) -> re.Pattern[str]:
    return re.compile(re.escape(text))


def pane(page: Page, name: str) -> None:
    page.get_by_role("tab", name=name).click()


def player(page: Page, name: str) -> Locator:
    return page.get_by_role("group", name="Player").get_by_role("button", name=name, exact=True)


def paste(page: Page, text: str) -> None:
    """Paste ``text`` with nothing focused."""
    page.evaluate(
        """text => {
            const clipboardData = new DataTransfer();
            clipboardData.setData("text", text);
            document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true }));
        }""",
        text,
    )


# -- samples ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("group", GROUPS)
def test_every_sample_is_drawn_without_a_fault(gallery, page: Page, group: str):
    gallery("/hello")
    for sample in (sample for sample in all_samples() if sample.group == group):
        page.get_by_role("navigation", name="Samples").get_by_role("link", name=sample.title, exact=True).click()
        expect(page.locator(".g-title h1")).to_have_text(sample.title)
        page.wait_for_url(f"**/gallery/{sample.name}")
        player(page, "To the end").click()
        at_message(page, len(sample.messages), len(sample.messages))
        expect(shown(page).locator(".a2-surface [data-ref]").first).to_be_visible()
        problems = page.get_by_role("tab", name="Problems").locator(".g-number")
        expect(problems).to_have_count(1 if sample.shows_errors else 0)
        if not sample.shows_errors:
            expect(shown(page).locator(".a2-unknown, .a2-pending, .a2-missing")).to_have_count(0)


def test_the_search_keeps_what_has_every_word(gallery, page: Page):
    gallery()
    samples = page.get_by_role("navigation", name="Samples").get_by_role("link")
    expect(samples.filter(visible=True)).to_have_count(len(all_samples()))
    page.keyboard.press("/")
    page.keyboard.type("form checks email")
    expect(samples.filter(visible=True)).to_have_text(["Contact form"])
    page.get_by_label("Search the samples").fill("no such thing")
    expect(page.get_by_text("No sample matches.")).to_be_visible()


def test_an_unknown_name_says_so(gallery, page: Page):
    gallery("/no-such-sample")
    expect(page.get_by_role("alert")).to_contain_text("There is no sample called “no-such-sample”.")


def test_the_browsers_back_button_opens_the_sample_before(gallery, page: Page):
    gallery("/hello")
    page.get_by_role("link", name="Quick feedback").click()
    expect(page.locator(".g-title h1")).to_have_text("Quick feedback")
    page.go_back()
    expect(page.locator(".g-title h1")).to_have_text("Hello")
    expect(shown(page)).to_contain_text("What should I call you?")


# -- the player ---------------------------------------------------------------------------------------------------


def test_a_live_sample_plays_on_its_own_to_the_end(gallery, page: Page):
    gallery("/live-load")
    page.get_by_role("button", name="4\N{MULTIPLICATION SIGN}").click()
    expect(player(page, "Pause")).to_be_visible()
    expect(player(page, "Play")).to_be_visible()
    at_message(page, 27, 27)
    expect(shown(page)).to_contain_text("14 %")


def test_play_begins_again_at_the_end_and_pauses(gallery, page: Page):
    gallery("/operations-dashboard")
    at_message(page, 9, 9)
    player(page, "Play").click()
    expect(shown(page)).to_contain_text("18,420")
    player(page, "Pause").click()
    expect(player(page, "Play")).to_be_visible()


def test_scrubbing_back_and_forth_shows_the_state_after_so_many_messages(gallery, page: Page):
    gallery("/operations-dashboard")
    expect(shown(page)).to_contain_text("Resolved: a second cache node took the load.")
    scrubber = page.get_by_role("slider", name="Message")
    scrubber.fill("2")
    at_message(page, 2, 9)
    expect(shown(page)).to_contain_text("18,733")
    expect(shown(page)).to_contain_text("Virginia answers slowly since 13:58.")
    scrubber.fill("0")
    expect(shown(page)).to_contain_text("No surface yet")
    scrubber.fill("9")
    expect(shown(page)).to_contain_text("18,960")


def test_going_back_leaves_what_stays_in_place(gallery, page: Page):
    gallery("/operations-dashboard")
    heading = shown(page).get_by_role("heading", name="Checkout service")
    heading.evaluate("element => (element.mark = 1)")
    player(page, "Back").click()
    at_message(page, 8, 9)
    assert heading.evaluate("element => element.mark") == 1


def test_the_list_of_messages_marks_where_we_are_and_goes_there(gallery, page: Page):
    gallery("/operations-dashboard?step=3")
    at_message(page, 3, 9)
    current = page.locator(".g-steps [aria-current=step]")
    expect(current).to_contain_text("/updated")
    page.locator(".g-steps button").nth(4).click()
    at_message(page, 5, 9)
    expect(current).to_contain_text("/regions/1")
    expect(page.get_by_label("Message as JSON")).to_have_value(containing('"path": "/regions/1"'))


def test_keys_play_step_and_jump_but_not_while_typing(gallery, page: Page):
    gallery("/operations-dashboard")
    page.keyboard.press("ArrowLeft")
    at_message(page, 8, 9)
    page.keyboard.press("Home")
    at_message(page, 0, 9)
    page.keyboard.press("ArrowRight")
    at_message(page, 1, 9)
    page.keyboard.press(" ")
    expect(player(page, "Pause")).to_be_visible()
    page.keyboard.press(" ")
    expect(player(page, "Play")).to_be_visible()
    page.keyboard.press("End")
    at_message(page, 9, 9)
    page.get_by_label("Search the samples").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.type(" ")
    expect(page.get_by_label("Search the samples")).to_have_value(" ")
    at_message(page, 9, 9)


# -- input, data and log ------------------------------------------------------------------------------------------


def test_the_data_model_follows_what_is_entered(gallery, page: Page):
    gallery("/hello")
    pane(page, "Data")
    data = page.get_by_role("region", name="Data model")
    expect(data).to_contain_text('"name": "Grace"')
    page.get_by_label("Your name").fill("Katherine")
    expect(data).to_contain_text('"name": "Katherine"')
    expect(shown(page)).to_contain_text("Good to meet you, Katherine.")


def test_an_action_is_in_the_log(gallery, page: Page):
    gallery("/hello")
    pane(page, "Log")
    expect(page.get_by_text("Nothing yet.")).to_be_visible()
    shown(page).get_by_role("button", name="Say hello").click()
    entry = page.locator(".g-log > li").first
    expect(entry).to_contain_text("Action hello")
    expect(entry).to_contain_text('"context": {"name": "Grace"}')
    page.get_by_label("Every effect").click()  # not check(): the server decides, a moment later
    expect(page.get_by_label("Every effect")).to_be_checked()
    expect(page.locator(".g-log > li")).not_to_have_count(1)


def test_going_forward_keeps_what_was_entered_and_going_back_does_not(gallery, page: Page):
    gallery("/wizard?step=1")
    page.get_by_label("Project name").fill("zephyr")
    player(page, "Forward").click()
    at_message(page, 2, 5)
    expect(page.get_by_label("Project name")).to_have_value("atlas")  # the agent's second message
    page.get_by_label("Project name").fill("mistral")
    player(page, "Forward").click()
    expect(shown(page)).to_contain_text("Which language for mistral?")
    player(page, "Back").click()
    expect(page.get_by_label("Project name")).to_have_value("atlas")


def test_two_tabs_have_a_session_each(gallery, new_page, page: Page):
    other = new_page()
    gallery("/hello")
    gallery("/hello", on=other)
    page.get_by_label("Your name").fill("Only here")
    expect(shown(page)).to_contain_text("Only here")
    eventually(lambda: channel_of(page).session.surfaces()[0].data, {"name": "Only here"})
    assert channel_of(other).session.surfaces()[0].data == {"name": "Grace"}


def test_a_broken_connection_keeps_the_place_and_the_input(gallery, server, page: Page):
    link = SlowLink(server.port)
    try:
        gallery("/wizard?step=1", at=link.url)
        page.get_by_label("Project name").fill("zephyr")
        eventually(lambda: channel_of(page).session.surfaces()[0].data["project"]["name"], "zephyr")
        with page.expect_websocket():  # it connects again
            link.cut()
        eventually(lambda: channel_of(page).viewers, 2)  # the surface and the panes
        expect(page.get_by_label("Project name")).to_have_value("zephyr")
        at_message(page, 1, 5)
    finally:
        link.close()


# -- editing ------------------------------------------------------------------------------------------------------


def test_an_edited_message_is_shown_at_once_and_reset_undoes_it(gallery, page: Page):
    gallery("/hello")
    editor = page.get_by_label("Message as JSON")
    editor.fill(editor.input_value().replace("What should I call you?", "Who is there?"))
    expect(shown(page)).to_contain_text("Who is there?")
    expect(page.get_by_text("edited", exact=True)).to_be_visible()
    page.get_by_role("button", name="Reset").click()
    expect(shown(page)).to_contain_text("What should I call you?")
    expect(editor).to_have_value(containing("What should I call you?"))


def test_a_broken_edit_names_its_place_and_changes_nothing(gallery, page: Page):
    gallery("/hello")
    page.get_by_label("Message as JSON").fill('{\n  "version": "1.0"\n  "createSurface": {}\n}')
    alert = page.locator(".g-inspector").get_by_role("alert")
    expect(alert).to_contain_text("Line 3, column 3.")
    expect(alert).to_contain_text("Put a comma between the two values")
    expect(shown(page)).to_contain_text("What should I call you?")


def test_an_edit_that_is_refused_is_among_the_problems(gallery, page: Page):
    gallery("/hello")
    page.get_by_label("Message as JSON").fill('{"version": "1.0", "paintSurface": {"surfaceId": "hello"}}')
    pane(page, "Problems")
    finding = page.locator(".g-log > li").first
    expect(finding).to_contain_text("exactly one action")
    finding.get_by_role("button", name="message 1").click()
    expect(page.get_by_label("Message as JSON")).to_have_value(containing("paintSurface"))


# -- one's own messages -------------------------------------------------------------------------------------------


def test_pasted_json_lines_are_shown(gallery, page: Page):
    gallery()
    paste(page, JSONL)
    page.wait_for_url("**/gallery/own")
    expect(shown(page)).to_contain_text("Second words")
    at_message(page, 2, 2)
    player(page, "Back").click()
    expect(shown(page)).to_contain_text("First words")


@pytest.mark.parametrize(
    "text",
    [json.dumps([DRAW, CHANGE]), json.dumps({"messages": [DRAW, CHANGE]}, indent=2), "\ufeff" + JSONL],
    ids=["list", "messages", "byte order mark"],
)
def test_the_dialog_takes_every_form(gallery, page: Page, text: str):
    gallery()
    page.get_by_role("button", name="Your own messages").click()
    page.get_by_role("textbox", name="Messages").fill(text)
    page.get_by_role("button", name="Show", exact=True).click()
    expect(shown(page)).to_contain_text("Second words")


def test_bad_json_is_explained_with_its_place_and_what_helps(gallery, page: Page):
    gallery()
    paste(page, f'{json.dumps(DRAW)}\n{{"version": "1.0", "updateDataModel": }}')
    alert = page.get_by_role("dialog").get_by_role("alert")
    expect(alert).to_contain_text("Line 2, column 39.")
    expect(alert).to_contain_text('"updateDataModel": }')
    page.get_by_role("textbox", name="Messages").fill(JSONL)
    expect(alert).to_have_count(0)
    page.get_by_role("button", name="Show", exact=True).click()
    expect(shown(page)).to_contain_text("Second words")


def test_messages_that_are_refused_open_the_problems(gallery, page: Page):
    gallery()
    paste(page, json.dumps([CHANGE]))
    expect(page.get_by_role("tab", name="Problems")).to_have_attribute("aria-selected", "true")
    expect(page.locator(".g-log > li")).to_contain_text("Surface not found for message: mine")


def test_a_file_can_be_chosen_or_dropped(gallery, page: Page, tmp_path: Path):
    file = tmp_path / "mine.jsonl"
    file.write_text(JSONL)
    gallery()
    page.get_by_role("button", name="Your own messages").click()
    page.locator("#gallery-file").set_input_files(file)
    expect(shown(page)).to_contain_text("Second words")
    page.evaluate(
        """text => {
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([text], "two.json"));
            document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
        }""",
        json.dumps([DRAW]),
    )
    expect(shown(page)).to_contain_text("First words")


def test_a_file_that_is_too_large_is_refused_before_it_is_sent(gallery, page: Page, tmp_path: Path):
    file = tmp_path / "large.json"
    file.write_text(" " * (600 * 1024))
    gallery("/hello")
    page.get_by_role("button", name="Your own messages").click()
    page.locator("#gallery-file").set_input_files(file)
    expect(page.get_by_text("large.json is larger than 400 KB.")).to_be_visible()


def test_a_text_that_is_too_large_is_kept_and_not_sent(gallery, page: Page):
    gallery("/hello")
    page.get_by_role("button", name="Your own messages").click()
    page.get_by_role("textbox", name="Messages").fill("[" + " " * (500 * 1024) + "]")
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("This is larger than 400 KB.")
    expect(page.get_by_role("button", name="Show", exact=True)).to_be_disabled()


def test_a_thousand_messages_play_and_scrub(gallery, page: Page):
    changes = [{**CHANGE, "updateDataModel": CHANGE["updateDataModel"] | {"value": f"Word {n}"}} for n in range(999)]
    gallery()
    paste(page, json.dumps([DRAW, *changes]))
    at_message(page, 1000, 1000)
    expect(shown(page)).to_contain_text("Word 998")
    page.get_by_role("slider", name="Message").fill("500")
    expect(shown(page)).to_contain_text("Word 498")
    expect(page.locator(".g-steps [aria-current=step]")).to_be_in_viewport()


# -- sharing ------------------------------------------------------------------------------------------------------


def copied(page: Page) -> str:
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_text("Link copied")).to_be_visible()
    return page.evaluate("navigator.clipboard.readText()")


@pytest.fixture
def sharing(new_page) -> Page:
    return new_page(permissions=["clipboard-read", "clipboard-write"])


def test_the_link_of_a_sample_has_its_name_and_step(gallery, sharing: Page, app_url: str):
    gallery("/operations-dashboard?step=2", on=sharing)
    at_message(sharing, 2, 9)
    assert copied(sharing) == f"{app_url}/gallery/operations-dashboard?step=2"


def test_a_link_with_ones_own_messages_opens_the_same_elsewhere(gallery, sharing: Page, page: Page):
    gallery(on=sharing)
    paste(sharing, JSONL)
    expect(shown(sharing)).to_contain_text("Second words")
    page.goto(copied(sharing))
    expect(shown(page)).to_contain_text("Second words")
    at_message(page, 2, 2)


def test_a_damaged_link_says_so(gallery, page: Page):
    gallery("/own#eJyLrlbKS8xN")
    expect(page.get_by_role("alert")).to_contain_text("This link is damaged.")


def test_an_empty_own_page_says_what_to_do(gallery, page: Page):
    gallery("/own")
    expect(page.get_by_role("alert")).to_contain_text("Paste or drop A2UI messages anywhere on this page.")


# -- narrow screens -----------------------------------------------------------------------------------------------


def test_on_a_phone_the_columns_become_tabs(gallery, new_page):
    phone = new_page(viewport={"width": 390, "height": 844}, has_touch=True)
    gallery("/hello", on=phone)
    columns = phone.get_by_role("navigation", name="Columns")
    expect(phone.get_by_label("Your name")).to_be_visible()
    expect(phone.get_by_role("tab", name="Data")).not_to_be_visible()
    columns.get_by_role("button", name="Inside").click()
    pane(phone, "Data")
    expect(phone.get_by_role("region", name="Data model")).to_contain_text('"name": "Grace"')
    columns.get_by_role("button", name="Samples").click()
    phone.get_by_role("link", name="Quick feedback").click()
    expect(shown(phone)).to_contain_text("How was the answer?")
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
