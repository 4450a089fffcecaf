"""The basic catalogs' functions (digest section 12.1, and the outcomes the conformance suites name)."""

from typing import Any

import pytest

from a2ui_app.catalogs.errors import A2uiExpressionError
from a2ui_app.catalogs.functions import (
    BASIC_FUNCTIONS,
    EVALUATED,
    MINIMAL_FUNCTIONS,
    Function,
    basic_functions,
    check_media_url,
)

NAMES = {
    *("required", "regex", "length", "numeric", "email"),
    *("formatNumber", "formatCurrency", "formatDate", "pluralize"),
    *("openUrl", "and", "or", "not"),
}


def call(name: str, arguments: dict[str, Any], family: str = "1.0") -> Any:
    execute = BASIC_FUNCTIONS[family][name].execute
    assert execute is not None
    return execute(arguments)


@pytest.mark.parametrize("family", ["0.9", "1.0"])
def test_the_functions_of_a_family(family: str) -> None:
    functions = BASIC_FUNCTIONS[family]
    assert functions.keys() == NAMES
    assert not functions.keys() & EVALUATED
    assert all(name == function.name and function.execute for name, function in functions.items())
    assert {function.allowed_callers for function in functions.values()} == {"rendererOnly"}
    assert [name for name, function in functions.items() if function.requires_user_activation] == ["openUrl"]


def test_return_types() -> None:
    assert BASIC_FUNCTIONS["0.9"]["required"].return_type == "boolean"
    assert BASIC_FUNCTIONS["1.0"]["required"].return_type == "validationResult"
    assert BASIC_FUNCTIONS["1.0"]["and"].return_type == "boolean"
    assert BASIC_FUNCTIONS["1.0"]["formatDate"].return_type == "string"
    assert BASIC_FUNCTIONS["1.0"]["openUrl"].return_type == "void"


CHECKS: list[tuple[str, dict[str, Any], bool]] = [
    *(("required", {"value": value}, True) for value in (False, 0, " ", {}, "hello", [1, 2], [None])),
    *(("required", {"value": value}, False) for value in (None, "", [])),
    ("regex", {"value": "12345", "pattern": "^[0-9]+$"}, True),
    ("regex", {"value": "abc", "pattern": "^[0-9]+$"}, False),
    ("regex", {"value": "xaby", "pattern": "ab"}, True),
    ("regex", {"value": None, "pattern": "^$"}, True),
    ("regex", {"value": 1234.0, "pattern": "^[0-9]{4}$"}, True),
    ("length", {"value": "hello", "min": 3, "max": 10}, True),
    ("length", {"value": "hi", "min": 3}, False),
    ("length", {"value": "hello world", "max": 5}, False),
    ("length", {"value": "héé", "min": 3, "max": 3}, True),
    ("length", {"value": "😀", "max": 1}, True),
    ("length", {"value": ["a", "b", "c"], "min": 2, "max": 4}, True),
    ("length", {"value": ["a"], "min": 2}, False),
    ("length", {"value": None, "min": 1}, False),
    ("length", {"value": None, "max": 1}, True),
    ("length", {"value": "abc", "min": None, "max": 3}, True),
    ("numeric", {"value": 42.5, "min": 0, "max": 100}, True),
    ("numeric", {"value": "42.5", "min": 0, "max": 100}, True),
    ("numeric", {"value": 100, "min": 0, "max": 100}, True),
    ("numeric", {"value": -5, "min": 0}, False),
    ("numeric", {"value": 150, "max": 100}, False),
    ("numeric", {"value": "not_a_number", "min": -1}, False),
    ("numeric", {"value": None, "min": -1}, False),
    ("numeric", {"value": "", "min": -1}, False),
    ("numeric", {"value": True, "min": -1}, False),
    ("numeric", {"value": [1], "min": -1}, False),
    ("email", {"value": "user@example.com"}, True),
    ("email", {"value": "a@b.co"}, True),
    ("email", {"value": "a@b"}, False),
    ("email", {"value": "invalid-email"}, False),
    ("email", {"value": "test@test.c"}, False),
    ("email", {"value": "a@b.co\n"}, False),
    ("email", {"value": None}, False),
    ("email", {"value": "a@" + "b" * 400 + ".co"}, False),
]


@pytest.mark.parametrize(("name", "arguments", "valid"), CHECKS)
def test_checks(name: str, arguments: dict[str, Any], valid: bool) -> None:
    assert call(name, arguments, "0.9") is valid
    assert call(name, arguments, "1.0")["valid"] is valid


def test_an_invalid_email_says_so_in_1_0() -> None:
    assert call("email", {"value": "a@b"}) == {
        "valid": False,
        "code": "INVALID_EMAIL",
        "message": "Please enter a valid email address (e.g. user@example.com).",
        "severity": "error",
    }
    assert call("email", {"value": "a@b.co"}) == {"valid": True}


def test_other_checks_leave_the_message_to_the_rule() -> None:
    assert call("required", {"value": ""}) == {"valid": False}


@pytest.mark.parametrize(
    ("name", "arguments", "result"),
    [
        ("and", {"values": [True, True]}, True),
        ("and", {"values": [True, False]}, False),
        ("and", {"values": [1, "non-empty"]}, True),
        ("and", {"values": [1, ""]}, False),
        ("or", {"values": [False, False]}, False),
        ("or", {"values": [False, True]}, True),
        ("or", {"values": [0, "yes"]}, True),
        ("or", {"values": [None, None]}, False),
        ("not", {"value": True}, False),
        ("not", {"value": False}, True),
        ("not", {"value": ""}, True),
        ("not", {"value": "hello"}, False),
        ("not", {"value": None}, True),
    ],
)
@pytest.mark.parametrize("family", ["0.9", "1.0"])
def test_logic(name: str, arguments: dict[str, Any], result: bool, family: str) -> None:
    assert call(name, arguments, family) is result


def test_logic_reads_validation_results_in_1_0_only() -> None:
    valid, invalid = {"valid": True}, {"valid": False, "message": "Required"}
    assert call("and", {"values": [valid, invalid]}) is False
    assert call("or", {"values": [invalid, invalid]}) is False
    assert call("not", {"value": invalid}) is True
    assert call("not", {"value": invalid}, "0.9") is False


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("formatNumber", {"value": 1234.567, "decimals": 2, "grouping": True}, "1,234.57"),
        ("formatNumber", {"value": None}, "0"),
        ("formatCurrency", {"value": 1234.5, "currency": "USD"}, "$1,234.50"),
        ("formatDate", {"value": "2026-08-26T12:00:00Z", "format": "yyyy-MM-dd"}, "2026-08-26"),
        ("pluralize", {"value": 1, "one": "1 item", "other": "items"}, "1 item"),
        ("pluralize", {"value": 5, "one": "1 item", "other": "items"}, "items"),
    ],
)
@pytest.mark.parametrize("family", ["0.9", "1.0"])
def test_texts(name: str, arguments: dict[str, Any], text: str, family: str) -> None:
    assert call(name, arguments, family) == text


def test_the_locale_is_the_hosts_choice() -> None:
    polish = basic_functions("pl")["1.0"]["pluralize"]
    assert polish.execute is not None
    assert polish.execute({"value": 3, "few": "pliki", "other": "pliku"}) == "pliki"


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        ("required", {}, "^required: the argument 'value' is missing"),
        ("regex", {"value": "a"}, "^regex: the argument 'pattern' is missing"),
        ("regex", {"value": "a", "pattern": "("}, "^regex: Invalid regular expression"),
        ("regex", {"value": "a" * 40 + "!", "pattern": "^(a|a)+$"}, "^regex: .* was stopped"),
        ("length", {"value": "a"}, "^length: one of the arguments 'min' and 'max' is needed"),
        ("length", {"value": "a", "min": None}, "^length: one of the arguments 'min' and 'max' is needed"),
        ("length", {"value": "a", "min": "x"}, "^length: the argument 'min' must be a number, not 'x'"),
        ("numeric", {"value": 1}, "^numeric: one of the arguments 'min' and 'max' is needed"),
        ("numeric", {"value": 1, "max": True}, "^numeric: the argument 'max' must be a number"),
        ("email", {"value": "a", "vlaue": "b"}, "^email: there is no argument 'vlaue'. The arguments are value"),
        ("formatNumber", {"value": 1, "locale": "de"}, "^formatNumber: there is no argument 'locale'"),
        ("formatNumber", {"value": 1, "decimals": -1}, "^formatNumber: the argument 'decimals'"),
        ("formatCurrency", {"value": 1}, "^formatCurrency: the argument 'currency' is missing"),
        ("formatCurrency", {"value": 1, "currency": "?"}, "^formatCurrency: the argument 'currency'"),
        ("formatDate", {"value": 1}, "^formatDate: the argument 'format' is missing"),
        ("pluralize", {"value": 1, "one": "a"}, "^pluralize: the argument 'other' is missing"),
        ("pluralize", {"value": 1, "other": "a", "locale": "pl"}, "^pluralize: there is no argument 'locale'"),
        ("openUrl", {}, "^openUrl: the argument 'url' is missing"),
        ("and", {"values": [True]}, "^and: the argument 'values' must be a list of at least 2"),
        ("and", {"values": "ab"}, "^and: the argument 'values' must be a list"),
        ("or", {"values": []}, "^or: the argument 'values' must be a list of at least 2"),
        ("not", {}, "^not: the argument 'value' is missing"),
        ("not", {f"a{n}": n for n in range(1001)}, "^not: 1,001 arguments; at most 1,000"),
    ],
)
@pytest.mark.parametrize("family", ["0.9", "1.0"])
def test_bad_arguments_name_the_function_and_the_argument(
    name: str, arguments: dict[str, Any], message: str, family: str
) -> None:
    with pytest.raises(A2uiExpressionError, match=message):
        call(name, arguments, family)


WEB_URLS = [
    "https://example.com",
    "HTTP://example.com/a?b=c#d",
    "http://localhost:8000/",
    "https://user@example.com/%20",
    "https://[::1]/x",
    "https://bücher.example/ü",
]

REFUSED_URLS = [
    *("javascript:alert(1)", "JaVaScRiPt:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)"),
    *("\x01javascript:alert(1)", "java\tscript:alert(1)", "vbscript:x", "data:text/html,x", "file:///etc/passwd"),
    *("blob:https://example.com/x", "mailto:a@example.com", "tel:1", "//example.com", "/path", "example.com", "", "#"),
    *("https:example.com", "https:/example.com", "https:///example.com", "https://", "https:\\\\example.com"),
    *("https://\\example.com", " https://example.com", "https://example.com ", "https://example.com\n"),
    *("https://exa\tmple.com", "https://example.com/a b", "\ufeffhttps://example.com", "https\0://example.com"),
    *("https://?x", "https://#x", "https://example.com/\u2028", "httpss://example.com", "xhttps://example.com"),
]


@pytest.mark.parametrize("url", WEB_URLS)
def test_open_url_returns_the_address(url: str) -> None:
    assert call("openUrl", {"url": url}) == url
    assert check_media_url(url) == url


@pytest.mark.parametrize("url", REFUSED_URLS)
def test_open_url_refuses_everything_else(url: str) -> None:
    with pytest.raises(A2uiExpressionError, match=r"^openUrl: "):
        call("openUrl", {"url": url})
    assert check_media_url(url) is None


@pytest.mark.parametrize("url", [None, 5, True, [], {"href": "https://example.com"}])
def test_an_address_is_a_text(url: Any) -> None:
    with pytest.raises(A2uiExpressionError, match=r"^openUrl: the argument 'url' must be a text"):
        call("openUrl", {"url": url})
    assert check_media_url(url) is None


@pytest.mark.parametrize("kind", ["png", "jpeg", "gif", "webp", "PNG"])
def test_an_image_may_come_in_the_address(kind: str) -> None:
    url = f"data:image/{kind};base64,iVBORw0KGgo="
    assert check_media_url(url) == url
    with pytest.raises(A2uiExpressionError):
        call("openUrl", {"url": url})


@pytest.mark.parametrize(
    "url",
    [
        "data:image/svg+xml;base64,PHN2Zz4=",
        "data:image/png,x",
        "data:image/png;charset=x;base64,AAAA",
        "data:text/html;base64,AAAA",
        "data:image/png;base64,",
        "data:image/png;base64,AA AA",
        "data:image/png;base64,AAAA\n",
        'data:image/png;base64,AAAA"onerror="x',
        " data:image/png;base64,AAAA",
    ],
)
def test_other_data_is_no_image(url: str) -> None:
    assert check_media_url(url) is None


@pytest.mark.parametrize(
    ("value", "text"),
    [("hello world", "Hello world"), ("élan", "Élan"), ("ABC", "ABC"), ("", ""), (None, ""), (5, "5")],
)
def test_capitalize(value: Any, text: str) -> None:
    capitalize = MINIMAL_FUNCTIONS["capitalize"]
    assert isinstance(capitalize, Function) and capitalize.execute is not None
    assert capitalize.execute({"value": value}) == text
