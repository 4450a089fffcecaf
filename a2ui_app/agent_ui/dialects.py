"""The two spellings of the UI protocol, RPC and DebugRPC, for both ends of the line.

A dialect turns requests, notifications and responses into JSON objects and back. It keeps nothing.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from .protocol import Err, Ok, Reason, Result

DIALOGS = ("select", "confirm", "input", "editor")
NOTIFICATIONS = ("notify", "set_status", "set_widget", "set_working_message", "set_title", "set_editor_text")


@dataclass(frozen=True)
class Request:
    """A dialog that waits for a response of the same id."""

    id: str | int
    method: str
    params: Mapping[str, Any]


@dataclass(frozen=True)
class Notification:
    """One of NOTIFICATIONS, with the params as RPC spells them."""

    method: str
    params: Mapping[str, Any]


class Dialect(Protocol):
    """One spelling."""

    @property
    def name(self) -> str: ...

    def request(self, request: Request) -> dict[str, Any]:
        """Return the object an agent writes to ask."""
        ...

    def notification(self, notification: Notification) -> dict[str, Any]:
        """Return the object an agent writes to tell."""
        ...

    def read_response(self, response: Mapping[str, Any]) -> Result:
        """Return what a response says; `Err(Reason.INVALID_RESPONSE)` when it says nothing."""
        ...

    def read_message(self, message: Mapping[str, Any]) -> Request | Notification | None:
        """Return what an agent wrote, or None if it is not of this dialect."""
        ...

    def response(self, request_id: str | int, result: Result) -> dict[str, Any]:
        """Return the object that answers a request."""
        ...


class Rpc:
    """Bare objects. In a response that has a result, the result counts, even a null one beside an error."""

    name = "RPC"

    def request(self, request: Request) -> dict[str, Any]:
        return {"id": request.id, "method": request.method, "params": dict(request.params)}

    def notification(self, notification: Notification) -> dict[str, Any]:
        return {"method": notification.method, "params": dict(notification.params)}

    def read_response(self, response: Mapping[str, Any]) -> Result:
        if "result" in response:
            return Ok(response["result"])
        if "error" in response:
            return Err(response["error"])
        return Err(Reason.INVALID_RESPONSE)

    def read_message(self, message: Mapping[str, Any]) -> Request | Notification | None:
        method, params = message.get("method"), message.get("params", {})
        if not isinstance(method, str) or not isinstance(params, Mapping) or "type" in message:
            return None
        if "id" not in message:
            return Notification(method, params) if method in NOTIFICATIONS else None
        return _request(message["id"], method, params) if method in DIALOGS else None

    def response(self, request_id: str | int, result: Result) -> dict[str, Any]:
        if isinstance(result, Ok):
            return {"id": request_id, "result": result.value}
        return {"id": request_id, "error": _error(result)}


class DebugRpc:
    """Typed envelopes, which share a channel with other lines. An error that is not null counts before a result."""

    name = "DebugRPC"
    _types = {
        "notify": "ui_notify",
        "set_status": "ui_status",
        "set_widget": "ui_widget",
        "set_working_message": "ui_working",
        "set_title": "ui_set_title",
        "set_editor_text": "ui_set_editor_text",
    }
    _methods = {type: method for method, type in _types.items()}

    def request(self, request: Request) -> dict[str, Any]:
        return {"type": "ui_request", "id": request.id, "method": request.method, "params": dict(request.params)}

    def notification(self, notification: Notification) -> dict[str, Any]:
        params = dict(notification.params)
        if notification.method == "notify":
            params["notify_type"] = params.pop("type")  # "type" is the envelope's own field
        return {"type": self._types[notification.method], "params": params}

    def read_response(self, response: Mapping[str, Any]) -> Result:
        if response.get("error") is not None:
            return Err(response["error"])
        if response.get("result") is not None or ("result" in response and "error" in response):
            return Ok(response["result"])
        return Err(Reason.INVALID_RESPONSE)

    def read_message(self, message: Mapping[str, Any]) -> Request | Notification | None:
        type, params = message.get("type"), message.get("params", {})
        if not isinstance(type, str) or not isinstance(params, Mapping):
            return None
        if type == "ui_request":
            return _request(message.get("id"), message.get("method"), params)
        method = self._methods.get(type)
        if method == "notify" and "notify_type" in params:
            params = {**params, "type": params["notify_type"]}
        return Notification(method, params) if method else None

    def response(self, request_id: str | int, result: Result) -> dict[str, Any]:
        response: dict[str, Any] = {"type": "ui_response", "id": request_id, "result": None, "error": None}
        if isinstance(result, Ok):
            return response | {"result": result.value}
        return response | {"error": _error(result)}


RPC: Dialect = Rpc()
DEBUG_RPC: Dialect = DebugRpc()


def _request(request_id: Any, method: Any, params: Mapping[str, Any]) -> Request | None:
    """Return the request, or None if there is no id to answer it by. Other programs than ours may count their ids."""
    if not isinstance(request_id, str | int) or isinstance(request_id, bool):
        return None
    return Request(request_id, method if isinstance(method, str) else repr(method), params)


def _error(result: Err) -> Any:
    return result.reason.value if isinstance(result.reason, Reason) else result.reason
