"""What embedded MCP apps ask: each request is carried out once, however often a page sends it after a reconnect."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

import orjson

from ..session.mcp_app import INVALID_PARAMS, MAX_PAYLOAD_BYTES, AppRefused

JsonReply = dict[str, Any] | None
"""A JSON-RPC ``{"result"}`` or ``{"error"}``; None: the message was a notification."""

Answer = Callable[[str, JsonReply], object]
"""Takes the page's id of a request, and its reply."""

SANDBOX_READY = "ui/notifications/sandbox-proxy-ready"
"""What the sandbox around an app says, and no app can: its page asks for the app's HTML."""

REMEMBERED = 200


@dataclass
class Asked:
    """A request, and its reply once it is there."""

    answer: Answer
    done: bool = False
    reply: JsonReply = None


class AppRequests:
    """The newest requests by the page's id for each, and the tool calls that some of them wait for."""

    def __init__(self) -> None:
        self._asked: dict[str, Asked] = {}  # oldest first
        self._by_call: dict[str, str] = {}

    def begin(self, id: str, answer: Answer) -> bool:
        """Whether request ``id`` is new. One that has its reply gets it again."""
        if asked := self._asked.get(id):
            if asked.done:
                answer(id, asked.reply)
            return False
        if len(self._asked) >= REMEMBERED:
            del self._asked[next(iter(self._asked))]
        self._asked[id] = Asked(answer)
        return True

    def wait(self, id: str, call_id: str) -> None:
        """Request ``id`` gets its reply with the result of tool call ``call_id``."""
        self._by_call[call_id] = id

    def reply(self, id: str, reply: JsonReply) -> None:
        """Answer request ``id``."""
        if asked := self._asked.get(id):
            asked.done, asked.reply = True, reply
            asked.answer(id, reply)

    def reply_to_call(self, call_id: str, reply: JsonReply) -> None:
        """Answer the request that waits for tool call ``call_id``."""
        if (id := self._by_call.pop(call_id, None)) is not None:
            self.reply(id, reply)


def read_params(text: str) -> Any:
    """The params of a request; raises AppRefused when they are too long or no JSON."""
    if len(text.encode("utf-8", "surrogatepass")) > MAX_PAYLOAD_BYTES:
        raise AppRefused(INVALID_PARAMS, f"A message may have at most {MAX_PAYLOAD_BYTES:,} bytes.")
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise AppRefused(INVALID_PARAMS, "The params are no JSON.") from error


def html_of(content: Any) -> str:
    """The HTML in a component's ``htmlContent``; the prefix ``url_encoded:`` says that it is percent-encoded."""
    text = content if isinstance(content, str) else ""
    prefix = "url_encoded:"
    return unquote(text.removeprefix(prefix)) if text.startswith(prefix) else text
