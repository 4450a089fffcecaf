"""The coercion table of dynamic values, truthiness of checks, and ValidationResults."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from a2ui_app.catalogs.coercion import to_boolean, to_number, to_string, truthy, validation_result

json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda children: st.lists(children, max_size=4) | st.dictionaries(st.text(), children, max_size=4),
    max_leaves=20,
)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (True, "true"),
        (False, "false"),
        ("é", "é"),
        (0, "0"),
        (-7, "-7"),
        (12345678901234567890, "12345678901234567890"),
        (10**21, "1e+21"),
        (10**400, "Infinity"),
        (-(10**400), "-Infinity"),
        (1.0, "1"),
        (-0.0, "0"),
        (1.5, "1.5"),
        (0.1, "0.1"),
        (1e16, "10000000000000000"),
        (123456789012345680000.0, "123456789012345680000"),
        (1e21, "1e+21"),
        (1.25e-9, "1.25e-9"),
        (-1e-7, "-1e-7"),
        (1e-6, "0.000001"),
        (-0.000123, "-0.000123"),
        (5e-324, "5e-324"),
        (float("nan"), "NaN"),
        (float("-inf"), "-Infinity"),
        ([], "[]"),
        ({}, "{}"),
        ([1.0, None, True, "é\n"], '[1,null,true,"é\\n"]'),
        ({"a": {"b": [1e21, float("nan")]}, "c": 'x"'}, '{"a":{"b":[1e+21,null]},"c":"x\\""}'),
    ],
)
def test_a_string_takes_the_form_of_javascript(value: Any, text: str) -> None:
    assert to_string(value) == text


def test_a_container_of_any_depth_becomes_text() -> None:
    value: Any = 1
    for _ in range(100_000):
        value = [value]
    assert to_string(value) == "[" * 100_000 + "1" + "]" * 100_000


@given(json_values)
def test_every_json_value_becomes_a_string_a_number_and_a_boolean(value: Any) -> None:
    assert isinstance(to_string(value), str)
    assert isinstance(to_number(value), (int, float))
    assert isinstance(to_boolean(value), bool)
    assert isinstance(truthy(value), bool)
    assert isinstance(validation_result(value)["valid"], bool)


finite = st.floats(allow_nan=False, allow_infinity=False)
exact_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | finite | st.text(),
    lambda children: st.lists(children, max_size=4) | st.dictionaries(st.text(), children, max_size=4),
    max_leaves=20,
)


@given(st.lists(exact_values) | st.dictionaries(st.text(), exact_values))
def test_a_container_becomes_json_that_says_the_same(value: Any) -> None:
    assert json.loads(to_string(value), parse_int=float) == value


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (None, 0),
        (True, 1),
        (False, 0),
        (2, 2),
        (2.5, 2.5),
        ("42", 42),
        (" 42.5 ", 42.5),
        ("-3", -3),
        ("+.5", 0.5),
        ("5.", 5.0),
        ("1e3", 1000.0),
        ("0" * 5000 + "7", 7),
        ("9" * 5000, 0),
        ("", 0),
        ("x", 0),
        ("1_000", 0),
        ("0x10", 0),
        ("٣", 0),
        ("Infinity", 0),
        ("nan", 0),
        ([1], 0),
        ({"a": 1}, 0),
    ],
)
def test_a_number_is_read_or_is_0(value: Any, number: float) -> None:
    assert to_number(value) == number


def test_whole_numbers_stay_whole() -> None:
    assert isinstance(to_number("42"), int)
    assert isinstance(to_number(True), int)


@pytest.mark.parametrize("value", [True, "true", "TRUE", "True", 1, -0.5, {"valid": True, "code": "X"}])
def test_true(value: Any) -> None:
    assert to_boolean(value) is True


@pytest.mark.parametrize(
    "value", [None, False, "false", "yes", "1", "", 0, 0.0, [], [1], {}, {"a": 1}, {"valid": False}, {"valid": "true"}]
)
def test_false(value: Any) -> None:
    assert to_boolean(value) is False


@pytest.mark.parametrize("value", [True, 1, "x", "false", [0], {"a": 1}, {"valid": True}])
def test_truthy(value: Any) -> None:
    assert truthy(value) is True


@pytest.mark.parametrize("value", [None, False, 0, "", [], {}, {"valid": False, "message": "no"}])
def test_not_truthy(value: Any) -> None:
    assert truthy(value) is False


@pytest.mark.parametrize(
    ("value", "result"),
    [
        (True, {"valid": True}),
        (False, {"valid": False}),
        (None, {"valid": False}),
        (0, {"valid": False}),
        ("", {"valid": False}),
        ("false", {"valid": True}),
        (3, {"valid": True}),
        ({}, {"valid": False}),
        ({"message": "no"}, {"valid": False, "message": "no"}),
        ({"valid": True}, {"valid": True}),
        (
            {"valid": False, "code": "C", "message": "m", "severity": "warning", "hint": 1},
            {"valid": False, "code": "C", "message": "m", "severity": "warning", "hint": 1},
        ),
        ({"valid": "true"}, {"valid": True}),
        ({"valid": False, "message": None, "severity": "fatal"}, {"valid": False}),
        ({"valid": False, "message": 5, "severity": ["error"]}, {"valid": False, "message": "5"}),
    ],
)
def test_validation_result(value: Any, result: dict[str, Any]) -> None:
    assert validation_result(value) == result


def test_validation_result_leaves_its_input_alone() -> None:
    value = {"valid": 1, "severity": "x"}
    validation_result(value)
    assert value == {"valid": 1, "severity": "x"}
