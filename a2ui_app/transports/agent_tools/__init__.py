"""The app's MCP server: an agent in a CLI asks its person, tells them things, and draws on their page."""

from .server import SERVER_NAME, AgentTools

__all__ = ["SERVER_NAME", "AgentTools"]
