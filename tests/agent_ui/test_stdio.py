"""The streams an adapter uses when it is given none: this process's stdin and stdout."""

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest

from a2ui_app.agent_ui.stdio import StdinTransport, StdoutWriter

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def pipe():
    ends = os.pipe()
    try:
        yield ends
    finally:
        for end in ends:
            os.close(end)


async def test_a_pipe_is_read_as_it_fills_and_stays_blocking():
    with pipe() as (read_end, write_end):
        reader = asyncio.StreamReader()
        transport = StdinTransport(reader, read_end)
        os.write(write_end, b"one\n")
        assert await reader.readline() == b"one\n"
        assert os.get_blocking(read_end)
        transport.close()
        os.write(write_end, b"not ours\n")
        await asyncio.sleep(0)
        assert os.read(read_end, 100) == b"not ours\n"  # nothing was swallowed after the close


async def test_the_end_of_a_pipe():
    read_end, write_end = os.pipe()
    reader = asyncio.StreamReader()
    transport = StdinTransport(reader, read_end)
    os.write(write_end, b"last")
    os.close(write_end)
    assert await reader.read() == b"last"
    assert transport.is_closing()
    os.close(read_end)


@pytest.mark.parametrize("size", [0, 10, 1_000_000])
async def test_a_plain_file(size):
    with tempfile.TemporaryFile() as file:
        file.write(b"x" * size)
        file.seek(0)
        reader = asyncio.StreamReader()
        StdinTransport(reader, file.fileno())
        assert await reader.read() == b"x" * size


async def test_a_reader_that_is_full_stops_the_reading():
    with tempfile.TemporaryFile() as file:
        file.write(b"x" * 2_000_000)
        file.seek(0)
        reader = asyncio.StreamReader(limit=1000)
        paused = asyncio.Event()

        class Watched(StdinTransport):
            def pause_reading(self) -> None:
                super().pause_reading()
                paused.set()

        Watched(reader, file.fileno())
        await paused.wait()
        assert os.lseek(file.fileno(), 0, os.SEEK_CUR) < 200_000
        assert await reader.read() == b"x" * 2_000_000


async def test_writing_more_than_a_pipe_holds_waits_and_keeps_the_order():
    with pipe() as (read_end, write_end):
        writer = StdoutWriter(write_end)
        parts = [bytes([65 + n % 26]) * 50_000 + b"\n" for n in range(10)]
        for part in parts:
            writer.write(part)  # never blocks, though nobody reads yet
        drained = asyncio.create_task(writer.drain())
        await asyncio.sleep(0)
        assert not drained.done()
        reader = asyncio.StreamReader(limit=2**20)
        transport = StdinTransport(reader, read_end)
        assert [await reader.readline() for _ in parts] == parts
        await drained
        assert os.get_blocking(write_end)
        transport.close()


async def test_a_reader_that_is_gone():
    read_end, write_end = os.pipe()
    writer = StdoutWriter(write_end)
    writer.write(b"x" * 200_000)
    drained = asyncio.create_task(writer.drain())
    await asyncio.sleep(0)
    os.close(read_end)
    with pytest.raises(BrokenPipeError):
        await drained
    with pytest.raises(BrokenPipeError):
        writer.write(b"more")
    await writer.flush(1)  # says so in the log, and ends
    os.close(write_end)


PROGRAM = """
import asyncio, logging
from a2ui_app.agent_ui import RpcUI

async def main():
    print("printed before")
    async with RpcUI() as ui:
        ui.notify("x" * 300_000)
        print(await ui.input("Name"), flush=True)
        ui.set_title("end")

asyncio.run(main())
"""


@asynccontextmanager
async def program(source: str, **options) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", source), cwd=ROOT, stdout=asyncio.subprocess.PIPE, limit=2**20, **options
    )
    try:
        async with asyncio.timeout(30):
            yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def test_a_program_on_its_own_stdin_and_stdout():
    async with program(PROGRAM, stdin=asyncio.subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdin is not None
        assert await process.stdout.readline() == b"printed before\n"
        assert len(json.loads(await process.stdout.readline())["params"]["message"]) == 300_000
        request = json.loads(await process.stdout.readline())
        process.stdin.write(json.dumps({"id": request["id"], "result": "Ada"}).encode() + b"\n")
        assert await process.stdout.readline() == b"Ok(value='Ada')\n"
        assert json.loads(await process.stdout.readline())["method"] == "set_title"
        assert await process.wait() == 0  # though its stdin is still open


async def test_a_program_whose_stdin_is_a_file():
    with tempfile.TemporaryFile() as file:
        file.write(b'{"id": "unknown", "result": 1}\n')
        file.seek(0)
        async with program(PROGRAM, stdin=file) as process:
            assert process.stdout is not None
            output = await process.stdout.read()
            assert b"Err(reason=<Reason.CONNECTION_CLOSED" in output
            assert await process.wait() == 0


async def test_a_program_without_stdin():
    async with program(PROGRAM, stdin=asyncio.subprocess.DEVNULL) as process:
        assert process.stdout is not None
        assert b"Err(reason=<Reason.CONNECTION_CLOSED" in await process.stdout.read()
        assert await process.wait() == 0
