"""Coding agents behind one interface: `backends.new("claude")`, `execute(prompt, options)`, messages and one result."""

from .base import (
    Backend,
    BackendError,
    ExecOptions,
    ExecutableNotFound,
    Message,
    MessageType,
    Result,
    Status,
    TokenUsage,
)
from .registry import LAUNCH_HEADERS, Agent, detect, names, new
from .run import Run

__all__ = [
    "LAUNCH_HEADERS",
    "Agent",
    "Backend",
    "BackendError",
    "ExecOptions",
    "ExecutableNotFound",
    "Message",
    "MessageType",
    "Result",
    "Run",
    "Status",
    "TokenUsage",
    "detect",
    "names",
    "new",
]
