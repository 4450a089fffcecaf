"""What each view's `prepare` sends to the page."""

from typing import Any

import pytest

from a2ui_app.web import catalog  # noqa: F401
from a2ui_app.web.catalog.icon import LUCIDE
from a2ui_app.web.live_surface import components, prepared


def shown(type_: str, **props: Any) -> dict[str, Any]:
    """The props that the page gets."""
    return prepared({"id": "x", "type": type_, "props": props})["props"]


def test_every_component_of_the_basic_catalogs_has_a_view(basic_components):
    assert set(basic_components) <= set(components())


def test_every_icon_of_the_catalog_is_drawn(icon_names):
    assert len(icon_names) == 59
    assert set(icon_names) == set(LUCIDE)


def test_preparing_leaves_the_sessions_node_alone():
    node = {"id": "x", "type": "Image", "props": {"url": "javascript:1"}}
    assert prepared(node)["props"] == {"refused": True}
    assert node["props"] == {"url": "javascript:1"}


def test_a_placeholder_is_sent_as_it_is():
    node = {"id": "x", "type": "Image", "state": "pending", "props": {}}
    assert prepared(node) is node


@pytest.mark.parametrize(
    ("variant", "text", "sent"),
    [
        (None, "plain", "plain"),
        (None, "# T", [["h1", {}, "T"]]),
        ("h1", "*T*", [["em", {}, "T"]]),
        ("caption", "# T", "# T"),
    ],
)
def test_text(variant, text, sent):
    props = {"text": text} | ({"variant": variant} if variant else {})
    assert shown("Text", **props)["text"] == sent


@pytest.mark.parametrize(
    ("value", "sent"), [(["a"], ["a"]), ("a", ["a"]), (None, []), ("", []), ([1, None], ["1", ""]), (3, ["3"])]
)
def test_a_choice_is_always_a_list_of_strings(value, sent):
    assert shown("ChoicePicker", value=value, options=[])["value"] == sent  # reported input 30


def test_options_are_read_leniently():
    options = [{"label": "A", "value": "a"}, {"value": 2}, "junk", {"label": None, "value": "c"}]
    expected = [{"label": "A", "value": "a"}, {"label": "2", "value": "2"}, {"label": "c", "value": "c"}]
    assert shown("ChoicePicker", options=options)["options"] == expected


@pytest.mark.parametrize(
    ("props", "step"),
    [
        ({"max": 100}, 1),
        ({"max": 100, "steps": 4}, 25),
        ({"min": 10, "max": 20, "steps": 5}, 2),
        ({"max": 1}, 0.01),
        ({"min": 0.5, "max": 10.5}, 0.1),
        ({"max": 0}, 0.01),  # a range of nothing is drawn as one of 1
        ({}, 0.01),
        ({"min": None, "max": 5}, 1),
    ],
)
def test_a_slider_has_a_step(props, step):
    assert shown("Slider", **props)["step"] == pytest.approx(step)


@pytest.mark.parametrize(
    ("date", "time", "value", "kind", "sent"),
    [
        (True, True, "2025-01-15T10:30:00Z", "datetime-local", "2025-01-15T10:30"),
        (True, True, "2025-01-15T10:30:05+02:00", "datetime-local", "2025-01-15T10:30:05"),
        (True, True, "2025-01-15", "datetime-local", "2025-01-15T00:00"),
        (True, True, "10:30", "datetime-local", ""),
        (True, False, "2025-01-15T10:30:00Z", "date", "2025-01-15"),
        (False, True, "2025-01-15T10:30:00Z", "time", "10:30"),
        (False, True, "10:30:00", "time", "10:30"),
        (False, False, "2025-01-15", "date", "2025-01-15"),
        (True, False, "", "date", ""),
        (True, False, "soon", "date", ""),
        (True, False, None, "date", ""),
        (True, False, 5, "date", ""),
    ],
)
def test_a_picker_gets_what_it_can_show(date, time, value, kind, sent):
    props = shown("DateTimeInput", enableDate=date, enableTime=time, value=value, min="2025-01-01", max="nonsense")
    assert (props["kind"], props["value"]) == (kind, sent)
    assert "max" not in props


@pytest.mark.parametrize(
    ("value", "fits"), [("1234", True), ("12a", False), ("12345", False), ("", True), (None, True)]
)
def test_a_fields_own_pattern(value, fits):
    node = {
        "id": "x",
        "type": "TextField",
        "props": {"validationRegexp": "^[0-9]{4}$", "value": value},
    }  # reported input 34
    sent = prepared(node)
    assert sent.get("valid", True) is fits
    assert bool(sent.get("errors")) is not fits


def test_a_pattern_that_cannot_be_used_is_said():
    node = {"id": "x", "type": "TextField", "props": {"validationRegexp": "(", "value": "1"}}
    assert "pattern cannot be used" in prepared(node)["errors"][0]


def test_a_failed_check_comes_before_the_pattern():
    node = {
        "id": "x",
        "type": "TextField",
        "valid": False,
        "errors": ["No."],
        "props": {"validationRegexp": "^b$", "value": "a"},
    }
    assert prepared(node)["errors"] == ["No."]


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("home", {"name": "home"}),
        ("nope", {"name": "@none"}),
        ("@path", {"name": "@none"}),
        (None, {"name": "@none"}),
        ({"svgPath": "M4 4h16v16H4z"}, {"name": "@path", "path": "M4 4h16v16H4z"}),
        ({"svgPath": 'M0 0" onload="alert(1)'}, {"name": "@none"}),
        ({"svgPath": "url(#x)"}, {"name": "@none"}),
        ({"svgPath": 5}, {"name": "@none"}),
        ({"path": "M0 0h1"}, {"name": "@none"}),
    ],
)
def test_icons(name, sent):
    assert shown("Icon", name=name) == sent


@pytest.mark.parametrize("type_", ["Image", "Video", "AudioPlayer"])
def test_a_forbidden_address_never_reaches_the_page(type_):
    assert shown(type_, url="file:///etc/passwd", description="x") == {"description": "x", "refused": True}
    assert shown(type_, url="https://example.com/a") == {"url": "https://example.com/a"}
    assert shown(type_, url="") == {}


def test_a_videos_picture_is_checked_too():
    assert shown("Video", url="https://example.com/a", posterUrl="javascript:1") == {"url": "https://example.com/a"}
    poster = "data:image/png;base64,AA"
    assert shown("Video", url="https://example.com/a", posterUrl=poster)["posterUrl"] == poster
