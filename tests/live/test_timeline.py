"""What a timeline makes of an agent's messages."""

import pytest

from a2ui_app.backends import Message, MessageType, Result, Status
from a2ui_app.live.timeline import LONG_TEXT, Timeline, last_break
from a2ui_app.live.timeline_view import CHUNK, earlier, newest


def texts(timeline: Timeline) -> list[tuple[str, str]]:
    return [(entry.kind, entry.text) for entry in timeline]


def test_pieces_of_one_block_are_one_entry() -> None:
    timeline = Timeline()
    for block, piece in (("a", "one "), ("a", "two"), ("b", "three")):
        timeline.receive(Message(MessageType.TEXT, piece, call_id=block))
    timeline.receive(Message(MessageType.THINKING, "hm", call_id="a"))
    assert texts(timeline) == [("text", "one two"), ("text", "three"), ("thinking", "hm")]


def test_a_tool_call_is_one_entry_from_its_start_to_its_result() -> None:
    timeline = Timeline(clock=iter([1.0, 3.5]).__next__)
    timeline.receive(Message(MessageType.TOOL_USE, tool="Bash", call_id="1"))
    timeline.receive(Message(MessageType.TOOL_USE, tool="Bash", call_id="1", input={"command": "ls"}))
    timeline.receive(Message(MessageType.TOOL_RESULT, call_id="1", output="a\nb"))
    assert len(timeline) == 1
    body = {"call_id": "1", "input": {"command": "ls"}, "output": "a\nb", "status": "done", "ended": 3.5}
    assert timeline[0].body == body


@pytest.mark.parametrize(("level", "status"), [("", "done"), ("error", "failed"), ("cancelled", "cancelled")])
def test_how_a_tool_ended(level: str, status: str) -> None:
    timeline = Timeline()
    timeline.receive(Message(MessageType.TOOL_USE, tool="Bash", call_id="1"))
    timeline.receive(Message(MessageType.TOOL_RESULT, call_id="1", level=level))
    assert timeline[0].body["status"] == status


def test_a_tool_that_never_ended_is_closed_with_the_turn() -> None:
    timeline = Timeline()
    timeline.receive(Message(MessageType.TOOL_USE, tool="Bash", call_id="1"))
    timeline.end_turn(Result(Status.ABORTED))
    assert timeline[0].body["status"] == "cancelled"
    timeline.receive(Message(MessageType.TOOL_RESULT, tool="Bash", call_id="1"))  # a late one is not lost
    assert timeline[-1].kind == "tool"


def test_an_error_is_told_once() -> None:
    timeline = Timeline()
    timeline.receive(Message(MessageType.ERROR, "no key"))
    timeline.end_turn(Result(Status.FAILED, error="no key"))
    assert [entry.kind for entry in timeline] == ["error", "result"]


def test_debug_lines_and_states_are_not_for_people() -> None:
    timeline = Timeline()
    timeline.receive(Message(MessageType.LOG, "x", level="debug"))
    timeline.receive(Message(MessageType.STATUS, "x", level="working"))
    timeline.receive(Message(MessageType.LOG, "careful", level="warning"))
    assert texts(timeline) == [("note", "careful")]


def test_a_long_text_goes_on_in_a_next_entry_and_loses_nothing() -> None:
    timeline = Timeline()
    whole = "".join(f"Paragraph {number} of a long answer.\n\n" for number in range(1000))
    for start in range(0, len(whole), 7):
        timeline.receive(Message(MessageType.TEXT, whole[start : start + 7], call_id="a"))
    assert "".join(entry.text for entry in timeline) == whole
    assert len(timeline) > 5
    assert all(len(entry.text) < LONG_TEXT + 2000 for entry in timeline)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("one\n\ntwo", "two"),
        ("one\ntwo", None),
        ("one\n\n", None),
        ("one\n\n```\na\n\nb", "```\na\n\nb"),  # a fence is never cut
        ("one\n\n```\na\n\nb\n```\n\nend", "end"),
        ("```\na\n\nb\n```\nend", None),
        ("~~~\n```\n\nx", None),
        ("one\n\n- item\n\n  more", "- item\n\n  more"),  # what is indented belongs to the item
        ("one\n\n\n\ntwo", "two"),
    ],
)
def test_where_a_text_may_be_cut(text: str, rest: str | None) -> None:
    cut = last_break(text)
    assert (text[cut:] if cut else None) == rest


def test_a_page_gets_the_newest_chunks_and_earlier_ones_when_it_asks() -> None:
    timeline = Timeline()
    for number in range(CHUNK * 10 + 1):
        timeline.add("note", str(number))
    shown = newest(timeline)
    assert shown["first"] == {"at": 7}
    assert shown["timeline"] == {"last": 10}
    assert "c6" not in shown and "e350" in shown and "e349" not in shown
    more = earlier(timeline, 7)
    assert more["first"] == {"at": 3}
    assert {key for key in more if key[0] == "c"} == {"c3", "c4", "c5", "c6"}
    assert earlier(timeline, 0)["first"] == {"at": 0}


def test_an_empty_timeline() -> None:
    assert newest(Timeline()) == {"first": {"at": 0}, "timeline": {"last": -1}}
