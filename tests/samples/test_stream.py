"""What a person brings to the gallery is read, explained, told in a line, and packed into a link."""

import base64
import json
import zlib

import pytest

from a2ui_app.samples import all_samples
from a2ui_app.web.pages.gallery.json_text import compact_json, format_json
from a2ui_app.web.pages.gallery.stream import (
    LINK_LIMIT,
    MESSAGE_LIMIT,
    TEXT_LIMIT,
    Problem,
    Step,
    pack,
    read_message,
    read_stream,
    summarize,
    unpack,
)

ONE = {"version": "1.0", "deleteSurface": {"surfaceId": "a"}}
TWO = {"version": "1.0", "deleteSurface": {"surfaceId": "b"}}


@pytest.mark.parametrize(
    "text",
    [
        json.dumps([ONE, TWO]),
        json.dumps({"messages": [ONE, TWO]}, indent=4),
        json.dumps({"name": "a sample", "messages": [ONE, TWO]}),
        f"{json.dumps(ONE)}\n{json.dumps(TWO)}",
        f"\n{json.dumps(ONE)}\r\n\r\n{json.dumps(TWO)}\r\n",
        "\ufeff" + json.dumps([ONE, TWO]),
    ],
)
def test_every_form_of_a_stream_is_read(text: str):
    assert read_stream(text) == [ONE, TWO]


def test_one_message_is_a_stream():
    assert read_stream(json.dumps(ONE)) == [ONE]


@pytest.mark.parametrize(
    ("text", "line", "column", "remedy"),
    [
        ('{"version": "1.0",\n "deleteSurface": {"surfaceId": "a"}', 2, 37, "not closed"),
        ('{"version": "1.0",}', 1, 18, "Take out the comma"),
        ('{"version" "1.0"}', 1, 12, "colon"),
        ("{version: 1}", 1, 2, "double quotes"),
        ('[{"a": 1} {"a": 2}]', 1, 11, "comma"),
        ('{"a": tru}', 1, 7, "true, false and null"),
        ("Here is your form:", 1, 1, "A value belongs here"),
        (f'{json.dumps(ONE)}\n{{"version": "1.0", }}', 2, 18, "Take out the comma"),
    ],
)
def test_a_fault_has_its_place_and_a_remedy(text: str, line: int, column: int, remedy: str):
    with pytest.raises(Problem) as caught:
        read_stream(text)
    found = caught.value
    assert (found.line, found.column) == (line, column), found
    assert remedy in found.remedy
    assert text.splitlines()[line - 1][max(0, column - 5) : column + 2] in found.excerpt


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "nothing here"),
        ("  \n ", "nothing here"),
        ("[]", "no message"),
        ('{"messages": []}', "no message"),
        (json.dumps([ONE] * (MESSAGE_LIMIT + 1)), f"up to {MESSAGE_LIMIT}"),
        (json.dumps("x" * TEXT_LIMIT), f"up to {TEXT_LIMIT // 1024} KB"),
    ],
)
def test_what_cannot_be_shown_is_said(text: str, says: str):
    with pytest.raises(Problem) as caught:
        read_stream(text)
    assert says in caught.value.message
    assert caught.value.remedy


def test_a_lone_surrogate_is_no_crash():
    assert read_stream('["\ud800"]') == ["?"]
    assert read_message('"\ud800"') == "?"


@pytest.mark.parametrize(
    ("message", "step"),
    [
        (ONE, Step("deleteSurface", "a")),
        (
            {"version": "1.0", "updateComponents": {"surfaceId": "a", "components": [{}]}},
            Step("updateComponents", "a · 1 component"),
        ),
        ({"version": "1.0", "updateDataModel": {"surfaceId": "a", "value": 1}}, Step("updateDataModel", "/ = 1")),
        ("hello", Step("not a message", '"hello"')),
        ({}, Step("empty message", "")),
        ({"version": "1.0", "createSurface": None}, Step("createSurface", "")),
        ({"version": "1.0", "updateComponents": {"components": 7}}, Step("updateComponents", "")),
    ],
)
def test_any_message_is_told_in_a_line(message, step: Step):
    assert summarize(message) == step


def test_a_long_value_is_cut():
    message = {"updateDataModel": {"path": "/x", "value": "y" * 1000}}
    assert len(summarize(message).about) == 80


@pytest.mark.parametrize("sample", all_samples(), ids=lambda sample: sample.name)
def test_a_packed_stream_comes_back_the_same(sample):
    packed = pack(list(sample.messages))
    assert packed is not None
    assert unpack(packed) == list(sample.messages)


def test_a_stream_too_long_for_a_link_has_none():
    noise = [base64.b64encode(bytes(range(256)) * 2).decode()[i : i + 400] for i in range(0, 400, 7)]
    noise = [zlib.compress(text.encode()).hex() for text in noise]
    assert pack([{"updateDataModel": {"value": noise}}]) is None


@pytest.mark.parametrize("text", ["", "%%%", "abc", "eJyLrlbKS8xN", "A" * (LINK_LIMIT + 1)])
def test_a_damaged_link_is_a_problem(text: str):
    with pytest.raises(Problem) as caught:
        unpack(text)
    assert "link" in caught.value.message


def test_a_link_that_inflates_without_end_is_refused():
    bomb = base64.urlsafe_b64encode(zlib.compress(b"[" + b" " * 8_000_000 + b"]", 9)).decode()
    assert len(bomb) < LINK_LIMIT
    with pytest.raises(Problem) as caught:
        unpack(bomb)
    assert f"up to {TEXT_LIMIT // 1024} KB" in caught.value.message


def test_json_is_laid_out_by_width_and_stays_the_same():
    value = {"a": [1, 2, {"b": "ü", "c": None}], "d": {}, "e": [{"long": "x" * 30}, {"long": "y" * 30}]}
    for width in (1, 20, 40, 80, 500):
        assert json.loads(format_json(value, width)) == value
    assert format_json(value, 40).splitlines()[1] == '  "a": [1, 2, {"b": "ü", "c": null}],'
    assert format_json(value, 500) == compact_json(value)
