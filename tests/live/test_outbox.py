import asyncio

from a2ui_app.live.outbox import Gap, Outbox, Sent


def test_ids_grow_from_one_and_a_reader_goes_on_after_the_last_it_saw():
    outbox = Outbox()
    for n in range(3):
        outbox.put({"n": n})
    assert outbox.after(1) == [Sent(2, {"n": 1}), Sent(3, {"n": 2})]
    assert outbox.after(3) == []


def test_what_fell_out_is_reported_and_not_passed_over():
    outbox = Outbox(size=2)
    for n in range(5):
        outbox.put({"n": n})
    assert outbox.after(1) == [Gap(2, 3), Sent(4, {"n": 3}), Sent(5, {"n": 4})]
    assert outbox.after(3) == [Sent(4, {"n": 3}), Sent(5, {"n": 4})]


def test_an_id_of_an_earlier_run_gets_everything():
    outbox = Outbox()
    outbox.put({"n": 0})
    assert outbox.after(99) == [Sent(1, {"n": 0})]


async def test_follow_gives_the_past_then_the_new_and_says_when_nothing_came():
    outbox = Outbox()
    outbox.put({"n": 0})
    reader = outbox.follow(0, idle=0.01)
    assert await anext(reader) == Sent(1, {"n": 0})
    assert await anext(reader) is None
    asyncio.get_running_loop().call_soon(outbox.put, {"n": 1})
    while (item := await anext(reader)) is None:
        pass
    assert item == Sent(2, {"n": 1})


async def test_a_message_put_while_the_reader_is_busy_is_not_missed():
    outbox = Outbox()
    outbox.put({"n": 0})
    reader = outbox.follow(0, idle=60)
    assert await anext(reader) == Sent(1, {"n": 0})
    outbox.put({"n": 1})  # the reader has not come back to wait yet
    assert await asyncio.wait_for(anext(reader), 1) == Sent(2, {"n": 1})


async def test_a_reader_that_is_too_slow_learns_of_the_gap():
    outbox = Outbox(size=1)
    outbox.put({"n": 0})
    reader = outbox.follow(0, idle=60)
    assert await anext(reader) == Sent(1, {"n": 0})
    for n in (1, 2, 3):
        outbox.put({"n": n})
    assert [await anext(reader), await anext(reader)] == [Gap(2, 3), Sent(4, {"n": 3})]
