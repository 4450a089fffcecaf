"""The gallery's player: any place of a stream, the same as a fresh session that was sent so much of it."""

import pytest

from a2ui_app.live.channel import Channel
from a2ui_app.samples import Sample, all_samples, find_sample
from a2ui_app.session import Session
from a2ui_app.web.pages.gallery.player import Player


def player_of(name: str) -> Player:
    sample = find_sample(name)
    assert sample is not None
    return Player(Channel("c"), name, list(sample.messages), sample)


def seen(player: Player) -> tuple:
    session = player.channel.session
    snapshot = session.snapshot()
    return snapshot.nodes, snapshot.surfaces, player.models()


@pytest.mark.parametrize("sample", all_samples(), ids=lambda sample: sample.name)
def test_any_way_to_a_place_shows_the_same(sample: Sample):
    player = player_of(sample.name)
    end = len(sample.messages)
    places = sorted({0, 1, end // 3, end // 2, end - 1, end})
    fresh = {}
    for place in places:
        direct = player_of(sample.name)
        direct.seek(place)
        fresh[place] = seen(direct)
    for place in [*places, *reversed(places), end, 0, end // 2]:
        player.seek(place)
        assert player.position == place
        assert seen(player) == fresh[place]


def test_places_beyond_the_ends_mean_the_ends():
    player = player_of("hello")
    player.seek(99)
    assert player.position == 1
    player.seek(-5)
    assert player.position == 0
    assert player.channel.session.surfaces() == []


def test_going_forward_keeps_input_and_going_back_starts_again():
    player = player_of("wizard")
    player.seek(1)
    session = player.channel.session
    (field,) = (ref for ref, node in session.snapshot().nodes.items() if node and node["id"] == "field")
    player.channel.write(field, "value", "zephyr")
    player.seek(3)
    assert player.channel.session is session
    assert player.models()["wizard"]["project"]["name"] == "atlas"
    player.seek(1)
    assert player.models()["wizard"]["project"]["name"] == ""


def test_a_replaced_message_shows_when_its_place_was_shown():
    player = player_of("data-deletion")
    player.seek(2)
    player.replace(1, {"version": "1.0", "updateDataModel": {"surfaceId": "inbox", "path": "/banner", "value": "New"}})
    assert player.edited
    assert player.position == 2
    assert player.models()["inbox"]["banner"] == "New"
    player.replace(5, {"broken": True})
    assert player.position == 2
    assert not list(player.findings())


def test_findings_name_the_message_that_brought_them_up():
    player = player_of("errors")
    player.seek(4)
    assert [(finding.message, finding.code) for finding in player.findings()] == [
        (1, "UNKNOWN_COMPONENT"),
        (1, "MISSING_DATA_BINDING"),
        (1, "EXPRESSION_ERROR"),
        (2, "VALIDATION_FAILED"),
        (3, "VALIDATION_FAILED"),
    ]
    player.seek(1)
    assert {finding.message for finding in player.findings()} == {1}


def test_refused_input_is_a_finding_of_no_message():
    player = player_of("hello")
    player.seek(1)
    player.channel.write(99, "value", "late")
    (finding,) = player.findings()
    assert finding.message == 0
    assert "gone" in finding.text


def test_what_is_no_message_is_refused_and_the_rest_goes_on():
    channel = Channel("c", Session())
    player = Player(channel, "own", [None, 7, "x", *player_of("hello").messages])
    player.seek(4)
    assert [surface.id for surface in channel.session.surfaces()] == ["hello"]
    assert [finding.message for finding in player.findings()] == [1, 2, 3]
