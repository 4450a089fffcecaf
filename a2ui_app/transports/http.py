"""A2UI over HTTP: agents post messages to a channel, and read what its surfaces send as server-sent events.

    POST /a2ui/{channel}          a message, a list, {"messages": [...]}, or JSON Lines
    GET  /a2ui/{channel}/events   the renderer's messages, with ids; Last-Event-ID goes on from there
    GET  /a2ui/{channel}          the surfaces and their data models, and what this renderer can do

A post is answered with one result a message, in order: 200 when all were applied, 422 when at least one was not (the
others are applied all the same: a list is no transaction), 400 when the body is no JSON.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

import orjson
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from ..live.channel import Channel
from ..live.outbox import Gap, Sent
from ..live.registry import ChannelNameError, Channels, TooManyChannels
from . import guard, payload

MAX_BODY = 10 * 1024 * 1024
"""Bytes of one post."""

HEARTBEAT = 15.0
"""Seconds between comments that keep an idle stream open through proxies."""


class Json(Response):
    """A JSON response, written with orjson."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return orjson.dumps(content, option=orjson.OPT_APPEND_NEWLINE | orjson.OPT_NON_STR_KEYS)


class TooLarge(Exception):
    """A body of more than `MAX_BODY` bytes."""


def app(
    channels: Channels, more: Sequence[BaseRoute] = (), *, max_body: int = MAX_BODY, heartbeat: float = HEARTBEAT
) -> Starlette:
    """The routes over ``channels``, and ``more`` of others, to be mounted at the root."""

    async def post(request: Request) -> Response:
        body = await _body(request, max_body)
        channel = channels.open(request.path_params["channel"])
        messages = payload.read(body, request.headers.get("content-type", ""))
        replies = channel.post(messages)
        if not replies:
            return _failed(422, "The payload holds no message; send at least one with a 'version'.")
        failed = sum(reply.error is not None for reply in replies)
        answer = {
            "ok": not failed,
            "applied": len(replies) - failed,
            "failed": failed,
            "results": [r.as_json() for r in replies],
        }
        return Json(answer, status_code=422 if failed else 200)

    async def state(request: Request) -> Response:
        channel = channels.open(request.path_params["channel"])
        return Json(_state(channel, inline_catalogs=request.query_params.get("acceptsInlineCatalogs") == "true"))

    async def events(request: Request) -> Response:
        channel = channels.open(request.path_params["channel"])
        last = request.headers.get("last-event-id") or request.query_params.get("lastEventId") or "0"
        if not last.isdecimal():
            return _failed(400, "Last-Event-ID must be the id of an event, a number.")
        stream = _stream(channel, int(last), heartbeat)
        return StreamingResponse(stream, media_type="text/event-stream", headers={"Cache-Control": "no-store"})

    return Starlette(
        routes=[
            Route("/a2ui/{channel}", _guarded(post), methods=["POST"]),
            Route("/a2ui/{channel}", _guarded(state), methods=["GET"]),
            Route("/a2ui/{channel}/events", _guarded(events), methods=["GET"]),
            *more,
        ]
    )


Endpoint = Callable[[Request], Awaitable[Response]]


def _guarded(endpoint: Endpoint) -> Endpoint:
    """The endpoint, with what it raises as an answer that says what to do."""

    async def serve(request: Request) -> Response:
        try:
            guard.check(request)
            return await endpoint(request)
        except guard.Refused as error:
            return _failed(403, str(error))
        except ChannelNameError as error:
            return _failed(404, str(error))
        except TooManyChannels as error:
            return _failed(503, str(error))
        except TooLarge as error:
            return _failed(413, str(error))
        except payload.PayloadError as error:
            return _failed(400, str(error), line=error.line, column=error.column)
        except ClientDisconnect:
            return Response(status_code=400)  # nobody reads it

    return serve


def _failed(status: int, message: str, **where: int) -> Response:
    return Json({"ok": False, "error": {"message": message, **where}}, status_code=status)


async def _body(request: Request, limit: int) -> bytes:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > limit:
            raise TooLarge(f"The body is over {limit:,} bytes. Send the messages in several posts.")
    return bytes(body)


def _state(channel: Channel, *, inline_catalogs: bool) -> dict[str, Any]:
    surfaces = [
        {"surfaceId": surface.id, "catalogId": surface.catalog_id, "dataModel": surface.data}
        for surface in channel.session.surfaces()
    ]
    return {
        "channel": channel.name,
        "surfaces": surfaces,
        "lastEventId": channel.outbox.last_id,
        "viewers": channel.viewers,
        "a2uiRendererCapabilities": channel.session.capabilities(inline_catalogs=inline_catalogs),
    }


async def _stream(channel: Channel, last_id: int, heartbeat: float) -> AsyncIterator[bytes]:
    yield b": connected\n\n"
    async for item in channel.outbox.follow(last_id, heartbeat):
        match item:
            case Sent(id, message):
                yield b"id: %d\ndata: %s\n\n" % (id, orjson.dumps(message))
            case Gap(first, last):
                yield b"event: gap\nid: %d\ndata: %s\n\n" % (last, orjson.dumps({"first": first, "last": last}))
            case None:
                yield b": still here\n\n"
