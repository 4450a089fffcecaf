"""The host's side: requests of both dialects answered by any UI, notifications applied, the rest is output."""
# ruff: noqa: ASYNC109 - an AgentUI's own arguments

import asyncio
import json
import logging
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from a2ui_app.agent_ui import AgentUI, DebugRpcUI, Err, HeadlessUI, Ok, Reason, Result, RpcUI
from a2ui_app.agent_ui.dialects import DEBUG_RPC, RPC, Dialect, Notification, Request
from a2ui_app.agent_ui.host import MAX_OPEN, Host, read_line
from a2ui_app.agent_ui.wire import encode

from .client import Written
from .values import JSON, patient

pytestmark = pytest.mark.simulated_time
OPTIONS = [{"label": "A", "value": "a"}, {"label": "B", "value": {"deep": [1]}, "description": "second"}]


class Person(HeadlessUI):
    """Notes what it is asked and told; answers as the test says."""

    def __init__(self) -> None:
        self.told: list[tuple[Any, ...]] = []
        self.asked: asyncio.Queue[tuple[tuple[Any, ...], asyncio.Future[Result]]] = asyncio.Queue()

    async def _note(self, *question: Any) -> Result:
        answer: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        self.asked.put_nowait((question, answer))
        return await answer

    async def select(self, title, options, *, timeout=35.0, **opts):
        return await self._note("select", title, options, timeout, opts)

    async def confirm(self, title, message, *, timeout=35.0, **opts):
        return await self._note("confirm", title, message, timeout, opts)

    async def input(self, title, placeholder=None, *, timeout=35.0, **opts):
        return await self._note("input", title, placeholder, timeout, opts)

    async def editor(self, title, prefill=None, *, timeout=35.0, **opts):
        return await self._note("editor", title, prefill, timeout, opts)

    def notify(self, message, type="info", **opts):
        self.told.append(("notify", message, type))

    def set_status(self, key, text):
        self.told.append(("status", key, text))

    def set_widget(self, key, content, **opts):
        self.told.append(("widget", key, content, opts))

    def set_working_message(self, message):
        self.told.append(("working", message))

    def set_title(self, title):
        self.told.append(("title", title))

    def set_editor_text(self, text):
        self.told.append(("editor text", text))


@pytest.fixture
async def person():
    return Person()


@pytest.fixture
async def stdin():
    return Written()


@pytest.fixture
async def host(person, stdin):
    async with Host(person, stdin.write) as host:
        yield host


def line(message: Any) -> bytes:
    return json.dumps(message).encode()


def rpc(method: str, params: Any, **keys: Any) -> bytes:
    return line({"method": method, "params": params, **keys})


@pytest.mark.parametrize("dialect", [RPC, DEBUG_RPC], ids=lambda dialect: dialect.name)
@pytest.mark.parametrize(
    ("method", "params", "question"),
    [
        ("select", {"title": "T", "options": OPTIONS}, ("select", "T", OPTIONS)),
        ("confirm", {"title": "T", "message": "M"}, ("confirm", "T", "M")),
        ("input", {"title": "T", "placeholder": None}, ("input", "T", None)),
        ("editor", {"title": "T", "prefill": "pre"}, ("editor", "T", "pre")),
    ],
)
async def test_a_request_becomes_a_dialog_and_its_answer_a_response(
    host, person, stdin, dialect: Dialect, method, params, question
):
    request = Request("id-1", method, {**params, "opts": {"hint": 1, "title": "shadow", "timeout": 5, "server": "x"}})
    assert host.receive(encode(dialect.request(request))) is None
    asked, answer = await person.asked.get()
    assert asked == (*question, None, {"hint": 1})
    answer.set_result(Ok({"deep": [1]}))
    assert await stdin.message() == dialect.response("id-1", Ok({"deep": [1]}))
    assert host.dialect is dialect


async def test_row_146_a_cancel_is_null(host, person, stdin):
    host.receive(encode(DEBUG_RPC.request(Request("x", "select", {"title": "T", "options": []}))))
    (await person.asked.get())[1].set_result(Ok(None))
    assert await stdin.message() == {"type": "ui_response", "id": "x", "result": None, "error": None}
    host.receive(encode(RPC.request(Request("x", "select", {"title": "T", "options": []}))))
    (await person.asked.get())[1].set_result(Ok(None))
    assert await stdin.message() == {"id": "x", "result": None}


@pytest.mark.parametrize(
    ("reason", "error"),
    [
        (Reason.TIMEOUT, "timeout"),
        (Reason.CONNECTION_CLOSED, "connection_closed"),
        ("No", "No"),
        ({"code": 1}, {"code": 1}),
    ],
)
async def test_an_error_goes_back(host, person, stdin, reason, error):
    host.receive(rpc("confirm", {"title": "T", "message": "M"}, id="x"))
    (await person.asked.get())[1].set_result(Err(reason))
    assert await stdin.message() == {"id": "x", "error": error}


async def test_a_ui_that_breaks_does_not_leave_the_program_waiting(host, person, stdin, caplog):
    host.receive(rpc("confirm", {}, id="x"))
    (await person.asked.get())[1].set_exception(RuntimeError("no page"))
    assert await stdin.message() == {"id": "x", "error": "confirm failed: no page"}
    host.receive(rpc("confirm", {}, id="y"))
    (await person.asked.get())[1].set_result(Ok(object()))
    assert "not JSON serializable" in (await stdin.message())["error"]


async def test_several_requests_are_open_at_once_and_answered_in_any_order(host, person, stdin):
    for n in range(3):
        host.receive(rpc("input", {"title": str(n)}, id=n))
    answers = [await person.asked.get() for _ in range(3)]
    assert host.open_dialogs == 3
    for question, answer in reversed(answers):
        answer.set_result(Ok(question[1]))
        assert await stdin.message() == {"id": int(question[1]), "result": question[1]}


async def test_too_many_requests_are_refused(host, person, stdin):
    for n in range(MAX_OPEN + 1):
        host.receive(rpc("input", {"title": "T"}, id=n))
    refusal = await stdin.message()
    assert refusal["id"] == MAX_OPEN and "wait for an answer" in refusal["error"]


async def test_the_end_of_the_program_withdraws_its_dialogs(person, stdin):
    async with Host(person, stdin.write) as host:
        host.receive(rpc("confirm", {"title": "T", "message": "M"}, id="x"))
        _, answer = await person.asked.get()
    assert answer.cancelled()
    assert stdin.data == b""


@pytest.mark.parametrize(
    ("params", "error"),
    [
        ({"title": 7}, "params.title: found 7, expected a string or null"),
        ({"title": "T"}, "params.options: found null, expected a list of {label, value, description?}"),
        ({"title": "T", "options": ["a"]}, 'params.options[0]: found "a", expected an object with a label'),
        ({"title": "T", "options": [OPTIONS[0], {"label": "B"}]}, 'params.options[1]: found {"label": "B"}, expected'),
        ({"title": "T", "options": [], "opts": [1]}, "params.opts: found [1], expected an object"),
    ],
)
async def test_a_request_that_does_not_fit_is_answered_with_what_to_mend(host, stdin, params, error):
    host.receive(rpc("select", params, id="x"))
    assert (await stdin.message())["error"].startswith(error)


async def test_an_unknown_method_in_an_envelope_is_answered(host, stdin):
    host.receive(line({"type": "ui_request", "id": "x", "method": "pick", "params": {}}))
    assert (await stdin.message())["error"] == "method: found 'pick', expected select, confirm, input or editor"


@pytest.mark.parametrize(
    "output",
    [
        b"Hello",
        b"",
        b'{"half": ',
        b"[1, 2]",
        b'{"type": "ready", "cwd": "/", "ui": true}',  # row 139
        b'{"type": "event", "session_id": "s", "event_seq": 0, "event": {}}',  # row 144
        b'{"type": "ui_request", "method": "select", "params": {}}',  # no id: nobody to answer
        b'{"id": 1, "method": "tools/list", "params": {}}',
        b'{"method": "set_color", "params": {}}',
        b'{"type": ["ui_request"], "id": "x"}',
        b'{"id": null, "method": "select", "params": {}}',
        b'{"id": true, "method": "select", "params": {}}',
        b'{"id": "x", "method": "select", "params": "T"}',
    ],
)
async def test_other_lines_are_output(host, person, stdin, output):
    assert host.receive(output + b"\r\n") == output.decode()
    assert host.dialect is None
    assert person.told == [] and host.open_dialogs == 0 and stdin.data == b""


async def test_output_that_is_not_utf8_is_shown_all_the_same(host):
    assert host.receive(b"caf\xe9\n") == "caf\ufffd"


@pytest.mark.parametrize(
    ("params", "told"),
    [
        ({"key": "", "text": "t"}, []),
        ({"key": "k", "text": None}, [("status", "k", None)]),
        ({"key": "k"}, []),
        ({"key": "k", "text": "t"}, [("status", "k", "t")]),
        ({"key": "k", "text": 7}, []),
    ],
)
async def test_row_152_status(host, person, params, told):
    assert host.receive(rpc("set_status", params)) is None
    assert host.receive(line({"type": "ui_status", "params": params})) is None
    assert person.told == told * 2


@pytest.mark.parametrize(
    ("params", "told"),
    [
        ({"key": "k", "content": None}, [("widget", "k", None, {})]),
        ({"key": "k", "content": "text", "opts": []}, [("widget", "k", "text", {})]),
        (
            {"key": "k", "content": ["a"], "opts": {"position": "above"}},
            [("widget", "k", ["a"], {"position": "above"})],
        ),
        ({"key": "k", "content": ["a"], "opts": {"key": "shadow"}}, [("widget", "k", ["a"], {})]),
        ({"key": "k", "content": [1]}, []),
        ({"key": "k"}, []),
    ],
)
async def test_row_153_widget(host, person, params, told):
    host.receive(rpc("set_widget", params))
    host.receive(line({"type": "ui_widget", "params": params}))
    assert person.told == told * 2


@pytest.mark.parametrize(("message", "shown"), [("m", "m"), ("", None), (None, None)])
async def test_row_154_working_message(host, person, message, shown):
    host.receive(rpc("set_working_message", {"message": message}))
    host.receive(line({"type": "ui_working", "params": {"message": message}}))
    assert person.told == [("working", shown)] * 2


@pytest.mark.parametrize(
    ("level", "shown"),
    [
        *(("warn", "warning"), ("warning", "warning"), ("success", "success"), ("error", "error"), ("info", "info")),
        *(("fatal", "info"), (None, "info"), (7, "info"), ([], "info")),
    ],
)
async def test_row_155_levels(host, person, level, shown):
    host.receive(rpc("notify", {"message": "m", "type": level}))
    host.receive(line({"type": "ui_notify", "params": {"message": "m", "notify_type": level}}))
    host.receive(line({"type": "ui_notify", "params": {"message": "m", "type": level}}))  # falls back to type
    assert person.told == [("notify", "m", shown)] * 3


async def test_title_and_editor_text(host, person):
    for message in (
        {"method": "set_title", "params": {"title": "t"}},
        {"type": "ui_set_title", "params": {"title": "t"}},
        {"method": "set_editor_text", "params": {"text": None}},
        {"type": "ui_set_editor_text", "params": {"text": "x"}},
    ):
        assert host.receive(line(message)) is None
    assert person.told == [("title", "t"), ("title", "t"), ("editor text", None), ("editor text", "x")]


async def test_a_notification_that_does_not_fit_is_logged(host, person, caplog):
    caplog.set_level(logging.WARNING)
    host.receive(rpc("set_title", {"title": 7}))
    assert person.told == []
    assert [record.getMessage() for record in caplog.records] == [
        "ignored set_title: params.title: found 7, expected a string or null"
    ]


@pytest.mark.parametrize("kind", [RpcUI, DebugRpcUI])
async def test_an_adapter_of_ours_reaches_the_person_through_a_host(person, kind):
    reader = asyncio.StreamReader()

    class Stdout(Written):
        def write(self, data: bytes) -> None:
            assert host.receive(data) is None

    if kind is RpcUI:
        ui = RpcUI(reader, Stdout())
        await ui.start()
        host = Host(person, reader.feed_data)
    else:
        ui = DebugRpcUI(Stdout())
        host = Host(person, lambda data: ui.handle_response(json.loads(data)))
    async with host:
        for answer in ("b", None, False, ["x"]):
            dialog = asyncio.create_task(ui.select("T", OPTIONS, hint=1))
            question, reply = await person.asked.get()
            assert question == ("select", "T", OPTIONS, None, {"hint": 1})
            reply.set_result(Ok(answer))
            assert await dialog == Ok(answer)
        ui.notify("saved", "success")
        ui.set_widget("k", ["a"], position="below")
        assert person.told == [("notify", "saved", "success"), ("widget", "k", ["a"], {"position": "below"})]
        await ui.stop()


KNOWN = st.sampled_from(
    ["select", "confirm", "notify", "set_widget", "ui_request", "ui_notify", "ui_widget", "ui_status"]
)


@patient
@given(
    st.fixed_dictionaries(
        {},
        optional={
            "type": KNOWN | JSON,
            "method": KNOWN | JSON,
            "id": JSON,
            "params": st.dictionaries(
                st.sampled_from(["title", "options", "opts", "key", "content", "message", "type"]), JSON
            )
            | JSON,
        },
    )
    | st.binary()
)
def test_no_line_upsets_the_host(message):
    async def main() -> None:
        async with Host(cast(AgentUI, HeadlessUI()), lambda data: answers.append(json.loads(data))) as host:
            data = message if isinstance(message, bytes) else line(message)
            output = host.receive(data)
            read, _ = read_line(data)
            assert (output is None) == isinstance(read, Request | Notification)
            await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()})
            assert len(answers) == isinstance(read, Request)

    answers: list[Any] = []
    asyncio.run(main())
