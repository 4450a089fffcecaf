"""The sandbox page: what its headers let an app reach."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from a2ui_app.transports.sandbox import DOMAINS, Policy, app, is_origin


def headers(csp: Any = None, permissions: Any = None, base_url: str = "http://127.0.0.1:8124") -> Any:
    """The headers of the page for a component's ``csp`` and ``permissions``."""
    client = TestClient(app(8123), base_url=base_url)
    answer = client.get(f"/?{Policy.of_component(csp, permissions).query()}")
    assert answer.status_code == 200
    return answer.headers


def directives(csp: Any = None, **more: Any) -> dict[str, str]:
    """The page's Content-Security-Policy."""
    parts = (part.strip().partition(" ") for part in headers(csp, **more)["content-security-policy"].split(";"))
    return {name: sources for name, _, sources in parts}


def test_nothing_is_reachable_by_default():
    found = directives()
    for name in ("default-src", "connect-src", "frame-src", "base-uri", "form-action", "object-src"):
        assert found[name] == "'none'"
    sources = {source for text in found.values() for source in text.split()}
    assert sources == {"'none'", "'unsafe-inline'", "'unsafe-eval'", "data:", "blob:", "http://127.0.0.1:8123"}
    assert found["frame-ancestors"] == "http://127.0.0.1:8123"
    assert headers()["connection-allowlist"] == "();webrtc=block"
    assert headers()["permissions-policy"].startswith("camera=(), microphone=(), geolocation=(), clipboard-write=()")


def test_each_list_widens_its_own_directive():
    csp = {name: [f"https://{name.lower()}.example"] for name in DOMAINS}
    found = directives(csp)
    for directive in ("script-src", "style-src", "img-src", "font-src", "media-src"):
        assert found[directive].endswith(" https://resourcedomains.example")
    assert found["connect-src"] == "https://connectdomains.example"
    assert found["frame-src"] == "https://framedomains.example"
    assert found["base-uri"] == "https://baseuridomains.example"
    allowed = headers({"connectDomains": ["wss://*.a.example:9/", "https://b.example"]})["connection-allowlist"]
    assert allowed == '("https://*.a.example:9" "https://b.example");webrtc=block'


NO_ORIGINS = [
    "*",
    "'self'",
    "https:",
    "//a",
    "data:",
    "blob:",
    "javascript:x",
    "https://a/path",
    "https://a:*",
    "https://*",
    "https://'a'",
    "https://a,b",
    "http://[::1]:1",
    "https://a@b",
    "https://a;script-src",
]


@pytest.mark.parametrize("text", [*NO_ORIGINS, "https://a b", "https://a; script-src *", "https://a\nb", 7, None])
def test_what_is_no_origin_grants_nothing(text):
    assert not is_origin(text)
    assert directives({name: [text] for name in DOMAINS}) == directives()


OURS = [
    "http://127.0.0.1:8123",
    "http://127.0.0.1:8124",
    "ws://127.0.0.1:8123",
    "http://localhost:8123",
    "http://x.localhost:8124",
    "http://127.1.2.3:8123",
    "http://0.0.0.0:8123",
    "http://app.example:8123",
    "http://*.example:8123",
    "http://leads-here.example:8123",
    "HTTP://LOCALHOST:8123/",
]


@pytest.mark.parametrize("origin", OURS)
def test_this_server_is_never_reachable(origin):
    assert directives({"connectDomains": [origin]}, base_url="http://app.example:8124")["connect-src"] == "'none'"


def test_this_server_on_the_webs_own_port_is_known_by_its_name():
    client = TestClient(app(80), base_url="http://app.example:8124")
    policy = Policy.of_component(
        {"connectDomains": ["http://app.example", "http://*.example", "http://other.example"]}, None
    )
    answer = client.get(f"/?{policy.query()}")
    assert "connect-src http://other.example;" in answer.headers["content-security-policy"]


def test_permissions_are_granted_by_true_or_an_object_and_reach_the_inner_frame():
    granted = {"camera": True, "microphone": {}, "geolocation": False, "clipboardWrite": None, "usb": True}
    policy = Policy.of_component(None, granted)
    assert policy.allow == "camera *; microphone *"
    found = headers(None, granted)["permissions-policy"]
    assert found.startswith("camera=*, microphone=*, geolocation=(), clipboard-write=()") and "usb=()" in found


@pytest.mark.parametrize("csp", ["x", [], {"connectDomains": "https://a.example"}, {"connectDomains": [{}]}])
def test_a_policy_of_another_form_grants_nothing(csp):
    assert directives(csp) == directives()


def test_the_page_trusts_the_page_it_was_made_for():
    page = TestClient(app(8123), base_url="http://localhost:8124").get("/").text
    assert 'const PAGE = "http://localhost:8123";' in page
    assert "allow-same-origin" not in page.partition("<script>")[2].partition("app.sandbox = ")[2].partition(";")[0]


def test_a_host_that_is_none_is_refused():
    answer = TestClient(app(8123)).get("/", headers={"host": "a;b"})
    assert answer.status_code == 400


def test_an_ipv6_host_is_embedded_by_any_page_and_still_trusts_only_its_own():
    answer = TestClient(app(8123), base_url="http://[::1]:8124").get("/")
    assert answer.headers["content-security-policy"].endswith("frame-ancestors http:")
    assert 'const PAGE = "http://[::1]:8123";' in answer.text
