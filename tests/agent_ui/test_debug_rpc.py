"""Checklist F: `DebugRpcUI`, row by row."""

import asyncio
import logging
import uuid
from typing import Any

import pytest

from a2ui_app.agent_ui import DebugRpcUI, Err, Ok, Reason, Result

from .client import Written

pytestmark = pytest.mark.simulated_time
OPTIONS = [{"label": "A", "value": "a", "description": None}, {"label": "B", "value": "b"}]


@pytest.fixture
async def written():
    return Written()


@pytest.fixture
async def ui(written):
    async with DebugRpcUI(written, timeout=0.2) as ui:
        yield ui


@pytest.fixture
def warnings(caplog):
    caplog.set_level(logging.WARNING)
    return lambda: [record.getMessage() for record in caplog.records]


async def answered(ui: DebugRpcUI, written: Written, **keys: Any) -> Result:
    """Open a dialog, answer it with `keys`, and return its result."""
    dialog = asyncio.create_task(ui.confirm("T", "M"))
    request = await written.message()
    ui.handle_response({"type": "ui_response", "id": request["id"], **keys})
    return await dialog


async def test_row_094_the_default_name(written):
    ui = DebugRpcUI(written)
    assert ui.name == "CodingAgent.UI.DebugRPC"
    assert DebugRpcUI.find() is None
    await ui.start()
    assert DebugRpcUI.find() is DebugRpcUI.find("CodingAgent.UI.DebugRPC") is ui
    with pytest.raises(ValueError, match="is running; stop it, or give this one another name"):
        await DebugRpcUI(written).start()
    async with DebugRpcUI(written, name="other") as other, DebugRpcUI(written, name=None):
        assert DebugRpcUI.find("other") is other
    assert DebugRpcUI.find("other") is None
    await ui.stop()
    assert DebugRpcUI.find() is None
    async with DebugRpcUI(written) as successor:
        assert DebugRpcUI.find() is successor


@pytest.mark.parametrize(
    ("method", "arguments", "params"),
    [
        ("select", ("T", OPTIONS), {"title": "T", "options": OPTIONS}),
        ("confirm", ("T", "M"), {"title": "T", "message": "M"}),
        ("input", ("T", "ph"), {"title": "T", "placeholder": "ph"}),
        ("input", ("T",), {"title": "T", "placeholder": None}),
        ("editor", ("T", "pre"), {"title": "T", "prefill": "pre"}),
        ("editor", ("T",), {"title": "T", "prefill": None}),
    ],
)
async def test_row_095_requests(ui, written, method, arguments, params):
    for opts, sent in (({}, {}), ({"foo": 1, "server": "x", "timeout": 50}, {"foo": 1})):
        assert await getattr(ui, method)(*arguments, **opts) == Err(Reason.TIMEOUT)
        request = await written.message()
        assert uuid.UUID(request.pop("id")).version == 4
        assert request == {"type": "ui_request", "method": method, "params": {**params, "opts": sent}}


async def test_row_096_handle_response(ui, written):
    assert ui.handle_response({"id": "unknown", "result": 1}) is None
    for response in (None, "text", ["id"], 7):
        with pytest.raises(TypeError, match="a ui_response is a mapping"):
            ui.handle_response(response)


async def test_row_097_result_beside_a_null_error(ui, written):
    assert await answered(ui, written, result="a", error=None) == Ok("a")


async def test_row_098_false_without_error(ui, written):
    result = await answered(ui, written, result=False)
    assert isinstance(result, Ok) and result.value is False


async def test_row_099_both_null_is_a_cancel(ui, written):
    assert await answered(ui, written, result=None, error=None) == Ok(None)


async def test_row_100_error_beside_a_null_result(ui, written):
    assert await answered(ui, written, result=None, error="bad") == Err("bad")


@pytest.mark.parametrize("error", ["bad", "", False, 0, {"code": 1}])
async def test_row_101_the_error_wins(ui, written, error):
    assert await answered(ui, written, result="x", error=error) == Err(error)


async def test_row_102_null_result_without_error(ui, written):
    assert await answered(ui, written, result=None) == Err(Reason.INVALID_RESPONSE)


async def test_row_103_no_result(ui, written):
    assert await answered(ui, written, error=None) == Err(Reason.INVALID_RESPONSE)
    assert await answered(ui, written) == Err(Reason.INVALID_RESPONSE)


async def test_row_104_result_without_error(ui, written):
    assert await answered(ui, written, result="a") == Ok("a")


async def test_row_105_responses_for_nobody(ui, written, warnings):
    dialog = asyncio.create_task(ui.confirm("T", "M"))
    late = (await written.message())["id"]
    assert await dialog == Err(Reason.TIMEOUT)
    for response in ({"result": 1}, {"id": "unknown", "result": 1}, {"id": [], "result": 1}, {"id": late, "result": 1}):
        ui.handle_response(response)
    assert len(warnings()) == 4
    assert "without id" in warnings()[0] and all("unknown request" in warning for warning in warnings()[1:])
    assert await answered(ui, written, result=True) == Ok(True)


async def test_row_106_no_answer(ui):
    assert await ui.confirm("T", "M") == Err(Reason.TIMEOUT)
    assert asyncio.get_running_loop().time() == pytest.approx(0.2)
    assert ui.pending == 0


async def test_row_107_an_answer_when_the_timer_is_due(ui, written, warnings):
    dialog = asyncio.create_task(ui.confirm("T", "M", timeout=None))
    request = await written.message()
    loop = asyncio.get_running_loop()
    response = {"id": request["id"], "result": "answer", "error": None}
    loop.call_at(0.2 - 1e-12, ui.handle_response, response)  # both are due in the same turn of the loop
    assert await dialog == Ok("answer")
    assert loop.time() == pytest.approx(0.2)
    assert await answered(ui, written, result=True) == Ok(True)
    assert warnings() == []


async def test_row_108_answers_in_another_order(ui, written):
    dialogs = [asyncio.create_task(ui.confirm(str(n), "M")) for n in range(5)]
    requests = [await written.message() for _ in dialogs]
    for n in (3, 0, 4, 1, 2):
        ui.handle_response({"id": requests[n]["id"], "result": requests[n]["params"]["title"]})
    assert await asyncio.gather(*dialogs) == [Ok(str(n)) for n in range(5)]


async def test_row_109_stop_with_pending(ui, written):
    dialogs = [asyncio.create_task(ui.confirm("T", "M")) for _ in range(3)]
    for _ in dialogs:
        await written.message()
    await ui.stop()
    assert await asyncio.gather(*dialogs) == [Err(Reason.SERVER_SHUTDOWN)] * 3
    assert await ui.confirm("T", "M") == Err(Reason.SERVER_SHUTDOWN)
    ui.notify("dropped")
    assert len(written.messages()) == 3


async def test_row_110_it_reads_nothing_itself(written):
    before = asyncio.all_tasks()
    async with DebugRpcUI(written):
        await asyncio.sleep(1)
        assert asyncio.all_tasks() == before


async def test_row_111_notify(ui, written):
    assert ui.notify("m", "success") is None
    ui.notify("m", "success", server=ui)
    assert written.messages() == [{"type": "ui_notify", "params": {"message": "m", "notify_type": "success"}}] * 2


async def test_row_112_the_type_is_passed_through(ui, written):
    ui.notify("m", "warn")
    assert written.messages()[0]["params"]["notify_type"] == "warn"


@pytest.mark.parametrize("text", ["t", None])
async def test_row_113_status(ui, written, text):
    ui.set_status("k", text)
    assert written.messages() == [{"type": "ui_status", "params": {"key": "k", "text": text}}]


async def test_row_114_widget(ui, written):
    ui.set_widget("files", ["a", "b"], server=ui, position="above")
    assert written.messages() == [
        {"type": "ui_widget", "params": {"key": "files", "content": ["a", "b"], "opts": {"position": "above"}}}
    ]


async def test_row_115_opts_of_a_widget(ui, written):
    ui.set_widget("k", "c", foo="bar", baz=123)
    assert written.messages()[0]["params"]["opts"] == {"foo": "bar", "baz": 123}


async def test_row_116_no_timeout_of_a_widget(ui, written):
    ui.set_widget("k", None, timeout=5)
    assert written.messages()[0]["params"] == {"key": "k", "content": None, "opts": {}}


@pytest.mark.parametrize("message", ["m", None])
async def test_row_117_working_message(ui, written, message):
    ui.set_working_message(message)
    assert written.messages() == [{"type": "ui_working", "params": {"message": message}}]


async def test_row_118_title(ui, written):
    ui.set_title("t")
    assert written.messages() == [{"type": "ui_set_title", "params": {"title": "t"}}]


async def test_row_119_editor_text(ui, written):
    assert ui.get_editor_text() == ""
    ui.set_editor_text("x")
    assert ui.get_editor_text() == "x"
    ui.set_editor_text(None)
    assert ui.get_editor_text() == ""
    assert written.messages() == [{"type": "ui_set_editor_text", "params": {"text": text}} for text in ("x", None)]


async def test_row_120_has_ui(ui):
    assert ui.has_ui is True


async def test_it_works_without_start(written):
    assert await answered(DebugRpcUI(written), written, result=True) == Ok(True)
