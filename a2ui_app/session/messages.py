"""Agent messages: the envelope read into operations, every spelling of versions 0.9, 0.9.1 and 1.0.

The whole payload is checked before anything is applied, so that an envelope fault applies nothing (the reference's
rule); what an operation does to a surface is checked when it is applied.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from ..catalogs.catalog import Family
from ..catalogs.shapes import name_of
from .errors import A2uiErrorDetail, A2uiValidationError, Located

_NUMBERS: Final[dict[str, Family]] = {"0.9": "0.9", "0.9.1": "0.9", "1.0": "1.0", "1.0.0": "1.0"}
VERSIONS: Final[dict[str, Family]] = {
    prefix + number: family for number, family in _NUMBERS.items() for prefix in ("", "v", "V")
}

_BOTH: Final = frozenset({"createSurface", "updateComponents", "updateDataModel", "deleteSurface"})
ACTIONS: Final[dict[Family, frozenset[str]]] = {
    "0.9": _BOTH,
    "1.0": _BOTH | {"callRendererFunction", "agentFunctionResponse"},
}
_OTHER_VERSIONS: Final = frozenset({"beginRendering", "surfaceUpdate", "dataModelUpdate"})
"""The actions of 0.8, named in the error so that an agent sees what it mixed up."""

_FIELDS: Final[dict[str, tuple[frozenset[str], frozenset[str]]]] = {
    # action: required fields, optional fields
    "createSurface": (
        frozenset({"surfaceId"}),
        frozenset({"catalogId", "sendDataModel", "theme", "components", "dataModel", "metadata", "@metadata"}),
    ),
    "updateComponents": (frozenset({"surfaceId", "components"}), frozenset()),
    "updateDataModel": (frozenset({"surfaceId"}), frozenset({"path", "value"})),
    "deleteSurface": (frozenset({"surfaceId"}), frozenset()),
    "callRendererFunction": (frozenset({"functionCallId", "callFunction"}), frozenset({"surfaceId"})),
    "agentFunctionResponse": (frozenset({"functionCallId"}), frozenset({"value", "error"})),
}
_TYPES: Final[dict[str, tuple[type, str]]] = {
    "surfaceId": (str, "a string"),
    "functionCallId": (str, "a string"),
    "catalogId": (str, "a string"),
    "sendDataModel": (bool, "true or false"),
    "theme": (dict, "an object"),
    "components": (list, "a list of components"),
    "dataModel": (dict, "an object"),
    "metadata": (dict, "an object"),
    "path": (str, "a string"),
    "callFunction": (dict, "a function call"),
}


@dataclass(frozen=True)
class CreateSurface:
    surface_id: str
    version: str
    catalog_id: str | None
    theme: Mapping[str, Any]
    send_data_model: bool
    components: list[Any] | None
    data_model: dict[str, Any] | None


@dataclass(frozen=True)
class UpdateComponents:
    surface_id: str
    version: str
    components: list[Any]


@dataclass(frozen=True)
class UpdateDataModel:
    surface_id: str
    version: str
    path: str
    value: Any
    """None deletes: 1.0 says null, 0.9 leaves the value out."""


@dataclass(frozen=True)
class DeleteSurface:
    surface_id: str
    version: str


@dataclass(frozen=True)
class CallRendererFunction:
    version: str
    function_call_id: str
    surface_id: str | None
    call: Mapping[str, Any]


@dataclass(frozen=True)
class AgentFunctionResponse:
    version: str
    function_call_id: str
    value: Any
    error: Mapping[str, Any] | None


Operation = (
    CreateSurface | UpdateComponents | UpdateDataModel | DeleteSurface | CallRendererFunction | AgentFunctionResponse
)


class EnvelopeError(A2uiValidationError):
    """A payload that is no A2UI message, with what it names, so that the agent can be told."""

    def __init__(self, message: str, details: list[A2uiErrorDetail] | None = None, located: Located | None = None):
        super().__init__(message, details)
        self.located = located or Located()


def read_payload(payload: Any) -> list[Operation]:
    """The operations of a message, a list of messages or a ``{"messages": [...]}`` wrapper, in order.

    Raises EnvelopeError naming the path in the payload and the remedy; nothing has been applied then.
    """
    messages = list(_messages(payload))
    operations = [_read_message(message, prefix) for message, prefix in messages]
    families = {VERSIONS[operation.version] for operation in operations}
    if len(families) > 1:
        raise _fault("", "invalid_value", "A payload must use one protocol version; this one mixes 0.9 and 1.0.")
    return operations


def _messages(payload: Any) -> Iterator[tuple[Any, str]]:
    if isinstance(payload, dict) and isinstance(payload.get("messages"), list):
        payload, prefix = payload["messages"], "/messages"
    elif isinstance(payload, list):
        prefix = ""
    else:
        yield payload, ""
        return
    if not payload:
        raise _fault(prefix, "empty_payload", "The payload holds no message; send at least one with a 'version'.")
    for index, message in enumerate(payload):
        yield message, f"{prefix}/{index}"


def _read_message(message: Any, prefix: str) -> Operation:
    if not isinstance(message, dict):
        raise _fault(prefix, "invalid_payload_type", f"A message must be an object, not {name_of(message)}.")
    version, family = _read_version(message, prefix)
    action = _single_action(message, family, version, prefix)
    body = message[action]
    where = f"{prefix}/{action}"
    if not isinstance(body, dict):
        raise _fault(where, "type_mismatch", f"'{action}' must be an object, not {name_of(body)}.")
    try:
        _check_fields(action, body, family, where)
        return _operation(action, body, version, family, where)
    except EnvelopeError as error:
        error.located = _locate(action, body, version)
        raise


def _read_version(message: Mapping[str, Any], prefix: str) -> tuple[str, Family]:
    if "version" not in message:
        raise _fault(prefix + "/version", "missing_field", 'Missing required version field; add "version": "1.0".')
    version = message["version"]
    if not isinstance(version, str) or version not in VERSIONS:
        raise _fault(
            prefix + "/version",
            "invalid_value",
            f"Unsupported protocol version {str(version)[:40]!r}; supported are v0.9, v0.9.1 and 1.0.",
        )
    return version, VERSIONS[version]


def _single_action(message: Mapping[str, Any], family: Family, version: str, prefix: str) -> str:
    found = sorted(ACTIONS[family] & message.keys())
    if len(found) > 1:
        raise _fault(
            prefix,
            "invalid_value",
            f"Message contains multiple conflicting update actions: {', '.join(found)}. Send one message for each.",
        )
    allowed = ", ".join(sorted(ACTIONS[family]))
    if not found:
        known = sorted((ACTIONS["1.0"] | _OTHER_VERSIONS) & message.keys())
        if known:
            raise _fault(
                f"{prefix}/{known[0]}",
                "invalid_value",
                f"action '{known[0]}' is not supported in protocol version {version}. Allowed actions: {allowed}.",
            )
        others = ", ".join(f"'{key[:40]}'" for key in sorted(message.keys() - {"version"})[:5])
        seen = f" This one has {others}." if others else ""
        raise _fault(prefix, "missing_field", f"A message must contain exactly one action: {allowed}.{seen}")
    extra = sorted(message.keys() - {"version", found[0]})
    if extra:
        raise _fault(
            f"{prefix}/{extra[0]}",
            "extra_field",
            f"'{extra[0]}' is not part of a message; put it into '{found[0]}' or leave it out.",
        )
    return found[0]


def _check_fields(action: str, body: Mapping[str, Any], family: Family, where: str) -> None:
    required, optional = _FIELDS[action]
    if action == "callRendererFunction" and "callFunction" not in body:
        message = "Malformed message: missing callRendererFunction or callFunction."
        raise _fault(f"{where}/callFunction", "missing_field", message)
    for name in sorted(required - body.keys()):
        raise _fault(f"{where}/{name}", "missing_field", f"'{action}' needs '{name}'.")
    for name in sorted(body.keys() - required - optional):
        known = ", ".join(sorted(required | optional))
        raise _fault(f"{where}/{name}", "extra_field", f"'{name}' is not a field of '{action}'; known are {known}.")
    for name, value in body.items():
        wanted = _TYPES.get(name.removeprefix("@"))
        if wanted and not isinstance(value, wanted[0]):
            message = f"{name} must be {wanted[1]}, not {name_of(value)}"
            raise _fault(f"{where}/{name}", "type_mismatch", message)


def _operation(action: str, body: Mapping[str, Any], version: str, family: Family, where: str) -> Operation:
    match action:
        case "createSurface":
            _check_create(body, family, where)
            return CreateSurface(
                body["surfaceId"],
                version,
                body.get("catalogId"),
                body.get("theme", {}),
                body.get("sendDataModel", False),
                body.get("components"),
                body.get("dataModel"),
            )
        case "updateComponents":
            return UpdateComponents(body["surfaceId"], version, body["components"])
        case "updateDataModel":
            if family == "1.0" and "value" not in body:
                raise _fault(
                    f"{where}/value", "missing_field", "'updateDataModel' needs 'value'; null deletes the path."
                )
            return UpdateDataModel(body["surfaceId"], version, body.get("path", "/"), body.get("value"))
        case "deleteSurface":
            return DeleteSurface(body["surfaceId"], version)
        case "callRendererFunction":
            return _call_renderer_function(body, version, where)
        case _:
            return _agent_function_response(body, version, where)


def _check_create(body: Mapping[str, Any], family: Family, where: str) -> None:
    for name in ("components", "dataModel", "metadata", "@metadata") if family == "0.9" else ("theme",):
        if name in body:
            remedy = "send it in its own message" if family == "0.9" else "themes were removed in 1.0; leave it out"
            raise _fault(
                f"{where}/{name}", "extra_field", f"'createSurface' has no '{name}' in this version; {remedy}."
            )
    metadata = body.get("@metadata", body.get("metadata", {}))
    for key in sorted(metadata.keys() - {"extensions"}):
        raise _fault(f"{where}/metadata/{key}", "extra_field", "'metadata' holds 'extensions' only.")
    extensions = metadata.get("extensions", {})
    if not isinstance(extensions, dict):
        raise _fault(f"{where}/metadata/extensions", "type_mismatch", "'extensions' must be an object.")
    for key in extensions:
        if not key.isidentifier():  # UAX 31, as Python's own identifiers
            message = f"The extension name '{key}' must be an identifier (letters, digits and '_')."
            raise _fault(f"{where}/metadata/extensions/{key}", "invalid_identifier", message)


def _call_renderer_function(body: Mapping[str, Any], version: str, where: str) -> CallRendererFunction:
    call = body["callFunction"]
    name = call.get("@call", call.get("call"))
    if not isinstance(name, str):
        raise _fault(f"{where}/callFunction/@call", "missing_field", "'callFunction' needs '@call', a function's name.")
    if not isinstance(call.get("catalogId"), str):
        raise _fault(f"{where}/callFunction/catalogId", "missing_field", "'callFunction' needs 'catalogId', a string.")
    if not isinstance(call.get("args", {}), dict):
        raise _fault(f"{where}/callFunction/args", "type_mismatch", "'args' must be an object of named arguments.")
    return CallRendererFunction(version, body["functionCallId"], body.get("surfaceId"), call)


def _agent_function_response(body: Mapping[str, Any], version: str, where: str) -> AgentFunctionResponse:
    if ("value" in body) == ("error" in body):
        raise _fault(where, "invalid_value", "'agentFunctionResponse' needs exactly one of 'value' and 'error'.")
    error = body.get("error")
    if "error" in body and not isinstance(error, dict):
        raise _fault(f"{where}/error", "type_mismatch", "'error' must be an object {'code': …, 'message': …}.")
    return AgentFunctionResponse(version, body["functionCallId"], body.get("value"), error)


def _fault(path: str, code: str, message: str) -> EnvelopeError:
    return EnvelopeError(message, [A2uiErrorDetail(path or "/", code, message)])


def _locate(action: str, body: Mapping[str, Any], version: str) -> Located:
    surface_id, call_id = body.get("surfaceId"), body.get("functionCallId")
    return Located(
        version,
        surface_id if isinstance(surface_id, str) else None,
        call_id if isinstance(call_id, str) else None,
        is_call=action == "callRendererFunction",
    )
