"""A conversation as a file."""

import json

from a2ui_app.live.conversation import Conversation, Setup
from a2ui_app.live.export import as_json, as_markdown

from .test_conversation import FORM


def told() -> Conversation:
    conversation = Conversation("c1", Setup("demo", "/work"), title="Fix it")
    timeline = conversation.timeline
    timeline.add("prompt", "please\nfix it")
    timeline.add("text", "I will.\n\n")
    timeline.add("tool", "Bash", input={"command": "ls"}, output="a ``` b", status="done")
    timeline.add("dialog", "Sure?", answer="Yes", status="answered")
    timeline.add("error", "no key")
    return conversation


async def test_as_markdown() -> None:
    text = as_markdown(told())
    assert text.startswith("# Fix it\n")
    assert "> please\n> fix it\n" in text
    assert "````\na ``` b\n````" in text  # a fence of its own
    assert "**Asked:** Sure?  \n**Answer:** Yes" in text
    assert "**Error:** no key" in text


async def test_as_json_has_everything() -> None:
    conversation = told()
    conversation.desk.draw(FORM)
    conversation.timeline.add("action", "greet", surface="form", context={"name": "Ada"})
    assert "Used form" in as_markdown(conversation)
    everything = json.loads(json.dumps(as_json(conversation)))
    assert [entry["kind"] for entry in everything["entries"]][:3] == ["prompt", "text", "tool"]
    assert everything["entries"][2]["input"] == {"command": "ls"}
    assert everything["surfaces"][0]["surfaceId"] == "form"
