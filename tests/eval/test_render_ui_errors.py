"""The message that each kind of mistake gets, as people review it in render_ui_errors.md; `make eval` writes it."""

import json
import os
from pathlib import Path

import pytest

from a2ui_app.live.conversation import Conversation, Setup
from a2ui_app.transports.agent_tools import drawing

from .payloads import PAYLOADS

GOLDEN = Path(__file__).with_name("render_ui_errors.md")
HEAD = """# What models are told when `render_ui` is called wrongly

Each payload is of a kind that models produce. Each answer has to name the place, what was found and what is expected,
well enough that the next call is right. Written by `make eval`; kept true by a test.
"""


def answer(payload: dict[str, object]) -> str:
    desk = Conversation("c1", Setup("x")).desk
    try:
        drawn = drawing.draw(desk, payload)
    except drawing.NotDrawn as error:
        assert desk.state()["surfaces"] == []
        return str(error)
    return f"Drawn: {json.dumps(drawn)}"


def document() -> str:
    parts = [HEAD]
    for title, payload in PAYLOADS.items():
        told = "\n".join(f"> {line}" for line in answer(payload).splitlines())
        parts.append(f"\n## {title}\n\n```json\n{json.dumps(payload)}\n```\n\n{told}\n")
    return "".join(parts)


async def test_the_messages_are_those_that_were_reviewed() -> None:
    written = document()
    if os.environ.get("A2UI_EVAL") == "write":
        GOLDEN.write_text(written, encoding="utf-8")
    assert GOLDEN.read_text(encoding="utf-8") == written


@pytest.mark.parametrize("title", PAYLOADS)
async def test_each_mistake_is_an_error_that_names_its_place(title: str) -> None:
    told = answer(PAYLOADS[title])
    assert not told.startswith("Drawn"), told
    assert "/" in told or "Example:" in told
