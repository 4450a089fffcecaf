"""The coding-agent UI: one protocol, and adapters that speak it over streams, to nobody, and on a page."""

from .context import Context
from .debug_rpc import DebugRpcUI
from .headless import HeadlessUI
from .protocol import CALL_TIMEOUT, AgentUI, CallTimeout, Err, Ok, Reason, Result
from .rpc import RpcUI

__all__ = [
    "CALL_TIMEOUT",
    "AgentUI",
    "CallTimeout",
    "Context",
    "DebugRpcUI",
    "Err",
    "HeadlessUI",
    "Ok",
    "Reason",
    "Result",
    "RpcUI",
]
