"""Checklist D: time-outs, the end of input, a failing reader, concurrency and stop of `RpcUI`, row by row."""

import asyncio
import json
import logging
from collections.abc import Callable
from typing import Any

import pytest

from a2ui_app.agent_ui import CallTimeout, Err, Ok, Reason, RpcUI
from a2ui_app.agent_ui.rpc import FIRST_PAUSE, LAST_PAUSE

from .client import Client, Written

pytestmark = pytest.mark.simulated_time
TIMED_OUT, CLOSED = Err(Reason.TIMEOUT), Err(Reason.CONNECTION_CLOSED)


@pytest.fixture
async def client():
    return Client()


@pytest.fixture
async def ui(client):
    async with RpcUI(client.reader, client.written, timeout=0.2) as ui:
        yield ui


@pytest.fixture
def warnings(caplog):
    caplog.set_level(logging.WARNING)
    return lambda: [record.getMessage() for record in caplog.records]


def ask(ui: RpcUI, title: str = "T", **opts: Any) -> asyncio.Task[Any]:
    return asyncio.create_task(ui.confirm(title, "M", **opts))


def at(seconds: float, call: Callable[..., object], *args: Any) -> None:
    asyncio.get_running_loop().call_later(seconds, call, *args)


def now() -> float:
    return asyncio.get_running_loop().time()


async def test_row_054_no_answer(client):
    async with RpcUI(client.reader, client.written) as ui:
        assert await ask(ui) == TIMED_OUT
        assert now() == pytest.approx(30)
        assert ui.pending == 0


async def test_row_055_an_answer_before_the_timeout(ui, client):
    dialog = ask(ui)
    at(0.15, client.answer, await client.request(), True)
    assert await dialog == Ok(True)
    assert now() == pytest.approx(0.15)


async def test_row_056_a_late_answer(ui, client, warnings):
    dialog = ask(ui)
    late = await client.request()
    assert await dialog == TIMED_OUT
    dialog = ask(ui)
    client.answer(late, "late")
    client.answer(await client.request(), "in time")
    assert await dialog == Ok("in time")
    assert len(warnings()) == 1 and "unknown request" in warnings()[0]


async def test_row_057_each_times_out_by_itself(ui):
    ended: list[float] = []

    async def run(start: float) -> None:
        await asyncio.sleep(start)
        assert await ui.confirm("T", "M") == TIMED_OUT
        ended.append(now())

    await asyncio.gather(run(0), run(0.05), run(0.1))
    assert ended == pytest.approx([0.2, 0.25, 0.3])


async def test_row_058_the_timeout_of_a_call_is_only_the_callers(client):
    async with RpcUI(client.reader, client.written, timeout=0.2) as ui:
        assert await ask(ui, timeout=100) == TIMED_OUT
        assert now() == pytest.approx(0.2)
    async with RpcUI(client.reader, client.written, timeout=100) as ui:
        start = now()
        with pytest.raises(CallTimeout):  # the default of a call is 35 s
            await ui.confirm("T", "M")
        assert now() - start == pytest.approx(35)
        assert await ask(ui, timeout=None) == TIMED_OUT
        assert now() - start == pytest.approx(135)


async def test_row_059_an_answer_within_both_timeouts(client):
    async with RpcUI(client.reader, client.written, timeout=1) as ui:
        dialog = ask(ui, timeout=2)
        at(0.8, client.answer, await client.request(), True)
        assert await dialog == Ok(True)
        assert now() == pytest.approx(0.8)


async def test_row_060_a_call_that_gives_up_first(ui, client, warnings):
    with pytest.raises(CallTimeout):
        await ui.confirm("1", "M", timeout=0.05)
    assert ui.pending == 1  # until the adapter's own timer
    client.answer(await client.request(), "late")
    dialog = ask(ui, "2")
    client.answer(await client.request(), True)
    assert await dialog == Ok(True)
    assert ui.pending == 0
    assert warnings() == []  # the late answer was swallowed
    with pytest.raises(CallTimeout):
        await ui.confirm("3", "M", timeout=0.05)
    assert await ask(ui, "4") == TIMED_OUT
    assert ui.pending == 0


async def test_row_060_a_caller_that_is_cancelled(ui, client):
    dialog = ask(ui)
    request = await client.request()
    dialog.cancel()
    with pytest.raises(asyncio.CancelledError):
        await dialog
    client.answer(request, True)  # settles the dialog, though nobody waits
    dialog = ask(ui)
    client.answer(await client.request(), "mine")
    assert await dialog == Ok("mine")
    assert ui.pending == 0


async def test_row_061_answers_in_reverse(ui, client):
    dialogs = [ask(ui, "1"), ask(ui, "2")]
    for request in reversed([await client.request() for _ in dialogs]):
        client.answer(request, request["params"]["title"])
    assert await asyncio.gather(*dialogs) == [Ok("1"), Ok("2")]


async def test_row_062_ten_callers(ui, client):
    dialogs = [ask(ui, str(n)) for n in range(10)]
    for n, request in enumerate([await client.request() for _ in dialogs]):
        at(0.15 - n * 0.01, client.answer, request, request["params"]["title"])
    assert await asyncio.gather(*dialogs) == [Ok(str(n)) for n in range(10)]


async def test_row_063_a_quick_sequence(ui, client):
    for n in range(20):
        dialog = ask(ui, str(n))
        client.answer(await client.request(), n)
        assert await dialog == Ok(n)


@pytest.mark.parametrize("count", [1, 7])
async def test_row_064_end_of_input(ui, client, count):
    dialogs = [ask(ui) for _ in range(count)]
    for _ in dialogs:
        await client.request()
    client.reader.feed_eof()
    assert await asyncio.gather(*dialogs) == [CLOSED] * count
    assert now() == 0


async def test_row_065_a_last_line_without_newline(ui, client):
    dialogs = [ask(ui), ask(ui)]
    request = await client.request()
    client.reader.feed_data(json.dumps({"id": request["id"], "result": "last"}).encode())
    client.reader.feed_eof()
    assert await asyncio.gather(*dialogs) == [Ok("last"), CLOSED]


async def test_row_066_half_a_line_at_the_end(ui, client):
    dialog = ask(ui)
    request = await client.request()
    client.reader.feed_data(json.dumps({"id": request["id"], "result": "last"}).encode()[:-3])
    client.reader.feed_eof()
    assert await dialog == CLOSED


async def test_row_067_a_dialog_after_the_end(ui, client):
    client.reader.feed_eof()
    await ui.wait_closed()
    for dialog in (ui.select("T", []), ui.confirm("T", "M"), ui.input("T"), ui.editor("T")):
        assert await dialog == CLOSED
    assert now() == 0
    assert client.written.data == b""


async def test_row_068_a_notification_after_the_end(ui, client):
    client.reader.feed_eof()
    await ui.wait_closed()
    ui.notify("still here")
    assert client.written.messages()[0]["params"]["message"] == "still here"


async def test_row_069_alive_after_the_end(ui, client):
    client.reader.feed_eof()
    await ui.wait_closed()
    ui.set_editor_text("x")
    assert ui.get_editor_text() == "x"
    await ui.stop()
    assert await ui.confirm("T", "M") == Err(Reason.SERVER_SHUTDOWN)


class FailingReader:
    """Raises `errors` first, then reads from `reader`; with `errors` None it raises for ever."""

    def __init__(self, reader: asyncio.StreamReader, errors: list[Exception] | None):
        self._reader = reader
        self._errors = errors
        self.attempts: list[float] = []

    async def readline(self) -> bytes:
        self.attempts.append(now())
        if self._errors is None:
            raise OSError("broken for good")
        if self._errors:
            raise self._errors.pop(0)
        return await self._reader.readline()


@pytest.mark.parametrize("error", [OSError(19, "No such device"), ConnectionResetError(), TimeoutError()])
async def test_row_070_a_read_error(client, warnings, error):
    reader = FailingReader(client.reader, [])
    async with RpcUI(reader, client.written) as ui:
        dialog = ask(ui)
        request = await client.request()
        reader._errors = [error]
        client.send_line(b"")  # wakes the reader, which then fails once
        client.answer(request, True)
        assert await dialog == Ok(True)  # it stayed pending
        assert len(warnings()) == 1 and "reading failed" in warnings()[0]


async def test_row_071_two_failures(client):
    async with RpcUI(FailingReader(client.reader, [OSError(), OSError()]), client.written) as ui:
        dialog = ask(ui)
        client.answer(await client.request(), True)
        assert await dialog == Ok(True)


async def test_row_072_failing_for_ever(client):
    reader = FailingReader(client.reader, None)
    async with RpcUI(reader, client.written) as ui:
        assert await ask(ui) == TIMED_OUT
    pauses = [after - before for before, after in zip(reader.attempts, reader.attempts[1:], strict=False)]
    assert pauses[:3] == pytest.approx([FIRST_PAUSE, 2 * FIRST_PAUSE, 4 * FIRST_PAUSE])
    assert max(pauses) == pytest.approx(LAST_PAUSE)
    assert len(reader.attempts) < 50  # in 30 s


async def test_row_073_a_crash_of_the_reader(client):
    errors: list[Exception] = [ZeroDivisionError(), KeyError("x"), AssertionError()]
    async with RpcUI(FailingReader(client.reader, errors), client.written) as ui:
        dialog = ask(ui)
        client.answer(await client.request(), True)
        assert await dialog == Ok(True)


async def test_row_074_a_reader_that_ends_is_not_restarted(client):
    client.reader.feed_eof()
    reader = FailingReader(client.reader, [])
    async with RpcUI(reader, client.written) as ui:
        await ui.wait_closed()
        await asyncio.sleep(10)
        assert len(reader.attempts) == 1


async def test_row_075_stop_with_pending(client):
    ui = RpcUI(client.reader, client.written)
    await ui.start()
    dialogs = [ask(ui) for _ in range(3)]
    for _ in dialogs:
        await client.request()
    await ui.stop()
    assert await asyncio.gather(*dialogs) == [Err(Reason.SERVER_SHUTDOWN)] * 3


async def test_row_076_stop_ends_the_reader(client):
    before = asyncio.all_tasks()
    ui = RpcUI(client.reader, client.written)
    await ui.start()
    await asyncio.sleep(1)  # it is blocked in the read
    assert len(asyncio.all_tasks() - before) == 1
    await ui.stop()
    assert asyncio.all_tasks() - before == set()
    await ui.stop()  # once more does no harm


async def test_row_077_two_adapters_share_nothing():
    clients = Client(), Client()
    async with (
        RpcUI(clients[0].reader, clients[0].written, timeout=1) as one,
        RpcUI(clients[1].reader, clients[1].written, timeout=2) as two,
    ):
        dialogs = ask(one, "1"), ask(two, "2")
        requests = [await client.request() for client in clients]
        assert [request["params"]["title"] for request in requests] == ["1", "2"]
        clients[1].answer(requests[0], "not mine")
        one.set_editor_text("one")
        assert (one.get_editor_text(), two.get_editor_text()) == ("one", "")
        assert await dialogs[0] == TIMED_OUT
        clients[0].reader.feed_eof()
        assert now() == pytest.approx(1)
        assert await dialogs[1] == TIMED_OUT
        assert now() == pytest.approx(2)


CIRCLE: list[Any] = []
CIRCLE.append(CIRCLE)


@pytest.mark.parametrize("value", [object(), {1, 2}, b"bytes", float("nan"), CIRCLE])
async def test_row_078_what_json_cannot_say(ui, client, value):
    with pytest.raises((TypeError, ValueError)):
        await ui.select("T", [{"label": "A", "value": value}])
    with pytest.raises((TypeError, ValueError)):
        await ui.input("T", hint=value)
    assert client.written.data == b""
    assert ui.pending == 0


class BrokenWriter(Written):
    """Fails in `write` or, as asyncio's own streams do, in `drain`."""

    def __init__(self, method: str):
        super().__init__()
        self._method = method

    def write(self, data: bytes) -> None:
        if self._method == "write":
            raise BrokenPipeError
        super().write(data)

    async def drain(self) -> None:
        raise ConnectionResetError("Connection lost")


@pytest.mark.parametrize("method", ["write", "drain"])
async def test_row_079_an_output_that_fails(client, warnings, method):
    async with RpcUI(client.reader, BrokenWriter(method)) as ui:
        assert await ask(ui) == CLOSED
        assert now() == 0
        assert ui.pending == 0
        ui.notify("does not raise")
    assert any("writing failed" in warning for warning in warnings())


async def test_a_client_that_never_reads_does_not_hold_the_timer(client):
    class FullWriter(Written):
        async def drain(self) -> None:
            await asyncio.Event().wait()

    async with RpcUI(client.reader, FullWriter(), timeout=5) as ui:
        assert await ask(ui) == TIMED_OUT
        assert now() == pytest.approx(5)


async def test_a_dialog_before_the_start_says_what_to_do(client):
    ui = RpcUI(client.reader, client.written)
    with pytest.raises(RuntimeError, match=r"not started: await its start\(\)"):
        await ui.confirm("T", "M")
    assert client.written.data == b""


async def test_started_once(ui):
    with pytest.raises(RuntimeError, match="started before"):
        await ui.start()
