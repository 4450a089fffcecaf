"""`SurfaceUI`: its dialogs as A2UI surfaces of a real session, and what becomes of what people do with them."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from a2ui_app.agent_ui import AgentUI, Err, Ok, Reason
from a2ui_app.agent_ui.protocol import CallTimeout, Result
from a2ui_app.agent_ui.surface import SurfaceUI
from a2ui_app.catalogs.dialogs import dialogs_catalog
from a2ui_app.session import Session
from a2ui_app.session.effects import Send

COLOURS = [
    {"label": "Red", "value": {"rgb": "f00"}, "description": "warm"},
    {"label": "Blue", "value": None},
    {"label": "<b>Green</b>", "value": 3},
]


class Screen:
    """A session that shows the dialogs, and a person who uses them."""

    def __init__(self, timeout: float | None = None) -> None:
        self.session = Session((dialogs_catalog(),), validation="strict")
        self.changes = 0
        self.ui = SurfaceUI(self._post, changed=self._changed, timeout=timeout, clock=lambda: 1000.0)

    def _post(self, messages: list[dict[str, Any]]) -> None:
        outcome = self.session.handle_message(messages)
        assert outcome.error is None, outcome.error

    def _changed(self) -> None:
        self.changes += 1

    async def ask(self, dialog: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        task = asyncio.create_task(dialog)
        await asyncio.sleep(0)  # it asks
        return task

    @property
    def shown(self) -> list[str]:
        return [surface.id for surface in self.session.surfaces()]

    def node(self, dialog_id: str | None = None) -> dict[str, Any]:
        tree = self.session.tree(dialog_id or self.ui.dialogs[-1].id)
        assert tree is not None
        assert tree["state"] == "ok"
        return tree

    def write(self, value: Any, dialog_id: str | None = None) -> None:
        dialog_id = dialog_id or self.ui.dialogs[-1].id
        assert self.session.write(dialog_id, self.node(dialog_id)["ref"], "value", value).ok

    def press(self, action: str, dialog_id: str | None = None) -> None:
        dialog_id = dialog_id or self.ui.dialogs[-1].id
        outcome = self.session.invoke(dialog_id, self.node(dialog_id)["ref"], action)
        (sent,) = [effect.message for effect in outcome.effects if isinstance(effect, Send)]
        assert self.ui.handle_action(sent["action"])


@pytest.fixture
def screen() -> Screen:
    return Screen()


def test_it_is_an_agent_ui(screen: Screen) -> None:
    assert isinstance(screen.ui, AgentUI)
    assert screen.ui.has_ui


@pytest.mark.parametrize("place", range(3))
async def test_a_choice_is_the_value_of_its_option(screen: Screen, place: int) -> None:
    asked = await screen.ask(screen.ui.select("Colour?", COLOURS))
    assert screen.node()["props"]["options"][0] == {"label": "Red", "description": "warm"}
    screen.write([str(place)])
    screen.press("action")
    assert await asked == Ok(COLOURS[place]["value"])
    assert screen.shown == []
    assert screen.ui.dialogs == ()


async def test_several_choices(screen: Screen) -> None:
    asked = await screen.ask(screen.ui.select("Colours?", COLOURS, multiple=True))
    screen.write(["2", "0"])
    screen.press("action")
    assert await asked == Ok([3, {"rgb": "f00"}])


@pytest.mark.parametrize("entry", [[], ["9"], ["-1"], ["x"], ["0", "1"]])
async def test_a_choice_that_is_none_leaves_the_dialog_open(screen: Screen, entry: list[str]) -> None:
    asked = await screen.ask(screen.ui.select("Colour?", COLOURS))
    screen.write(entry)
    screen.press("action")
    assert len(screen.ui.dialogs) == 1
    screen.press("cancel")
    assert await asked == Ok(None)


@pytest.mark.parametrize(("action", "value"), [("action", True), ("reject", False), ("cancel", None)])
async def test_confirm(screen: Screen, action: str, value: bool | None) -> None:
    asked = await screen.ask(screen.ui.confirm("Delete?", "12 files", danger=True))
    props = screen.node()["props"]
    assert (props["message"], props["danger"]) == ("12 files", True)
    screen.press(action)
    assert await asked == Ok(value)


@pytest.mark.parametrize("text", ["Ada", "", "<i>x</i>\n"])
@pytest.mark.parametrize("ask", [lambda ui: ui.input("Name?", "Ada"), lambda ui: ui.editor("Text?", "Ada")])
async def test_text(screen: Screen, ask: Callable[[SurfaceUI], Coroutine[Any, Any, Result]], text: str) -> None:
    asked = await screen.ask(ask(screen.ui))
    screen.write(text)
    screen.press("action")
    assert await asked == Ok(text)


async def test_the_editor_starts_with_its_prefill(screen: Screen) -> None:
    asked = await screen.ask(screen.ui.editor("Text?", "as it was"))
    screen.press("action")
    assert await asked == Ok("as it was")


async def test_several_are_open_and_answered_in_any_order(screen: Screen) -> None:
    first = await screen.ask(screen.ui.input("First?", origin="claude"))
    second = await screen.ask(screen.ui.confirm("Second?", ""))
    one, two = screen.ui.dialogs
    assert [(dialog.title, dialog.method, dialog.origin) for dialog in (one, two)] == [
        ("First?", "input", "claude"),
        ("Second?", "confirm", ""),
    ]
    screen.press("action", two.id)
    assert await second == Ok(True)
    screen.write("1", one.id)
    screen.press("action", one.id)
    assert await first == Ok("1")


async def test_the_first_answer_counts(screen: Screen) -> None:
    asked = await screen.ask(screen.ui.confirm("Sure?", ""))
    dialog_id = screen.ui.dialogs[0].id
    yes = {"name": "answer", "surfaceId": dialog_id, "context": {}}
    assert screen.ui.handle_action(yes)
    assert screen.ui.handle_action({**yes, "name": "reject"})  # late: ours, and over
    assert await asked == Ok(True)
    assert not screen.ui.cancel(dialog_id)


async def test_what_is_not_for_a_dialog_is_left_to_others(screen: Screen) -> None:
    assert not screen.ui.handle_action({"name": "answer", "surfaceId": "form"})
    assert not screen.ui.handle_action({"name": "answer"})
    assert screen.ui.handle_action({"name": "answer", "surfaceId": "dialog-gone"})


async def test_a_dialog_ends_in_time(screen: Screen) -> None:
    screen = Screen(timeout=0.01)
    asked = await screen.ask(screen.ui.input("Name?", timeout=None))
    assert screen.ui.dialogs[0].deadline == 1000.01
    assert screen.node()["props"]["deadline"] == 1000.01
    assert await asked == Err(Reason.TIMEOUT)
    await asyncio.sleep(0)
    assert screen.shown == []


async def test_a_caller_that_gives_up_leaves_the_dialog_open(screen: Screen) -> None:
    with pytest.raises(CallTimeout):
        await screen.ui.input("Name?", timeout=0.01)
    assert len(screen.ui.dialogs) == 1
    screen.press("cancel")
    await asyncio.sleep(0)
    assert screen.shown == []


async def test_a_question_that_is_taken_back_is_gone(screen: Screen) -> None:
    asked = await screen.ask(screen.ui.input("Name?", timeout=None))
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    assert screen.shown == []
    assert screen.ui.dialogs == ()


async def test_a_stop_ends_all_that_wait_and_all_that_come(screen: Screen) -> None:
    asked = [await screen.ask(screen.ui.input(f"{number}?", timeout=None)) for number in range(3)]
    screen.ui.close()
    assert [await task for task in asked] == [Err(Reason.SERVER_SHUTDOWN)] * 3
    assert screen.shown == []
    assert await screen.ui.confirm("More?", "") == Err(Reason.SERVER_SHUTDOWN)


async def test_a_person_cancels_without_the_page(screen: Screen) -> None:
    asked = await screen.ask(screen.ui.input("Name?", timeout=None))
    assert screen.ui.cancel(screen.ui.dialogs[0].id)
    assert await asked == Ok(None)


async def test_bad_options_are_a_clear_error_and_nothing_is_asked(screen: Screen) -> None:
    with pytest.raises(KeyError, match="value"):
        await screen.ui.select("Colour?", [{"label": "Red"}])
    assert screen.shown == []


def test_the_board(screen: Screen) -> None:
    ui = screen.ui
    ui.set_status("model", "opus")
    ui.set_status("", "ignored")
    ui.set_status("other", "x")
    ui.set_status("other", None)
    ui.set_widget("plan", "one\ntwo")
    ui.set_widget("log", ["a"], placement="belowEditor")
    ui.set_widget("gone", ["a"])
    ui.set_widget("gone", None)
    ui.set_working_message("Running tests")
    ui.set_title("Work")
    ui.set_editor_text("try this")
    ui.notify("saved", "success")
    ui.notify("hm", "warn")
    ui.notify("x", "strange")
    wire = ui.board.as_wire()
    assert wire["statuses"] == [{"key": "model", "text": "opus"}]
    assert wire["widgets"] == [
        {"key": "plan", "lines": ["one", "two"], "below": False},
        {"key": "log", "lines": ["a"], "below": True},
    ]
    assert (wire["working"], wire["title"]) == ("Running tests", "Work")
    assert wire["editor"] == {"text": "try this", "version": 1}
    assert [(notice["number"], notice["level"]) for notice in wire["notices"]] == [
        (1, "success"),
        (2, "warning"),
        (3, "info"),
    ]
    assert ui.get_editor_text() == "try this"
    ui.set_working_message(None)
    ui.set_editor_text(None)
    assert ui.board.as_wire()["working"] == ""
    assert ui.get_editor_text() == ""
    assert screen.changes == 16


def test_only_the_newest_notices_are_kept(screen: Screen) -> None:
    for number in range(150):
        screen.ui.notify(str(number))
    notices = screen.ui.board.notices
    assert len(notices) == 100
    assert notices[-1].number == 150
