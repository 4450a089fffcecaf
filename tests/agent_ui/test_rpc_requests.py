"""Checklist B: what `RpcUI` writes for a dialog, row by row."""

import asyncio
import uuid
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from a2ui_app.agent_ui import Ok, Result, RpcUI

from .client import Client, Written
from .simulated import SimulatedLoop

pytestmark = pytest.mark.simulated_time
OPTIONS = [{"label": "A", "value": "a"}, {"label": "B", "value": "b"}]


@pytest.fixture
async def client():
    return Client()


@pytest.fixture
async def ui(client):
    async with RpcUI(client.reader, client.written) as ui:
        yield ui


@pytest.fixture
def asked(client) -> Callable[[Awaitable[Result]], Awaitable[dict[str, Any]]]:
    """Run a dialog to its answer, and return the request that was written for it."""

    async def run(dialog: Awaitable[Result]) -> dict[str, Any]:
        waiting = asyncio.ensure_future(dialog)
        request = await client.request()
        client.answer(request, None)
        assert await waiting == Ok(None)
        return request

    return run


async def test_row_018_select(ui, asked):
    request = await asked(ui.select("T", OPTIONS))
    assert isinstance(request.pop("id"), str)
    assert request == {"method": "select", "params": {"title": "T", "options": OPTIONS, "opts": {}}}


async def test_row_019_descriptions_of_options(ui, asked):
    options = [{"label": "A", "value": "a", "description": None}, {"label": "B", "value": "b"}]
    assert (await asked(ui.select("T", options)))["params"]["options"] == options


async def test_row_020_confirm(ui, asked):
    request = await asked(ui.confirm("T", "M"))
    assert request["method"] == "confirm"
    assert request["params"] == {"title": "T", "message": "M", "opts": {}}


async def test_row_021_input(ui, asked):
    request = await asked(ui.input("T", "ph"))
    assert request["method"] == "input"
    assert request["params"] == {"title": "T", "placeholder": "ph", "opts": {}}


async def test_row_022_input_without_placeholder(ui, asked):
    for dialog in (ui.input("T"), ui.input("T", None)):
        assert (await asked(dialog))["params"] == {"title": "T", "placeholder": None, "opts": {}}


async def test_row_023_editor(ui, asked):
    request = await asked(ui.editor("T", "pre"))
    assert request["method"] == "editor"
    assert request["params"] == {"title": "T", "prefill": "pre", "opts": {}}


async def test_row_024_editor_without_prefill(ui, asked):
    assert (await asked(ui.editor("T")))["params"] == {"title": "T", "prefill": None, "opts": {}}


async def test_row_025_opts_for_this_side_stay_here(ui, asked):
    opts = {"foo": {"bar": 1}, "server": "x", "timeout": 50}
    for dialog in (
        ui.select("T", OPTIONS, **opts),
        ui.confirm("T", "M", **opts),
        ui.input("T", **opts),
        ui.editor("T", **opts),
    ):
        assert (await asked(dialog))["params"]["opts"] == {"foo": {"bar": 1}}


async def test_row_026_nothing_but_id_method_and_params(ui, asked):
    assert set(await asked(ui.confirm("T", "M"))) == {"id", "method", "params"}  # in any order


async def test_row_027_ids(ui, asked):
    ids = [(await asked(ui.confirm("T", "M")))["id"] for _ in range(20)]
    assert len(set(ids)) == 20
    assert all(uuid.UUID(id).version == 4 and str(uuid.UUID(id)) == id for id in ids)


async def test_row_028_line_breaks_stay_inside_one_line(ui, asked, client):
    text = "one\ntwo\r\nthree\u2028four\x85five"
    assert (await asked(ui.editor(text, text)))["params"]["prefill"] == text
    assert len(client.written.data.decode().splitlines()) == 1
    assert client.written.data.endswith(b"\n")


async def test_row_029_a_long_prefill(ui, asked, client):
    assert (await asked(ui.editor("T", "x" * 100_000)))["params"]["prefill"] == "x" * 100_000
    assert len(client.written.calls) == 1  # one write: nothing can come in between


async def test_row_030_a_thousand_options(ui, asked):
    options = [{"label": f"Option {n}", "value": n} for n in range(1000)]
    assert (await asked(ui.select("T", options)))["params"]["options"] == options


async def test_row_031_written_before_the_timer_starts_and_blocking_nobody(client):
    loop = asyncio.get_running_loop()
    assert isinstance(loop, SimulatedLoop)

    class Watched(Written):
        def write(self, data: bytes) -> None:
            timers_at_write.append(loop.delays.copy())
            super().write(data)

    timers_at_write: list[list[float]] = []
    written = Watched()
    async with RpcUI(client.reader, written, timeout=30) as ui:
        first = asyncio.create_task(ui.confirm("1", "M", timeout=None))
        second = asyncio.create_task(ui.confirm("2", "M", timeout=None))
        requests = [await written.message(), await written.message()]  # the second goes out while the first waits
        assert timers_at_write == [[], [30]] and loop.delays == [30, 30]
        assert not first.done() and not second.done()
        for request in requests:
            client.answer(request, True)
        assert [await first, await second] == [Ok(True), Ok(True)]
