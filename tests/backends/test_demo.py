"""The demo agent: every script, its sessions, what it asks, and what it draws on a real channel."""
# ruff: noqa: ASYNC109 - the signatures of AgentUI

import asyncio
import inspect
import json
from collections.abc import Mapping
from typing import Any

import pytest

from a2ui_app import backends
from a2ui_app.agent_ui import HeadlessUI, Ok
from a2ui_app.agent_ui.protocol import Result
from a2ui_app.backends.base import BackendError, ExecOptions, MessageType, Status
from a2ui_app.backends.demo import DemoBackend, memory
from a2ui_app.backends.demo.actions import Action, action_of_prompt
from a2ui_app.backends.demo.scripts import SCRIPTS, choose
from a2ui_app.backends.demo.stage import Stage, pieces
from a2ui_app.live.channel import Channel, Reply
from a2ui_app.live.conversation import Conversation, Listener, Setup, State
from a2ui_app.session import Session


class Person(HeadlessUI):
    """Answers dialogs from a table by the first word of the method, and keeps a list of all that happened."""

    has_ui = True

    def __init__(self, **answers: Any) -> None:
        self.answers = {"select": "allow_once", "confirm": True, "input": "Ada", "editor": "a note", **answers}
        self.asked: list[tuple[str, str, dict[str, Any]]] = []
        self.told: list[tuple[Any, ...]] = []

    async def _answer(self, method: str, title: str, opts: dict[str, Any]) -> Result:
        self.asked.append((method, title, opts))
        answer = self.answers[method]
        given: Any = answer() if callable(answer) else answer
        return Ok(await given if inspect.isawaitable(given) else given)

    async def select(self, title, options, *, timeout: float | None = 35.0, **opts) -> Result:
        return await self._answer("select", title, opts)

    async def confirm(self, title, message, *, timeout=35.0, **opts) -> Result:
        return await self._answer("confirm", title, opts)

    async def input(self, title, placeholder=None, *, timeout=35.0, **opts) -> Result:
        return await self._answer("input", title, opts)

    async def editor(self, title, prefill=None, *, timeout=35.0, **opts) -> Result:
        return await self._answer("editor", title, opts)

    def notify(self, message, type="info", **opts) -> None:
        self.told.append(("notify", type, message))

    def set_status(self, key, text) -> None:
        self.told.append(("status", key, text))

    def set_widget(self, key, content, **opts) -> None:
        self.told.append(("widget", key, content))

    def set_working_message(self, message) -> None:
        self.told.append(("working", message))

    def set_title(self, title) -> None:
        self.told.append(("title", title))

    def set_editor_text(self, text) -> None:
        self.told.append(("editor_text", text))


class Page:
    """A desk on a real channel, as the app has it but for bindings, which must be spelt as the specification says."""

    def __init__(self) -> None:
        self.channel = Channel("demo", Session(validation="relaxed", bindings="strict"))
        self.channel.take_action = self._take
        self.actions: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.drawn = asyncio.Event()

    def _take(self, message: dict[str, Any]) -> bool:
        self.actions.put_nowait(message)
        return True

    def draw(self, messages: Any) -> list[Reply]:
        replies = self.channel.post(messages)
        assert [reply.diagnostics for reply in replies if reply.diagnostics] == []
        self.drawn.set()
        return replies

    def state(self) -> dict[str, Any]:
        return {
            "surfaces": [
                {"surfaceId": s.id, "dataModel": s.data, "tree": self.channel.session.tree(s.id)}
                for s in self.channel.session.surfaces()
            ]
        }

    async def next_action(self, timeout: float | None) -> dict[str, Any] | None:
        return await asyncio.wait_for(self.actions.get(), timeout)

    def close(self, surface_id: str) -> bool:
        (reply,) = self.channel.post({"version": "1.0", "deleteSurface": {"surfaceId": surface_id}})
        return reply.error is None

    # --- what a person does -------------------------------------------------------------------------------------

    def node(self, surface_id: str, id: str) -> dict[str, Any]:
        """The first node of that component id."""
        found = next((node for node in self.nodes(surface_id) if node["id"] == id), None)
        assert found is not None, f"{surface_id} shows no {id}"
        return found

    def nodes(self, surface_id: str) -> list[dict[str, Any]]:
        tree = self.channel.session.tree(surface_id)
        return _flat(tree) if tree is not None else []

    def write(self, surface_id: str, id: str, value: Any) -> None:
        assert self.channel.write(self.node(surface_id, id)["ref"], "value", value).error is None

    def click(self, surface_id: str, id: str, place: int = 0) -> None:
        button = [node for node in self.nodes(surface_id) if node["id"] == id][place]
        assert self.channel.invoke(button["ref"], "action", f"click-{id}-{place}").error is None

    def shown(self, surface_id: str) -> list[str]:
        """Every text on a surface."""
        return [node["props"]["text"] for node in self.nodes(surface_id) if node["type"] == "Text"]


def _flat(node: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [dict(node), *(inner for child in node["children"] for inner in _flat(child))]


@pytest.fixture(autouse=True)
def nothing_remembered():
    memory.forget_all()


def options(**fields: Any) -> ExecOptions:
    return ExecOptions(**fields, env={"A2UI_DEMO_PACE": "0"})


async def play(prompt: str, **fields: Any):
    run = await backends.new("demo").execute(prompt, options(**fields))
    messages = [message async for message in run.messages]
    return await run.result, messages


def texts(messages, kind=MessageType.TEXT) -> str:
    return "".join(message.content for message in messages if message.type == kind)


def as_json(message: dict[str, Any] | None) -> str:
    return json.dumps(message)


# --- as a backend ---------------------------------------------------------------------------------------------------


async def test_it_is_always_there_and_the_first():
    (first, *_) = await backends.detect()
    assert (first.name, first.available, first.path, first.header) == ("demo", True, "", "demo (built in)")
    assert await backends.new("demo").models() == ["demo"]


@pytest.mark.parametrize("word", sorted(SCRIPTS))
async def test_every_script_ends_and_leaves_no_call_open(word):
    result, messages = await play(word, ui=Person(), desk=Page()) if word != "form" else await play(word)
    assert result.status == (Status.FAILED if word in ("error", "crash") else Status.COMPLETED)
    assert result.output
    assert result.dropped == 0
    ended = {m.call_id for m in messages if m.type == MessageType.TOOL_RESULT and m.level != "cancelled"}
    assert {m.call_id for m in messages if m.type == MessageType.TOOL_USE} == ended


@pytest.mark.parametrize("word", sorted(SCRIPTS))
async def test_every_script_does_without_a_person_and_a_page(word):
    result, _ = await play(word)
    assert result.status == (Status.FAILED if word in ("error", "crash") else Status.COMPLETED)


@pytest.mark.parametrize(
    ("prompt", "name"),
    [
        ("tour", "tour"),
        ("hello there", "tour"),
        ("", "tour"),
        ("show me a Dashboard please", "dashboard"),
        ("stream 500", "stream"),
        ("streams of forms", "tour"),
        ("/form", "form"),
        ("[action] closeIssue", "action"),
    ],
)
def test_the_word_that_chooses(prompt, name):
    assert choose(prompt).name == name


async def test_help_lists_every_script_and_the_page_can_offer_them():
    _, messages = await play("help")
    assert [command["name"] for command in messages[0].input["commands"]] == list(SCRIPTS)
    assert all(f"| `{name}` |" in texts(messages) for name in SCRIPTS)


async def test_usage_is_the_same_every_time():
    (first, _), (second, _) = await play("edit"), await play("edit")
    assert first.usage == second.usage
    assert first.usage["demo"].input_tokens == 1
    assert first.usage["demo"].output_tokens > 100
    assert first.usage["demo"].cache_read_tokens == 0


@pytest.mark.parametrize("pace", ["fast", "-1", "nan", "inf"])
async def test_a_pace_that_is_none(pace):
    with pytest.raises(BackendError, match="A2UI_DEMO_PACE is"):
        await DemoBackend().execute("tour", ExecOptions(env={"A2UI_DEMO_PACE": pace}))


async def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(BackendError, match="is not there"):
        await DemoBackend().execute("tour", options(cwd=tmp_path / "nothing"))


async def test_the_tour_leaves_half_of_its_minute_to_the_person(monkeypatch):
    waited = 0.0

    async def note(stage: Stage, seconds: float) -> None:
        nonlocal waited
        waited += seconds
        await asyncio.sleep(0)

    monkeypatch.setattr(Stage, "pause", note)
    run = await DemoBackend().execute("tour", ExecOptions(ui=Person(), desk=Page()))
    assert (await run.result).status == Status.COMPLETED
    assert 25 < waited < 40


# --- text and tools -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", " ", "a", " two  words\n\n- and\n  a list ", "\n"])
def test_pieces_joined_are_the_text(text):
    assert "".join(pieces(text)) == text


async def test_stream():
    result, messages = await play("stream 1000")
    assert len([m for m in messages if m.type == MessageType.TEXT]) == 1000
    assert result.output == texts(messages)
    assert result.output.endswith("line 1000 of 1000\n")


async def test_edit_uses_tools():
    result, messages = await play("edit", ui=(person := Person()))
    calls = {m.call_id: m for m in messages if m.type == MessageType.TOOL_USE}
    results = {m.call_id: m for m in messages if m.type == MessageType.TOOL_RESULT}
    done = [(calls[id].tool, results[id].level) for id in calls if calls[id].tool != "TodoWrite"]
    assert done == [("Bash", "error"), ("Read", ""), ("Edit", ""), ("Bash", "")]
    edit = next(call for call in calls.values() if call.tool == "Edit")
    assert "item.count" in edit.input["new_string"]
    assert "\n-    return sum(item.price for item in items)\n+" in results[edit.call_id].output
    assert "all four tests pass" in result.output
    assert ("notify", "success", "All tests pass") in person.told


async def test_what_is_shown_for_a_turn_goes_with_it():
    await play("edit", ui=(person := Person()))
    assert ("status", "plan", "1 of 4 steps") in person.told
    assert set(person.told[-3:]) == {("status", "plan", None), ("widget", "plan", None), ("working", None)}


async def test_error_tells_its_retries():
    result, messages = await play("error")
    assert [m.level for m in messages if m.type == MessageType.STATUS][1:] == ["retrying"] * 3
    assert (result.status, result.error) == (Status.FAILED, texts(messages, MessageType.ERROR))
    assert "529" in result.error


async def test_crash():
    result, _ = await play("crash")
    assert (result.status, result.error) == (Status.FAILED, "the demo agent broke on purpose")


async def test_cancel_interrupts_promptly():
    run = await DemoBackend().execute("slow", ExecOptions(ui=(person := Person())))
    async for message in run.messages:
        if message.type == MessageType.STATUS and message.content == "Waiting for the model":
            break
    result = await asyncio.wait_for(run.cancel(), 1.0)
    assert result.status == Status.ABORTED
    assert person.told[-1] == ("working", None)


# --- sessions -------------------------------------------------------------------------------------------------------


async def test_resume():
    first, _ = await play("error")
    assert (first.resumed, bool(first.session_id)) == (None, True)
    second, messages = await play("history", resume_session_id=first.session_id)
    assert (second.resumed, second.session_id) == (True, first.session_id)
    assert "1. error" in texts(messages)
    assert second.usage["demo"].cache_read_tokens > 0


async def test_a_lost_session():
    result, messages = await play("history", resume_session_id="gone")
    assert (result.status, result.resumed) == (Status.COMPLETED, False)
    assert result.session_id not in ("", "gone")
    assert "without its context" in texts(messages, MessageType.STATUS)
    result, _ = await play("history", resume_session_id="gone", fresh_after_failed_resume=False)
    assert (result.status, result.session_id) == (Status.FAILED, "")


async def test_a_conversation_goes_on_after_a_cancel():
    conversation = DemoBackend().converse(options(ui=Person(input=asyncio.Event().wait)))
    async with conversation:
        run = await conversation.execute("ask")
        async for message in run.messages:
            if message.level == "waiting":
                break
        assert (await run.cancel()).status == Status.ABORTED
        last = await (await conversation.execute("history")).result
    assert "1. ask" in last.output
    assert last.resumed is None


async def test_only_the_newest_sessions_are_kept(monkeypatch):
    monkeypatch.setattr(memory, "REMEMBERED", 2)
    one, two = memory.new_session(), memory.new_session()
    assert memory.find_session(one.id) is one
    memory.new_session()
    assert memory.find_session(two.id) is None
    assert memory.find_session(one.id) is one


# --- asking ---------------------------------------------------------------------------------------------------------


async def test_every_kind_of_question():
    person = Person(select="mint", confirm=False, editor="one | two")
    _, messages = await play("ask", ui=person)
    assert [method for method, *_ in person.asked] == ["select", "confirm", "confirm", "input", "editor", "select"]
    assert all(opts["origin"] == "Demo agent" for _, title, opts in person.asked if "Run this" not in title)
    assert [opts.get("danger") for *_, opts in person.asked] == [None, None, True, None, None, None]
    said = texts(messages)
    assert "| One of several | mint |" in said
    assert "| A dangerous yes or no | no |" in said
    assert "| A longer text | one \\| two |" in said
    assert [m.level for m in messages if m.type == MessageType.STATUS].count("waiting") == 6


async def test_a_permission():
    person = Person(select="reject_once")
    _, messages = await play("permission", ui=person)
    (end,) = [m for m in messages if m.type == MessageType.TOOL_RESULT]
    assert end.level == "error"
    assert person.asked[0][1] == "Run this command?\nrm -r build dist"
    _, messages = await play("permission", permissions="auto")
    (end,) = [m for m in messages if m.type == MessageType.TOOL_RESULT]
    assert end.output.startswith("removed")


async def test_a_permission_for_the_session_is_asked_once():
    person = Person(select="allow_session")
    first, _ = await play("permission", ui=person)
    await play("permission", ui=person, resume_session_id=first.session_id)
    assert len(person.asked) == 1
    await play("permission", ui=person)
    assert len(person.asked) == 2


async def test_the_tour_goes_on_when_nobody_answers(monkeypatch):
    monkeypatch.setattr("a2ui_app.backends.demo.tour.PATIENCE", 0.01)

    async def late() -> None:
        raise TimeoutError

    never = asyncio.Event().wait
    titles: list[str] = []

    class Away(Person):
        async def select(self, title, options, *, timeout: float | None = 35.0, **opts) -> Result:
            titles.append(title)
            return Ok(await (late() if timeout else never()))

    result, messages = await play("tour", ui=Away(confirm=late, input=late, editor=late), desk=(page := Page()))
    assert result.status == Status.COMPLETED
    assert "name: *no answer*" in texts(messages)
    assert "permission: no" in texts(messages)
    assert [title.split("\n")[0] for title in titles] == ["Run this command?", "What shall I draw?"]
    assert page.node("dashboard-1", "status")["props"]["text"] == "All jobs passed"


async def test_the_tour_shows_everything():
    person = Person(select="table")
    result, messages = await play("tour", ui=person, desk=(page := Page()))
    assert {m.type for m in messages} == {"text", "thinking", "tool-use", "tool-result", "status"}
    assert {method for method, *_ in person.asked} == {"select", "confirm", "input", "editor"}
    assert {what for what, *_ in person.told} == {"notify", "status", "widget", "working", "title", "editor_text"}
    assert {kind for what, kind, *_ in person.told if what == "notify"} == {"info", "success", "warning", "error"}
    assert page.channel.session.surface("table-1") is not None
    assert "help" in result.output
    said = texts(messages)
    assert all(mark in said for mark in ("# Welcome", "\n1. ", "```python", "|---|"))


# --- drawing --------------------------------------------------------------------------------------------------------


async def start(prompt: str, page: Page, **fields: Any):
    return await backends.new("demo").execute(prompt, options(desk=page, **fields))


async def test_the_form_waits_and_answers_with_what_was_entered():
    page, person = Page(), Person()
    run = await start("form", page, ui=person)
    await page.drawn.wait()
    page.write("form-1", "name", "tea-shop")
    page.write("form-1", "workers", 5)
    page.click("form-1", "create")
    messages = [message async for message in run.messages]
    assert (await run.result).status == Status.COMPLETED
    assert "| name | tea-shop |" in texts(messages)
    assert "| workers | 5 |" in texts(messages)
    assert "### tea-shop is ready" in page.shown("form-1")
    assert [m.content for m in messages if m.level == "waiting"] == ["Waiting for the form"]


async def test_the_form_given_up():
    page = Page()
    run = await start("form", page)
    await page.drawn.wait()
    page.click("form-1", "cancel")
    assert "The form is gone" in (await run.result).output
    assert page.channel.session.surfaces() == []


async def test_the_form_is_sent_after_its_turn_was_cancelled():
    page = Page()
    run = await start("form", page)
    await page.drawn.wait()
    assert (await run.cancel()).status == Status.ABORTED
    page.write("form-1", "name", "late-shop")
    page.click("form-1", "create")
    message = await page.next_action(1)
    result, _ = await play(f"[action] {as_json(message)}", desk=page)
    assert "late-shop" in result.output


async def test_while_the_form_waits_other_surfaces_are_answered():
    page = Page()
    await play("table", desk=page)
    run = await start("form", page)
    page.drawn.clear()
    await page.drawn.wait()
    page.click("table-1", "row-close", 1)
    page.write("form-1", "name", "tea-shop")
    page.click("form-1", "create")
    said = texts([message async for message in run.messages])
    assert said.index("Issue #15 is closed") < said.index("tea-shop")


async def test_a_table_row_is_closed_by_its_button():
    page = Page()
    await play("table", desk=page)
    page.click("table-1", "row-close", 2)
    result, _ = await play(f"[action] {as_json(await page.next_action(1))}", desk=page)
    assert result.output == "Issue #18 is closed, 3 are open."
    assert "3 of 4 are open" in page.shown("table-1")
    assert page.shown("table-1").count("closed") == 1


async def test_the_dashboard_runs_again():
    page = Page()
    await play("dashboard", desk=page)
    assert "## Build 128" in page.shown("dashboard-1")
    assert all(node["state"] == "ok" for node in page.nodes("dashboard-1"))
    page.click("dashboard-1", "again")
    await play(f"[action]\n{as_json(await page.next_action(1))}", desk=page)
    assert "## Build 129" in page.shown("dashboard-1")


async def test_a_second_surface_of_a_kind_has_an_id_of_its_own():
    page = Page()
    await play("table", desk=page)
    await play("table", desk=page)
    assert [surface.id for surface in page.channel.session.surfaces()] == ["table-1", "table-2"]


async def test_an_action_on_a_surface_that_is_gone_or_not_ours():
    result, _ = await play('[action] {"name": "closeIssue", "surfaceId": "table-9"}', desk=Page())
    assert "no longer there" in result.output
    result, _ = await play('[action] {"name": "fly", "context": {"height": 3}}', desk=Page())
    assert "`fly`" in result.output
    assert "| height | 3 |" in result.output


@pytest.mark.parametrize(
    ("prompt", "action"),
    [
        ("form", None),
        ("[action]", Action("")),
        ("[action] save {broken", Action("")),
        ('[action] {"version": "1.0", "action": {"name": "x", "surfaceId": "s"}}', Action("x", "s")),
        ('[action] Words:\n{"event": "x", "surfaceId": "s", "context": {"a": 1}}', Action("x", "s", {"a": 1})),
    ],
)
def test_reading_an_action(prompt, action):
    assert action_of_prompt(prompt) == action


async def test_a_page_that_refuses_ends_the_turn_with_its_words():
    page = Page()
    await play("table", desk=page)
    page.state = lambda: {"surfaces": []}  # so that the same id is used again
    result, _ = await play("table", desk=page)
    assert result.status == Status.FAILED
    assert "The page did not take what was drawn" in result.error


# --- in a conversation ----------------------------------------------------------------------------------------------


class Waiting(Listener):
    """Knows when the agent waits for its person."""

    def __init__(self) -> None:
        self.waiting = asyncio.Event()

    def changed(self, conversation: Conversation) -> None:
        if conversation.state is State.WAITING:
            self.waiting.set()


async def test_a_conversation_as_the_page_has_it():
    conversation = Conversation("demo", Setup("demo", env={"A2UI_DEMO_PACE": "0"}), listener=(listener := Waiting()))
    conversation.send("table")
    await conversation.idle()
    click(conversation, "table-1", "row-close")  # nobody waits for it: it is the next prompt
    await conversation.idle()
    assert texts_of(conversation)[-1] == "Issue #12 is closed, 3 are open."
    conversation.send("form")
    await listener.waiting.wait()
    fill(conversation, "form-1", "name", "tea-shop")
    click(conversation, "form-1", "create")  # the form waits for it: it belongs to the same turn
    await conversation.idle()
    assert "| name | tea-shop |" in texts_of(conversation)[-1]
    kinds = [entry.kind for entry in conversation.timeline]
    assert kinds.count("prompt") == 2
    assert kinds.count("action") == 2
    await conversation.shut_down()


def find(conversation: Conversation, surface_id: str, id: str) -> int:
    tree = conversation.channel.session.tree(surface_id)
    assert tree is not None
    return next(node["ref"] for node in _flat(tree) if node["id"] == id)


def click(conversation: Conversation, surface_id: str, id: str) -> None:
    result = conversation.channel.invoke(find(conversation, surface_id, id), "action", f"{surface_id}-{id}")
    assert result.error is None


def fill(conversation: Conversation, surface_id: str, id: str, value: Any) -> None:
    assert conversation.channel.write(find(conversation, surface_id, id), "value", value).error is None


def texts_of(conversation: Conversation) -> list[str]:
    return [entry.text for entry in conversation.timeline if entry.kind == "text"]
