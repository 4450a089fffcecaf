"""The gate: every door without credentials, with wrong ones, from a foreign page, under a foreign name."""

from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from a2ui_app.access import Gate, Keys
from a2ui_app.access import sign_in as sign_in_module

HOST = "127.0.0.1:8123"
DOORS = [
    ("GET", "/"),
    ("GET", "/c/c000000000000"),
    ("GET", "/assets/x.js"),
    ("POST", "/_event"),
    ("POST", "/_upload"),
    ("POST", "/files/new"),
    ("POST", "/a2ui/demo"),
    ("GET", "/a2ui/demo/events"),
    ("GET", "/anything/else"),
    ("GET", "/opener"),
    ("GET", "/healthzz"),
    ("GET", "/catalogs/%2e%2e/c"),
    ("GET", "/catalogs/a/b"),
    ("POST", "/mcp/a/b"),
]


async def behind(request: Request) -> PlainTextResponse:
    return PlainTextResponse("inside")


async def socket(websocket: WebSocket) -> None:
    await websocket.accept()
    await websocket.send_text("inside")
    await websocket.close()


@pytest.fixture
def keys(tmp_path: Path) -> Keys:
    return Keys(tmp_path)


@pytest.fixture
def client(keys: Keys) -> TestClient:
    app = Starlette(
        routes=[WebSocketRoute("/_event", socket), Route("/{path:path}", behind, methods=["GET", "POST", "DELETE"])]
    )
    return TestClient(Gate(app, keys, port=8123), base_url=f"http://{HOST}", follow_redirects=False)


def signed_in(client: TestClient, keys: Keys) -> dict[str, str]:
    return {"cookie": f"a2ui-8123={keys.new_session()}"}


@pytest.mark.parametrize(("method", "path"), DOORS)
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"cookie": "a2ui-8123=made-up"},
        {"cookie": "a2ui-8123=; other=1"},
        {"cookie": '"\\;broken'},
        {"authorization": "Bearer made-up"},
        {"authorization": "Basic eDp5"},
    ],
)
def test_no_door_opens_without_credentials(client: TestClient, method: str, path: str, headers: dict[str, str]) -> None:
    reply = client.request(method, path, headers=headers)
    assert reply.status_code == 401
    assert "inside" not in reply.text


@pytest.mark.parametrize(("method", "path"), DOORS)
@pytest.mark.parametrize(
    "foreign",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"host": "evil.example"},
        {"host": "evil.example:8123"},
        {"host": "127.0.0.1.evil.example"},
        {"host": ""},
        {"sec-fetch-site": "cross-site"},
    ],
)
def test_no_door_opens_to_a_foreign_page_or_name(
    client: TestClient, keys: Keys, method: str, path: str, foreign: dict[str, str]
) -> None:
    reply = client.request(method, path, headers=signed_in(client, keys) | foreign)
    assert reply.status_code == 403
    assert "inside" not in reply.text


@pytest.mark.parametrize(("method", "path"), DOORS)
def test_every_door_opens_with_a_session(client: TestClient, keys: Keys, method: str, path: str) -> None:
    assert client.request(method, path, headers=signed_in(client, keys)).text == "inside"


@pytest.mark.parametrize("host", ["localhost:8123", "127.0.0.1:8123", "[::1]:8123", "LOCALHOST:8123"])
def test_every_name_of_this_machine_will_do(client: TestClient, keys: Keys, host: str) -> None:
    own = {"host": host, "origin": f"http://{host.lower()}"}
    assert client.get("/", headers=signed_in(client, keys) | own).text == "inside"


@pytest.mark.parametrize(
    "headers",
    [{}, {"cookie": "a2ui-8123=x"}, {"origin": "https://evil.example", "cookie": "SESSION"}, {"host": "evil.example"}],
)
def test_the_event_socket_is_closed_before_it_opens(client: TestClient, keys: Keys, headers: dict[str, str]) -> None:
    headers = {name: value.replace("SESSION", f"a2ui-8123={keys.new_session()}") for name, value in headers.items()}
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/_event", headers=headers):
        pass


def test_the_event_socket_opens_with_a_session(client: TestClient, keys: Keys) -> None:
    headers = signed_in(client, keys) | {"origin": f"http://{HOST}", "host": HOST}
    with client.websocket_connect("/_event", headers=headers) as opened:
        assert opened.receive_text() == "inside"


def test_a_channel_token_opens_that_channel_only(client: TestClient, keys: Keys) -> None:
    bearer = {"authorization": f"Bearer {keys.channel_token('demo')}"}
    assert client.post("/a2ui/demo", headers=bearer).text == "inside"
    assert client.get("/a2ui/demo/events", headers=bearer).text == "inside"
    for path in ("/a2ui/other", "/", "/files/new", "/a2ui/", "/a2ui/demo2"):
        assert client.get(path, headers=bearer).status_code == 401


def test_public_doors_and_those_with_a_check_of_their_own(client: TestClient) -> None:
    assert client.get("/healthz").text == "inside"
    assert client.get("/catalogs/extended.json").text == "inside"
    assert client.post("/mcp/c1").text == "inside"
    assert client.post("/mcp/c1", headers={"host": "evil.example"}).status_code == 403
    with pytest.raises(WebSocketDisconnect), client.websocket_connect("/mcp/x"):
        pass


def test_a_link_gives_a_session_once(client: TestClient, keys: Keys) -> None:
    link = f"/open?token={keys.new_link_token()}"
    reply = client.get(link)
    assert reply.status_code == 200
    cookie = reply.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert client.get("/", headers={"cookie": reply.headers["set-cookie"].split(";")[0]}).text == "inside"
    client.cookies.clear()
    again = client.get(link, headers={"accept": "text/html"})
    assert again.status_code == 401
    assert "used already" in again.text


def test_a_link_may_be_clicked_on_any_page(client: TestClient, keys: Keys) -> None:
    from_elsewhere = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"}
    assert client.get(f"/open?token={keys.new_link_token()}", headers=from_elsewhere).status_code == 200
    assert client.get("/", headers=from_elsewhere | signed_in(client, keys)).text == "inside"


def test_the_password_gives_a_session(client: TestClient, keys: Keys) -> None:
    keys.set_password("correct horse")
    form = client.get("/", headers={"accept": "text/html"})
    assert form.status_code == 401
    assert 'type="password"' in form.text
    wrong = client.post("/sign-in", data={"password": "wrong"}, headers={"accept": "text/html"})
    assert wrong.status_code == 401
    assert "not the password" in wrong.text
    right = client.post("/sign-in", data={"password": "correct horse"})
    assert right.status_code == 303
    assert client.get("/", headers={"cookie": right.headers["set-cookie"].split(";")[0]}).text == "inside"


def test_guessing_is_slowed_down(client: TestClient, keys: Keys, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(sign_in_module, "monotonic", lambda: now[0])
    keys.set_password("correct horse")

    def tries(password: str) -> Any:
        return client.post("/sign-in", data={"password": password}, headers={"accept": "text/html"})

    for _ in range(sign_in_module.TRIES):
        assert "not the password" in tries("wrong").text
    assert "Too many" in tries("correct horse").text  # the right one has to wait as well
    now[0] += sign_in_module.WINDOW
    assert tries("correct horse").status_code == 303


def test_a_long_form_is_refused(client: TestClient, keys: Keys) -> None:
    keys.set_password("correct horse")
    assert client.post("/sign-in", content=b"password=" + b"x" * 10_000).status_code == 413


def test_signing_out_takes_the_cookie_away(client: TestClient, keys: Keys) -> None:
    reply = client.post("/sign-out", headers=signed_in(client, keys))
    assert 'a2ui-8123=""' in reply.headers["set-cookie"]


def test_a_page_of_another_site_cannot_sign_out_or_in(client: TestClient, keys: Keys) -> None:
    for path in ("/sign-in", "/sign-out"):
        assert client.post(path, headers={"origin": "https://evil.example"}).status_code == 403


def test_every_answer_has_the_security_headers(client: TestClient, keys: Keys) -> None:
    for reply in (client.get("/"), client.get("/", headers=signed_in(client, keys))):
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["x-frame-options"] == "DENY"
        assert reply.headers["referrer-policy"] == "no-referrer"
