"""What of an app goes to the page, and what stays on the server."""

from typing import Any
from urllib.parse import parse_qs

import pytest

from a2ui_app.transports.sandbox import SANDBOX
from a2ui_app.web import catalog  # noqa: F401
from a2ui_app.web.live_surface import prepared


@pytest.fixture(autouse=True)
def port(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SANDBOX, "port", 8124)


def shown(**props: Any) -> dict[str, Any]:
    return prepared({"id": "x", "type": "McpApp", "props": props})["props"]


def test_the_page_gets_where_the_sandbox_is_and_not_what_the_server_decides():
    csp = {"connectDomains": ["https://a.example"], "resourceDomains": ["'self'"]}
    props = shown(
        htmlContent="<p>",
        csp=csp,
        permissions={"camera": {}},
        allowedTools=["t"],
        allowedFunctions={"f": {}},
        title="T",
    )
    assert props.pop("content") and parse_qs(props.pop("policy")) == {
        "connectDomains": ["https://a.example"],
        "allow": ["camera"],
    }
    assert props == {"port": 8124, "allow": "camera *", "title": "T"}


def test_another_html_is_another_content_and_none_is_none():
    assert shown(htmlContent="<p>")["content"] == shown(htmlContent="<p>")["content"]
    assert shown(htmlContent="<p>")["content"] != shown(htmlContent="<b>")["content"]
    assert "content" not in shown(htmlContent="") and "content" not in shown(htmlContent=None)


def test_without_a_sandbox_there_is_no_port(monkeypatch):
    monkeypatch.setattr(SANDBOX, "port", None)
    assert "port" not in shown(htmlContent="<p>")
