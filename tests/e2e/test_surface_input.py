"""What people enter is never lost, shows at once, and leaves the caret alone, on a slow and on a broken network."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from .surface_board import Board, SlowLink, at, column, eventually, focused, text

WORDS = "the quick brown fox jumps over"  # 30 characters


@pytest.fixture
def board(server) -> Board:
    return Board(server)


@pytest.fixture
def link(server) -> Iterator[SlowLink]:
    link = SlowLink(server.port)
    yield link
    link.close()


@pytest.fixture
def form(board: Board) -> Board:
    """A field, the same data as text, and another text."""
    board.draw(
        column("field", "echo", "other"),
        {"id": "field", "component": "TextField", "label": "Name", "value": at("/name")},
        text("echo", {"@call": "formatString", "args": {"value": "echo: ${/name}"}}),
        text("other", "/other"),
        data={"name": "", "other": "-"},
    )
    return board


def open_(page: Page, form: Board, link: SlowLink):
    """The field, on a page behind the link, focused; from here on the network is slow."""
    page.goto(f"{link.url}{form.path}")
    field = page.get_by_label("Name")
    expect(field).to_be_visible()
    field.focus()
    link.delay = 0.3
    return field


def test_32_typing_at_speed_over_a_slow_network_loses_nothing(form, page, link):
    field = open_(page, form, link)
    page.keyboard.type(WORDS, delay=30)
    expect(field).to_have_value(WORDS, timeout=1000)  # at once, long before the server has it
    form.holds("/name", WORDS)
    expect(page.get_by_text(f"echo: {WORDS}")).to_be_visible()
    assert focused(page) == [WORDS, 30]


def test_typing_with_pauses_as_long_as_the_way(form, page, link):
    field = open_(page, form, link)
    for word in ("slow ", "and ", "steady"):
        page.keyboard.type(word, delay=40)
        page.wait_for_timeout(350)  # so that an acknowledgement arrives between two keys
    expect(field).to_have_value("slow and steady")
    form.holds("/name", "slow and steady")
    assert focused(page) == ["slow and steady", 15]


def test_typing_in_the_middle_keeps_the_caret_there(form, page, link):
    form.set("/name", "start end")
    field = open_(page, form, link)
    expect(field).to_have_value("start end")
    field.evaluate("e => e.setSelectionRange(6, 6)")
    page.keyboard.type("in the middle ", delay=60)
    form.holds("/name", "start in the middle end")
    expect(page.get_by_text("echo: start in the middle end")).to_be_visible()
    assert focused(page) == ["start in the middle end", 20]


def test_33_another_node_changes_while_the_user_types(form, page, link):
    open_(page, form, link)
    page.keyboard.type("abc", delay=30)
    form.set("/other", "changed by the agent")
    page.keyboard.type("def", delay=30)
    expect(page.get_by_text("changed by the agent")).to_be_visible()
    form.holds("/name", "abcdef")
    assert focused(page) == ["abcdef", 6]


def test_33_the_same_field_changes_while_it_has_the_focus(form, page, link):
    field = open_(page, form, link)
    page.keyboard.type("abc", delay=30)
    expect(page.get_by_text("echo: abc")).to_be_visible()
    field.evaluate("e => e.setSelectionRange(1, 1)")
    form.set("/name", "a longer value")
    expect(field).to_have_value("a longer value")
    assert focused(page) == ["a longer value", 1]
    page.keyboard.type("X")
    form.holds("/name", "aX longer value")


def test_while_the_user_types_in_it_the_user_wins(form, page, link):
    field = open_(page, form, link)
    page.keyboard.type("mine", delay=30)
    form.set("/name", "the agent's")
    page.keyboard.type(" alone", delay=30)
    expect(field).to_have_value("mine alone")
    form.holds("/name", "mine alone")
    expect(page.get_by_text("echo: mine alone")).to_be_visible()
    expect(field).to_have_value("mine alone")


def test_a_broken_connection_loses_no_character(form, page, link):
    field = open_(page, form, link)
    page.keyboard.type("before ", delay=30)
    link.cut()
    page.keyboard.type("after", delay=30)
    expect(field).to_have_value("before after", timeout=1000)
    form.holds("/name", "before after")
    expect(page.get_by_text("echo: before after")).to_be_visible()
    assert focused(page) == ["before after", 12]


def test_what_is_typed_while_the_server_is_away_arrives_when_it_is_back(form, page, link):
    field = open_(page, form, link)
    link.refuses = True
    link.cut()
    page.keyboard.type("nobody hears this", delay=30)
    expect(field).to_have_value("nobody hears this", timeout=1000)
    form.set("/other", "news")
    assert form.data["name"] == ""
    link.refuses = False
    form.holds("/name", "nobody hears this")
    expect(page.get_by_text("news")).to_be_visible()  # the page caught up
    expect(field).to_have_value("nobody hears this")


def test_a_click_on_a_broken_connection_acts_once(board, page, link):
    root = {"component": "Button", "child": "label", "action": {"event": {"name": "go"}}}
    board.draw(root, text("label", "Go"))
    page.goto(f"{link.url}{board.path}")
    button = page.get_by_role("button", name="Go")
    expect(button).to_be_visible()
    link.delay = 0.3
    button.click()
    eventually(lambda: len(board.actions), 1)  # the server has it; the acknowledgement is on its way …
    link.cut()  # … and never arrives
    button.click()
    eventually(lambda: len(board.actions), 2)
    link.delay = 0.0
    button.click()
    eventually(lambda: len(board.actions), 3)
    page.reload()
    expect(button).to_be_visible()
    assert len(board.actions) == 3


def test_an_input_method_is_not_disturbed(form, page, link):
    field = open_(page, form, link)
    keys = page.context.new_cdp_session(page)
    for part in ("n", "ni", "nih", "niha", "nihao"):
        keys.send("Input.imeSetComposition", {"text": part, "selectionStart": len(part), "selectionEnd": len(part)})
        page.wait_for_timeout(200)  # replies arrive during the composition
    form.set("/other", "meanwhile")
    expect(page.get_by_text("meanwhile")).to_be_visible()
    expect(field).to_have_value("nihao")
    keys.send("Input.insertText", {"text": "你好"})
    expect(field).to_have_value("你好")
    form.holds("/name", "你好")
    page.keyboard.type("!")
    form.holds("/name", "你好!")


def test_a_refused_write_shows_what_the_server_holds(board, page):
    board.draw({"component": "TextField", "label": "Deep", "value": at("/a/b")}, data={"a": "a string has no members"})
    page.goto(board.url)
    field = page.get_by_label("Deep")
    field.press_sequentially("x")
    expect(field).to_have_value("")
    assert board.data == {"a": "a string has no members"}


def test_an_input_that_is_bound_to_nothing_keeps_its_entry(board, page):
    board.draw(
        column("field", "check", "other"),
        {"id": "field", "component": "TextField", "label": "Free", "value": "begin"},
        {"id": "check", "component": "CheckBox", "label": "Loose", "value": False},
        text("other", "/other"),
        data={"other": "-"},
    )
    page.goto(board.url)
    page.get_by_label("Free").fill("mine")
    page.get_by_label("Loose").check()
    board.set("/other", "changed")
    expect(page.get_by_text("changed")).to_be_visible()
    expect(page.get_by_label("Free")).to_have_value("mine")
    expect(page.get_by_label("Loose")).to_be_checked()


def test_22_everything_bound_to_one_path_changes_at_once(board, page):
    board.draw(
        column("one", "two", "echo", "agree", "also"),
        {"id": "one", "component": "TextField", "label": "One", "value": at("/name")},
        {"id": "two", "component": "TextField", "label": "Two", "value": at("/name")},
        text("echo", "/name"),
        {"id": "agree", "component": "CheckBox", "label": "Agree", "value": at("/ok")},
        {"id": "also", "component": "CheckBox", "label": "Also", "value": at("/ok")},
        data={"name": "", "ok": False},
    )
    page.goto(board.url)
    page.get_by_label("One").fill("Ada")
    expect(page.get_by_label("Two")).to_have_value("Ada")
    expect(page.get_by_text("Ada", exact=True)).to_be_visible()
    page.get_by_label("Agree").check()
    expect(page.get_by_label("Also")).to_be_checked()


def test_39_an_address_opens_in_the_tab_that_clicked_and_in_no_other(board, new_page, server):
    url = f"{server.url}/?opened"
    action = {"functionCall": {"@call": "openUrl", "args": {"url": url}}}
    board.draw({"component": "Button", "child": "label", "action": action}, text("label", "Open"))
    clicking, watching = new_page(), new_page()
    for page in (clicking, watching):
        page.goto(board.url)
        expect(page.get_by_role("button", name="Open")).to_be_visible()
    with clicking.context.expect_page() as opened:
        clicking.get_by_role("button", name="Open").click()
    opened.value.wait_for_url(url)
    assert opened.value.evaluate("window.opener") is None
    assert opened.value.evaluate("document.referrer") == ""
    assert len(watching.context.pages) == 1


@pytest.mark.parametrize(
    "url",
    ["javascript:window.hacked=1", "JaVaScRiPt:window.hacked=1", " javascript:window.hacked=1", "data:text/html,x"],
)
def test_39_an_address_that_would_run_code_is_refused(board, page, url):
    action = {"functionCall": {"@call": "openUrl", "args": {"url": url}}}
    board.draw({"component": "Button", "child": "label", "action": action}, text("label", "Open"))
    page.goto(board.url)
    page.get_by_role("button", name="Open").click()
    eventually(
        lambda: board.read(lambda c: [e.kind for e in c.log if e.kind in ("input_refused", "diagnostic")] != []), True
    )
    assert len(page.context.pages) == 1
    assert page.evaluate("window.hacked") is None


def test_38_one_click_is_one_message_also_after_the_surface_was_drawn_again(board, page):
    def button() -> list[dict]:
        action = {"event": {"name": "go", "context": {"n": at("/n")}}}
        return [
            {"id": "root", "component": "Card", "child": "b"},
            {"id": "b", "component": "Button", "child": "l", "action": action},
        ]

    board.draw(*button(), text("l", "Go"), data={"n": 0})
    page.goto(board.url)
    for n in range(1, 4):
        board.update(*button())
        board.set("/n", n)
        page.get_by_role("button", name="Go").click()
        eventually(lambda: len(board.actions), n)
    assert board.actions == [("go", {"n": 1}), ("go", {"n": 2}), ("go", {"n": 3})]
