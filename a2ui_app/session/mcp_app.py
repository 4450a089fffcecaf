"""What an embedded MCP app asks of its host, decided without I/O (MCP Apps, and the MCP catalog of A2UI).

An app is foreign code: whatever it sends passes `check_payload`, and it gets only what its component lists.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import orjson
from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError, ValidationError, best_match
from jsonschema.validators import extend
from referencing import Registry
from referencing.exceptions import Unresolvable

from ..catalogs import patterns
from .data_model import Path, parse_pointer, resolve_pointer
from .errors import A2uiExpressionError
from .nodes import Node

MAX_PAYLOAD_BYTES: Final = 65_536
MAX_PAYLOAD_DEPTH: Final = 10
FORBIDDEN_KEYS: Final = frozenset({"__proto__", "constructor", "prototype"})

INVALID_PARAMS: Final = -32602
METHOD_NOT_FOUND: Final = -32601
INTERNAL_ERROR: Final = -32603
"""JSON-RPC error codes."""


class AppRefused(Exception):
    """The app may not have what it asked for; the JSON-RPC error it gets."""

    def __init__(self, code: int, message: str):
        super().__init__(message)
        self.code = code

    def reply(self) -> dict[str, Any]:
        return {"error": {"code": self.code, "message": str(self)}}


@dataclass(frozen=True)
class ToolCall:
    """Dispatch an action named after the tool, and answer with the tool's result."""

    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class FunctionCall:
    """Run a function of the surface's catalogs, and answer with its value."""

    name: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class WriteData:
    """Write into the data model, unless the value is already there (which ends an echo)."""

    path: Path
    value: Any


@dataclass(frozen=True)
class Dispatch:
    """Send an action to the agent; the answer is empty."""

    name: str
    context: dict[str, Any]


@dataclass(frozen=True)
class OpenLink:
    url: str


@dataclass(frozen=True)
class Answer:
    """Nothing to do but to answer (None: a notification gets no reply)."""

    result: dict[str, Any] | None


Decision = ToolCall | FunctionCall | WriteData | Dispatch | OpenLink | Answer


def decide(node: Node, method: str, params: Any) -> Decision:
    """What the host does about a request or notification of the app in ``node``; raises AppRefused."""
    check_payload(params)
    if params is None:
        params = {}
    if not isinstance(params, dict):
        raise AppRefused(INVALID_PARAMS, "'params' must be an object.")
    match method:
        case "tools/call":
            return _tool_call(node, params)
        case "ui/requests/function-call":
            return _function_call(node, params)
        case "ui/notifications/data-model-change":
            return _data_model_change(node, params)
        case "ui/update-model-context":
            return _model_context(node, params)
        case "ui/message":
            return Dispatch("ui/message", {key: params[key] for key in ("role", "content") if key in params})
        case "ui/open-link":
            return OpenLink(_text(params, "url"))
        case "ui/request-display-mode":
            return Answer({"mode": "inline"})
        case "notifications/message" | "ui/notifications/size-changed" | "ui/notifications/initialized":
            return Answer(None)
        case "ping":
            return Answer({})
        case _:
            raise AppRefused(METHOD_NOT_FOUND, f"The host has no method '{method[:80]}'.")


def check_payload(payload: Any) -> None:
    """Refuse what could harm a host: keys that reach a prototype, more than 10 levels, more than 65,536 bytes.

    Raises AppRefused (-32602).
    """
    level, depth = [payload], 0
    while level := [item for item in level if isinstance(item, dict | list)]:
        depth += 1
        if depth > MAX_PAYLOAD_DEPTH:
            raise AppRefused(INVALID_PARAMS, f"The payload nests deeper than {MAX_PAYLOAD_DEPTH} levels.")
        for item in level:
            if isinstance(item, dict) and not FORBIDDEN_KEYS.isdisjoint(item):
                raise AppRefused(INVALID_PARAMS, "The payload has a key that is not allowed, such as '__proto__'.")
        level = [member for item in level for member in (item.values() if isinstance(item, dict) else item)]
    try:
        size = len(orjson.dumps(payload))
    except TypeError as error:
        raise AppRefused(INVALID_PARAMS, f"The payload is no JSON: {error}") from error
    if size > MAX_PAYLOAD_BYTES:
        raise AppRefused(INVALID_PARAMS, f"The payload is {size:,} bytes; at most {MAX_PAYLOAD_BYTES:,} are allowed.")


def _tool_call(node: Node, params: Mapping[str, Any]) -> ToolCall:
    name = _text(params, "name")
    if name not in _list(node, "allowedTools"):
        raise AppRefused(INVALID_PARAMS, f"Tool '{name[:80]}' is not in the component's allowedTools.")
    return ToolCall(name, _object(params, "arguments"))


def _function_call(node: Node, params: Mapping[str, Any]) -> FunctionCall:
    name, arguments = _text(params, "call"), _object(params, "args")
    allowed = node.props.get("allowedFunctions")
    if not isinstance(allowed, dict) or name not in allowed:
        raise AppRefused(INVALID_PARAMS, f"Function '{name[:80]}' is not in the component's allowedFunctions.")
    try:
        _Validator.check_schema(allowed[name])
        fault = best_match(_Validator(allowed[name], registry=_NO_REFERENCES).iter_errors(arguments))
    except (SchemaError, Unresolvable, A2uiExpressionError) as error:
        raise AppRefused(
            INTERNAL_ERROR, f"The schema of '{name}' in allowedFunctions is no JSON Schema we can use."
        ) from error
    if fault is not None:
        place = "/".join(str(part) for part in fault.absolute_path)
        raise AppRefused(INVALID_PARAMS, f"Arguments of '{name}' do not fit: /{place}: {fault.message[:200]}")
    return FunctionCall(name, arguments)


def _check_pattern(validator: Any, pattern: str, instance: Any, schema: Any) -> Iterator[ValidationError]:
    """``pattern`` of JSON Schema, bounded in time: the schema is the agent's, the text the app's."""
    if isinstance(instance, str) and not patterns.search(pattern, instance):
        yield ValidationError(f"{instance[:80]!r} does not match {pattern[:80]!r}")


_Validator: Any = extend(Draft202012Validator, {"pattern": _check_pattern, "patternProperties": None})
_NO_REFERENCES: Final[Any] = Registry()
"""Without it jsonschema would fetch a ``$ref`` that names another host."""


def _data_model_change(node: Node, params: Mapping[str, Any]) -> WriteData:
    key, subpath = _text(params, "key"), params.get("subpath", "")
    if not isinstance(subpath, str):
        raise AppRefused(INVALID_PARAMS, "'subpath' must be a path (a string).")
    if "value" not in params:
        raise AppRefused(INVALID_PARAMS, "'value' is missing.")
    return WriteData(_shared_path(node, key) + parse_pointer(subpath), params["value"])


def _model_context(node: Node, params: Mapping[str, Any]) -> WriteData:
    value = params.get("structuredContent", params.get("content"))
    return WriteData(_shared_path(node, "modelContext"), value)


def _shared_path(node: Node, key: str) -> Path:
    """Where the component binds ``key``."""
    definition = node.component.shared_data if node.component else {}
    pointer = definition.get(key)
    if pointer is None:
        raise AppRefused(INVALID_PARAMS, f"Key '{key[:80]}' is not in the component's data.paths.")
    return resolve_pointer(pointer, node.scope)


def _text(params: Mapping[str, Any], name: str) -> str:
    value = params.get(name)
    if not isinstance(value, str):
        raise AppRefused(INVALID_PARAMS, f"'{name}' must be a string.")
    return value


def _object(params: Mapping[str, Any], name: str) -> dict[str, Any]:
    value = params.get(name, {})
    if not isinstance(value, dict):
        raise AppRefused(INVALID_PARAMS, f"'{name}' must be an object.")
    return value


def _list(node: Node, name: str) -> list[Any]:
    value = node.props.get(name)
    return value if isinstance(value, list) else []
