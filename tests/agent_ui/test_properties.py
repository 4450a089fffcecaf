"""Properties: whatever comes in, and in whatever order, a dialog gets its own answer and nothing else."""

import asyncio
import contextlib
import json
from collections.abc import Coroutine
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from a2ui_app.agent_ui import DebugRpcUI, Err, Ok, Reason, RpcUI
from a2ui_app.agent_ui.dialects import DEBUG_RPC, RPC, Dialect, Notification, Request
from a2ui_app.agent_ui.wire import LineReader, LineTooLong, decode, encode

from .client import Client, Written
from .simulated import SimulatedLoop
from .values import JSON, patient

RESPONSE_KEYS = st.fixed_dictionaries({}, optional={"result": JSON, "error": JSON, "other": JSON})
NOISE = st.one_of(
    st.binary(max_size=60).map(lambda data: data.replace(b"\n", b"")),
    JSON.map(lambda value: json.dumps(value).encode()),
    st.fixed_dictionaries({"id": JSON}, optional={"result": JSON, "error": JSON}).map(lambda o: json.dumps(o).encode()),
)
ANSWER = st.tuples(st.integers(0, 3), RESPONSE_KEYS)  # for the dialog of that number
SCRIPT = st.lists(NOISE | ANSWER, max_size=12)


def run(main: Coroutine[Any, Any, None]) -> None:
    with asyncio.Runner(loop_factory=SimulatedLoop) as runner:
        runner.run(main)


def expected(dialect: Dialect, script: list[bytes | tuple[int, dict[str, Any]]], dialog: int) -> Ok[Any] | Err:
    """What the dialog should end with: its first answer, or its time-out."""
    for step in script:
        if isinstance(step, tuple) and step[0] == dialog:
            return dialect.read_response(step[1])
    return Err(Reason.TIMEOUT)


@settings(patient, max_examples=150)
@given(script=SCRIPT, cuts=st.lists(st.integers(1, 40), max_size=30))
def test_rpc_survives_any_lines_cut_anywhere(script, cuts):
    async def main() -> None:
        client = Client()
        async with RpcUI(client.reader, client.written) as ui:
            dialogs = [asyncio.create_task(ui.confirm(str(n), "M")) for n in range(4)]
            requests = [await client.request() for _ in dialogs]
            lines = [
                step if isinstance(step, bytes) else json.dumps({**step[1], "id": requests[step[0]]["id"]}).encode()
                for step in script
            ]
            data = b"".join(line + b"\n" for line in lines)
            for cut in cuts:
                client.reader.feed_data(data[:cut])
                data = data[cut:]
                await asyncio.sleep(0)
            client.reader.feed_data(data)
            results = await asyncio.gather(*dialogs)
            assert [repr(result) for result in results] == [repr(expected(RPC, script, n)) for n in range(4)]
            assert ui.pending == 0

    run(main())


@settings(patient, max_examples=100)
@given(script=st.lists(ANSWER | st.dictionaries(st.text(), JSON, max_size=3), max_size=12))
def test_debug_rpc_survives_any_responses(script):
    async def main() -> None:
        written = Written()
        ui = DebugRpcUI(written)
        dialogs = [asyncio.create_task(ui.confirm(str(n), "M")) for n in range(4)]
        requests = [await written.message() for _ in dialogs]
        for step in script:
            if isinstance(step, tuple):
                step = {**step[1], "id": requests[step[0]]["id"]}
            ui.handle_response(step)
        results = await asyncio.gather(*dialogs)
        assert [repr(result) for result in results] == [repr(expected(DEBUG_RPC, script, n)) for n in range(4)]

    run(main())


@settings(patient, max_examples=100)
@given(order=st.permutations(range(12)), dialect=st.sampled_from([RPC, DEBUG_RPC]))
def test_answers_in_any_order_reach_their_dialogs(order, dialect):
    async def main() -> None:
        client = Client()
        if dialect is RPC:
            ui = RpcUI(client.reader, client.written)
            await ui.start()
            respond = client.send
        else:
            ui = DebugRpcUI(client.written)
            respond = ui.handle_response
        dialogs = [asyncio.create_task(ui.input(str(n))) for n in order]
        requests = {message["params"]["title"]: message for message in [await client.request() for _ in dialogs]}
        for n in range(12):
            respond(dialect.response(requests[str(n)]["id"], Ok(n)))
        assert await asyncio.gather(*dialogs) == [Ok(n) for n in order]
        await ui.stop()

    run(main())


@settings(patient, max_examples=100)
@given(script=st.lists(st.sampled_from(["fail", "crash", "noise", "answer"]), min_size=1, max_size=25))
def test_a_reader_that_fails_at_any_time_loses_no_answer(script):
    written: Written

    class Reader:
        steps = iter(script)

        async def readline(self) -> bytes:
            step = next(self.steps, None)
            if step == "fail":
                raise OSError("transient")
            if step == "crash":
                raise ZeroDivisionError
            if step == "noise":
                return b"noise\n"
            return encode({"id": (await written.message())["id"], "result": "a"})

    async def main() -> None:
        nonlocal written
        written = Written()
        async with RpcUI(Reader(), written, timeout=100) as ui:
            dialogs = [asyncio.create_task(ui.confirm("T", "M", timeout=None)) for _ in range(script.count("answer"))]
            assert await asyncio.gather(*dialogs) == [Ok("a")] * len(dialogs)

    run(main())


@patient
@given(
    request=st.builds(
        Request,
        st.text() | st.integers(),
        st.sampled_from(["select", "editor"]),
        st.dictionaries(st.text(), JSON, max_size=3),
    ),
    answer=JSON,
    dialect=st.sampled_from([RPC, DEBUG_RPC]),
)
def test_both_ends_of_a_dialect_agree(request, answer, dialect):
    assert dialect.read_message(decode(encode(dialect.request(request)))) == request
    assert dialect.read_response(decode(encode(dialect.response(request.id, Ok(answer))))) == Ok(answer)
    for error in ("timeout", {"code": answer}):
        assert dialect.read_response(decode(encode(dialect.response(request.id, Err(error))))) == Err(error)
    other = DEBUG_RPC if dialect is RPC else RPC
    assert other.read_message(dialect.request(request)) is None


@patient
@given(params=st.dictionaries(st.text(), JSON, max_size=3), level=st.text(), dialect=st.sampled_from([RPC, DEBUG_RPC]))
def test_notifications_survive_both_dialects(params, level, dialect):
    params.pop("notify_type", None)
    for notification in (Notification("set_widget", params), Notification("notify", {**params, "type": level})):
        read = dialect.read_message(decode(encode(dialect.notification(notification))))
        assert isinstance(read, Notification) and read.method == notification.method
        assert {**read.params, "notify_type": None} == {**notification.params, "notify_type": None}


@settings(patient, max_examples=100)
@given(
    lines=st.lists(st.binary(max_size=300).map(lambda data: data.replace(b"\n", b"")), max_size=8),
    rest=st.binary(max_size=300).map(lambda data: data.replace(b"\n", b"")),
    own_limit=st.integers(1, 100),
    limit=st.integers(100, 250),
)
def test_lines_do_not_depend_on_the_limit_of_the_stream(lines, rest, own_limit, limit):
    async def main() -> None:
        stream = asyncio.StreamReader(limit=own_limit)
        stream.feed_data(b"".join(line + b"\n" for line in lines) + rest)
        stream.feed_eof()
        reader = LineReader(stream, limit)
        for line in [line + b"\n" for line in lines] + [rest] * bool(rest) + [b""]:
            if len(line) > limit:
                with pytest.raises(LineTooLong):
                    await reader.next()
            else:
                assert await reader.next() == line

    run(main())


@patient
@given(value=JSON)
def test_a_line_is_one_line_for_everybody(value):
    line = encode(value)
    assert len(line.decode().splitlines()) == 1 and line.endswith(b"\n")
    assert decode(line) == value


@patient
@given(data=st.binary(max_size=200))
def test_decoding_raises_nothing_but_value_error(data):
    with contextlib.suppress(ValueError):
        decode(data)
