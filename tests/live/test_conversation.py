"""A conversation with a scripted agent: what it keeps, in which order, and what people and agents may do meanwhile."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import pytest

from a2ui_app import backends
from a2ui_app.backends import BackendError, ExecOptions, Message, MessageType, Result, Run, TokenUsage
from a2ui_app.backends.base import Outcome
from a2ui_app.backends.run import Turn
from a2ui_app.live.conversation import Conversation, Listener, Setup, State, title_of

Script = Callable[[str, ExecOptions, Run], Awaitable[None]]


@dataclass
class Agent:
    """What `backends.new` gives in these tests: it plays ``script`` and remembers what it was asked."""

    script: Script
    asked: list[tuple[str, ExecOptions]] = field(default_factory=list)

    async def execute(self, prompt: str, options: ExecOptions) -> Run:
        self.asked.append((prompt, options))
        return Run(Play(self.script, prompt, options), options)


class Play(Turn):
    def __init__(self, script: Script, prompt: str, options: ExecOptions):
        self._script, self._prompt, self._options = script, prompt, options

    async def play(self, run: Run) -> None:
        await self._script(self._prompt, self._options, run)

    def outcome(self) -> Outcome:
        return Outcome(output="", session_id="s1", usage={"m": TokenUsage(1, 2)})


class Recorder(Listener):
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.drawn: dict[int, dict[str, Any]] = {}
        self.results: list[Result] = []

    def drew(self, conversation: Conversation, number: int, message: dict[str, Any]) -> None:
        self.drawn[number] = message

    def run_ended(self, conversation: Conversation, result: Result) -> None:
        self.results.append(result)


@pytest.fixture
def agent(monkeypatch: pytest.MonkeyPatch) -> Agent:
    agent = Agent(say("Hello"))
    monkeypatch.setattr(backends, "new", lambda name: agent)
    return agent


def say(*pieces: str) -> Script:
    async def script(prompt: str, options: ExecOptions, run: Run) -> None:
        for piece in pieces:
            run.emit(Message(MessageType.TEXT, piece, call_id="b1"))

    return script


FORM = {
    "version": "v1.0",
    "createSurface": {
        "surfaceId": "form",
        "catalogId": "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json",
        "dataModel": {"name": ""},
        "components": [
            {"id": "root", "component": "Column", "children": ["name", "send"]},
            {"id": "name", "component": "TextField", "label": "Name", "value": {"@path": "/name"}},
            {
                "id": "send",
                "component": "Button",
                "child": "label",
                "action": {"event": {"name": "greet", "context": {"name": {"@path": "/name"}}}},
            },
            {"id": "label", "component": "Text", "text": "Send"},
        ],
    },
}


def ref_of(conversation: Conversation, component_id: str) -> int:
    nodes = conversation.channel.session.snapshot().nodes
    return next(ref for ref, node in nodes.items() if node and node["id"] == component_id)


def kinds(conversation: Conversation) -> list[str]:
    return [entry.kind for entry in conversation.timeline]


async def test_a_prompt_is_answered_and_the_next_run_goes_on_in_the_same_session(agent: Agent) -> None:
    agent.script = say("Hel", "lo")
    conversation = Conversation("c1", Setup("x", cwd="/tmp"))
    conversation.send("Say hello\nplease")
    assert conversation.state is State.WORKING
    await conversation.idle()
    assert kinds(conversation) == ["prompt", "text", "result"]
    assert conversation.timeline[1].text == "Hello"
    assert conversation.title == "Say hello"
    assert conversation.state is State.IDLE
    usage = {"m": {"input": 1, "output": 2, "cache_read": 0, "cache_write": 0}}
    assert conversation.timeline[2].body["usage"] == usage
    conversation.send("again")
    await conversation.idle()
    assert [options.resume_session_id for _, options in agent.asked] == [None, "s1"]
    assert agent.asked[0][1].cwd == "/tmp"


async def test_files_are_told_to_the_agent_by_their_paths(agent: Agent) -> None:
    conversation = Conversation("c1", Setup("x"))
    conversation.send("Look", ["/data/a.png"])
    await conversation.idle()
    assert agent.asked[0][0] == "Look\n[attached file: /data/a.png]"
    assert conversation.timeline[0].body["files"] == ["/data/a.png"]


async def test_prompts_wait_their_turn_and_can_be_edited(agent: Agent) -> None:
    go_on = asyncio.Event()

    async def script(prompt: str, options: ExecOptions, run: Run) -> None:
        await go_on.wait()

    agent.script = script
    conversation = Conversation("c1", Setup("x"))
    for text in ("one", "two", "three", "four"):
        conversation.send(text)
    await asyncio.sleep(0)  # the run takes the first
    assert [prompt.text for prompt in conversation.queue] == ["two", "three", "four"]
    conversation.edit_queued(1, "3")
    conversation.edit_queued(0, " ")
    conversation.edit_queued(9, "nobody")
    go_on.set()
    await conversation.idle()
    assert [prompt for prompt, _ in agent.asked] == ["one", "3", "four"]


async def test_a_stop_leaves_the_queue_until_the_person_goes_on(agent: Agent) -> None:
    started = asyncio.Event()

    async def forever(prompt: str, options: ExecOptions, run: Run) -> None:
        started.set()
        await asyncio.Event().wait()

    agent.script = forever
    conversation = Conversation("c1", Setup("x"))
    conversation.send("one")
    conversation.send("two")
    await started.wait()
    conversation.stop()
    assert conversation.state is State.STOPPING
    await conversation.idle()
    assert conversation.timeline[-1].body["status"] == "aborted"
    assert [prompt.text for prompt in conversation.queue] == ["two"]
    agent.script = say("fine")
    conversation.resume_queue()
    await conversation.idle()
    assert conversation.queue == []
    assert conversation.timeline[-1].body["status"] == "completed"


async def test_an_agent_that_cannot_start_says_why_and_the_conversation_goes_on(agent: Agent) -> None:
    async def refuse(prompt: str, options: ExecOptions) -> Run:
        raise BackendError("x is not installed. Run: npm install x")

    works, agent.execute = agent.execute, refuse  # type: ignore[method-assign]
    conversation = Conversation("c1", Setup("x"))
    conversation.send("one")
    await conversation.idle()
    assert kinds(conversation) == ["prompt", "error", "result"]
    assert conversation.timeline[1].text == "x is not installed. Run: npm install x"
    agent.execute = works  # type: ignore[method-assign]
    conversation.send("two")
    await conversation.idle()
    assert kinds(conversation)[3:] == ["prompt", "text", "result"]


async def test_an_unknown_agent_is_told_with_the_known_ones() -> None:
    conversation = Conversation("c1", Setup("nobody"))
    conversation.send("one")
    await conversation.idle()
    assert "unknown agent type 'nobody'" in conversation.timeline[1].text


async def test_a_surface_stands_in_the_timeline_and_its_messages_are_recorded(agent: Agent) -> None:
    recorder = Recorder()
    conversation = Conversation("c1", Setup("x"), listener=recorder)
    assert [reply.error for reply in conversation.desk.draw(FORM)] == [None]
    assert kinds(conversation) == ["surface"]
    assert recorder.drawn == {0: FORM}
    conversation.channel.write(ref_of(conversation, "name"), "value", "Ada")
    conversation.channel.write(ref_of(conversation, "name"), "value", "Ada L")
    await conversation.shut_down()
    update = {"surfaceId": "form", "path": "/", "value": {"name": "Ada L"}}
    assert recorder.drawn == {0: FORM, 1: {"version": "v1.0", "updateDataModel": update}}


async def test_what_was_recorded_makes_the_same_surfaces(agent: Agent) -> None:
    recorder = Recorder()
    before = Conversation("c1", Setup("x"), listener=recorder)
    before.desk.draw(FORM)
    before.channel.write(ref_of(before, "name"), "value", "Ada")
    await before.shut_down()
    after = Conversation("c1", Setup("x"), entries=list(before.timeline), drawn=sorted(recorder.drawn.items()))
    assert after.desk.state()["surfaces"][0]["dataModel"] == {"name": "Ada"}
    assert kinds(after) == ["surface"]  # drawn again, not told again


async def test_an_action_of_a_quiet_conversation_is_its_next_prompt(agent: Agent) -> None:
    conversation = Conversation("c1", Setup("x"))
    conversation.desk.draw(FORM)
    conversation.channel.write(ref_of(conversation, "name"), "value", "Ada")
    conversation.channel.invoke(ref_of(conversation, "send"), "action", "click1")
    await conversation.idle()
    assert kinds(conversation) == ["surface", "action", "text", "result"]
    prompt = agent.asked[0][0]
    assert '"event": "greet"' in prompt
    assert '"context": {"name": "Ada"}' in prompt
    assert conversation.channel.outbox.last_id == 0


async def test_an_agent_that_waits_gets_the_action(agent: Agent) -> None:
    got: list[dict[str, Any] | None] = []
    drawn = asyncio.Event()

    async def script(prompt: str, options: ExecOptions, run: Run) -> None:
        conversation.desk.draw(FORM)
        drawn.set()
        got.append(await conversation.desk.next_action(5))

    agent.script = script
    conversation = Conversation("c1", Setup("x"))
    conversation.send("draw")
    await drawn.wait()
    conversation.channel.invoke(ref_of(conversation, "send"), "action", "click1")
    await conversation.idle()
    assert got[0] is not None
    assert got[0]["name"] == "greet"
    assert len(agent.asked) == 1  # it is answered: no prompt of its own


async def test_an_action_that_nobody_waited_for_follows_as_a_prompt(agent: Agent) -> None:
    async def script(prompt: str, options: ExecOptions, run: Run) -> None:
        if len(agent.asked) == 1:
            conversation.desk.draw(FORM)
            conversation.channel.invoke(ref_of(conversation, "send"), "action", "click1")

    agent.script = script
    conversation = Conversation("c1", Setup("x"))
    conversation.send("draw")
    await conversation.idle()
    assert len(agent.asked) == 2
    assert agent.asked[1][0].startswith("[action]")
    assert kinds(conversation).count("action") == 1


async def test_waiting_for_an_action_ends_in_time(agent: Agent) -> None:
    assert await Conversation("c1", Setup("x")).desk.next_action(0.01) is None


async def test_a_page_gets_the_timeline_and_then_what_is_new(agent: Agent) -> None:
    conversation = Conversation("c1", Setup("x"))
    conversation.send("one")
    await conversation.idle()
    with conversation.channel.watch() as viewer:
        updates = aiter(viewer)
        everything = (await anext(updates)).beside
        assert everything["c0"]["props"]["children"] == ["e0", "e1", "e2"]
        assert everything["timeline"] == {"last": 0}
        assert everything["run"]["state"] == "idle"
        conversation.timeline.add("note", "new")
        news = (await anext(updates)).beside
        assert set(news) == {"e3", "c0", "timeline"}
        conversation.timeline.update(conversation.timeline[3], level="warning")
        assert set((await anext(updates)).beside) == {"e3"}


@pytest.mark.parametrize(
    ("prompt", "title"),
    [
        ("Fix the test", "Fix the test"),
        ("\n\n  Fix it \nnow", "Fix it"),
        ("word " * 30, "word word word word word word word word word word word word …"),
        ("", ""),
    ],
)
def test_a_title_is_the_first_line(prompt: str, title: str) -> None:
    assert title_of(prompt) == title
