"""Short questions to an agent's program: its version, its models. Bounded in time, and nothing is left running."""

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from .base import BackendError
from .environment import merge_env
from .process import Process, SkippedLine

PROBE_TIMEOUT = 10.0  # seconds; one wedged `--version` must not keep the others waiting
_VERSION = re.compile(r"(?<![\d.])\d+\.\d+(?:\.\d+)*(?:[-+][\w.]+)?")

T = TypeVar("T")


async def first_answer(
    argv: Sequence[str],
    understand: Callable[[bytes], T | None],
    *,
    send: bytes = b"",
    env: Mapping[str, str] | None = None,
    cwd: str = "/",
    within: float | None = None,
) -> T | None:
    """Start `argv`, send it `send`, and return the first line of stdout that `understand` makes something of.

    None when it ends, or `within` seconds (default: PROBE_TIMEOUT) pass, without such a line.
    """
    try:
        process = await Process.spawn(argv, cwd=cwd, env=merge_env(env))
    except BackendError:
        return None
    try:
        process.write(send)
        if not send:
            process.close_stdin()
        async with asyncio.timeout(PROBE_TIMEOUT if within is None else within):
            async for line in process.lines():
                answer = None if isinstance(line, SkippedLine) else understand(line)
                if answer is not None:
                    return answer
    except TimeoutError:
        return None
    finally:
        await process.stop(grace=0.5)
    return None


async def version(executable: str) -> str:
    """Return the version that `executable --version` prints, empty when it prints none in time."""

    def understand(line: bytes) -> str | None:
        found = _VERSION.search(line.decode("utf-8", "replace"))  # banners and warnings may come first
        return found.group() if found else None

    return await first_answer([executable, "--version"], understand) or ""


async def output_lines(argv: Sequence[str], *, env: Mapping[str, str] | None = None, cwd: str = "/") -> list[str]:
    """Return the lines that `argv` prints within the time limit."""
    lines: list[str] = []

    def understand(line: bytes) -> None:
        lines.append(line.decode("utf-8", "replace").strip())

    await first_answer(argv, understand, env=env, cwd=cwd)
    return [line for line in lines if line]
