"""Trees: templates and scopes, refs that survive, placeholders, patches."""

import pickle

import pytest

from a2ui_app.session.errors import A2uiIntegrityError, A2uiRecursionError, A2uiStateError, A2uiValidationError

from .board import Board, at, button, call, column, field, formatted, rows, text


def test_nested_templates_count_and_bind_in_their_own_row():
    board = Board(
        rows("project", "/projects"),
        column("title", "tasks", id="project"),
        text("title", formatted("${@index(offset: 1)}. ${name}")),
        rows("task", "tasks", id="tasks"),
        text("task", formatted("${@index()}:${.}/${/owner}")),
        data={"owner": "Ada", "projects": [{"name": "A", "tasks": ["x", "y"]}, {"name": "B", "tasks": ["z"]}]},
    )
    assert board.texts("title") == ["1. A", "2. B"]
    assert board.texts("task") == ["0:x/Ada", "1:y/Ada", "0:z/Ada"]
    board.data("/projects/1/tasks", ["p", "q"])
    assert board.texts("task") == ["0:x/Ada", "1:y/Ada", "0:p/Ada", "1:q/Ada"]


def test_input_in_a_row_writes_to_its_element():
    board = Board(rows("row", "/l"), field("row", "name"), data={"l": [{"name": "a"}, {"name": "b"}]})
    assert board.write("row", "c", row=1).ok
    assert board.model == {"l": [{"name": "a"}, {"name": "c"}]}


@pytest.mark.parametrize("key", ["id", "key"])
def test_rows_with_a_key_of_their_own_keep_their_refs_when_they_move(key):
    board = Board(rows("row", "/l"), column("t", id="row"), text("t", at("n")), data={"l": []})
    board.data("/l", [{key: "p", "n": 1}, {key: "q", "n": 2}])
    p, q = (node["ref"] for node in board.nodes("row"))
    board.data("/l", [{key: "new", "n": 0}, {key: "q", "n": 2}, {key: "p", "n": 1}])
    assert [node["ref"] for node in board.nodes("row")][1:] == [q, p]
    assert board.texts("t") == ["0", "2", "1"]
    board.data("/l/1/n", 9)
    assert board.texts("t") == ["0", "9", "1"]


def test_rows_without_unique_keys_are_known_by_their_place():
    board = Board(rows("row", "/l"), text("row", at("n")), data={"l": [{"id": 1, "n": "a"}, {"id": 1, "n": "b"}]})
    first = board.nodes("row")[0]["ref"]
    board.data("/l", [{"id": 1, "n": "new"}, {"id": 1, "n": "a"}])
    assert board.nodes("row")[0]["ref"] == first
    assert board.texts("row") == ["new", "a"]


def test_a_write_deep_in_a_row_does_not_fill_the_list_again():
    board = Board(rows("row", "/l"), field("row", "n"), data={"l": [{"n": str(n)} for n in range(50)]})
    board.session.take_patch()
    board.write("row", "x", row=7)
    assert [node["props"]["value"] for node in board.session.take_patch().nodes.values() if node] == ["x"]


def test_long_lists_are_cut_with_a_count():
    board = Board(rows("row", "/l"), text("row", at("")), data={"l": list(range(30))}, max_rows=20)
    assert len(board.nodes("row")) == 20
    root = next(node for node in board.session.snapshot().nodes.values() if node and node["id"] == "root")
    assert root["more"] == 10


def test_refs_survive_updates_of_the_same_type_and_only_those():
    board = Board(column("t", "f"), text("t", "one"), field("f", "/n"), data={"n": "x"})
    refs = {id: board.node(id)["ref"] for id in ("root", "t", "f")}
    board.update(text("t", "two"), column("t", "f", "more"), text("more", "3"))
    assert {id: board.node(id)["ref"] for id in refs} == refs
    board.update({"id": "t", "component": "Divider"})
    assert board.node("t")["ref"] not in refs.values()
    assert board.session.write("s", refs["t"], "text", "x").error is not None


def test_one_definition_shown_twice_is_two_nodes():
    board = Board(column("t", "t"), text("t", at("/n")), data={"n": "x"})
    one, two = board.nodes("t")
    assert one["ref"] != two["ref"]
    board.update(column("t"))
    assert [node["ref"] for node in board.nodes("t")] == [one["ref"]]


def test_an_update_replaces_all_properties():
    board = Board({**text("root", "x"), "variant": "caption"}, data={})
    board.update(text("root", "x"))
    assert "variant" not in board.node("root")["props"]


def test_nothing_is_shown_before_root_and_root_can_be_replaced():
    board = Board(text("late", "x"), data={})
    assert board.session.tree("s") is None
    assert board.session.snapshot().surfaces == {"s": {"root": None}}
    board.update(column("late"))
    first = board.node("root")["ref"]
    assert board.session.snapshot().surfaces == {"s": {"root": first}}
    board.update(text("root", "now text"))
    assert board.node("root")["type"] == "Text"
    assert board.session.take_patch().surfaces == {"s": {"root": board.node("root")["ref"]}}


def test_a_component_that_contains_itself():
    loop = [column("a"), {"id": "a", "component": "Card", "child": "root"}]
    board = Board(*loop, data={})
    assert isinstance(board.last.error, A2uiIntegrityError) and isinstance(board.last.error, A2uiRecursionError)
    assert board.session.tree("s") is None
    board = Board(*loop, data={}, validation="none")
    assert board.nodes("root")[1]["state"] == "cyclic"
    assert board.diagnostics[0]["code"] == "CYCLIC_REFERENCE"


def test_a_very_long_chain_ends_in_a_placeholder():
    chain = [{"id": f"c{n}", "component": "Card", "child": f"c{n + 1}"} for n in range(5_000)]
    board = Board(column("c0"), *chain, data={})
    assert board.last.ok
    assert len(board.session.snapshot().nodes) == 52
    assert [found["code"] for found in board.diagnostics] == ["CYCLIC_REFERENCE"]


def test_tabs_and_modal_keep_which_child_is_which():
    board = Board(
        column("tabs", "modal"),
        {"id": "tabs", "component": "Tabs", "tabs": [{"title": at("/t"), "child": "a"}, {"title": "B", "child": "b"}]},
        {"id": "modal", "component": "Modal", "trigger": "a", "content": "b"},
        text("a", "A"),
        text("b", "B"),
        data={"t": "First"},
    )
    tabs = board.node("tabs")
    assert tabs["props"] == {"tabs": [{"title": "First", "child": 0}, {"title": "B", "child": 1}]}
    assert [child["id"] for child in tabs["children"]] == ["a", "b"]
    wire = {node["id"]: node for node in board.session.snapshot().nodes.values() if node}
    refs = [child["ref"] for child in board.node("modal")["children"]]
    assert [wire["modal"]["props"][name] for name in ("trigger", "content")] == refs


def test_patches_are_what_changed_and_nothing_else():
    board = Board(column("a", "b"), text("a", at("/a")), text("b", at("/b")), data={"a": 1, "b": 2})
    first = board.session.take_patch()
    assert len(first.nodes) == 3
    board.data("/a", 1)
    board.data("/unread", 5)
    assert board.session.take_patch().nodes == {}
    assert board.session.take_patch().revision == first.revision
    board.data("/a", True)  # equal to 1 in Python, another text in a browser
    patch = board.session.take_patch()
    assert [node["props"] for node in patch.nodes.values() if node] == [{"text": "true"}]
    assert patch.revision == first.revision + 1


def test_a_deleted_surface_and_its_nodes_leave_the_browser():
    board = Board(text("root", "x"), data={})
    refs = set(board.session.take_patch().nodes)
    board.send(deleteSurface={"surfaceId": "s"})
    patch = board.session.take_patch()
    assert patch.nodes == dict.fromkeys(refs)
    assert patch.surfaces == {"s": None}


@pytest.mark.parametrize(
    "given, wanted, shown",
    [
        (None, "text", ""),
        (True, "text", "true"),
        (1.0, "text", "1"),
        (1e21, "text", "1e+21"),
        ({"é": [1]}, "text", '{"é":[1]}'),
    ],
)
def test_values_are_coerced_to_what_a_property_wants(given, wanted, shown):
    board = Board(text("root", at("/v")), data={"v": given})
    assert board.node("root")["props"][wanted] in (shown, None if given is None else shown)


def test_checks_give_every_message_and_stop_the_button():
    rules = [
        {"condition": call("required", value=at("/mail")), "message": "Needed"},
        {"condition": call("email", value=at("/mail"))},
    ]
    action = {"event": {"name": "go"}}
    board = Board(
        column("f", "b"),
        field("f", "/mail", checks=rules),
        button("b", action, checks=rules[:1]),
        text("label", "Go"),
        data={"mail": ""},
    )
    assert board.node("f")["errors"][0] == "Needed"
    assert len(board.node("f")["errors"]) == 2
    assert isinstance(board.click("b").error, A2uiStateError)
    assert board.sent == []
    board.write("f", "a@b.co")
    assert board.node("f")["valid"] and board.node("f")["errors"] == []
    assert board.click("b").ok


def test_what_cannot_be_written_says_why():
    board = Board(column("fixed", "f"), {**field("fixed", "/x"), "value": "literal"}, field("f", "/a/b"), data={"a": 1})
    assert "not bound" in str(board.write("fixed", "x").error)
    assert "not bound" in str(board.write("f", "x", property="nonsense").error)
    assert "holds a int" in str(board.write("f", "x").error)
    board.update(column("fixed", "f", "whole"), field("whole", "/"))
    assert "must be an object" in str(board.write("whole", "x").error)
    assert "any more" in str(board.session.write("s", 999, "value", 1).error)
    assert "not found" in str(board.session.write("t", 1, "value", 1).error)
    assert board.model == {"a": 1}


def test_diagnostics_are_told_once_while_they_last():
    board = Board(text("root", at("/missing")), data={"x": 1})
    assert len(board.diagnostics) == 1
    board.update({**text("root", at("/missing")), "weight": 1})
    assert board.diagnostics == []
    board.data("/missing", "here")
    board.data("/missing", None)
    assert [found["code"] for found in board.diagnostics] == ["MISSING_DATA_BINDING"]


def test_data_that_has_not_come_yet_is_no_problem():
    board = Board(text("root", at("/later")))
    assert board.diagnostics == []
    board.data("/other", 1)
    assert [found["code"] for found in board.diagnostics] == ["MISSING_DATA_BINDING"]


LEVELS = [
    # what, components, refused under strict, under relaxed, under none
    ("an unknown type", [{"id": "root", "component": "Nope"}], True, False, False),
    ("a dangling child", [column("gone")], True, False, False),
    ("an orphan", [text("root", "x"), text("lost", "y")], True, False, False),
    ("no root", [text("a", "x")], True, False, False),
    ("a duplicate id", [text("root", "x"), text("root", "y")], True, True, False),
    ("a cycle", [column("a"), column("root", id="a")], True, True, False),
    ("a wrong type", [text("root", 5)], True, True, False),
    ("an unknown choice", [{**text("root", "x"), "variant": "h1"}], True, True, False),
    ("an unknown property", [{**text("root", "x"), "colour": "red"}], True, False, False),
    ("a null property", [{**text("root", "x"), "variant": None}], True, True, False),
    ("an unknown function", [text("root", call("nope"))], True, False, False),
    ("a malformed pointer", [text("root", at("/a~2"))], True, True, False),
    ("a reserved key", [text("root", call("formatString", value={"@foo": 1}))], True, True, False),
    ("a missing property", [{"id": "root", "component": "Text"}], True, True, False),
]


@pytest.mark.parametrize("components, strict, relaxed, none", [row[1:] for row in LEVELS], ids=[r[0] for r in LEVELS])
def test_levels_of_validation(components, strict, relaxed, none):
    for level, refused in (("strict", strict), ("relaxed", relaxed), ("none", none)):
        board = Board(*components, validation=level)
        assert (board.last.error is not None) == refused, level
        if board.last.error is not None:
            assert isinstance(board.last.error, A2uiValidationError)
            assert board.last.error.details[0].path.startswith("/components")
            assert board.session.surface("s").components == {}  # type: ignore[union-attr]


def test_a_pickled_session_goes_on():
    board = Board(column("t", "f"), text("t", at("/n")), field("f", "/n"), data={"n": "x"})
    board.session.take_patch()
    board.write("f", "half")
    copy = pickle.loads(pickle.dumps(board.session))
    assert copy.take_patch() == board.session.take_patch()
    ref = board.node("f")["ref"]
    assert copy.write("s", ref, "value", "whole").ok
    assert copy.surface("s").data == {"n": "whole"}
    assert board.model == {"n": "half"}
