"""Regular expressions from an agent: ECMAScript's meaning, and an end whatever is sent."""

import re

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from a2ui_app.catalogs.errors import A2uiExpressionError
from a2ui_app.catalogs.patterns import search


@pytest.mark.parametrize(
    ("pattern", "value"),
    [
        ("", ""),
        ("b", "abc"),
        ("^[0-9]+$", "12345"),
        ("^$", ""),
        (r"^\(\d{3}\) \d{3}-\d{4}$", "(555) 123-4567"),
        (r"^(?=.*[A-Z])(?=.*\d).{8,}$", "Passw0rdX"),
        (r"^(?!.*\s)[\w.-]+$", "a.b-c"),
        (r"(?<!a)b", "cb"),
        (r"(?<=a+)b", "aab"),
        (r"^\p{L}+$", "héłø"),
        (r"^\p{Script=Greek}$", "\u03b1"),
        (r"^\P{L}$", "1"),
        (r"(?<year>\d)-\k<year>", "7-7"),
        (r"(a)\1", "aa"),
        (r"(?:(a)|b)\1", "b"),  # a group that has not matched is empty
        (r"\1(a)", "a"),
        ("^.$", "😀"),
        (r"^\u{1F600}\uD83D\uDE00\x41\u0042\cA\0\t$", "😀😀AB\x01\0\t"),
        (r"^[\w-.]+$", "a-."),
        (r"^[\d-x]+$", "1-x"),
        (r"^[^\d\s]+$", "ab"),
        (r"^[\b]$", "\b"),
        (r"^[\D]$", "x"),
        (r"^\/\-\_\@\]\}$", "/-_@]}"),
        (r"^a{,2}}]$", "a{,2}}]"),
        (r"^a{2}b{1,}c{0,2}?$", "aabc"),
        ("^a{1,99999999}$", "aaa"),
        ("[^]", "\n"),
        (r"^\s$", "\ufeff"),
        (r"\bb\b", "a b"),
        (r"\bb", "éb"),  # \b knows ASCII letters only
        (r"\B", "ab"),
        ("[a&&b]", "&"),
        ("[[:alpha:]]", ":]"),
        ("^#  x$", "#  x"),
    ],
)
def test_matches(pattern: str, value: str) -> None:
    assert search(pattern, value) is True


@pytest.mark.parametrize(
    ("pattern", "value"),
    [
        ("^[0-9]+$", "abc"),
        ("^[0-9]{4}$", "12a"),
        ("a$", "a\n"),  # $ is the end of the text
        ("^b", "a\nb"),
        (r"\d", "٣"),
        (r"\w", "é"),
        (".", "\u2028"),
        ("[]", "a"),
        (r"\s", "\x85"),
        (r"(?<=b)a", "ca"),
        ("a", "A"),
    ],
)
def test_does_not_match(pattern: str, value: str) -> None:
    assert search(pattern, value) is False


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("[invalid(", r"a '\[' is never closed \(character 1\)"),
        ("[a-", r"a '\[' is never closed"),
        ("(a", r"a '\(' is never closed"),
        ("a)", r"this '\)' closes no group \(character 2\)"),
        ("*a", r"'\*' has nothing to repeat \(character 1\)"),
        ("a|+", r"'\+' has nothing to repeat"),
        ("^*", r"'\*' has nothing to repeat"),
        ("a**", r"'\*' has nothing to repeat"),
        ("a++", r"'\+' has nothing to repeat"),
        ("a{1}{2}", r"'\{2\}' has nothing to repeat"),
        ("a{2,1}", "out of order"),
        ("[b-a]", "out of order"),
        ("\\", "ends in a lone"),
        ("[\\", "ends in a lone"),
        (r"\A", r"no escape '\\A'"),
        (r"\01", r"no escape '\\0'"),
        (r"\u{110000}", "no Unicode code point"),
        (r"(a)\2", "there is no group 2"),
        (r"\k<x>", "there is no group x"),
        (r"\k", "needs the name of a group"),
        (r"\p", "needs a Unicode property"),
        (r"\p{NoSuchProperty}", "unknown property"),
        ("(?<a>x)(?<a>y)", "'a' is given to two groups"),
        ("(?i)a", r"after '\(\?' only"),
        ("(?P<n>a)", r"after '\(\?' only"),
        ("(?R)", r"after '\(\?' only"),
        ("(?>a)", r"after '\(\?' only"),
    ],
)
def test_a_malformed_pattern_says_where(pattern: str, message: str) -> None:
    with pytest.raises(A2uiExpressionError, match=message):
        search(pattern, "a")


@pytest.mark.parametrize(
    ("pattern", "value"),
    [
        ("^(a+)+$", "a" * 40),
        ("^(a+)+$", "a" * 40 + "!"),
        ("^(a|a)+$", "a" * 40 + "!"),
        ("(x+x+)+y", "x" * 10_000),
        ("(.*)(.*)(.*)(.*)(.*)=", "a" * 10_000),
        (r"^(([a-z])+.)+[A-Z]([a-z])+$", "a" * 10_000),
        (r"(\w+\s*)+:", "word " * 2_000),
        (r"(?=(a+))\1+b", "a" * 10_000),
        ("(?:a{1,1000}){1,1000}b", "a" * 10_000),
    ],
)
def test_a_search_ends(pattern: str, value: str) -> None:
    """It answers, or says that it was stopped; without the limit most of these take longer than a person lives."""
    try:
        search(pattern, value)
    except A2uiExpressionError as error:
        assert "took longer than 20 ms and was stopped" in str(error)


def test_a_search_that_takes_too_long_is_stopped() -> None:
    with pytest.raises(A2uiExpressionError, match="took longer than 20 ms and was stopped"):
        search("^(a|a)+$", "a" * 40 + "!")


@pytest.mark.parametrize(
    ("allowed", "refused", "message"),
    [
        ("a" * 1000, "a" * 1001, "1,001 characters long; at most 1,000"),
        ("a{2000}", "a{2001}", "more than 2,000 items"),
        ("(?:a{30}){30}", "(?:a{1000}){1000}", "more than 2,000 items"),
        ("a{0,10000}", "a{999999999999}", "more than 2,000 items"),
        ("(?:" * 50 + "a" + ")" * 50, "(?:" * 51 + "a" + ")" * 51, "nested more than 50 deep"),
        (r"\S" * 30, r"\S" * 300, "too complex"),
    ],
)
def test_limits_of_a_pattern(allowed: str, refused: str, message: str) -> None:
    assert search(allowed, "") in (True, False)
    with pytest.raises(A2uiExpressionError, match=message):
        search(refused, "a")


def test_limit_of_the_text() -> None:
    assert search("a", "a" * 10_000)
    with pytest.raises(A2uiExpressionError, match="10,001 characters long; regular expressions take at most 10,000"):
        search("a", "a" * 10_001)


FRAGMENTS = [
    *(
        "(",
        ")",
        "(?:",
        "(?=",
        "(?<!",
        "(?<n>",
        "[",
        "[^",
        "]",
        "-",
        "{",
        "}",
        "{2}",
        "{,",
        "*",
        "+",
        "?",
        "|",
        "^",
        "$",
    ),
    *(".", "\\", r"\d", r"\S", r"\b", r"\1", r"\k<n>", r"\p{L}", r"\u", "a", "1", "é", "😀", "\ud800", "\0"),
]
fragments = st.lists(st.sampled_from(FRAGMENTS) | st.characters(), max_size=15).map("".join)


@settings(deadline=None)  # a search may take its 20 ms
@given(fragments, st.text(max_size=30))
def test_a_pattern_is_searched_or_says_why_not(pattern: str, value: str) -> None:
    try:
        assert search(pattern, value) in (True, False)
    except A2uiExpressionError as error:
        assert "regular expression" in str(error)


@settings(deadline=None)
@given(st.text(max_size=50), st.text(max_size=10))
def test_a_quoted_text_finds_itself_and_nothing_else(text: str, other: str) -> None:
    quoted = "".join(f"\\{character}" if character in r"\^$.*+?()[]{}|/-" else character for character in text)
    assert search(f"^{quoted}$", text)
    assert search(f"^{quoted}$", other) is (text == other)


@settings(deadline=None)
@given(st.text(alphabet="ab^$.*+?()|", max_size=8), st.text(alphabet="ab", max_size=6))
def test_where_python_reads_the_same_it_finds_the_same(pattern: str, value: str) -> None:
    try:
        ours = search(pattern, value)
    except A2uiExpressionError:
        reject()
    assert ours == (re.search(pattern.replace("$", r"\Z"), value) is not None)
