"""The gate in front of every door: pages, the event socket, uploads, HTTP ingest, MCP.

The app runs agents that change files and run commands, so whoever reaches it owns the machine. A request passes when

- its Host is one of ours: a name that another site made point here (DNS rebinding) is not;
- its Origin, if any, is this server: a page of another site cannot act here, nor open the socket;
- it carries a session cookie, the bearer token of the channel it is about, or it is for a door that has its own check.
"""

import re
from collections.abc import Awaitable, Callable, Iterable
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from .keys import SESSION_SECONDS, Keys
from .sign_in import SignIn, needs_link_page

ASGIApp = Callable[[Scope, Receive, Send], Awaitable[None]]

OPEN = re.compile(r"/healthz|/readyz|/catalogs/[\w.-]+")
"""Doors for everybody: what is behind them is public."""

OWN_CHECK = re.compile(r"/mcp/[\w-]+/?")
"""Doors that ask for a token of their own."""

LOOPBACK = ("127.0.0.1", "localhost", "::1")

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
}

_GO_ON = '<!doctype html><meta http-equiv="refresh" content="0;url=/"><title>A2UI App</title><a href="/">Go on</a>'
# A redirect would not do: after a click on a page of another site the browser keeps the strict cookie back from it.


class Gate:
    """An ASGI app around ``app``. ``hosts`` are the names it is reached by; with none of them any name will do."""

    def __init__(self, app: ASGIApp, keys: Keys, *, port: int, hosts: Iterable[str] = LOOPBACK):
        self._app = app
        self._keys = keys
        self._hosts = frozenset(hosts)
        self._cookie = f"a2ui-{port}"  # a browser shares cookies among the ports of a host
        self._sign_in = SignIn(keys)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._refuse(scope, headers)
        if refusal is not None:
            await self._answer(Response(refusal, 403, media_type="text/plain"), scope, receive, send)
        elif scope["path"] == "/open" and scope["type"] == "http":
            await self._answer(self._open(scope), scope, receive, send)
        elif scope["path"] in ("/sign-in", "/sign-out") and scope["type"] == "http":
            await self._answer(await self._sign_in_or_out(scope, receive), scope, receive, send)
        elif self._may_pass(scope, headers):
            await self._app(scope, receive, _with_headers(send))
        else:
            await self._answer(needs_link_page(headers, password=self._keys.has_password), scope, receive, send)

    # -- who is there ----------------------------------------------------------------------------------------------

    def _refuse(self, scope: Scope, headers: Headers) -> str | None:
        """Why a request is not even looked at; None when it comes from where it should."""
        host = headers.get("host", "").lower()
        if self._hosts and urlsplit(f"//{host}").hostname not in self._hosts:
            return "This server does not answer to that name. Open the link that it printed."
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host:
            return "Requests from pages of another origin are refused. Send them from a program, or from this page."
        if headers.get("sec-fetch-site") in ("cross-site", "same-site") and scope["path"] != "/open":
            if scope["type"] == "http" and scope["method"] == "GET" and headers.get("sec-fetch-mode") == "navigate":
                return None  # a link from elsewhere to one of our pages
            return "Requests from pages of another site are refused. Open this address itself."
        return None

    def _may_pass(self, scope: Scope, headers: Headers) -> bool:
        path: str = scope["path"]
        if OPEN.fullmatch(path) or OWN_CHECK.fullmatch(path):
            return scope["type"] == "http"
        if self._keys.is_session(self._cookie_of(headers)):
            return True
        channel = path.removeprefix("/a2ui/").split("/", 1)[0] if path.startswith("/a2ui/") else ""
        scheme, _, token = headers.get("authorization", "").partition(" ")
        return bool(channel) and scheme.lower() == "bearer" and self._keys.is_channel_token(unquote(channel), token)

    def _cookie_of(self, headers: Headers) -> str:
        try:
            cookies = SimpleCookie(headers.get("cookie", ""))
        except CookieError:
            return ""
        return cookies[self._cookie].value if self._cookie in cookies else ""

    # -- how one gets in, and out ----------------------------------------------------------------------------------

    def _open(self, scope: Scope) -> Response:
        """The printed link: its token is used up, and the browser gets a session."""
        token = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if self._keys.is_session(self._cookie_of(Headers(scope=scope))):
            return RedirectResponse("/", 303)
        if not self._keys.use_link_token(token):
            return needs_link_page(Headers(scope=scope), password=self._keys.has_password, used=True)
        return self._with_session(HTMLResponse(_GO_ON), scope)

    async def _sign_in_or_out(self, scope: Scope, receive: Receive) -> Response:
        if scope["method"] != "POST":
            return RedirectResponse("/", 303)
        if scope["path"] == "/sign-out":
            response = RedirectResponse("/", 303)
            response.delete_cookie(self._cookie, path="/")
            return response
        refused = await self._sign_in.check(scope, receive)
        return refused if refused is not None else self._with_session(RedirectResponse("/", 303), scope)

    def _with_session(self, response: Response, scope: Scope) -> Response:
        response.set_cookie(
            self._cookie,
            self._keys.new_session(),
            max_age=SESSION_SECONDS,
            httponly=True,
            samesite="strict",
            secure=scope.get("scheme") == "https",
            path="/",
        )
        return response

    async def _answer(self, response: Response, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await receive()  # websocket.connect
            await send({"type": "websocket.close", "code": 4403})  # before accept: the handshake is answered 403
            return
        await response(scope, receive, _with_headers(send))


def _with_headers(send: Send) -> Send:
    """``send`` that adds the security headers to every response that has not its own."""

    async def add(message: Any) -> None:
        if message["type"] == "http.response.start":
            there = {name.lower() for name, _ in message["headers"]}
            more = [(n.encode(), v.encode()) for n, v in HEADERS.items() if n.encode() not in there]
            message = {**message, "headers": [*message["headers"], *more]}
        await send(message)

    return add
