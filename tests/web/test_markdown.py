import pytest
from hypothesis import given
from hypothesis import strategies as st

from a2ui_app.web import markdown
from a2ui_app.web.markdown import blocks, inline


@pytest.mark.parametrize(
    "text",
    [
        "Plain text, with commas.",
        "two\nlines\n\nand a paragraph",
        "- 5 °C",  # reported input 56: as labels these must keep every character
        "+1 800",
        "* tax included",
        "1. Introduction",
        "2024. A good year",
        "5 * 3 * 2",
        "snake_case_name",
        "[v3=u1]",
        "Tom & Jerry",
        "a < b",
        "#hashtag",
        "C# and F#",
    ],
)
def test_what_is_no_markdown_stays_as_it_is(text):
    assert blocks(text) == text
    assert inline(text) == text


@pytest.mark.parametrize(
    "text", ["Plain text, with commas.", "two\nlines", "[v3=u1]", "+1 800", "50 %", "a@b.co", "10:30"]
)
def test_plain_text_meets_no_parser(monkeypatch, text):
    monkeypatch.setattr(markdown, "_parser", None)
    assert blocks.__wrapped__(text) is text
    assert inline.__wrapped__(text) is text


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("# Title", [["h1", {}, "Title"]]),  # reported input 55
        ("**b** and *i*", [["strong", {}, "b"], " and ", ["em", {}, "i"]]),
        ("`x < y`", [["code", {}, "x < y"]]),
        ("~~old~~", [["s", {}, "old"]]),
        ("- a\n- b", [["ul", {}, ["li", {}, "a"], ["li", {}, "b"]]]),
        ("3. c\n4. d", [["ol", {"start": 3}, ["li", {}, "c"], ["li", {}, "d"]]]),
        ("```\n<b>\n```", [["pre", {}, ["code", {}, "<b>\n"]]]),
        ("> q", [["blockquote", {}, ["p", {}, "q"]]]),
        ("a\n\n---\n\nb", [["p", {}, "a"], ["hr", {}], ["p", {}, "b"]]),
        ("*a*\nb", [["em", {}, "a"], "\n", "b"]),
        (r"a\*b\*", "a*b*"),
        ("&lt;b&gt;", "<b>"),
    ],
)
def test_markdown_becomes_a_tree_of_known_tags(text, tree):
    assert blocks(text) == tree


def test_tables_are_read():
    ((tag, _, head, body),) = blocks("|a|b|\n|-|-|\n|1|2|")
    assert (tag, head[0], body[0]) == ("table", "thead", "tbody")
    assert body[2] == ["tr", {}, ["td", {}, "1"], ["td", {}, "2"]]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("see [the page](https://example.com) now", "see the page now"),
        ("[click](javascript:alert(1))", "click"),
        ("<https://example.com>", "https://example.com"),
        ("![a cat](https://example.com/cat.png)", "a cat"),
        ("<b>bold</b>", "<b>bold</b>"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ('<img src=x onerror="alert(1)">', '<img src=x onerror="alert(1)">'),
    ],
)
def test_links_images_and_html_leave_their_text(text, shown):
    assert blocks(text) == shown


ALLOWED = {"p", "h1", "h2", "h3", "h4", "h5", "h6", "strong", "em", "s", "code", "pre", "blockquote", "ul", "ol", "li"}
ALLOWED |= {"hr", "br", "table", "thead", "tbody", "tr", "th", "td"}


def check(item) -> None:
    if isinstance(item, str):
        return
    tag, attributes, *content = item
    assert tag in ALLOWED
    assert set(attributes) <= {"start"}
    for child in content:
        check(child)


@given(st.text(alphabet="ab1 .*_`#~[]()<>!&\\|-+=\n\t:/\"'"))
def test_any_text_gives_only_known_tags_and_no_other_attribute(text):
    for read in (blocks, inline):
        drawn = read(text)
        for item in [drawn] if isinstance(drawn, str) else drawn:
            check(item)
