import pytest

from a2ui_app.web.urls import media_url


@pytest.mark.parametrize(
    "url",
    [
        "http://example.com/a.png",
        "https://example.com/a b.png".replace(" ", "%20"),
        "HTTPS://EXAMPLE.COM/A",
        "/pictures/a.png",
    ],
)
def test_web_addresses_and_own_paths_are_loaded(url):
    assert media_url(url) == url


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",  # reported input 58
        "data:text/html,<script>alert(1)</script>",
        "data:image/svg+xml,<svg onload='alert(1)'/>",
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        " javascript:alert(1)",
        "java\nscript:alert(1)",
        "\x01https://example.com",
        " https://example.com",
        "https://example.com/\n",
        "blob:https://example.com/1",
        "ftp://example.com/a.png",
        "//example.com/a.png",
        "/\\example.com/a.png",
        "\\\\example.com\\a.png",
        "picture.png",
        "https:",
        "",
        None,
        5,
        {"path": "/a"},
    ],
)
def test_everything_else_is_refused(url):
    assert media_url(url) is None
    assert media_url(url, image=True) is None


@pytest.mark.parametrize("kind", ["png", "jpeg", "gif", "webp"])
def test_pictures_may_be_inline_where_a_picture_is_shown(kind):
    url = f"data:image/{kind};base64,AAAA"
    assert media_url(url, image=True) == url
    assert media_url(url) is None
