import asyncio
from contextlib import suppress
from typing import Any

import orjson
import pytest
from starlette.testclient import TestClient

from a2ui_app.catalogs.extended import EXTENDED_1_0
from a2ui_app.live.registry import Channels
from a2ui_app.transports import http

CATALOG = "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json"


def create(surface: str = "s", **component: Any) -> dict[str, Any]:
    root = {"id": "root", "component": "Text", "text": "hi"} | component
    return {"version": "1.0", "createSurface": {"surfaceId": surface, "catalogId": CATALOG, "components": [root]}}


@pytest.fixture
def channels() -> Channels:
    return Channels()


@pytest.fixture
def client(channels) -> TestClient:
    return TestClient(http.app(channels, max_body=10_000))


@pytest.mark.parametrize(
    "body",
    [
        orjson.dumps(create()),
        orjson.dumps([create()]),
        orjson.dumps({"messages": [create()]}),
        orjson.dumps(create()) + b"\n" + orjson.dumps({"version": "1.0", "deleteSurface": {"surfaceId": "gone"}}),
    ],
    ids=["message", "list", "wrapper", "lines"],
)
def test_every_form_of_a_payload_is_applied(client, channels, body):
    reply = client.post("/a2ui/c", content=body)
    assert reply.status_code == 200, reply.text
    assert reply.json()["ok"] is True
    assert reply.json()["failed"] == 0
    assert channels.open("c").session.tree("s")["props"] == {"text": "hi"}


def test_the_reply_says_per_message_what_failed_where_and_the_rest_is_applied(client, channels):
    bad = create("t", text={"nested": True})
    reply = client.post("/a2ui/c", json=[create("a"), bad, {"version": "7"}, create("b")])
    assert reply.status_code == 422
    answer = reply.json()
    assert (answer["ok"], answer["applied"], answer["failed"]) == (False, 2, 2)
    assert [result["ok"] for result in answer["results"]] == [True, False, False, True]
    assert "text" in answer["results"][1]["error"]["path"]
    assert "1.0" in answer["results"][2]["error"]["message"]  # the remedy: versions that are known
    assert [surface.id for surface in channels.open("c").session.surfaces()] == ["a", "b"]


def test_what_is_no_json_is_400_with_its_place(client):
    reply = client.post("/a2ui/c", content=b'{"version": "1.0",\n "createSurface": oops}')
    assert reply.status_code == 400
    assert reply.json()["error"] | {"message": ""} == {"message": "", "line": 2, "column": 19}


@pytest.mark.parametrize("payload", [[], {"messages": []}])
def test_a_payload_without_messages_is_an_error(client, payload):
    reply = client.post("/a2ui/c", json=payload)
    assert reply.status_code == 422
    assert "no message" in reply.json()["error"]["message"]


@pytest.mark.parametrize("payload", [5, "x", None, True])
def test_json_that_is_no_message_is_an_error(client, payload):
    reply = client.post("/a2ui/c", content=orjson.dumps(payload))
    assert reply.status_code == 422
    assert "object" in reply.json()["results"][0]["error"]["message"]


def test_a_body_over_the_limit_is_413_and_nothing_is_applied(client, channels):
    reply = client.post("/a2ui/c", json=[create(), create("t", text="x" * 20_000)])
    assert reply.status_code == 413
    assert "several posts" in reply.json()["error"]["message"]
    assert channels.get("c") is None


@pytest.mark.parametrize("name", ["a b", "%2e%2e", "-x", "x" * 65])
def test_a_name_that_cannot_be_a_channel_is_404(client, name):
    reply = client.post(f"/a2ui/{name}", json=create())
    assert reply.status_code == 404


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://testserver:81"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
@pytest.mark.parametrize("path", ["/a2ui/c", "/a2ui/c/events"])
def test_a_page_of_another_origin_is_refused(client, channels, headers, path):
    request = (
        client.get
        if path.endswith("events")
        else lambda path, headers: client.post(path, headers=headers, json=create())
    )
    reply = request(path, headers=headers)
    assert reply.status_code == 403
    assert "access-control-allow-origin" not in reply.headers
    assert channels.get("c") is None


def test_this_servers_own_page_and_programs_are_served(client):
    own = {"origin": "http://testserver", "sec-fetch-site": "same-origin"}
    assert client.post("/a2ui/c", json=create(), headers=own).status_code == 200
    preflight = client.options("/a2ui/c", headers={"origin": "https://evil.example"})
    assert not [name for name in preflight.headers if name.startswith("access-control")]


def test_the_state_shows_surfaces_data_and_capabilities(client):
    client.post(
        "/a2ui/c", json=[create(), {"version": "1.0", "updateDataModel": {"surfaceId": "s", "path": "/a", "value": 1}}]
    )
    state = client.get("/a2ui/c").json()
    assert state["surfaces"] == [{"surfaceId": "s", "catalogId": CATALOG, "dataModel": {"a": 1}}]
    assert CATALOG in state["a2uiRendererCapabilities"]["1.0"]["supportedCatalogIds"]
    assert "inlineCatalogs" not in state["a2uiRendererCapabilities"]["1.0"]


def test_an_agent_asks_for_catalogs_whole(client):
    state = client.get("/a2ui/c?acceptsInlineCatalogs=true").json()
    inline = state["a2uiRendererCapabilities"]["1.0"]["inlineCatalogs"]
    assert EXTENDED_1_0 in [catalog["catalogId"] for catalog in inline]


class Stream:
    """A request to the ASGI app whose response goes on; the test client waits for the end of a response."""

    def __init__(self, app: Any, path: str, **headers: str):
        self._chunks: asyncio.Queue[bytes] = asyncio.Queue()
        self.status = 0
        self.headers: dict[bytes, bytes] = {}
        raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        scope = {
            "type": "http",
            "method": "GET",
            "path": path,
            "headers": raw,
            "query_string": b"",
            "http_version": "1.1",
        }
        self._left = asyncio.Event()
        self._task = asyncio.create_task(app(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], dict(message["headers"])
        else:
            self._chunks.put_nowait(message["body"])

    async def chunk(self) -> bytes:
        return await asyncio.wait_for(self._chunks.get(), 5)

    async def event(self) -> dict[str, Any]:
        """The next event; comments are passed over."""
        while (chunk := await self.chunk()).startswith(b":"):
            pass
        fields = dict(line.split(": ", 1) for line in chunk.decode().strip().split("\n"))
        return fields | {"data": orjson.loads(fields["data"])}

    async def leave(self) -> None:
        self._left.set()
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task


async def test_events_go_on_from_the_last_one_seen(channels):
    app = http.app(channels)
    channel = channels.open("c")
    for n in range(3):
        channel.post({"version": "1.0", "updateDataModel": {"surfaceId": f"none{n}", "value": 1}})
    first = Stream(app, "/a2ui/c/events")
    event = await first.event()
    assert (first.status, first.headers[b"content-type"]) == (200, b"text/event-stream; charset=utf-8")
    assert event["id"] == "1"
    assert event["data"]["error"]["surfaceId"] == "none0"
    await first.leave()
    again = Stream(app, "/a2ui/c/events", last_event_id="2")
    assert (await again.event())["id"] == "3"
    channel.post({"version": "1.0", "updateDataModel": {"surfaceId": "none3", "value": 1}})
    assert (await again.event())["data"]["error"]["surfaceId"] == "none3"
    await again.leave()


async def test_messages_that_are_no_longer_kept_are_a_gap_event(channels):
    channel = channels.open("c")
    for n in range(1003):
        channel.outbox.put({"n": n})
    stream = Stream(http.app(channels), "/a2ui/c/events")
    assert await stream.event() == {"event": "gap", "id": "3", "data": {"first": 1, "last": 3}}
    assert (await stream.event())["data"] == {"n": 3}
    await stream.leave()


async def test_an_idle_stream_sends_comments(channels):
    stream = Stream(http.app(channels, heartbeat=0.01), "/a2ui/c/events")
    assert [await stream.chunk() for _ in range(3)] == [b": connected\n\n", b": still here\n\n", b": still here\n\n"]
    await stream.leave()


def test_a_bad_last_event_id_is_an_error(client):
    reply = client.get("/a2ui/c/events", headers={"last-event-id": "x"})
    assert reply.status_code == 400
    assert "number" in reply.json()["error"]["message"]
