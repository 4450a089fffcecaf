"""Every basic component on the page: operated as people do, held against what the server's session has.

Numbers in names are those of the public reports in reference/reported-inputs.md.
"""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from .surface_board import Board, at, column, drag, eventually, text

PIXEL = "data:image/gif;base64,R0lGODlhAQABAAAAACw="


@pytest.fixture
def board(server) -> Board:
    return Board(server)


def one(type_: str, **properties: Any) -> dict[str, Any]:
    """A component that is the root."""
    return {"component": type_, **properties}


def named(id: str, type_: str, **properties: Any) -> dict[str, Any]:
    return {"id": id, "component": type_, **properties}


def button(id: str, label: str, action: str = "go", **more: Any) -> list[dict[str, Any]]:
    """A button that sends an event, and its label."""
    event = {"event": {"name": action}}
    return [named(id, "Button", child=f"{id}-label", action=event, **more), text(f"{id}-label", label)]


def needs(path: str, message: str = "Needed.") -> list[dict[str, Any]]:
    """Checks: the data at ``path`` must be there."""
    return [{"condition": {"@call": "required", "args": {"value": at(path)}}, "message": message}]


# --- Text


def test_55_markdown_becomes_headings_and_lists(board, page):
    board.draw(one("Text", text="# Title\n\nSome **bold** and `code`\n\n- one\n- two"))
    page.goto(board.url)
    expect(page.get_by_role("heading", name="Title", level=1)).to_be_visible()
    expect(page.locator(".a2-surface strong")).to_have_text("bold")
    expect(page.get_by_role("listitem")).to_have_text(["one", "two"])


@pytest.mark.parametrize("words", ["- 5 °C", "+1 800", "* tax included", "1. Introduction"])
def test_56_a_label_keeps_every_character(board, page, words):
    board.draw(one("Text", text=words))
    page.goto(board.url)
    expect(page.get_by_text(words, exact=True)).to_be_visible()
    expect(page.get_by_role("listitem")).to_have_count(0)


def test_links_images_and_html_in_a_text_stay_words(board, page):
    requested: list[str] = []
    page.on("request", lambda request: requested.append(request.url))
    words = "[click](https://evil.example) ![cat](https://evil.example/cat.png) <img src=x onerror=alert(1)> <b>b</b>"
    board.draw(one("Text", text=words))
    page.goto(board.url)
    expect(page.locator(".a2-surface")).to_have_text("click cat <img src=x onerror=alert(1)> <b>b</b>")
    expect(page.locator(".a2-surface :is(a, img, b)")).to_have_count(0)
    assert not [url for url in requested if "evil" in url]


def test_62_a_heading_variant_is_a_heading_on_0_9_and_a_hint_ignored_on_1_0(board, page, server):
    board.draw_0_9(one("Text", text="Old", variant="h2"))
    page.goto(board.url)
    expect(page.get_by_role("heading", name="Old", level=2)).to_be_visible()
    newer = Board(server)
    component = one("Text", text="New", variant="h2") | {"id": "root"}
    body = {"surfaceId": "s", "catalogId": "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json"}
    reply = newer.post({"version": "1.0", "createSurface": body | {"components": [component]}})
    assert "variant" in reply["results"][0]["error"]["path"]


def test_a_caption_is_smaller_and_a_text_keeps_its_lines(board, page):
    board.draw(column("a", "b"), text("a", "first\nsecond"), text("b", "small", variant="caption"))
    page.goto(board.url)
    body, caption = page.get_by_text("first"), page.get_by_text("small")
    size = "e => parseFloat(getComputedStyle(e).fontSize)"
    assert caption.evaluate(size) == pytest.approx(0.8 * body.evaluate(size))
    assert body.evaluate("e => e.getBoundingClientRect().height") > 1.5 * caption.evaluate("e => e.clientHeight")


# --- Image, Icon, Video, AudioPlayer


@pytest.mark.parametrize("type_", ["Image", "Video", "AudioPlayer"])
@pytest.mark.parametrize("url", ["file:///etc/passwd", "data:text/html,x", "javascript:alert(1)"])
def test_58_media_of_a_forbidden_address_is_a_placeholder_and_no_request(board, page, type_, url):
    board.draw(column("m", "after"), named("m", type_, url=url), text("after", "drawn"))
    page.goto(board.url)
    expect(page.get_by_role("note")).to_be_visible()
    expect(page.get_by_text("drawn")).to_be_visible()
    expect(page.locator(".a2-surface :is(img, video, audio)")).to_have_count(0)
    assert "passwd" not in page.locator(".a2-surface").inner_html()


def test_an_image_is_described_fitted_and_sends_no_referrer(board, page):
    image = {"url": PIXEL, "description": "A cat", "fit": "cover", "variant": "avatar"}
    board.draw(column("a", "b"), named("a", "Image", **image), named("b", "Image", url=PIXEL))
    page.goto(board.url)
    picture = page.get_by_role("img", name="A cat")
    expect(picture).to_have_css("object-fit", "cover")
    expect(picture).to_have_css("border-radius", "50%")
    expect(picture).to_have_attribute("referrerpolicy", "no-referrer")
    expect(page.locator(".a2-surface img").nth(1)).to_have_attribute("alt", "")  # decorative


def test_an_icon_is_decorative_unless_it_is_named(board, page):
    board.draw(
        column("a", "b", "c"),
        named("a", "Icon", name="home"),
        named("b", "Icon", name="delete", accessibility={"label": "Remove"}),
        named("c", "Icon", name={"svgPath": "M4 4h16v16H4z"}),
    )
    page.goto(board.url)
    expect(page.get_by_role("img", name="Remove")).to_be_visible()
    expect(page.get_by_role("img")).to_have_count(1)
    expect(page.locator(".a2-icon svg")).to_have_count(3)
    expect(page.locator(".a2-icon path[d='M4 4h16v16H4z']")).to_be_visible()


def test_video_and_audio_have_controls_and_a_description(board, page, server):
    url = f"{server.url}/nothing-here"
    board.draw(
        column("v", "a"),
        named("v", "Video", url=url, posterUrl=PIXEL),
        named("a", "AudioPlayer", url=url, description="Interview"),
    )
    page.goto(board.url)
    expect(page.locator("video[controls]")).to_have_attribute("poster", PIXEL)
    expect(page.get_by_role("figure")).to_have_text("Interview")
    expect(page.locator("audio[controls]")).to_have_attribute("src", url)


# --- Row, Column, List, Card, Divider


def place(locator: Locator) -> dict[str, float]:
    found = locator.bounding_box()
    assert found
    return {"x": found["x"], "y": found["y"], "width": found["width"], "height": found["height"]}


def test_weights_share_a_row_by_their_size(board, page):
    board.draw(one("Row", children=["a", "b"]), text("a", "a", weight=1), text("b", "b", weight=3))
    page.goto(board.url)
    narrow, wide = page.get_by_text("a", exact=True), page.get_by_text("b", exact=True)
    expect(wide).to_be_visible()
    assert place(wide)["width"] == pytest.approx(3 * place(narrow)["width"], rel=0.02)


@pytest.mark.parametrize(
    ("justify", "first", "last"),
    [("start", 0.0, None), ("end", None, 1.0), ("spaceBetween", 0.0, 1.0), ("stretch", 0.0, 1.0)],
)
def test_a_row_places_its_children(board, page, justify, first, last):
    board.draw(one("Row", children=["a", "b"], justify=justify), text("a", "aa"), text("b", "bb"))
    page.goto(board.url)
    row, a, b = page.locator(".a2-row"), page.get_by_text("aa"), page.get_by_text("bb")
    expect(b).to_be_visible()
    left, right = place(row)["x"], place(row)["x"] + place(row)["width"]
    if first is not None:
        assert place(a)["x"] == pytest.approx(left, abs=1)
    if last is not None:
        assert place(b)["x"] + place(b)["width"] == pytest.approx(right, abs=1)
    if justify == "start":
        assert place(b)["x"] < left + 100
    if justify == "end":
        assert place(a)["x"] > right - 100


def test_buttons_in_a_stretched_row_fill_it(board, page):
    board.draw(one("Row", children=["a", "b"], justify="stretch"), *button("a", "A"), *button("b", "B"))
    page.goto(board.url)
    row = page.locator(".a2-row")
    a, b = (page.get_by_role("button", name=name, exact=True) for name in "AB")
    expect(b).to_be_visible()
    assert place(a)["width"] == pytest.approx(place(b)["width"], abs=1)
    assert place(a)["width"] > place(row)["width"] / 3


def test_a_horizontal_list_scrolls_inside_itself(board, page):
    items = [named(f"i{n}", "Text", text=f"a rather long item {n}") for n in range(20)]
    board.draw(one("List", direction="horizontal", children=[item["id"] for item in items]), *items)
    page.goto(board.url)
    list_ = page.get_by_role("list")
    expect(list_.get_by_role("listitem")).to_have_count(20)
    assert list_.evaluate("e => e.scrollWidth > e.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_a_template_grows_shrinks_and_says_what_it_does_not_show(board, page):
    row = named("row", "Text", text={"@path": "name"})
    names = [{"name": f"n{n}"} for n in range(3)]
    board.draw(one("List", children={"componentId": "row", "path": "/rows"}), row, data={"rows": names})
    page.goto(board.url)
    items = page.get_by_role("listitem")
    expect(items).to_have_text(["n0", "n1", "n2"])
    board.set("/rows/3", {"name": "n3"})
    expect(items).to_have_count(4)
    board.set("/rows", names[:1])
    expect(items).to_have_text(["n0"])
    board.set("/rows", [{"name": str(n)} for n in range(1005)])
    expect(page.get_by_text("5 more not shown")).to_be_visible()
    board.set("/rows", None)
    expect(items).to_have_count(0)


def test_a_divider_stands_or_lies(board, page):
    board.draw(
        column("h", "row"),
        named("h", "Divider"),
        one("Row", children=["a", "v", "b"]) | {"id": "row"},
        text("a", "a"),
        named("v", "Divider", axis="vertical"),
        text("b", "b"),
    )
    page.goto(board.url)
    expect(page.get_by_role("separator")).to_have_count(2)
    lies, stands = page.get_by_role("separator").all()
    assert place(lies)["height"] == 1 and place(lies)["width"] > 100
    assert place(stands)["width"] == 1 and place(stands)["height"] > 10


# --- Tabs and Modal


def tabs(*titles: str) -> dict[str, Any]:
    return named("root", "Tabs", tabs=[{"title": title, "child": title.lower()} for title in titles])


def test_tabs_show_one_child_and_keep_the_open_one_across_updates(board, page):
    board.draw(tabs("A", "B", "C"), *(text(name, f"content {name}") for name in "abc"))
    page.goto(board.url)
    panel = page.get_by_role("tabpanel")
    expect(panel).to_have_text("content a")
    page.get_by_role("tab", name="B").click()
    expect(panel).to_have_text("content b")
    board.update(text("b", "changed"))
    expect(panel).to_have_text("changed")
    board.update(tabs("A", "B"))
    expect(page.get_by_role("tab")).to_have_count(2)
    expect(page.get_by_role("tab", name="B")).to_have_attribute("aria-selected", "true")


def test_tabs_are_reached_by_arrow_keys(board, page):
    board.draw(tabs("A", "B"), text("a", "content a"), text("b", "content b"))
    page.goto(board.url)
    page.get_by_role("tab", name="A").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("tabpanel")).to_have_text("content b")


def test_tabs_begin_again_when_the_open_one_is_gone(board, page):
    board.draw(tabs("A", "B", "C"), *(text(name, f"content {name}") for name in "abc"))
    page.goto(board.url)
    page.get_by_role("tab", name="C").click()
    expect(page.get_by_role("tabpanel")).to_have_text("content c")
    board.update(tabs("A", "B"))
    expect(page.get_by_role("tabpanel")).to_have_text("content a")
    board.update(tabs("A", "B", "C"))
    expect(page.get_by_role("tab")).to_have_count(3)
    expect(page.get_by_role("tabpanel")).to_have_text("content a")


def open_modal(board: Board, page: Page) -> Locator:
    """A modal with a field inside, open; its dialog."""
    board.draw(
        one("Modal", trigger="open", content="field"),
        *button("open", "Open", action="opened"),
        named("field", "TextField", label="Inside", value=at("/v")),
        data={"v": ""},
    )
    page.goto(board.url)
    page.get_by_role("button", name="Open").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    return dialog


@pytest.mark.parametrize("way", ["x", "backdrop", "Esc"])
def test_a_modal_closes_and_gives_the_focus_back(board, page, way):
    dialog = open_modal(board, page)
    dialog.get_by_label("Inside").fill("kept")
    if way == "x":
        dialog.get_by_role("button", name="Close").click()
    elif way == "backdrop":
        page.mouse.click(5, 5)
    else:
        page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page.get_by_role("button", name="Open")).to_be_focused()
    board.holds("/v", "kept")
    assert board.actions == [("opened", {})]  # its own action as well


def test_a_press_inside_a_modal_that_ends_outside_does_not_close_it(board, page):
    dialog = open_modal(board, page)
    inside = place(dialog.get_by_label("Inside"))
    page.mouse.move(inside["x"] + 5, inside["y"] + 5)
    page.mouse.down()
    page.mouse.move(5, 5)
    page.mouse.up()
    expect(dialog).to_be_visible()


def test_a_modal_keeps_the_focus_inside(board, page):
    dialog = open_modal(board, page)
    for _ in range(6):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement === document.body || !!document.activeElement.closest('dialog')")
    expect(dialog).to_be_visible()


def test_a_modal_whose_trigger_is_no_button_opens_by_keyboard_too(board, page):
    board.draw(one("Modal", trigger="t", content="c"), text("t", "Read more"), text("c", "All of it"))
    page.goto(board.url)
    page.get_by_role("button", name="Read more").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("All of it")


# --- Button


def test_a_button_whose_check_fails_is_disabled_until_it_passes(board, page):
    board.draw(
        column("field", "b"),
        named("field", "TextField", label="Name", value=at("/name")),
        *button("b", "Send", checks=needs("/name")),
        data={"name": ""},
    )
    page.goto(board.url)
    send = page.get_by_role("button", name="Send")
    expect(send).to_be_disabled()
    page.get_by_label("Name").fill("Ada")
    expect(send).to_be_enabled()
    send.click()
    eventually(lambda: board.actions, [("go", {})])


def test_a_button_is_busy_while_its_agent_thinks(board, page):
    call = {"functionCall": {"@call": "askAgent", "args": {}}}
    board.draw(one("Button", child="l", action=call), text("l", "Ask"))
    page.goto(board.url)
    page.get_by_role("button", name="Ask").click()
    eventually(lambda: ["callAgentFunction" in message for message in board.sent], [True])


# --- TextField


def test_21_a_number_field_is_numeric_and_writes_text(board, page):
    board.draw(one("TextField", label="Age", variant="number", value=at("/age")), data={"age": "1"})
    page.goto(board.url)
    field = page.get_by_role("spinbutton", name="Age")
    expect(field).to_have_attribute("inputmode", "decimal")
    field.press("End")
    field.press_sequentially("2.5")
    board.holds("/age", "12.5")


def test_every_variant_of_a_field(board, page):
    board.draw(
        column("a", "b", "c"),
        named("a", "TextField", label="Short", placeholder="Type here", value=at("/a")),
        named("b", "TextField", label="Long", variant="longText", value=at("/b")),
        named("c", "TextField", label="Secret", variant="obscured", value=at("/c")),
        data={"a": "", "b": "", "c": ""},
    )
    page.goto(board.url)
    page.get_by_placeholder("Type here").fill("x")
    page.get_by_label("Long").press_sequentially("one\ntwo")
    page.get_by_label("Secret").fill("hush")
    expect(page.get_by_label("Secret")).to_have_attribute("type", "password")
    eventually(lambda: board.data, {"a": "x", "b": "one\ntwo", "c": "hush"})


def test_34_a_fields_own_pattern_is_checked_and_an_empty_field_passes(board, page):
    field = one("TextField", label="PIN", validationRegexp="^[0-9]{4}$", value={"path": "/pin"})
    board.draw_0_9(field, data={"pin": "12a"})
    page.goto(board.url)
    pin, problem = page.get_by_label("PIN"), page.get_by_text("expected format")
    expect(problem).to_be_visible()
    expect(pin).to_have_attribute("aria-invalid", "true")
    pin.fill("")
    expect(problem).to_have_count(0)
    pin.fill("1234")
    board.holds("/pin", "1234")
    expect(problem).to_have_count(0)
    pin.fill("12345")
    expect(problem).to_be_visible()


def test_a_failed_check_is_said_under_the_field_and_tied_to_it(board, page):
    board.draw(one("TextField", label="Name", value=at("/n"), checks=needs("/n", "Who are you?")), data={"n": ""})
    page.goto(board.url)
    field = page.get_by_label("Name")
    expect(page.get_by_text("Who are you?")).to_be_visible()
    expect(field).to_have_accessible_description("Who are you?")
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill("Ada")
    expect(page.get_by_text("Who are you?")).to_have_count(0)
    expect(field).not_to_have_attribute("aria-invalid", "true")


# --- CheckBox, ChoicePicker


def test_23_a_check_box_writes_true_and_false(board, page):
    board.draw(one("CheckBox", label="Agree", value=at("/ok")), data={"ok": False})
    page.goto(board.url)
    box = page.get_by_role("checkbox", name="Agree")
    page.get_by_text("Agree").click()
    eventually(lambda: board.data["ok"] is True, True)
    expect(box).to_be_checked()
    box.press(" ")
    eventually(lambda: board.data["ok"] is False, True)
    board.set("/ok", True)
    expect(box).to_be_checked()


def picker(**more: Any) -> dict[str, Any]:
    options = [{"label": name, "value": name.lower()} for name in ("Apple", "Banana", "Cherry")]
    return {"component": "ChoicePicker", "label": "Fruit", "options": options, "value": at("/fruit"), **more}


def test_27_one_of_several(board, page):
    board.draw(picker(variant="mutuallyExclusive"), data={"fruit": ["apple"]})
    page.goto(board.url)
    group = page.get_by_role("group", name="Fruit")
    expect(group.get_by_role("radio", name="Apple")).to_be_checked()
    group.get_by_text("Cherry").click()
    board.holds("/fruit", ["cherry"])
    expect(group.get_by_role("radio", name="Apple")).not_to_be_checked()
    page.keyboard.press("ArrowUp")
    board.holds("/fruit", ["banana"])


def test_28_several_at_once_in_the_order_of_the_clicks(board, page):
    board.draw(picker(variant="multipleSelection"), data={"fruit": ["apple"]})
    page.goto(board.url)
    page.get_by_text("Banana").click()
    board.holds("/fruit", ["apple", "banana"])
    page.get_by_text("Apple").click()
    board.holds("/fruit", ["banana"])


def test_clicks_faster_than_the_server_are_all_counted(board, page):
    board.draw(picker(variant="multipleSelection"), data={"fruit": []})
    page.goto(board.url)
    expect(page.get_by_role("checkbox")).to_have_count(3)
    page.evaluate("document.querySelectorAll('.a2-choice input').forEach((input) => input.click())")
    board.holds("/fruit", ["apple", "banana", "cherry"])


@pytest.mark.parametrize(("value", "chosen"), [("apple", 1), (None, 0), (["gone"], 0)])
def test_30_a_value_that_is_no_list_is_read_and_the_next_click_writes_one(board, page, value, chosen):
    board.draw(picker(), data={"fruit": value} if value is not None else {})
    page.goto(board.url)
    expect(page.get_by_role("radio")).to_have_count(3)
    expect(page.get_by_role("radio", checked=True)).to_have_count(chosen)
    page.get_by_text("Banana").click()
    board.holds("/fruit", ["banana"])


def test_radio_groups_of_the_rows_of_a_template_are_apart(board, page):
    row = picker(value={"@path": "fruit"}) | {"id": "row"}
    rows = [{"fruit": ["apple"]}, {"fruit": ["banana"]}]
    board.draw(one("Column", children={"componentId": "row", "path": "/rows"}), row, data={"rows": rows})
    page.goto(board.url)
    expect(page.get_by_role("group")).to_have_count(2)
    first, second = page.get_by_role("group").all()
    first.get_by_text("Cherry").click()
    board.holds("/rows/0/fruit", ["cherry"])
    expect(second.get_by_role("radio", name="Banana")).to_be_checked()
    assert board.data["rows"][1] == {"fruit": ["banana"]}


def test_chips_can_be_filtered_and_are_operated_by_keyboard(board, page):
    board.draw(picker(variant="multipleSelection", displayStyle="chips", filterable=True), data={"fruit": []})
    page.goto(board.url)
    page.get_by_label("Filter the choices").fill("AN")
    expect(page.get_by_role("checkbox")).to_have_count(1)
    page.keyboard.press("Tab")
    page.keyboard.press(" ")
    board.holds("/fruit", ["banana"])
    page.get_by_label("Filter the choices").fill("")
    expect(page.get_by_role("checkbox", checked=True)).to_have_count(1)


# --- Slider, DateTimeInput


def test_24_a_slider_follows_the_agent_and_writes_numbers(board, page):
    board.draw(one("Slider", label="Amount", max=100, value=at("/n")), data={"n": 20})
    page.goto(board.url)
    slider = page.get_by_role("slider", name="Amount")
    expect(slider).to_have_value("20")
    board.set("/n", 70)
    expect(slider).to_have_value("70")
    drag(page, slider, 0.25)
    eventually(lambda: 20 <= board.data["n"] <= 30 and isinstance(board.data["n"], int | float), True)
    expect(page.locator("output")).to_have_text(str(board.data["n"]))
    before = board.data["n"]
    slider.press("ArrowRight")
    board.holds("/n", before + 1)


def test_a_slider_with_steps_snaps_to_them(board, page):
    board.draw(one("Slider", label="Amount", min=0, max=1, steps=4, value=at("/n")), data={"n": 0})
    page.goto(board.url)
    slider = page.get_by_role("slider", name="Amount")
    slider.press("ArrowRight")
    board.holds("/n", 0.25)
    drag(page, slider, 0.8)
    board.holds("/n", 0.75)


@pytest.mark.parametrize(
    ("date", "time", "entered", "held"),
    [
        (True, False, "2025-01-15", "2025-01-15"),  # 25
        (False, True, "09:05", "09:05"),
        (True, True, "2025-01-15T09:05", "2025-01-15T09:05:00"),
        (False, False, "2025-01-15", "2025-01-15"),
    ],
)
def test_25_what_is_picked_is_written_as_the_protocol_wants_it(board, page, date, time, entered, held):
    board.draw(one("DateTimeInput", label="When", enableDate=date, enableTime=time, value=at("/d")), data={"d": ""})
    page.goto(board.url)
    page.get_by_label("When").fill(entered)
    board.holds("/d", held)
    expect(page.get_by_label("When")).to_have_value(entered)


def test_25_a_date_typed_on_the_keyboard(board, page):
    board.draw(one("DateTimeInput", label="When", enableDate=True, value=at("/d")), data={"d": ""})
    page.goto(board.url)
    page.get_by_label("When").focus()
    page.keyboard.type("01152025", delay=30)
    board.holds("/d", "2025-01-15")


def test_a_date_has_its_limits(board, page):
    limits = {"min": "2025-01-01T00:00:00Z", "max": "2025-12-31"}
    board.draw(one("DateTimeInput", label="When", enableDate=True, value=at("/d"), **limits), data={"d": "2025-05-05"})
    page.goto(board.url)
    when = page.get_by_label("When")
    expect(when).to_have_value("2025-05-05")
    expect(when).to_have_attribute("min", "2025-01-01")
    expect(when).to_have_attribute("max", "2025-12-31")


# --- Accessibility


def test_names_descriptions_and_announcements_reach_assistive_tools(board, page):
    board.draw(
        column("f", "b", "live"),
        named("f", "TextField", label="Shown", value=at("/v"), accessibility={"label": "Spoken", "description": "Why"}),
        *button("b", "x", accessibility={"label": "Remove the row"}),
        named("live", "Text", text="status", accessibility={"live": "polite"}),
        data={"v": ""},
    )
    page.goto(board.url)
    field = page.get_by_role("textbox", name="Spoken", exact=True)
    expect(field).to_have_accessible_description("Why")
    expect(page.get_by_text("Shown")).to_be_visible()
    expect(page.get_by_role("button", name="Remove the row")).to_be_visible()
    expect(page.get_by_text("status")).to_have_attribute("aria-live", "polite")


def test_what_is_hidden_is_hidden_with_all_it_holds(board, page):
    board.draw(
        column("card", "other"),
        named("card", "Card", child="inner", accessibility={"hidden": at("/hide")}),
        *button("inner", "Inside"),
        *button("other", "Outside"),
        data={"hide": True},
    )
    page.goto(board.url)
    expect(page.get_by_role("button", name="Outside")).to_be_visible()
    expect(page.get_by_role("button", name="Inside")).to_have_count(0)  # not in the accessibility tree
    expect(page.get_by_text("Inside")).to_be_visible()
    board.set("/hide", False)
    expect(page.get_by_role("button", name="Inside")).to_be_visible()


# --- Phone


def test_a_form_fits_a_phone(board, new_page):
    page = new_page(viewport={"width": 360, "height": 740}, has_touch=True)
    board.draw(
        one("Card", child="form"),
        column("row", "pick", "n", "buttons") | {"id": "form"},
        one("Row", children=["a", "b", "c"]) | {"id": "row"},
        *(named(name, "TextField", label=f"Field {name}", value=at(f"/{name}")) for name in "abc"),
        picker(displayStyle="chips") | {"id": "pick"},
        named("n", "Slider", label="Amount", max=10, value=at("/n")),
        one("Row", children=["x", "y", "z"]) | {"id": "buttons"},
        *(part for name in "xyz" for part in button(name, f"A longer label {name}")),
        data={"a": "", "b": "", "c": "", "fruit": [], "n": 3},
    )
    page.goto(board.url)
    expect(page.get_by_role("button", name="A longer label z")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    for control in page.locator(".a2-surface :is(input, button, label)").all():
        box = place(control)
        assert box["x"] >= 0 and box["x"] + box["width"] <= 360
    page.get_by_text("Banana").tap()
    board.holds("/fruit", ["banana"])
