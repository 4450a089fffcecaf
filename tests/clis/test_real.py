"""What each real agent does through its backend, asked by a scripted model (`SCN:…` in the prompt names the scene)."""

import asyncio
import json
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import pytest

from a2ui_app import backends
from a2ui_app.agent_ui import Ok
from a2ui_app.backends.base import ExecOptions, MessageType, Status
from a2ui_app.backends.line_backend import LineBackend
from tests.backends.people import Person

from .real import REAL, UI_MCP, Real, processes_at

POLL = 0.05


def only(name: str) -> pytest.MarkDecorator:
    """Run a test with this agent alone: what is pinned differs from agent to agent."""
    return pytest.mark.parametrize("real", [real for real in REAL if real.name == name], indirect=True, ids=[name])


async def until(condition: Callable[[], bool], within: float = 60.0) -> None:
    """Wait until `condition` holds of what other programs do; there is nothing to wait on but the look itself."""
    async with asyncio.timeout(within):
        while not condition():  # noqa: ASYNC110 - other programs set no event
            await asyncio.sleep(POLL)


@pytest.fixture
def asked(requests: Path):
    """Return a function: text -> whether the model was asked something with it."""
    return lambda text: any(text in path.read_text() for path in requests.iterdir())


@pytest.fixture
def run(real: Real, home: dict[str, str], tmp_path: Path):
    """Return a function: prompt and options -> the run."""
    work = tmp_path / "work"
    work.mkdir()

    async def start(prompt: str, **fields):
        options = ExecOptions(**{"cwd": work, "model": real.model, "timeout": 150.0, **fields}, env=home)
        return await backends.new(real.name, real.executable).execute(prompt, options)

    return start


@pytest.fixture
def play(run):
    """Return a function: prompt and options -> result and messages."""

    async def to_the_end(prompt: str, **fields):
        started = await run(prompt, **fields)
        messages = [message async for message in started.messages]
        result = await started.result
        print(f"{result.status} in {result.duration_ms} ms: {result.output!r} {result.error!r} {result.usage}")
        return result, messages

    return to_the_end


def texts(messages, kind=MessageType.TEXT):
    return "".join(message.content for message in messages if message.type == kind)


async def test_text(play):
    result, messages = await play("SCN:text")
    assert result.status == Status.COMPLETED
    assert result.output == "Hello from the fake model. "
    assert texts(messages) == result.output
    assert result.session_id
    (used,) = result.usage.values()
    assert used.input_tokens
    assert used.output_tokens


async def test_text_with_a_person(play):
    result, messages = await play("SCN:text", ui=Person())
    assert (result.status, result.output) == (Status.COMPLETED, "Hello from the fake model. ")
    assert texts(messages) == result.output


async def test_thinking(play):
    result, messages = await play("SCN:think", ui=Person())
    assert result.output == "Thought answer."
    assert texts(messages, MessageType.THINKING) == "Let me think about it."


@pytest.mark.parametrize("person", [None, Person()], ids=["nobody", "person"])
async def test_system_prompt_and_big_prompt(play, requests, person):
    rule = f"Be kind to {uuid.uuid4()}."
    result, _ = await play("x" * 300_000 + " SCN:text", system_prompt=rule, ui=person)
    assert (result.status, result.error) == (Status.COMPLETED, "")
    asked = [path.read_text() for path in requests.iterdir()]
    assert any(rule in text and "x" * 300_000 in text for text in asked)


async def test_a_permission_allowed(play, tmp_path):
    person = Person(*[_allow] * 3)
    target = tmp_path / "work/touched"
    result, messages = await play(f"SCN:touch {target}", ui=person)
    assert result.status == Status.COMPLETED
    assert target.exists()
    assert len(person.asked) == 1
    calls = [m for m in messages if m.type == MessageType.TOOL_USE]
    assert any("touch" in str(call.input) for call in calls)
    (end,) = [m for m in messages if m.type == MessageType.TOOL_RESULT]
    assert "touched" in end.output
    assert end.call_id == calls[-1].call_id


async def test_a_permission_denied(play, tmp_path):
    person = Person(*[Ok(None)] * 3)
    target = tmp_path / "work/touched"
    _, messages = await play(f"SCN:touch {target}", ui=person)
    assert person.asked
    assert not target.exists()
    (end,) = [m for m in messages if m.type == MessageType.TOOL_RESULT]
    assert end.level == "error"


async def test_without_a_person_nothing_is_allowed(real, play, tmp_path):
    target = tmp_path / "work/touched"
    result, messages = await play(f"SCN:touch {target}")
    assert not target.exists()
    (end,) = [m for m in messages if m.type == MessageType.TOOL_RESULT]
    assert end.level == "error"
    # `opencode run` stops at the first call that is refused; the others tell their model and go on
    assert result.status == (Status.FAILED if real.name == "opencode" else Status.COMPLETED)


async def test_automatic_permissions(play, tmp_path):
    target = tmp_path / "work/touched"
    result, _ = await play(f"SCN:touch {target}", permissions="auto")
    assert result.status == Status.COMPLETED
    assert target.exists()


async def test_a_question(real, play):
    if real.name == "pi":
        pytest.skip("pi has no tool that asks; its extensions do, as the permission tests show")
    person = Person(Ok("Blue"), Ok("Blue"))
    result, _ = await play("SCN:ask", ui=person)
    assert result.status == Status.COMPLETED
    assert person.asked[0][1][:2] == ["Red", "Blue"]
    assert result.output == "Done: tool result received (ask)."


@pytest.mark.parametrize("person", [None, Person()], ids=["nobody", "person"])
async def test_resume(play, person):
    first, _ = await play("SCN:text one", ui=person)
    second, _ = await play("SCN:text two", resume_session_id=first.session_id, ui=person)
    assert second.status == Status.COMPLETED
    assert second.output == "Hello from the fake model. two"
    assert (second.resumed, second.session_id) == (True, first.session_id)
    (used,), (used_first,) = second.usage.values(), first.usage.values()
    assert used.output_tokens == used_first.output_tokens, "tokens of the first run are not counted again"


@pytest.mark.parametrize("person", [None, Person()], ids=["nobody", "person"])
async def test_several_prompts_in_one_conversation(real, home, tmp_path, person):
    options = ExecOptions(tmp_path, real.model, timeout=60.0, env=home, ui=person)
    backend = backends.new(real.name, real.executable)
    assert isinstance(backend, LineBackend)
    async with backend.converse(options) as conversation:
        results = [await (await conversation.execute(f"SCN:text {n}")).result for n in ("one", "two")]
    print([result.duration_ms for result in results], [result.usage for result in results])
    assert [result.output for result in results] == [f"Hello from the fake model. {n}" for n in ("one", "two")]
    assert results[0].session_id == results[1].session_id
    first, second = (next(iter(result.usage.values())) for result in results)
    assert first.output_tokens == second.output_tokens


@pytest.mark.parametrize("person", [None, Person()], ids=["nobody", "person"])
async def test_a_conversation_goes_on_after_a_cancel(real, home, tmp_path, person, asked):
    options = ExecOptions(tmp_path, real.model, timeout=60.0, env=home, ui=person)
    backend = backends.new(real.name, real.executable)
    assert isinstance(backend, LineBackend)
    async with backend.converse(options) as conversation:
        first = await (await conversation.execute("SCN:text one")).result
        hanging = await conversation.execute(f"SCN:hang {(mark := str(uuid.uuid4()))}")
        await until(lambda: asked(mark))
        assert (await hanging.cancel()).status == Status.ABORTED
        last = await (await conversation.execute("SCN:text two")).result
    print([result.duration_ms for result in (first, last)])
    assert (last.status, last.output) == (Status.COMPLETED, "Hello from the fake model. two")
    assert last.session_id == first.session_id


MISSING = {"claude": "8c65891d-b401-4bdc-a07a-54f627092eda", "opencode": "ses_doesnotexist000000000000"}


@pytest.mark.parametrize("person", [None, Person()], ids=["nobody", "person"])
async def test_resume_of_a_missing_session(real, play, person):
    missing = MISSING.get(real.name, "00000000-0000-4000-8000-000000000000")
    result, messages = await play("SCN:text", resume_session_id=missing, ui=person)
    assert result.status == Status.COMPLETED
    assert result.resumed is False
    assert result.session_id not in ("", missing)
    assert any("without its context" in m.content for m in messages if m.type == MessageType.STATUS)
    result, _ = await play("SCN:text", resume_session_id=missing, ui=person, fresh_after_failed_resume=False)
    assert result.status == Status.FAILED
    assert result.session_id == ""


@pytest.mark.parametrize("person", [None, Person()], ids=["nobody", "person"])
async def test_a_refused_key(play, person):
    result, messages = await play("SCN:err401", ui=person)
    assert result.status == Status.FAILED
    assert "401" in result.error
    assert any(m.type == MessageType.ERROR for m in messages)


def retries(messages) -> list[str]:
    return [m.content for m in messages if m.type == MessageType.STATUS and m.level == "retrying"]


@only("claude")
async def test_a_broken_model_server_and_claude(play):
    result, messages = await play("SCN:err500", ui=Person())
    assert result.status == Status.FAILED
    assert "500" in result.error
    assert len(retries(messages)) == 1  # as CLAUDE_CODE_MAX_RETRIES says


@only("pi")
async def test_a_broken_model_server_and_pi(play):
    result, messages = await play("SCN:err500", ui=Person())
    assert result.status == Status.FAILED
    assert "500" in result.error
    assert [text[-6:] for text in retries(messages)] == ["1 of 3", "2 of 3", "3 of 3"]


@only("opencode")
@pytest.mark.parametrize("scene", ["err500", "cut"])
async def test_a_broken_model_server_and_opencode(run, scene):
    """opencode never gives up; it tells each attempt and stops when told."""
    started = await run(f"SCN:{scene}", ui=Person())
    messages = []
    async for message in started.messages:
        messages.append(message)
        if len(retries(messages)) == 3:
            break
    assert [text[-9:] for text in retries(messages)] == ["attempt 1", "attempt 2", "attempt 3"]
    result = await started.cancel()
    assert result.status == Status.ABORTED
    assert "this stream will be cut".startswith(result.output)  # how much of it came before the cut is a matter of luck


@only("claude")
async def test_a_stream_cut_in_the_middle_and_claude(play, requests):
    """claude asks once more without a stream, and that answer stands."""
    mark = str(uuid.uuid4())
    result, messages = await play(f"{mark} SCN:cut", ui=Person())
    assert (result.status, result.error) == (Status.COMPLETED, "")
    assert result.output == "this stream will be cut"
    assert [m.content for m in messages if m.type == MessageType.TEXT][-1] == result.output
    asked = [json.loads(path.read_text())["body"] for path in sorted(requests.iterdir()) if mark in path.read_text()]
    assert asked[0]["stream"]
    assert not asked[-1].get("stream")


@only("pi")
async def test_a_stream_cut_in_the_middle_and_pi(play):
    """pi tries again three times and then fails, with what it heard as its output."""
    result, messages = await play("SCN:cut", ui=Person())
    assert result.status == Status.FAILED
    assert [text[-6:] for text in retries(messages)] == ["1 of 3", "2 of 3", "3 of 3"]
    assert [m.content for m in messages if m.type == MessageType.ERROR] == [result.error]
    assert "this stream will be cut".startswith(result.output)


@pytest.mark.parametrize("scene", ["hang", "sleep 60"])
async def test_cancel(run, home, asked, scene):
    mark = str(uuid.uuid4())
    started = await run(f"{mark} SCN:{scene}", permissions="auto")
    if scene == "hang":
        await until(lambda: asked(mark))
    else:
        await until(lambda: any("time.sleep(60)" in command for command in processes_at(Path(home["HOME"]))))
    begin = time.monotonic()
    result = await started.cancel()
    took = time.monotonic() - begin
    print(f"{result.status} {took:.1f} s after cancel, {result.usage}")
    assert result.status == Status.ABORTED
    assert took < 9


async def test_timeout(play):
    result, _ = await play("SCN:hang", timeout=10.0)
    assert result.status == Status.TIMEOUT


@pytest.mark.parametrize("person", [None, Person()], ids=["nobody", "person"])
async def test_our_mcp_tool_waits_for_65_seconds(play, person):
    config = {"mcpServers": {"ui": {"type": "http", "url": UI_MCP}}}
    result, messages = await play("SCN:mcpslow 65", mcp_config=config, trusted_servers=["ui"], ui=person)
    assert result.status == Status.COMPLETED
    assert result.output == "Done: tool result received (mcpslow)."
    assert any("vanilla" in m.output for m in messages if m.type == MessageType.TOOL_RESULT)


def _allow(options):
    return Ok(next(option["value"] for option in options if option["label"].startswith("Allow once")))
