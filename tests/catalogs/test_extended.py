"""The extended catalog: each component and property passes strict validation, faults are named, work is bounded."""

import pickle
from typing import Any

import pytest

from a2ui_app.catalogs.extended import EXTENDED_1_0, document, extended_catalog
from a2ui_app.catalogs.registry import BASIC_1_0
from a2ui_app.session import Session
from a2ui_app.web import catalog as views  # noqa: F401
from a2ui_app.web.catalog.extended import code as code_module
from a2ui_app.web.catalog.extended import markdown as markdown_module
from a2ui_app.web.catalog.extended.chart import ticks
from a2ui_app.web.catalog.extended.code import PIECE, diff_lines, highlight, pieces
from a2ui_app.web.catalog.extended.markdown import MOST_CELLS, MOST_LINES, MOST_MARKS, read
from a2ui_app.web.live_surface import components, prepared

SECTION = {"title": "T", "child": "x", "open": True}
COLUMN = {"key": "k", "label": "K", "align": "end", "format": "number"}
WHOLE: dict[str, dict[str, Any]] = {
    "Table": {"columns": [COLUMN], "rows": {"@path": "/rows"}, "caption": "C", "empty": "E"},
    "Progress": {"value": {"@path": "/n"}, "max": 4, "label": "L", "tone": "info"},
    "Badge": {"text": {"@path": "/t"}, "tone": "danger"},
    "Callout": {"text": "T", "title": "T", "tone": "warning", "child": "x"},
    "CodeBlock": {"code": "1", "language": "python", "title": "T", "lineNumbers": True},
    "Diff": {"diff": "", "title": "T"},
    "Accordion": {"sections": [SECTION], "single": True},
    "Chart": {
        "kind": "line",
        "points": {"@path": "/rows"},
        "x": "m",
        "series": [{"key": "a", "label": "A", "tone": "info"}],
        "caption": "C",
        "format": "percent",
    },
    "Markdown": {"text": {"@path": "/t"}},
    "Tree": {"items": {"@path": "/rows"}, "open": 2, "label": "L"},
    "FileUpload": {
        "value": {"@path": "/rows"},
        "label": "L",
        "accept": ".csv",
        "multiple": True,
        "maxBytes": 1000,
    },
}


def test_every_component_is_here_and_has_a_view():
    assert set(document()["components"]) == set(WHOLE)
    assert set(WHOLE) <= set(components())


@pytest.mark.parametrize("type_", WHOLE)
def test_every_property_is_accepted(type_: str):
    declared = document()["components"][type_]["properties"].keys() - {"component"}
    assert declared == WHOLE[type_].keys() | {"weight"}
    props = WHOLE[type_] | {"weight": 1}
    session = Session((BASIC_1_0, extended_catalog()), validation="strict")
    parts: list[dict[str, Any]] = [
        {"id": "root", "component": "Row", "children": ["it"]},
        {"id": "it", "component": type_, "catalogId": EXTENDED_1_0, **props},
    ]
    if {"child", "sections"} & props.keys():
        parts.append({"id": "x", "component": "Text", "text": "x"})
    body = {"surfaceId": "s", "catalogId": BASIC_1_0, "dataModel": {"rows": [{"k": 1}]}, "components": parts}
    outcome = session.handle_message({"version": "1.0", "createSurface": body})
    assert outcome.ok, outcome.error
    assert pickle.loads(pickle.dumps(session)).tree("s") == session.tree("s")


@pytest.mark.parametrize(
    ("type_", "props", "where"),
    [
        ("Table", {"columns": [{"key": "k"}], "rows": []}, "columns/0/label"),
        ("Table", {"columns": [COLUMN | {"format": "money"}], "rows": []}, "columns/0/format"),
        ("Table", {"columns": [COLUMN]}, "rows"),
        ("Progress", {"max": 0}, "max"),
        ("Badge", {"text": "t", "colour": "red"}, "colour"),
        ("CodeBlock", {}, "code"),
        ("Accordion", {"sections": []}, "sections"),
    ],
)
def test_a_fault_is_named_with_its_place(type_: str, props: dict[str, Any], where: str):
    session = Session((BASIC_1_0, extended_catalog()), validation="strict")
    component = {"id": "root", "component": type_, "catalogId": EXTENDED_1_0, **props}
    body = {"surfaceId": "s", "catalogId": BASIC_1_0, "components": [component]}
    outcome = session.handle_message({"version": "1.0", "createSurface": body})
    assert outcome.error is not None and f"/components/0/{where}" in str(outcome.error)


def test_the_default_session_does_not_offer_it():
    body = {"surfaceId": "s", "catalogId": EXTENDED_1_0}
    assert not Session().handle_message({"version": "1.0", "createSurface": body}).ok


def test_a_hunk_is_counted_so_that_a_removed_rule_is_no_file():
    lines = list(diff_lines("--- a\n+++ b\n@@ -1,2 +1,1 @@\n--- gone\n kept\ndiff --git c d"))
    assert [line["kind"] for line in lines] == ["file", "file", "hunk", "removed", "same", "file"]
    assert [(line["old"], line["new"]) for line in lines[3:5]] == [("1", ""), ("2", "1")]


def test_what_is_highlighted_is_the_code():
    runs = highlight("def f(): pass\n", "python")
    assert runs[0] == ["span", {"class": "a2x-keyword"}, "def"]
    assert "".join(run if isinstance(run, str) else run[2] for run in runs) == "def f(): pass\n"
    assert highlight("x", "no-such-language") == ("x",)
    assert highlight("1" * (PIECE + 1), "python") == ("1" * (PIECE + 1),)


def test_a_lexer_gets_small_pieces_and_none_when_the_time_is_used_up(monkeypatch: pytest.MonkeyPatch):
    """20,000 backticks as YAML took 3.7 s, growing with the square of their number."""
    asked: list[int] = []
    lexer = code_module.get_lexer_by_name("yaml")

    class Slow(type(lexer)):
        def get_tokens(self, text: str):  # type: ignore[override]
            asked.append(len(text))
            now[0] += 0.02
            return [(code_module.Token, text)]

    now = [0.0]
    monkeypatch.setattr(code_module, "monotonic", lambda: now[0])
    monkeypatch.setattr(code_module, "get_lexer_by_name", lambda *_, **__: Slow())
    code = ("`" * 99 + "\n") * 200
    assert "".join(map(str, highlight(code, "slow"))) == code
    assert asked == [PIECE, PIECE]  # 0.03 s are over before the third


@pytest.mark.parametrize(
    "code", ["", "a", "a\n", "x" * 5000, "def f():\n    pass\n" * 500, " a\n" * 3000, "a\n\n" * 2000]
)
def test_pieces_are_the_code(code: str):
    cut = list(pieces(code))
    assert "".join(cut) == code
    assert all(len(piece) <= PIECE or "\n" not in piece[:-1] for piece in cut)


def test_pieces_begin_at_lines_that_are_not_indented():
    cut = list(pieces("def f():\n    pass\n" * 500))
    assert len(cut) > 1
    assert all(piece.startswith("def") for piece in cut)


@pytest.mark.parametrize(
    ("low", "high", "first", "last"), [(0, 10, 0, 10), (0, 7, 0, 8), (-3, 3, -4, 4), (0, 0.03, 0, 0.03), (5, 5, 5, 5)]
)
def test_ticks_cover_the_numbers(low: float, high: float, first: float, last: float):
    marks = ticks(low, high)
    assert (marks[0], marks[-1]) == pytest.approx((first, last))
    assert 1 <= len(marks) <= 7


POINTS = [{"m": "Jan", "a": 3, "b": 1.5}, {"m": "Feb", "a": None, "b": -2}, {"m": "Mar", "a": 7}]
CHART = {"x": "m", "series": [{"key": "a", "label": "A"}, {"key": "b", "tone": "danger"}], "points": POINTS}


@pytest.mark.parametrize("kind", ["line", "bar", "pie", "no such"])
@pytest.mark.parametrize(
    "points", [POINTS, [], None, [{"m": "x"}], [{"m": 1, "a": 0}], [{"a": float("inf"), "b": 1e300}]]
)
def test_every_chart_is_drawn(kind: str, points: Any):
    shown = prepared({"id": "c", "type": "Chart", "props": {**CHART, "kind": kind, "points": points}})["props"]
    assert "points" not in shown
    assert shown["table"][0] == "table"


def test_a_line_has_a_gap_where_there_is_no_number():
    shown = prepared({"id": "c", "type": "Chart", "props": {**CHART, "kind": "line"}})["props"]
    lines = [part for part in shown["drawing"] if isinstance(part, list) and part[1].get("class") == "a2x-line"]
    assert [line[1]["d"].count("M") for line in lines] == [2, 1]
    assert lines[1][1]["tone"] == "danger"


def test_the_numbers_of_a_chart_can_be_read_as_a_table():
    shown = prepared({"id": "c", "type": "Chart", "props": {**CHART, "kind": "bar"}})["props"]
    body = shown["table"][3]
    assert body[2][2][2] == "Jan"
    assert [cell[2] for cell in body[2][3:]] == ["3", "1.5"]
    assert [cell[2] for cell in body[4][3:]] == ["7", ""]


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("plain", ["p", {}, "plain"]),
        ("[a](https://x.y)", [["p", {}, ["a", {"href": "https://x.y"}, "a"]]]),
        ("[a](javascript:x)", [["p", {}, "a"]]),
        ("![alt](https://x.y/z.png)", [["p", {}, "alt"]]),
        ("<b>x</b>", [["p", {}, "<b>x</b>"]]),
        ("# T\n\n- a\n- b", [["h1", {}, "T"], ["ul", {}, ["li", {}, "a"], ["li", {}, "b"]]]),
        ("```python\ndef\n```", [["pre", {}, ["code", {}, ["span", {"class": "a2x-keyword"}, "def"], "\n"]]]),
        ("```\na\n```", [["pre", {}, ["code", {}, "a\n"]]]),
        ("```   \na\n```", [["pre", {}, ["code", {}, "a\n"]]]),
    ],
)
def test_markdown_is_read_into_markup(text: str, markup: Any):
    assert read(text) == markup


WIDE = "|" + "a|" * 300 + "\n|" + "-|" * 300 + "\n"


@pytest.mark.parametrize(
    "text", ["![" * MOST_MARKS, "*_" * MOST_MARKS, "~~a" * MOST_MARKS, WIDE + "x\n" * 4_000, "- a\n" * 25_000]
)
def test_markdown_that_would_hold_up_every_page_is_shown_as_it_is(text: str, monkeypatch: pytest.MonkeyPatch):
    """100,000 characters of these took from 3 to 15 s: the parser fills short rows of a table up to its width."""
    monkeypatch.setattr(markdown_module, "_parser", None)
    assert read(text) == ["p", {}, text]


@pytest.mark.parametrize(
    "text", ["*a* " * (MOST_MARKS // 2), "- a\n" * MOST_LINES, "|a|\n|-|\n" + "|b|\n" * (MOST_CELLS // 3 - 3)]
)
def test_markdown_just_below_the_limits_is_read(text: str):
    assert read(text) != ["p", {}, text]


def test_the_colours_of_all_code_in_a_text_share_one_time(monkeypatch: pytest.MonkeyPatch):
    now = [0.0]
    asked: list[str] = []

    def slow(code: str, language: str) -> tuple[str]:
        asked.append(language)
        now[0] += 0.06
        return (code,)

    monkeypatch.setattr(markdown_module, "monotonic", lambda: now[0])
    monkeypatch.setattr(markdown_module, "highlight", slow)
    blocks = read("\n".join(f"```l{number}\nshared time {number}\n```" for number in range(9)))
    assert len(blocks) == 9
    assert asked == ["l0", "l1"]


def test_a_tree_is_bounded():
    deep: dict[str, Any] = {"label": "end"}
    for _ in range(100):
        deep = {"label": "x", "items": [deep]}
    wide = [{"label": str(number)} for number in range(5000)]
    shown = prepared({"id": "t", "type": "Tree", "props": {"items": [deep, *wide]}})["props"]
    assert str(shown["tree"]).count("'li'") <= 2000
    assert shown["hidden"]


def test_what_files_hold_does_not_go_back_to_the_page():
    value = [{"name": "a.txt", "type": "text/plain", "size": 3, "content": "YWJj"}]
    shown = prepared({"id": "f", "type": "FileUpload", "props": {"value": value, "maxBytes": 10**12}})["props"]
    assert shown["files"] == [{"name": "a.txt", "size": 3}]
    assert "content" not in str(shown)
    assert shown["maxBytes"] == 700_000


@pytest.mark.parametrize("rows", [None, "x", 5, {"a": 1}, [1, None, "x"]])
def test_rows_that_are_none_are_an_empty_table(rows: Any):
    shown = prepared({"id": "t", "type": "Table", "props": {"columns": [COLUMN], "rows": rows}})["props"]
    assert shown["rows"] == []
