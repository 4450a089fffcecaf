"""codex and agents of the Agent Client Protocol: what every agent must do, with the real programs."""

import asyncio
from pathlib import Path

import pytest

from a2ui_app import backends
from a2ui_app.backends import ExecOptions, Message, MessageType, Result, Status

from .people import Person
from .real import ON_THE_PAGE, REAL, Real

TIMEOUT = 90.0


@pytest.fixture(params=[real for real in ON_THE_PAGE if real not in REAL], ids=lambda real: real.name)
def real(request: pytest.FixtureRequest) -> Real:
    return request.param


async def play(real: Real, home: dict[str, str], prompt: str, **more) -> tuple[list[Message], Result]:
    options = ExecOptions(cwd=home["HOME"], model=real.model, env=home, timeout=TIMEOUT, **more)
    run = await backends.new(real.name, real.executable).execute(prompt, options)
    told = [message async for message in run.messages]
    return told, await run.result


async def test_text_and_usage(real, home) -> None:
    told, result = await play(real, home, "SCN:text again")
    assert result.status is Status.COMPLETED, result
    assert "Hello from the fake model. again" in result.output
    assert result.session_id
    assert sum(used.output_tokens for used in result.usage.values()) > 0, result.usage
    assert any(message.type is MessageType.TEXT for message in told)


@pytest.mark.parametrize("allowed", [True, False])
async def test_a_tool_is_allowed_or_not(real, home, allowed: bool) -> None:
    path = Path(home["HOME"]) / "made"
    person = Person(allowed)
    _, result = await play(real, home, f"SCN:touch {path}", ui=person)
    assert person.asked, result
    assert path.exists() is allowed


async def test_everything_is_allowed_when_told_so(real, home) -> None:
    path = Path(home["HOME"]) / "made"
    _, result = await play(real, home, f"SCN:touch {path}", permissions="auto")
    assert result.status is Status.COMPLETED, result
    assert path.exists()


async def test_resume_and_a_lost_session(real, home) -> None:
    _, first = await play(real, home, "SCN:text one")
    _, second = await play(real, home, "SCN:text two", resume_session_id=first.session_id)
    found = real.name != "gemini"  # 0.61.0 does not find a session of one turn again
    assert (second.status, second.resumed) == (Status.COMPLETED, found), second
    _, third = await play(real, home, "SCN:text three", resume_session_id="00000000-0000-4000-8000-000000000000")
    assert (third.status, third.resumed) == (Status.COMPLETED, False), third


@pytest.mark.parametrize("code", [401, 500])
async def test_a_model_server_that_fails_is_a_failure(real, home, code: int) -> None:
    _, result = await play(real, home, f"SCN:err{code}")
    assert result.status in (Status.FAILED, Status.TIMEOUT), result


async def test_cancel(real, home) -> None:
    options = ExecOptions(cwd=home["HOME"], model=real.model, env=home, timeout=TIMEOUT)
    run = await backends.new(real.name, real.executable).execute("SCN:hang", options)
    async for message in run.messages:
        if message.type is MessageType.TEXT:
            break
    async with asyncio.timeout(20):
        result = await run.cancel()
    assert result.status is Status.ABORTED, result
