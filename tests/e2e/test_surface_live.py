"""A surface on a page: drawn, kept live in every tab, and honest about what is not there."""

import httpx
import pytest
from playwright.sync_api import expect

from .surface_board import BASIC_1_0, Board, at, column, eventually, text


@pytest.fixture
def board(server) -> Board:
    return Board(server)


def test_what_an_agent_posts_appears_in_every_tab_and_in_one_opened_later(board, new_page):
    one, two = new_page(), new_page()
    for page in (one, two):
        page.goto(board.url)
        expect(page.get_by_role("heading", name="Nothing is drawn here yet")).to_be_visible()
    board.draw(column("a"), text("a", "/name"), data={"name": "Ada"})
    for page in (one, two):
        expect(page.get_by_text("Ada", exact=True)).to_be_visible()
        expect(page.get_by_role("heading", name="Nothing is drawn here yet")).to_have_count(0)
    board.set("/name", "Grace")
    late = new_page()
    late.goto(board.url)
    for page in (one, two, late):
        expect(page.get_by_text("Grace", exact=True)).to_be_visible()


def test_what_one_tab_enters_shows_in_the_other(board, new_page):
    board.draw({"component": "TextField", "label": "Name", "value": at("/name")}, data={"name": ""})
    one, two = new_page(), new_page()
    one.goto(board.url)
    two.goto(board.url)
    one.get_by_label("Name").press_sequentially("Ada")
    expect(two.get_by_label("Name")).to_have_value("Ada")
    two.get_by_label("Name").press("End")
    two.get_by_label("Name").press_sequentially("!")
    expect(one.get_by_label("Name")).to_have_value("Ada!")
    board.holds("/name", "Ada!")


def test_a_reload_in_the_middle_loses_nothing(board, page):
    board.draw(
        column("field", "tabs"),
        {"id": "field", "component": "TextField", "label": "Name", "value": at("/name")},
        {"id": "tabs", "component": "Tabs", "tabs": [{"title": "A", "child": "a"}]},
        text("a", "/name"),
        data={"name": ""},
    )
    page.goto(board.url)
    page.get_by_label("Name").press_sequentially("half")
    board.holds("/name", "half")
    page.reload()
    expect(page.get_by_label("Name")).to_have_value("half")
    page.get_by_label("Name").press("End")
    page.get_by_label("Name").press_sequentially(" done")
    expect(page.get_by_role("tabpanel")).to_have_text("half done")
    board.holds("/name", "half done")


def test_the_command_on_an_empty_page_draws_what_it_says(board, page, server):
    page.goto(board.url)
    command = page.locator("code", has_text="createSurface")
    expect(command).to_be_visible()
    words = command.inner_text()
    assert f"{server.url}/a2ui/{board.name}" in words
    httpx.post(f"{server.url}/a2ui/{board.name}", content=words.split("'")[1]).raise_for_status()
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("heading", name="Hello")).to_be_visible()
    eventually(lambda: board.actions, [("greet", {"name": "Ada"})])


def test_46_a_surface_without_a_root_says_so(board, page):
    page.goto(board.url)
    create = {"surfaceId": "s", "catalogId": BASIC_1_0}
    board.post({"version": "1.0", "createSurface": create})
    notice = page.get_by_role("status").filter(has_text="no root component yet")
    expect(notice).to_be_visible()
    board.update(text("other", "not the root"))
    expect(notice).to_be_visible()
    board.update(text("root", "here"))
    expect(page.get_by_text("here", exact=True)).to_be_visible()
    expect(notice).to_have_count(0)


def test_47_a_surface_that_is_gone_leaves_no_notice(board, page):
    page.goto(board.url)
    expect(page.get_by_role("heading", name="Nothing is drawn here yet")).to_be_visible()
    board.post({"version": "1.0", "createSurface": {"surfaceId": "s", "catalogId": BASIC_1_0}})
    expect(page.get_by_role("status").filter(has_text="no root")).to_be_visible()
    board.post({"version": "1.0", "deleteSurface": {"surfaceId": "s"}})
    expect(page.get_by_role("status").filter(has_text="no root")).to_have_count(0)
    expect(page.get_by_role("heading", name="Nothing is drawn here yet")).to_be_visible()


def test_45_an_update_of_a_surface_that_is_there_is_shown(board, page):
    board.draw(text("root", "before"))
    page.goto(board.url)
    expect(page.get_by_text("before")).to_be_visible()
    again = {"version": "1.0", "createSurface": {"surfaceId": "s", "catalogId": BASIC_1_0}}
    assert board.post(again)["ok"] is False
    board.update(text("root", "after"))
    expect(page.get_by_text("after")).to_be_visible()


def test_51_a_component_nobody_knows_is_named_and_its_siblings_are_drawn(board, page):
    board.draw(column("a", "b", "c"), text("a", "one"), {"id": "b", "component": "YouTub"}, text("c", "two"))
    page.goto(board.url)
    expect(page.get_by_role("note")).to_contain_text("YouTub")
    expect(page.get_by_text("one")).to_be_visible()
    expect(page.get_by_text("two")).to_be_visible()


def test_52_a_child_that_is_not_there_yet_is_a_neutral_place_and_is_replaced(board, page):
    board.draw(column("a", "secret-id", "b"), text("a", "one"), text("b", "two"))
    page.goto(board.url)
    expect(page.get_by_text("two")).to_be_visible()
    expect(page.locator(".a2-pending")).to_be_visible()
    expect(page.locator(".a2-surface")).not_to_contain_text("secret-id")
    board.update(text("secret-id", "arrived"))
    expect(page.locator(".a2-surface")).to_have_text("onearrivedtwo")
    expect(page.locator(".a2-pending")).to_have_count(0)


def test_a_component_inside_itself_is_a_notice(board, page):
    reply = board.post(
        {"version": "1.0", "createSurface": {"surfaceId": "s", "catalogId": BASIC_1_0}},
        {"version": "1.0", "updateComponents": {"surfaceId": "s", "components": [column("a") | {"id": "root"}]}},
        {"version": "1.0", "updateComponents": {"surfaceId": "s", "components": [column("root") | {"id": "a"}]}},
    )
    page.goto(board.url)
    if reply["ok"]:
        expect(page.get_by_role("note")).to_contain_text("contains itself")
    else:  # refused as a whole: the earlier tree stays
        expect(page.locator(".a2-pending")).to_be_visible()


def test_a_name_that_no_channel_can_have_is_explained(page, server):
    page.goto(f"{server.url}/surface/-bad-")
    expect(page.get_by_role("alert")).to_contain_text("1 to 64 letters")


def test_several_surfaces_stand_below_each_other_and_go_one_by_one(board, page):
    for name in ("first", "second"):
        body = {"surfaceId": name, "catalogId": BASIC_1_0, "components": [text("root", f"I am {name}")]}
        board.post({"version": "1.0", "createSurface": body})
    page.goto(board.url)
    expect(page.locator(".a2-surface")).to_have_text(["I am first", "I am second"])
    board.post({"version": "1.0", "deleteSurface": {"surfaceId": "first"}})
    expect(page.locator(".a2-surface")).to_have_text(["I am second"])


def test_the_agents_colour_is_used_and_nothing_else_of_its_theme(board, page):
    root = {"component": "Button", "child": "go", "variant": "primary", "action": {"event": {"name": "go"}}}
    board.draw_0_9(root, text("go", "Go"), theme={"primaryColor": "#00aa55"})
    page.goto(board.url)
    expect(page.get_by_role("button", name="Go")).to_have_css("background-color", "rgb(0, 170, 85)")


def test_going_to_another_page_and_back_shows_the_surface_again(board, page):
    board.draw(text("root", "still here"))
    page.goto(board.url)
    expect(page.get_by_text("still here")).to_be_visible()
    page.get_by_role("link", name="A2UI App").click()
    expect(page.get_by_text("still here")).to_have_count(0)
    page.go_back()
    expect(page.get_by_text("still here")).to_be_visible()
    board.update(text("root", "and live"))
    expect(page.get_by_text("and live")).to_be_visible()


def test_one_change_is_a_small_frame_and_repaints_one_node(board, page):
    frames: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(str(frame))))
    rows = [text(f"t{n}", f"/rows/{n}") for n in range(1000)]
    board.draw(column(*(row["id"] for row in rows)), *rows, data={"rows": [f"row {n}" for n in range(1000)]})
    page.goto(board.url)
    expect(page.get_by_text("row 999", exact=True)).to_be_visible()
    page.evaluate(
        """() => {
            window.changes = [];
            new MutationObserver((all) => window.changes.push(...all.map((one) => one.target.textContent)))
              .observe(document.querySelector(".a2-surface"), { subtree: true, childList: true, characterData: true });
        }"""
    )
    frames.clear()
    board.set("/rows/500", "changed")
    expect(page.get_by_text("changed", exact=True)).to_be_visible()
    assert page.evaluate("window.changes") == ["changed"]
    assert next(len(frame) for frame in frames if "changed" in frame) <= 300


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_in_both_colour_modes(board, new_page, scheme):
    board.draw(text("root", "words"))
    page = new_page(color_scheme=scheme)
    page.goto(board.url)
    words = page.get_by_text("words")
    expect(words).to_be_visible()
    ink = words.evaluate("e => getComputedStyle(e).color")
    paper = page.locator(".app").evaluate("e => getComputedStyle(e).backgroundColor")
    assert _contrast(page, ink, paper) > 7


def _contrast(page, first: str, second: str) -> float:
    """WCAG 2.2 contrast of two CSS colours, of whatever notation."""
    return page.evaluate(
        """(colors) => {
            const canvas = document.createElement("canvas").getContext("2d");
            const [a, b] = colors.map((color) => {
              canvas.fillStyle = color;
              canvas.fillRect(0, 0, 1, 1);
              const [r, g, b] = [...canvas.getImageData(0, 0, 1, 1).data].map((v) => v / 255)
                .map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
              return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
            });
            return Math.max(a, b) / Math.min(a, b);
        }""",
        [first, second],
    )


def test_35_a_hosts_variables_restyle_a_surface(board, page):
    board.draw({"component": "TextField", "label": "L", "placeholder": "p", "value": at("/v")}, data={"v": ""})
    page.goto(board.url)
    expect(page.get_by_label("L", exact=True)).to_be_visible()
    page.add_style_tag(content=":root { --a2ui-placeholder: rgb(1, 2, 3); --a2ui-radius: 0px; --a2ui-gap: 40px; }")
    field = page.get_by_label("L", exact=True)
    assert field.evaluate("e => getComputedStyle(e, '::placeholder').color") == "rgb(1, 2, 3)"
    expect(field).to_have_css("border-radius", "0px")
