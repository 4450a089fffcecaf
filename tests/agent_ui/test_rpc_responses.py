"""Checklist C: how `RpcUI` reads a response, row by row."""

import asyncio
import json
import logging
from typing import Any

import pytest

from a2ui_app.agent_ui import Err, Ok, Reason, Result, RpcUI
from a2ui_app.agent_ui.wire import MAX_LINE

from .client import Client

pytestmark = pytest.mark.simulated_time


class Dialog:
    """One open dialog of an adapter."""

    def __init__(self, client: Client, ui: RpcUI):
        self.client = client
        self.ui = ui

    async def open(self, method: str = "select") -> None:
        arguments = {"select": ("T", [])}.get(method, ("T", "M"))
        self._waiting = asyncio.create_task(getattr(self.ui, method)(*arguments))
        self.request = await self.client.request()

    def send(self, **keys: Any) -> None:
        self.client.send({"id": self.request["id"], **keys})

    async def result(self) -> Result:
        return await self._waiting


@pytest.fixture
async def dialog():
    client = Client()
    async with RpcUI(client.reader, client.written) as ui:
        dialog = Dialog(client, ui)
        await dialog.open()
        yield dialog


@pytest.fixture
def warnings(caplog):
    caplog.set_level(logging.WARNING)
    return lambda: [record.getMessage() for record in caplog.records]


async def ignored(dialog: Dialog, line: bytes) -> None:
    """Send `line`, then the real answer, which must still arrive."""
    dialog.client.send_line(line)
    dialog.send(result="good")
    assert await dialog.result() == Ok("good")


async def test_row_032_a_result(dialog):
    dialog.send(result="a")
    assert await dialog.result() == Ok("a")


async def test_row_033_a_null_result_is_a_cancel(dialog):
    dialog.send(result=None)
    assert await dialog.result() == Ok(None)


@pytest.mark.parametrize("answer", [True, False])
async def test_row_034_confirm(dialog, answer):
    await dialog.open("confirm")
    dialog.send(result=answer)
    result = await dialog.result()
    assert isinstance(result, Ok) and result.value is answer


async def test_row_035_the_clients_error(dialog):
    dialog.send(error="No")
    assert await dialog.result() == Err("No")


@pytest.mark.parametrize("error", [{"code": 1, "data": [2]}, 7, None, ""])
async def test_row_036_an_error_of_any_form(dialog, error):
    dialog.send(error=error)
    assert await dialog.result() == Err(error)


@pytest.mark.parametrize("result", ["a", None, False])
async def test_row_037_the_result_wins(dialog, result):
    dialog.send(result=result, error="No")
    assert await dialog.result() == Ok(result)


async def test_row_038_neither_result_nor_error(dialog):
    dialog.send()
    assert await dialog.result() == Err(Reason.INVALID_RESPONSE)


async def test_row_039_the_clients_timeout_is_not_ours(dialog):
    dialog.send(error="timeout")
    theirs = await dialog.result()
    await dialog.open()
    ours = await dialog.result()  # the clock jumps to the timer
    assert (theirs, ours) == (Err("timeout"), Err(Reason.TIMEOUT))
    assert theirs != ours


async def test_row_040_truncated_json(dialog, warnings):
    await ignored(dialog, b'{"id": "' + dialog.request["id"].encode() + b'", "result": "tru')
    assert len(warnings()) == 1 and "not JSON" in warnings()[0]


@pytest.mark.parametrize("prefix", [b"\xef\xbb\xbf", b"garbage ", b"\xff\xfe", b"\x00"])
async def test_row_041_byte_order_mark_and_garbage(dialog, warnings, prefix):
    good_but_for_the_prefix = json.dumps({"id": dialog.request["id"], "result": "bad"}).encode()
    await ignored(dialog, prefix + good_but_for_the_prefix)
    assert len(warnings()) == 1 and "not JSON" in warnings()[0]


@pytest.mark.parametrize("line", [b"[1]", b"12", b'"text"', b"null", b"true"])
async def test_row_042_not_an_object(dialog, warnings, line):
    await ignored(dialog, line)
    assert len(warnings()) == 1 and "without id" in warnings()[0]


async def test_row_043_no_id(dialog, warnings):
    await ignored(dialog, b'{"result": "bad"}')
    assert len(warnings()) == 1 and "without id" in warnings()[0]


async def test_row_044_null_id(dialog, warnings):
    await ignored(dialog, b'{"id": null, "result": "bad"}')
    assert len(warnings()) == 1 and "unknown request" in warnings()[0]


async def test_row_045_unknown_id(dialog, warnings):
    await ignored(dialog, b'{"id": "00000000-0000-4000-8000-000000000000", "result": "bad"}')
    assert len(warnings()) == 1 and "unknown request" in warnings()[0]


@pytest.mark.parametrize("id", [b"{}", b"[1]", b"7", b"true"])
async def test_row_046_id_of_another_type(dialog, warnings, id):
    await ignored(dialog, b'{"id": ' + id + b', "result": "bad"}')
    assert len(warnings()) == 1 and "unknown request" in warnings()[0]


@pytest.mark.parametrize("line", [b"", b"   \t", b"\r", "\u00a0".encode()])
async def test_row_047_blank_lines(dialog, warnings, line):
    await ignored(dialog, line)
    assert warnings() == []


@pytest.mark.parametrize("around", [b"  %s  ", b"\t%s", b"%s\r"])
async def test_row_048_surrounding_white_space(dialog, warnings, around):
    dialog.client.send_line(around % json.dumps({"id": dialog.request["id"], "result": "a"}).encode())
    assert await dialog.result() == Ok("a")
    assert warnings() == []


async def test_row_049_the_first_answer_wins(dialog, warnings):
    dialog.send(result="first")
    dialog.send(result="second")
    first = await dialog.result()
    await dialog.open()
    dialog.send(result="third")
    assert (first, await dialog.result()) == (Ok("first"), Ok("third"))
    assert len(warnings()) == 1 and "unknown request" in warnings()[0]


async def test_row_050_nested_result(dialog):
    nested: Any = "core"
    for _ in range(50):
        nested = {"deeper": [nested]}
    dialog.send(result=nested)
    assert await dialog.result() == Ok(nested)


async def test_row_051_long_result(dialog):
    dialog.send(result="x" * 100_000)
    assert await dialog.result() == Ok("x" * 100_000)


async def test_row_052_extra_keys(dialog, warnings):
    dialog.send(result="a", jsonrpc="2.0", more={"x": 1})
    assert await dialog.result() == Ok("a")
    assert warnings() == []


async def test_row_053_the_type_of_a_result_is_not_checked(dialog):
    dialog.send(result=7)
    assert await dialog.result() == Ok(7)


@pytest.mark.parametrize(
    "line", [b"[" * 100_000, b'{"id":' * 100_000, b"9" * 10_000, b'{"id": "\\ud800", "result": 1}']
)
async def test_lines_that_upset_parsers(dialog, warnings, line):
    await ignored(dialog, line)
    assert len(warnings()) == 1


async def test_a_line_over_the_limit_is_dropped(dialog, warnings):
    await ignored(dialog, b"x" * (MAX_LINE + 1))
    assert len(warnings()) == 1 and f"more than {MAX_LINE} bytes" in warnings()[0]
