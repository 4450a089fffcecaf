"""The page for those who have no session yet, and the check of their password."""

import asyncio
import html
from collections import deque
from time import monotonic
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import Receive, Scope

from .keys import Keys

TRIES = 5
WINDOW = 60.0
"""At most so many wrong passwords in so many seconds, from all visitors together."""

LONGEST_FORM = 4096

_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>A2UI App</title><style>
:root {{ color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }}
body {{ max-width: 26rem; margin: 18vh auto 0; padding: 0 1.25rem; }}
code {{ background: color-mix(in srgb, currentColor 10%, transparent); padding: .1em .4em; border-radius: 4px; }}
form {{ display: flex; gap: .5rem; }} input, button {{ font: inherit; padding: .4rem .7rem; }} input {{ flex: 1; }}
</style><h1>A2UI App</h1>{content}</html>"""
_LINK = "<p>{why}Open the link that the server printed. For a new one, run <code>python -m a2ui_app link</code>.</p>"
_FORM = """<form method="post" action="/sign-in"><input type="password" name="password" aria-label="Password"
placeholder="Password" autofocus autocomplete="current-password"><button>Sign in</button></form>"""


def needs_link_page(headers: Headers, *, password: bool, used: bool = False, problem: str = "") -> Response:
    """What a visitor without a session is answered: a page for people, a line for programs."""
    if "text/html" not in headers.get("accept", ""):
        text = "Not signed in. Send a session cookie, or the channel's token: python -m a2ui_app token CHANNEL\n"
        return PlainTextResponse(text, 401, headers={"www-authenticate": "Bearer"})
    why = "This link was used already, or is too old. " if used else ""
    content = _LINK.format(why=why)
    if password:
        content = (f"<p role='alert'>{html.escape(problem)}</p>" if problem else "") + _FORM
    return HTMLResponse(_PAGE.format(content=content), 401, headers={"cache-control": "no-store"})


class SignIn:
    """Checks passwords, and not too many."""

    def __init__(self, keys: Keys):
        self._keys = keys
        self._wrong: deque[float] = deque(maxlen=TRIES)

    async def check(self, scope: Scope, receive: Receive) -> Response | None:
        """None when the posted password is right, else what to answer."""
        request = Request(scope, receive)
        if len(self._wrong) == TRIES and monotonic() - self._wrong[0] < WINDOW:
            return self._again(request, "Too many wrong passwords. Wait a minute, then try again.")
        body = bytearray()
        async for chunk in request.stream():
            body += chunk
            if len(body) > LONGEST_FORM:
                return PlainTextResponse("This form is too long.", 413)
        password = parse_qs(bytes(body).decode("utf-8", "replace")).get("password", [""])[0]
        if await asyncio.to_thread(self._keys.check_password, password):
            return None
        self._wrong.append(monotonic())
        return self._again(request, "This is not the password.")

    def _again(self, request: Request, problem: str) -> Response:
        return needs_link_page(request.headers, password=self._keys.has_password, problem=problem)
