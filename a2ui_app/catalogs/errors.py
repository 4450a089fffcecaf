"""The A2UI errors, under the one roof that may import a2ui-core.

The rest of the house raises and catches these, and reads their ``details`` (path, code, message).
"""

from a2ui.core.exceptions import (
    A2uiCatalogError,
    A2uiDataError,
    A2uiError,
    A2uiErrorDetail,
    A2uiExpressionError,
    A2uiIntegrityError,
    A2uiParseError,
    A2uiRecursionError,
    A2uiRpcError,
    A2uiStateError,
    A2uiValidationError,
    RpcErrorCode,
)

__all__ = [
    "A2uiCatalogError",
    "A2uiDataError",
    "A2uiError",
    "A2uiErrorDetail",
    "A2uiExpressionError",
    "A2uiIntegrityError",
    "A2uiParseError",
    "A2uiRecursionError",
    "A2uiRpcError",
    "A2uiStateError",
    "A2uiValidationError",
    "RpcErrorCode",
]
