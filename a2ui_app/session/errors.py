"""What can go wrong in a session. All are A2uiError; an outcome carries one, nothing raises it at a host."""

from dataclasses import dataclass
from typing import Any

from ..catalogs.errors import (
    A2uiCatalogError,
    A2uiDataError,
    A2uiError,
    A2uiErrorDetail,
    A2uiExpressionError,
    A2uiIntegrityError,
    A2uiRecursionError,
    A2uiRpcError,
    A2uiStateError,
    A2uiValidationError,
)

__all__ = [
    "A2uiCatalogError",
    "A2uiCycleError",
    "A2uiDataError",
    "A2uiError",
    "A2uiErrorDetail",
    "A2uiExpressionError",
    "A2uiIntegrityError",
    "A2uiRecursionError",
    "A2uiRpcError",
    "A2uiStateError",
    "A2uiValidationError",
    "Located",
    "code_of",
    "path_of",
]

VALIDATION_CODES = frozenset({"UNALLOWED_PARENT", "UNALLOWED_CHILD"})


class A2uiCycleError(A2uiRecursionError, A2uiIntegrityError):
    """Components that contain themselves: the conformance suite calls it integrity, a2ui-core recursion."""


@dataclass(frozen=True)
class Located:
    """Where in a payload an error belongs, for the ``error`` message that the agent gets."""

    version: str | None = None
    surface_id: str | None = None
    function_call_id: str | None = None
    is_call: bool = False
    """Whether the agent waits for the answer to a call."""


def code_of(error: A2uiError) -> str:
    """The protocol's code for ``error`` (renderer_to_agent ``error.code``)."""
    if error.details and error.details[0].code in VALIDATION_CODES:
        return error.details[0].code
    if isinstance(error, A2uiRpcError):
        return error.code
    if isinstance(error, A2uiDataError):
        return "DATA_ERROR"
    if isinstance(error, A2uiCatalogError):
        return "CATALOG_ERROR"
    if isinstance(error, A2uiExpressionError):
        return "EXPRESSION_ERROR"
    if isinstance(error, A2uiStateError):
        return "STATE_ERROR"
    return "VALIDATION_FAILED"


def path_of(error: A2uiError) -> str:
    """The JSON Pointer the error names, relative to the message's body; ``/`` when it names none."""
    if error.details:
        return error.details[0].path or "/"
    return getattr(error, "path", None) or "/"


def error_body(error: A2uiError, located: Located) -> dict[str, Any] | None:
    """The body of the agent's ``error`` message, or None when the error names neither a surface nor a call."""
    body: dict[str, Any] = {"code": code_of(error), "message": str(error)}
    if located.function_call_id is not None:
        return {**body, "functionCallId": located.function_call_id}
    if located.surface_id is None:
        return None
    body["surfaceId"] = located.surface_id
    if body["code"] in VALIDATION_CODES or body["code"] == "VALIDATION_FAILED":
        body["path"] = path_of(error)
    return body
