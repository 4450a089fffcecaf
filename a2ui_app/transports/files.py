"""Files that people attach to a prompt: POST /files/{conversation}?name=…, answered with the path an agent can read."""

import asyncio
import re
import unicodedata
import uuid
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import orjson
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from . import guard

MAX_FILE = 20 * 1024 * 1024
"""Bytes of one file."""

_CONVERSATION = re.compile(r"new|c[0-9a-f]{12}")
_KEPT = re.compile(r"[^\w.\- ]+")


class TooLarge(Exception):
    """A file of more than the limit."""


def routes(folder: Callable[[], Path], *, limit: int = MAX_FILE) -> list[Route]:
    """The route; files go below ``folder()``, one folder for each conversation."""

    async def post(request: Request) -> Response:
        conversation = request.path_params["conversation"]
        name = safe_name(request.query_params.get("name", ""))
        try:
            guard.check(request)
            if not _CONVERSATION.fullmatch(conversation):
                return _failed(404, "There is no such conversation.")
            path = folder() / conversation / uuid.uuid4().hex[:8] / name
            content = await _read(request.stream(), limit)
            await asyncio.to_thread(_write, path, content)
        except guard.Refused as error:
            return _failed(403, str(error))
        except TooLarge:
            return _failed(413, f"{name} is larger than {limit // 1024 // 1024} MB. Attach a smaller file.")
        except ClientDisconnect:
            return Response(status_code=400)  # nobody reads it
        except OSError as error:
            return _failed(507, f"The file could not be kept: {error.strerror}.")
        return Response(orjson.dumps({"ok": True, "path": str(path), "name": name}), media_type="application/json")

    return [Route("/files/{conversation}", post, methods=["POST"])]


def safe_name(name: str) -> str:
    """The last part of ``name`` with nothing in it that means something to a file system or a shell."""
    last = unicodedata.normalize("NFC", name).replace("\\", "/").rsplit("/", 1)[-1]
    kept = _KEPT.sub("_", last).strip(" .")
    stem, dot, suffix = kept.rpartition(".")
    return f"{stem[:80]}{dot}{suffix[:16]}" if stem else (kept[:80] or "file")


async def _read(content: AsyncIterator[bytes], limit: int) -> bytes:
    read = bytearray()
    async for chunk in content:
        read += chunk
        if len(read) > limit:
            raise TooLarge
    return bytes(read)


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, mode=0o700)
    path.write_bytes(content)


def _failed(status: int, message: str) -> Response:
    body = orjson.dumps({"ok": False, "error": {"message": message}})
    return Response(body, status_code=status, media_type="application/json")
