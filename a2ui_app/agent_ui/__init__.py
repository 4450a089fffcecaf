"""The coding-agent UI: one protocol, and adapters that speak it over streams, to nobody, and on a page."""

from .protocol import CALL_TIMEOUT, AgentUI, CallTimeout, Err, Ok, Reason, Result

__all__ = ["CALL_TIMEOUT", "AgentUI", "CallTimeout", "Err", "Ok", "Reason", "Result"]
