import pytest

from a2ui_app.live.registry import ChannelNameError, Channels, TooManyChannels


def test_a_channel_is_made_on_demand_and_is_the_same_for_everybody():
    channels = Channels()
    assert channels.get("a") is None
    assert channels.open("a") is channels.open("a")
    assert [channel.name for channel in channels] == ["a"]


@pytest.mark.parametrize("name", ["", "a b", "../x", "a/b", "-a", ".hidden", "x" * 65, "a\n", "é"])
def test_names_that_cannot_be_a_channel_are_refused(name):
    with pytest.raises(ChannelNameError, match="letters, digits"):
        Channels().open(name)


def test_the_longest_unused_makes_room_but_never_one_that_is_viewed():
    channels = Channels(limit=2)
    with channels.open("a").watch():
        channels.open("b")
        channels.open("c")
        assert [channel.name for channel in channels] == ["a", "c"]
        with channels.open("c").watch(), pytest.raises(TooManyChannels, match="close a page"):
            channels.open("d")


def test_use_keeps_a_channel():
    channels = Channels(limit=2)
    channels.open("a")
    channels.open("b")
    channels.open("a")
    channels.open("c")
    assert sorted(channel.name for channel in channels) == ["a", "c"]
