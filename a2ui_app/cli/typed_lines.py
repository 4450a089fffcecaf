"""What a person types while a command runs."""

import asyncio
import sys
from collections.abc import AsyncIterator

from a2ui_app.agent_ui.stdio import StdinTransport
from a2ui_app.agent_ui.wire import LineReader, LineTooLong


async def typed_lines() -> AsyncIterator[str]:
    """Yield each line of stdin until it ends; one that is too long is told and left out."""
    reader = asyncio.StreamReader()
    stdin = StdinTransport(reader)
    lines = LineReader(reader)
    try:
        while True:
            try:
                line = await lines.next()
            except LineTooLong as error:
                print(error, file=sys.stderr)
                continue
            if not line:
                return
            yield line.decode(errors="replace").rstrip("\r\n")
    finally:
        stdin.close()
