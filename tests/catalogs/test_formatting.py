"""Numbers, money, dates and plurals (digest section 12.1)."""

import datetime as dt
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from a2ui_app.catalogs.errors import A2uiExpressionError
from a2ui_app.catalogs.formatting import format_currency, format_date, format_number, pluralize

NO_BREAK_SPACE = "\xa0"


@pytest.mark.parametrize(
    ("value", "arguments", "text"),
    [
        (1234567.891, {}, "1,234,567.891"),
        (1234.5, {"decimals": 0}, "1,234"),
        (1235.5, {"decimals": 0}, "1,236"),
        (1234.567, {"decimals": 2, "grouping": True}, "1,234.57"),
        (1234.5, {"decimals": 2, "grouping": False}, "1234.50"),
        (1234.5, {"decimals": "2", "grouping": "false"}, "1234.50"),
        (1234.567, {"decimals": 0, "grouping": False}, "1235"),
        (1234.5, {"decimals": None, "grouping": None}, "1,234.5"),
        (0.12345, {}, "0.123"),
        (-1234, {}, "-1,234"),
        (None, {}, "0"),
        (None, {"decimals": 2}, "0.00"),
        ("12.50", {}, "12.5"),
        ("abc", {}, "0"),
        (1e22, {}, "10,000,000,000,000,000,000,000"),
        (1e300, {"decimals": 1, "grouping": False}, "1" + "0" * 300 + ".0"),
        (float("inf"), {}, "Infinity"),
        (10**400, {}, "Infinity"),
        (1234567.891, {"locale": "de-DE"}, "1.234.567,891"),
        (1234567, {"locale": "hi-IN"}, "12,34,567"),
        (1234.5, {"locale": "no such locale"}, "1,234.5"),
    ],
)
def test_format_number(value: Any, arguments: dict[str, Any], text: str) -> None:
    assert format_number(value, **arguments) == text


@pytest.mark.parametrize("decimals", [-1, 101, 1e300, float("nan")])
def test_decimals_have_limits(decimals: float) -> None:
    with pytest.raises(A2uiExpressionError, match="'decimals' must be between 0 and 100"):
        format_number(1, decimals)


@pytest.mark.parametrize(
    ("value", "currency", "arguments", "text"),
    [
        (1234.5, "USD", {}, "$1,234.50"),
        (1234.5, "usd", {"decimals": 2}, "$1,234.50"),
        (99.99, "USD", {"decimals": 2}, "$99.99"),
        (-3, "EUR", {"decimals": 0}, "-€3"),
        (1234.5, "EUR", {}, "€1,234.50"),
        (1234.5, "JPY", {}, "¥1,234"),
        (1234.5, "JPY", {"decimals": 2}, "¥1,234.50"),
        (5, "BHD", {}, f"BHD{NO_BREAK_SPACE}5.000"),
        (5, "CHF", {}, f"CHF{NO_BREAK_SPACE}5.00"),
        (1234.5, "USD", {"grouping": False}, "$1234.50"),
        (None, "USD", {}, "$0.00"),
        (1234.5, "EUR", {"locale": "de-DE"}, f"1.234,50{NO_BREAK_SPACE}€"),
    ],
)
def test_format_currency(value: Any, currency: str, arguments: dict[str, Any], text: str) -> None:
    assert format_currency(value, currency, **arguments) == text


@pytest.mark.parametrize("currency", [None, "", "US", "DOLLAR", "U$D", "¤¤¤", 5])
def test_a_currency_is_a_code_of_three_letters(currency: Any) -> None:
    with pytest.raises(A2uiExpressionError, match="'currency' must be an ISO 4217 code"):
        format_currency(1, currency)


MOMENT = "2026-02-02T15:17:05.678Z"


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("E MMM d, yyyy h:mm a", "Mon Feb 2, 2026 3:17 PM"),
        ("ISO", "2026-02-02T15:17:05.678Z"),
        ("yyyy-MM-dd", "2026-02-02"),
        ("yy y M MM MMM MMMM", "26 2026 2 02 Feb February"),
        ("d dd E EE EEE EEEE", "2 02 Mon Mon Mon Monday"),
        ("H HH h hh m mm s ss SSS a", "15 15 3 03 17 17 5 05 678 PM"),
        ("EEEE, MMMM d, yyyy 'at' h:mm a", "Monday, February 2, 2026 at 3:17 PM"),
        ("h 'o''clock'", "3 o'clock"),
        ("''yy''", "'26'"),
        ("d 'unclosed d", "2 unclosed d"),
        ("YYYY QQQ MMMMM dddd z", "YYYY QQQ MMMMM dddd z"),
        ("", ""),
        ("/ -- :", "/ -- :"),
    ],
)
def test_date_patterns(pattern: str, text: str) -> None:
    assert format_date(MOMENT, pattern) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("2026-02-02", "2026-02-02 00:00:00.000"),
        ("2026-02", "2026-02-01 00:00:00.000"),
        ("20260202", "2026-02-02 00:00:00.000"),
        ("2026-02-02T15:17", "2026-02-02 15:17:00.000"),
        ("2026-02-02 15:17:05", "2026-02-02 15:17:05.000"),
        ("20260202T151705Z", "2026-02-02 15:17:05.000"),
        ("2026-02-02T15:17:05.6789123Z", "2026-02-02 15:17:05.678"),
        (" 2026-02-02T15:17:05,5z ", "2026-02-02 15:17:05.500"),
        (1770045425678, "2026-02-02 15:17:05.678"),
        (1770045425678.0, "2026-02-02 15:17:05.678"),
        ("1770045425678", "2026-02-02 15:17:05.678"),
        (0, "1970-01-01 00:00:00.000"),
        (-1, "1969-12-31 23:59:59.999"),
    ],
)
def test_what_counts_as_a_date(value: Any, text: str) -> None:
    assert format_date(value, "yyyy-MM-dd HH:mm:ss.SSS") == text


@pytest.mark.parametrize(
    "value",
    [
        *(None, "", "garbage", "2026", "tomorrow", "2026-02-30", "2026-13-01", "0000-01-01", "2026-02-02x15:17"),
        *("2026-02-02T25:00", "2026-02-02T15:17+25:00", "24:61", "٢٠٢٦-٠٢-٠٢", "9" * 60, "1" * 9999),
        *(True, [], {}, 1e300, float("nan")),
    ],
)
def test_what_is_no_date_is_nothing(value: Any) -> None:
    assert format_date(value, "yyyy-MM-dd HH:mm") == ""
    assert format_date(value, "ISO") == ""


@pytest.mark.parametrize(
    ("value", "clock", "iso"),
    [
        ("2026-02-02T23:30:00", "Mon 11:30 PM", "2026-02-02T23:30:00.000Z"),
        ("2026-02-02T23:30:00Z", "Mon 11:30 PM", "2026-02-02T23:30:00.000Z"),
        ("2026-02-02T23:30:00-05:00", "Mon 11:30 PM", "2026-02-03T04:30:00.000Z"),
        ("2026-02-02T03:30:00+0530", "Mon 3:30 AM", "2026-02-01T22:00:00.000Z"),
        ("0001-01-01T00:30:00+01:00", "Mon 12:30 AM", ""),
    ],
)
def test_a_zone_is_shown_as_written_and_only_iso_converts(value: str, clock: str, iso: str) -> None:
    assert format_date(value, "E h:mm a") == clock
    assert format_date(value, "ISO") == iso


@pytest.mark.parametrize(
    ("value", "pattern", "text"),
    [
        ("15:17", "h:mm a", "3:17 PM"),
        ("9:05", "HH:mm", "09:05"),
        ("T09:05:07.25Z", "H.mm ss SSS", "9.05 07 250"),
        ("00:00", "h a", "12 AM"),
        ("12:00", "h a", "12 PM"),
        ("15:17", "MMM d, h:mm a", ""),
        ("15:17", "ISO", ""),
    ],
)
def test_a_time_of_day_has_no_date(value: str, pattern: str, text: str) -> None:
    assert format_date(value, pattern) == text


def test_date_names_follow_the_locale() -> None:
    assert format_date("2026-03-02", "EEEE, d. MMMM yyyy", locale="de") == "Montag, 2. März 2026"


def test_a_date_pattern_has_a_limit() -> None:
    assert format_date(MOMENT, "d" * 1000) == "d" * 1000
    with pytest.raises(A2uiExpressionError, match="'format' is 1,001 characters long"):
        format_date(MOMENT, "d" * 1001)


@given(st.text() | st.integers() | st.floats(), st.text(max_size=50))
def test_no_date_and_no_pattern_raises(value: Any, pattern: str) -> None:
    assert isinstance(format_date(value, pattern), str)


@given(st.datetimes(timezones=st.none() | st.just(dt.UTC)))
def test_iso_says_the_same_moment(moment: dt.datetime) -> None:
    written = format_date(moment.isoformat(), "ISO")
    milliseconds = moment.replace(microsecond=moment.microsecond // 1000 * 1000, tzinfo=dt.UTC)
    assert dt.datetime.fromisoformat(written) == milliseconds


@pytest.mark.parametrize(
    ("value", "texts", "locale", "text"),
    [
        (0, {"zero": "No items", "one": "1 item", "other": "items"}, "en", "No items"),
        (1, {"zero": "No items", "one": "1 item", "other": "items"}, "en", "1 item"),
        (1.0, {"one": "1 item", "other": "items"}, "en", "1 item"),
        (2, {"one": "1 item", "two": "A couple", "other": "items"}, "en", "A couple"),
        (2, {"one": "1 item", "other": "items"}, "en", "items"),
        (0, {"one": "1 item", "other": "items"}, "en", "items"),
        (1.5, {"one": "1 item", "other": "items"}, "en", "items"),
        (5, {"one": "1 item", "other": "items"}, "en", "items"),
        ("1", {"one": "1 item", "other": "items"}, "en", "1 item"),
        (None, {"zero": "none", "other": "items"}, "en", "none"),
        (0, {"zero": "", "other": "items"}, "en", ""),
        (0, {"zero": None, "other": "items"}, "en", "items"),
        (1, {"other": None}, "en", ""),
        (5, {"other": 7.0}, "en", "7"),
        (float("inf"), {"other": "items"}, "en", "items"),
        (3, {"few": "few", "many": "many", "other": "other"}, "pl", "few"),
        (5, {"few": "few", "many": "many", "other": "other"}, "pl", "many"),
        (3.0, {"few": "few", "many": "many", "other": "other"}, "pl", "few"),
        (21, {"one": "one", "other": "other"}, "ru", "one"),
        (0, {"one": "one", "other": "other"}, "fr", "one"),
    ],
)
def test_pluralize(value: Any, texts: Mapping[str, Any], locale: str, text: str) -> None:
    assert pluralize(value, texts, locale=locale) == text
