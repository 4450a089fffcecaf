import pytest

from a2ui_app.web.theme import theme_of


@pytest.mark.parametrize(
    ("color", "on"), [("#0066cc", "#fff"), ("#FFDD00", "#000"), ("#000000", "#fff"), ("#ffffff", "#000")]
)
def test_a_colour_gets_text_that_can_be_read_on_it(color, on):
    assert theme_of({"primaryColor": color}) == {"--a2ui-accent": color, "--a2ui-on-accent": on}


@pytest.mark.parametrize("color", ["red", "#fff", "#0066cc;}", "url(x)", "#0066cc\n", None, 5, "var(--x)"])
def test_nothing_but_a_colour_enters_the_style(color):
    assert theme_of({"primaryColor": color}) is None


def test_no_theme():
    assert theme_of(None) is None
    assert theme_of({"iconUrl": "https://example.com"}) is None
