"""Checklist G: `HeadlessUI`, row by row."""

import asyncio
import logging
from typing import Any

import pytest

from a2ui_app.agent_ui import AgentUI, HeadlessUI, Ok

ANYTHING: list[Any] = [None, "", "text", 7, object(), {"a": 1}]


@pytest.fixture
def ui() -> HeadlessUI:
    return HeadlessUI()


@pytest.fixture(autouse=True)
def every_level(caplog):
    caplog.set_level(logging.DEBUG)


def logged(caplog) -> list[tuple[str, str]]:
    return [(record.levelname, record.getMessage()) for record in caplog.records if "agent_ui" in record.name]


@pytest.mark.parametrize("title", ANYTHING)
@pytest.mark.parametrize("options", [[], [{"label": str(n), "value": n} for n in range(1000)], None])
async def test_row_121_select(ui, title, options):
    assert await ui.select(title, options, timeout=1, foo="bar") == Ok(None)


@pytest.mark.parametrize("title", ANYTHING)
async def test_row_122_confirm(ui, title):
    assert await ui.confirm(title, "M", default=True) == Ok(False)


@pytest.mark.parametrize("title", ANYTHING)
async def test_row_123_input_and_editor(ui, title):
    assert await ui.input(title) == await ui.input(title, "ph", a=1) == Ok(None)
    assert await ui.editor(title) == await ui.editor(title, "pre", a=1) == Ok(None)


@pytest.mark.parametrize("type", ["info", "warning", "error"])
def test_row_124_notify(ui, caplog, type):
    ui.notify("100% {done}", type)
    assert logged(caplog) == [(type.upper(), "100% {done}")]


def test_row_125_notify_success(ui, caplog):
    ui.notify("saved", "success")
    assert logged(caplog) == [("INFO", "[SUCCESS] saved")]


def test_row_126_another_type(ui, caplog):
    with pytest.raises(ValueError, match="unknown type of notification 'fatal'"):
        ui.notify("m", "fatal")
    assert logged(caplog) == []


@pytest.mark.parametrize("message", ["", "one\ntwo\nthree"])
def test_row_127_empty_and_long_messages(ui, caplog, message):
    assert ui.notify(message, "info") is None
    assert logged(caplog) == [("INFO", message)]


def test_row_128_silent_operations(ui, caplog, capfd):
    assert ui.set_status("k", "t") is None
    assert ui.set_widget("k", ["a"], position="above") is None
    assert ui.set_title("t") is None
    assert ui.set_editor_text("t") is None
    assert logged(caplog) == []
    assert capfd.readouterr() == ("", "")


def test_row_129_no_working_message(ui, caplog):
    assert ui.set_working_message(None) is None
    assert logged(caplog) == []


@pytest.mark.parametrize("message", ["Reading", ""])
def test_row_130_working_message(ui, caplog, message):
    assert ui.set_working_message(message) is None
    assert logged(caplog) == [("DEBUG", f"[WORKING] {message}")]


def test_row_131_editor_text(ui):
    assert ui.get_editor_text() == ""
    ui.set_editor_text("x")
    assert ui.get_editor_text() == ""


def test_row_132_has_no_ui(ui):
    assert ui.has_ui is False


@pytest.mark.parametrize("value", ANYTHING)
async def test_row_133_any_argument_and_many_at_once(ui, value):
    async def everything() -> None:
        assert await ui.select(value, value) == Ok(None)
        assert await ui.confirm(value, value) == Ok(False)
        assert await ui.input(value, value) == await ui.editor(value, value) == Ok(None)
        ui.notify(value)
        ui.set_status(value, value)
        ui.set_widget(value, value)
        ui.set_working_message(value)
        ui.set_title(value)
        ui.set_editor_text(value)
        assert ui.get_editor_text() == ""

    await asyncio.gather(*(everything() for _ in range(50)))


def test_row_134_implements_every_operation(ui):
    assert isinstance(ui, AgentUI)
