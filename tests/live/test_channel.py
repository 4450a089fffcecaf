import asyncio
from collections.abc import Callable

from a2ui_app.live.channel import Channel
from a2ui_app.live.outbox import Sent
from a2ui_app.live.viewer import Viewer
from a2ui_app.session import Session

from .forms import EVENT, FIELD, OPEN, button, create, set_data


class Timers:
    """Stands in for the event loop's clock: timers run when the test says."""

    def __init__(self):
        self.started: list[tuple[float, Callable[[], None]]] = []
        self.cancelled = 0

    def __call__(self, delay: float, run: Callable[[], None]) -> "Timers":
        self.started.append((delay, run))
        return self

    def cancel(self) -> None:
        self.cancelled += 1


def root(channel: Channel, surface: str = "s") -> int:
    tree = channel.session.tree(surface)
    assert tree is not None
    return tree["ref"]


def sent(channel: Channel) -> list[dict]:
    return [item.message for item in channel.outbox.after(0) if isinstance(item, Sent)]


def tree(channel: Channel) -> dict:
    found = channel.session.tree("s")
    assert found is not None
    return found


def data(channel: Channel, surface: str = "s"):
    found = channel.session.surface(surface)
    assert found is not None
    return found.data


async def test_a_viewer_gets_everything_and_then_what_changed():
    channel = Channel("c")
    channel.post(create(FIELD, data={"name": "a"}))
    with channel.watch() as viewer:
        updates = aiter(viewer)
        first = await anext(updates)
        assert first.snapshot
        assert first.patch.surfaces == {"s": {"root": root(channel)}}
        node = first.patch.nodes[root(channel)]
        assert node and node["props"]["value"] == "a"
        channel.post(set_data("/name", "b"))
        second = await anext(updates)
        assert not second.snapshot
        assert list(second.patch.nodes) == [root(channel)]
        changed = second.patch.nodes[root(channel)]
        assert changed and changed["props"]["value"] == "b"


async def test_what_happens_before_a_viewer_looks_is_in_its_snapshot_once():
    channel = Channel("c")
    with channel.watch() as viewer:
        channel.post(create(FIELD, data={"name": "a"}))
        updates = aiter(viewer)
        assert (await anext(updates)).patch.nodes
        waiting = asyncio.ensure_future(anext(updates))
        await asyncio.sleep(0)
        assert not waiting.done()
        waiting.cancel()


async def test_changes_merge_while_a_viewer_is_busy():
    channel = Channel("c")
    channel.post(create(FIELD, data={"name": ""}))
    with channel.watch() as viewer:
        updates = aiter(viewer)
        await anext(updates)
        for name in "abc":
            channel.post(set_data("/name", name))
        channel.post({"version": "1.0", "deleteSurface": {"surfaceId": "s"}})
        channel.post(create(FIELD, surface="t", data={"name": "z"}))
        update = await anext(updates)
        assert update.patch.surfaces == {"s": None, "t": {"root": root(channel, "t")}}
        gone, there = sorted(update.patch.nodes.items())
        assert gone[1] is None
        assert there[1] and there[1]["props"]["value"] == "z"


async def test_a_payload_of_many_messages_is_shown_once():
    channel = Channel("c")
    shown: list[int] = []
    with channel.watch() as viewer:
        await anext(aiter(viewer))
        show = viewer.show
        viewer.show = lambda patch: (shown.append(len(patch.nodes)), show(patch))[1]  # type: ignore[method-assign]
        channel.post([create(FIELD, data={"name": ""}), *(set_data("/name", str(n)) for n in range(200))])
    assert shown == [1]


def test_a_message_that_fails_does_not_stop_the_next_and_says_where_and_why():
    channel = Channel("c")
    replies = channel.post({"messages": [create(FIELD), set_data("/a", 1, surface="other"), set_data("/name", "x")]})
    assert [reply.error is None for reply in replies] == [True, False, True]
    assert data(channel) == {"name": "x"}
    wrong = replies[1].as_json()
    assert wrong["index"] == 1
    assert "other" in wrong["error"]["message"]
    (message,) = sent(channel)
    assert message["error"]["surfaceId"] == "other"


def test_a_diagnostic_is_part_of_the_reply():
    channel = Channel("c")
    (reply,) = channel.post(create({"component": "YouTub"}))
    assert reply.as_json()["diagnostics"][0]["code"] == "UNKNOWN_COMPONENT"


async def test_two_viewers_see_what_one_writes():
    channel = Channel("c")
    channel.post(create(FIELD, data={"name": ""}))
    with channel.watch() as one, channel.watch() as two:
        streams = [aiter(one), aiter(two)]
        for stream in streams:
            await anext(stream)
        assert channel.write(root(channel), "value", "Ada").error is None
        one.acknowledge("w1")
        first, second = [await anext(stream) for stream in streams]
        assert first.patch == second.patch
        assert (first.acks, second.acks) == (("w1",), ())
    assert data(channel) == {"name": "Ada"}
    assert channel.viewers == 0


def test_input_that_cannot_be_taken_is_an_error_and_is_logged():
    channel = Channel("c")
    channel.post(create({"component": "TextField", "label": "Free"}))
    assert channel.write(root(channel), "value", "x").error is not None
    gone = channel.write(999, "value", "x")
    assert "gone" in str(gone.error)
    assert channel.invoke(999, "action", "k1").error is not None
    assert [entry.kind for entry in channel.log if entry.kind == "input_refused"] == ["input_refused"] * 3


def test_a_click_is_run_once_however_often_it_arrives():
    channel = Channel("c")
    channel.post(create(*button(**EVENT), data={"name": "Ada"}))
    for click in ("k1", "k1", "k2"):
        assert channel.invoke(root(channel), "action", click).error is None
    assert [message["action"]["context"] for message in sent(channel)] == [{"name": "Ada"}] * 2


def test_an_address_is_for_the_page_that_clicked():
    channel = Channel("c")
    channel.post(create(*button(**OPEN)))
    assert channel.invoke(root(channel), "action", "k1").open_urls == ("https://example.com/a",)
    assert channel.invoke(root(channel), "action", "k1").open_urls == ()
    assert channel.outbox.after(0) == []


def test_what_goes_to_the_agent_carries_capabilities_and_the_asked_for_data():
    channel = Channel("c")
    channel.post(create(*button(**EVENT), data={"name": "Ada"}, sendDataModel=True))
    channel.post(create(FIELD, surface="private", data={"name": "secret"}))
    channel.invoke(root(channel), "action", "k1")
    (message,) = sent(channel)
    metadata = message["metadata"]
    assert metadata["a2uiRendererDataModel"]["surfaces"] == {"s": {"name": "Ada"}}
    assert "1.0" in metadata["a2uiRendererCapabilities"]


def agent_call() -> dict:
    call = {"@call": "lookUp", "args": {}}
    return create({"component": "Text", "text": call})


def test_a_call_to_the_agent_that_is_not_answered_times_out():
    timers = Timers()
    channel = Channel("c", Session(default_timeout_ms=500, bindings="auto"), call_later=timers)
    channel.post(agent_call())
    ((delay, time_out),) = timers.started
    assert delay == 0.5
    assert tree(channel)["busy"]
    time_out()
    assert not tree(channel)["busy"]
    assert any(entry.title == "RpcSettled" and "TIMEOUT" in str(entry.body) for entry in channel.log)


def test_an_answer_ends_the_timer():
    timers = Timers()
    channel = Channel("c", call_later=timers)
    channel.post(agent_call())
    (message,) = sent(channel)
    call_id = message["callAgentFunction"]["functionCallId"]
    channel.post({"version": "1.0", "agentFunctionResponse": {"functionCallId": call_id, "value": "found"}})
    assert timers.cancelled == 1
    assert tree(channel)["props"]["text"] == "found"


def test_closing_ends_every_timer():
    timers = Timers()
    channel = Channel("c", call_later=timers)
    channel.post(agent_call())
    channel.close()
    assert timers.cancelled == 1


async def test_a_viewer_wakes_for_the_log_alone():
    channel = Channel("c")
    channel.post(create(*button(**EVENT), data={"name": "Ada"}))
    with channel.watch() as viewer:
        updates = aiter(viewer)
        await anext(updates)
        channel.invoke(root(channel), "action", "k1")
        update = await asyncio.wait_for(anext(updates), 1)
        assert not update.patch.nodes
    assert isinstance(viewer, Viewer)


def test_the_log_is_bounded_and_counts_what_fell_out():
    channel = Channel("c")
    channel.post([set_data("/a", 1) for _ in range(1500)])
    assert len(channel.log) == 1000
    assert channel.log.total > 1000
    assert channel.log.after(channel.log.total - 1)[0].number == channel.log.total


async def test_a_restarted_channel_shows_the_new_session_from_its_snapshot_on():
    channel = Channel("c")
    channel.post(create(FIELD, data={"name": "Ada"}))
    with channel.watch() as viewer:
        updates = aiter(viewer)
        await anext(updates)
        channel.restart(Session())
        channel.post(create(FIELD, data={"name": "Grace"}))
        update = await asyncio.wait_for(anext(updates), 1)
        assert update.snapshot
        (node,) = update.patch.nodes.values()
        assert node and node["props"]["value"] == "Grace"
