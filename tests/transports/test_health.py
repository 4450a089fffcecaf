from starlette.applications import Starlette
from starlette.testclient import TestClient

from a2ui_app.transports import health


def test_a_process_lives_and_says_when_it_cannot_keep_anything() -> None:
    trouble = [""]
    client = TestClient(Starlette(routes=health.routes(lambda: trouble[0])))
    assert client.get("/healthz").text == "ok\n"
    assert client.get("/readyz").status_code == 200
    trouble[0] = "The disk is full."
    assert client.get("/readyz").status_code == 503
    assert "disk" in client.get("/readyz").text
    assert client.get("/healthz").status_code == 200
