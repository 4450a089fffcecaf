"""`TerminalUI`: what is shown, and what typed lines mean."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import pytest

from a2ui_app.agent_ui import AgentUI, CallTimeout, Err, Ok, Reason, Result
from a2ui_app.agent_ui.terminal import TerminalUI

pytestmark = pytest.mark.simulated_time
OPTIONS = [
    {"label": "Claude Sonnet", "value": "sonnet", "description": "Fast and capable"},
    {"label": "Claude Opus", "value": {"name": "opus"}},
    {"label": "GPT", "value": "gpt", "description": None},
]


class Screen:
    def __init__(self) -> None:
        self.text = ""
        self.ui = TerminalUI(self._write)

    def _write(self, text: str) -> None:
        self.text += text

    def new(self) -> str:
        text, self.text = self.text, ""
        return text

    async def answers(self, dialog: Coroutine[Any, Any, Result], *lines: str) -> Result:
        """Run a dialog while `lines` are typed, each after the question has had its turn."""
        task = asyncio.create_task(dialog)
        for line in lines:
            await settle()
            assert self.ui.receive_line(line)
        return await task


async def settle() -> None:
    """Wait until every task waits: time only moves on then."""
    await asyncio.sleep(0.001)


@pytest.fixture
def screen():
    return Screen()


def test_it_is_an_agent_ui(screen):
    assert isinstance(screen.ui, AgentUI) and screen.ui.has_ui


async def test_select_by_number(screen):
    assert await screen.answers(screen.ui.select("Model", OPTIONS), "2") == Ok({"name": "opus"})
    assert screen.text == (
        "\n? Model\n  1) Claude Sonnet - Fast and capable\n  2) Claude Opus\n  3) GPT\n"
        "Number, or text to filter (empty line cancels): "
    )


async def test_select_is_cancelled_by_an_empty_line(screen):
    assert await screen.answers(screen.ui.select("Model", OPTIONS), "") == Ok(None)


async def test_row_148_select_filters_labels_and_descriptions(screen):
    assert await screen.answers(screen.ui.select("Model", OPTIONS), "FAST", "1") == Ok("sonnet")
    assert "\n  1) Claude Sonnet - Fast and capable\nNumber" in screen.new()
    assert await screen.answers(screen.ui.select("Model", OPTIONS), "opus", "  ", "3") == Ok("gpt")  # blanks show all
    screen.new()
    assert await screen.answers(screen.ui.select("Model", OPTIONS), "zzz", "4", "1") == Ok("sonnet")
    assert "Nothing matches zzz." in screen.text and "Nothing matches 4." in screen.text


@pytest.mark.parametrize(
    ("lines", "value"), [(["y"], True), (["YES "], True), (["n"], False), ([""], False), (["maybe", "y"], True)]
)
async def test_row_147_confirm(screen, lines, value):
    assert await screen.answers(screen.ui.confirm("Sure?", "Delete 3 files"), *lines) == Ok(value)
    assert screen.text.startswith("\n? Sure?\nDelete 3 files\n[y/N] ")


@pytest.mark.parametrize(("line", "value"), [("Ada", "Ada"), ("", ""), ("  kept  ", "  kept  "), ("/cancel", None)])
async def test_row_149_input(screen, line, value):
    assert await screen.answers(screen.ui.input("Name", "first name"), line) == Ok(value)
    assert screen.text == "\n? Name\n(first name; /cancel cancels) "


@pytest.mark.parametrize(
    ("lines", "value"),
    [(["one", "", "two", "."], "one\n\ntwo"), (["."], "old\ntext"), (["/cancel"], None), (["one", "/cancel"], None)],
)
async def test_row_149_editor(screen, lines, value):
    assert await screen.answers(screen.ui.editor("Text", "old\ntext"), *lines) == Ok(value)
    assert "\n? Text\nold\ntext\n" in screen.text


async def test_editor_without_prefill(screen):
    assert await screen.answers(screen.ui.editor("Text"), ".") == Ok("")


async def test_row_145_questions_come_one_by_one(screen):
    first = asyncio.create_task(screen.ui.input("first"))
    second = asyncio.create_task(screen.ui.input("second"))
    await settle()
    assert "first" in screen.text and "second" not in screen.text
    screen.ui.receive_line("1")
    assert await first == Ok("1")
    await settle()
    assert "second" in screen.text
    third = asyncio.create_task(screen.ui.input("third"))
    screen.ui.receive_line("2")
    assert await second == Ok("2")
    await settle()
    screen.ui.receive_line("3")
    assert await third == Ok("3")


async def test_it_tells_how_many_wait(screen):
    dialogs = [asyncio.create_task(screen.ui.input(f"question {n}")) for n in range(3)]
    await settle()
    screen.ui.receive_line("1")
    await settle()
    assert "? question 1\n  (1 more waiting)" in screen.text
    screen.ui.receive_line("2")
    await settle()
    screen.ui.receive_line("3")
    assert await asyncio.gather(*dialogs) == [Ok("1"), Ok("2"), Ok("3")]


async def test_lines_without_a_question_are_for_somebody_else(screen):
    assert not screen.ui.receive_line("hello")
    dialog = asyncio.create_task(screen.ui.input("Name"))
    await settle()
    assert screen.ui.receive_line("Ada")
    assert not screen.ui.receive_line("typed at once")  # the question has its answer
    assert await dialog == Ok("Ada")


async def test_a_withdrawn_question_makes_room(screen):
    first = asyncio.create_task(screen.ui.input("first"))
    second = asyncio.create_task(screen.ui.input("second"))
    await settle()
    first.cancel()
    await settle()
    screen.ui.receive_line("for the second")
    assert await second == Ok("for the second")


async def test_the_end_of_the_input(screen):
    dialogs = [asyncio.create_task(screen.ui.input("T")) for _ in range(2)]
    await settle()
    screen.ui.receive_end()
    assert await asyncio.gather(*dialogs) == [Err(Reason.CONNECTION_CLOSED)] * 2
    assert await screen.ui.confirm("T", "M") == Err(Reason.CONNECTION_CLOSED)


async def test_a_call_that_gives_up(screen):
    with pytest.raises(CallTimeout):
        await screen.ui.input("T", timeout=2)
    assert not screen.ui.receive_line("late")


async def test_what_is_told(screen):
    ui = screen.ui
    ui.notify("saved", "success")
    ui.set_status("model", "opus")
    ui.set_widget("todo", ["a", "b"])
    ui.set_widget("note", "one\ntwo")
    ui.set_working_message("Reading")
    ui.set_title("Agent")
    ui.set_editor_text("draft")
    assert screen.new() == (
        "[success] saved\n[model] opus\n[todo]\n  a\n  b\n[note]\n  one\n  two\n"
        "... Reading\n== Agent ==\n[prompt] draft\n"
    )
    assert ui.get_editor_text() == "draft"
    ui.set_status("model", None)
    ui.set_widget("todo", None)
    ui.set_working_message(None)
    ui.set_editor_text(None)
    assert screen.new() == "" and ui.get_editor_text() == ""


async def test_a_prompt_that_is_interrupted_is_shown_again(screen):
    dialog = asyncio.create_task(screen.ui.confirm("Sure?", "M"))
    await settle()
    screen.new()
    screen.ui.notify("by the way")
    assert screen.new() == "\n[info] by the way\n[y/N] "
    screen.ui.receive_line("y")
    assert await dialog == Ok(True)


async def test_a_program_cannot_steer_the_terminal(screen):
    screen.ui.notify("\x1b]0;owned\x07 \x9b2Jtext\r\x08")
    assert screen.text == "[info] ]0;owned 2Jtext\n"
