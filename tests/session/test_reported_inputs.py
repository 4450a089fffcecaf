"""What broke other renderers: one test a report, named by its row in the collection of reported inputs.

Rows about the browser are in tests/e2e: 59 in test_mcp_app.py, the others in test_renderer.py, test_surface_input.py
and test_surface_live.py; what 55 and 58 send to the page also in tests/web.
"""

import pytest

from a2ui_app.catalogs.registry import BASIC_1_0
from a2ui_app.session import Session, effects
from a2ui_app.session.errors import A2uiDataError, A2uiIntegrityError, A2uiValidationError

from .board import Board, at, button, call, column, field, formatted, rows, text


def test_row_01_escaped_pointers():
    board = Board(text("root", at("/a~1b/c~0d")), data={"a/b": {"c~d": 1}})
    assert board.texts("root") == ["1"]
    board = Board(text("root", formatted("${/a~1b/c~0d}")), data={"a/b": {"c~d": 2}})
    assert board.texts("root") == ["2"]


def test_row_03_null_deletes_and_a_missing_value_is_an_error_in_1_0():
    board = Board(data={"a": {"b": 1, "c": 2}})
    board.data("/a/b", None)
    assert board.model == {"a": {"c": 2}}
    outcome = board.send(updateDataModel={"surfaceId": "s", "path": "/a/c"})
    assert isinstance(outcome.error, A2uiValidationError)
    assert board.model == {"a": {"c": 2}}


@pytest.mark.parametrize("body", [{}, {"value": None}])
def test_row_04_both_spellings_of_deletion_in_0_9(body):
    board = Board(data={"a": 1, "b": 2}, version="v0.9")
    assert board.send(updateDataModel={"surfaceId": "s", "path": "/a", **body}).ok
    assert board.model == {"b": 2}


def test_row_06_a_nested_null_is_a_value():
    board = Board(data={})
    board.data("/a", {"key": None})
    assert board.model == {"a": {"key": None}}


def test_row_07_a_binding_into_another_shape_is_empty_and_warned_of_once():
    board = Board(
        column("one", "two"),
        text("one", at("/items/0/name")),
        text("two", at("/items/0/name")),
        data={"items": {"item1": {"name": "x"}}},
    )
    assert board.texts("one") == [None]
    assert [found["code"] for found in board.diagnostics] == ["MISSING_DATA_BINDING"]
    assert board.data("/items/item1/name", "y").ok
    assert board.diagnostics == []


def test_row_08_a_template_over_a_map_shows_nothing_and_says_so():
    board = Board(rows("row", "/cars"), text("row", at("name")), data={"cars": {"a": {"name": "A"}}})
    assert board.nodes("row") == []
    assert "list" in board.diagnostics[0]["message"]
    board.data("/cars", [{"name": "A"}])
    assert board.texts("row") == ["A"]


@pytest.mark.parametrize("index", ["01", "x", "-1", "99999999"])
def test_row_10_what_is_no_index_reads_as_nothing_and_cannot_be_written(index):
    board = Board(text("root", at(f"/l/{index}")), data={"l": [1, 2]})
    assert board.texts("root") == [None]
    outcome = board.data(f"/l/{index}", 3)
    assert isinstance(outcome.error, A2uiDataError)
    assert board.model == {"l": [1, 2]}
    assert board.sent[0]["error"]["surfaceId"] == "s"


def test_row_12_two_hundred_updates_in_one_list_make_one_patch():
    board = Board(column(*(f"t{n}" for n in range(200))), *(text(f"t{n}", at(f"/v{n}")) for n in range(200)), data={})
    board.session.take_patch()
    many = [board.message(updateDataModel={"surfaceId": "s", "path": f"/v{n}", "value": n}) for n in range(200)]
    assert board.session.handle_message(many).ok
    patch = board.session.take_patch()
    assert len(patch.nodes) == 200
    assert board.session.take_patch().nodes == {}


def test_row_14_a_slash_means_the_root_also_inside_a_row():
    board = Board(
        rows("row", "/people"),
        {**column("absolute", "relative", id="row")},
        text("absolute", at("/name")),
        text("relative", at("name")),
        data={"people": [{"name": "Ada"}]},
    )
    assert board.texts("absolute") == [None]
    assert board.texts("relative") == ["Ada"]


@pytest.mark.parametrize("value", [formatted("#${@index(offset: 1)}"), formatted("#${@index(offset:1)}")])
def test_row_15_index_inside_a_template_string(value):
    board = Board(rows("row", "/l"), text("row", value), data={"l": ["a", "b"]})
    assert board.texts("row") == ["#1", "#2"]


def test_row_15_index_as_a_call_and_outside_a_row():
    board = Board(rows("row", "/l"), text("row", call("@index", offset=1)), data={"l": ["a", "b"]})
    assert board.texts("row") == ["1", "2"]
    board = Board(text("root", call("@index")), data={})
    assert board.texts("root") == [None]
    assert "template" in board.diagnostics[0]["message"]


@pytest.mark.parametrize("path", ["", "."])
def test_row_17_rows_of_strings(path):
    board = Board(rows("row", "/l"), text("row", at(path)), data={"l": ["a", "b"]})
    assert board.texts("row") == ["a", "b"]


def test_row_19_rows_follow_their_list():
    board = Board(rows("row", "/l"), text("row", at("")), data={"l": ["a"]})
    board.data("/l/1", "b")
    assert board.texts("row") == ["a", "b"]
    board.data("/l", ["c"])
    assert board.texts("row") == ["c"]
    for empty in (None, "text", 5, {}):
        board.data("/l", empty)
        assert board.nodes("row") == []
    board.data("/l", ["d", "e"])
    assert board.texts("row") == ["d", "e"]


def test_row_22_what_is_bound_to_one_path_changes_together():
    board = Board(column("field", "text"), field("field", "/name"), text("text", at("/name")), data={"name": "a"})
    assert board.write("field", "b").ok
    assert board.texts("text") == ["b"]
    assert board.node("field")["props"]["value"] == "b"


def test_row_23_a_check_box_writes_booleans():
    box = {"id": "root", "component": "CheckBox", "label": "L", "value": at("/ok")}
    board = Board(box, data={"ok": False})
    board.write("root", True)
    assert board.model == {"ok": True}
    board.write("root", False)
    assert board.model == {"ok": False}
    board.write("root", "on")  # what a form would send: not "true", so false
    assert board.model == {"ok": False}


def test_row_24_a_slider_follows_the_agent_and_writes_numbers():
    board = Board({"id": "root", "component": "Slider", "min": 0, "max": 100, "value": at("/n")}, data={"n": 1})
    board.data("/n", 70)
    assert board.node("root")["props"]["value"] == 70
    board.write("root", 42)
    assert board.model == {"n": 42}


@pytest.mark.parametrize("held, shown", [("a", ["a"]), (None, None), (["a", "b"], ["a", "b"])])
def test_row_30_a_picker_reads_one_value_leniently_and_writes_a_list(held, shown):
    picker = {"component": "ChoicePicker", "options": [{"label": "A", "value": "a"}], "value": at("/v")}
    board = Board({"id": "root", **picker}, data={"v": held})
    assert board.node("root")["props"]["value"] == shown
    board.write("root", ["b"])
    assert board.model == {"v": ["b"]}
    board.write("root", "c")
    assert board.model == {"v": ["c"]}


def test_row_37_an_action_carries_values_and_not_bindings():
    action = {"event": {"name": "go", "context": {"who": at("/me/name"), "deep": {"list": [at("/n")]}}}}
    board = Board(button("root", action), text("label", "Go"), data={"me": {"name": "Ada"}, "n": 3})
    board.click("root")
    assert board.sent[0]["action"]["context"] == {"who": "Ada", "deep": {"list": [3]}}


def test_row_38_one_click_is_one_message():
    action = {"event": {"name": "go"}}
    board = Board(button("root", action), text("label", "Go"), data={})
    board.update(button("root", action))
    board.update(text("label", "Go!"))
    board.click("root")
    assert len(board.sent) == 1


BAD_URLS = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " javascript:alert(1)",
    "java\nscript:alert(1)",
    "data:text/html,<b>",
    "file:///etc/passwd",
    "//host/path",
    "vbscript:x",
    "https://",
    "",
]


@pytest.mark.parametrize("url", BAD_URLS)
def test_row_39_addresses_that_are_not_opened(url):
    board = Board(button("root", {"functionCall": call("openUrl", url=url)}), text("label", "Go"), data={})
    outcome = board.click("root")
    assert outcome.error is not None
    assert not any(isinstance(effect, effects.OpenUrl) for effect in outcome.effects)
    assert board.diagnostics[0]["code"] == "EXPRESSION_ERROR"


def test_row_39_addresses_that_are():
    open_bound = {"functionCall": call("openUrl", url=at("/url"))}
    board = Board(button("root", open_bound), text("label", "Go"), data={"url": "https://example.com/a?b#c"})
    assert board.click("root").effects == [effects.OpenUrl("https://example.com/a?b#c")]


def test_row_40_no_address_opens_by_itself():
    opens = call("openUrl", url="https://example.com")
    board = Board(
        column("text", "field"), text("text", opens), field("field", "/x", checks=[{"condition": opens}]), data={"x": 1}
    )
    assert board.texts("text") == [None]
    assert not board.node("field")["valid"]
    assert {found["code"] for found in board.diagnostics} == {"EXPRESSION_ERROR"}
    assert not any(isinstance(effect, effects.OpenUrl) for effect in board.last.effects)


def test_row_42_an_unknown_function_in_a_context_is_null_and_the_action_goes_out():
    action = {"event": {"name": "go", "context": {"bad": call("nonsense"), "good": at("/n")}}}
    board = Board(button("root", action), text("label", "Go"), data={"n": 1})
    board.click("root")
    assert board.sent[0]["action"]["context"] == {"bad": None, "good": 1}
    assert [found["code"] for found in board.diagnostics] == ["EXPRESSION_ERROR"]


def test_row_45_later_messages_for_a_surface_show():
    board = Board(text("root", "one"), data={})
    assert board.update(text("root", "two")).ok
    assert board.texts("root") == ["two"]
    again = board.send(createSurface={"surfaceId": "s", "catalogId": board.session.surfaces()[0].catalog_id})
    assert isinstance(again.error, A2uiIntegrityError)
    assert board.texts("root") == ["two"]


def test_row_50_an_update_before_its_surface_is_an_error_and_no_more():
    session = Session()
    update = {"version": "1.0", "updateComponents": {"surfaceId": "s", "components": [text("root", "x")]}}
    outcome = session.handle_message(update)
    assert isinstance(outcome.error, A2uiIntegrityError)
    assert "createSurface" in str(outcome.error)
    create = {"version": "1.0", "createSurface": {"surfaceId": "s", "catalogId": BASIC_1_0}}
    assert session.handle_message(create).ok
    assert session.handle_message(update).ok


def test_row_51_an_unknown_component_is_a_placeholder_among_its_siblings():
    board = Board(column("bad", "good"), {"id": "bad", "component": "YouTub"}, text("good", "fine"), data={})
    assert board.node("bad")["state"] == "unknown"
    assert board.node("bad")["type"] == "YouTub"
    assert board.texts("good") == ["fine"]
    assert [found["code"] for found in board.diagnostics] == ["UNKNOWN_COMPONENT"]


def test_row_52_a_child_that_comes_later_takes_its_place():
    board = Board(column("first", "late"), text("first", "1"), data={})
    assert board.node("late")["state"] == "pending"
    assert board.diagnostics == []
    first = board.node("first")["ref"]
    board.update(text("late", "2"))
    assert [child["id"] for child in board.node("root")["children"]] == ["first", "late"]
    assert board.node("late")["state"] == "ok"
    assert board.node("first")["ref"] == first


def test_row_53_a_refused_message_leaves_what_was_there():
    board = Board(text("root", "kept"), data={"a": 1})
    for broken in ('{"a":[-', [], 5, {"version": "1.0"}, {"version": "1.0", "updateComponents": {"surfaceId": "s"}}):
        assert board.session.handle_message(broken).error is not None
    assert board.texts("root") == ["kept"]


def test_row_62_variant_h1_is_a_heading_in_0_9_and_an_error_in_1_0():
    heading = {**text("root", "Title"), "variant": "h1"}
    assert Board(heading, data={}, version="v0.9").node("root")["props"]["variant"] == "h1"
    assert isinstance(Board(heading, data={}).last.error, A2uiValidationError)
    assert Board(heading, data={}, validation="none").node("root")["props"]["variant"] == "h1"
