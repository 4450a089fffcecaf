"""What a conversation offers to its agent: to ask, to draw, to see what people did. The demo agent works on it as it
is, agents in a process of their own through the app's MCP server."""

from typing import Any

from ..agent_ui.protocol import AgentUI
from .actions import UnreadActions
from .channel import Channel, Reply

DIALOG = "dialog-"
"""How the ids of dialogs begin; an agent's own surfaces have other ids."""


class Desk:
    """Over the conversation's ``channel``, ``ui`` and unread ``actions``."""

    def __init__(self, channel: Channel, ui: AgentUI, actions: UnreadActions):
        self.ui = ui
        self._channel = channel
        self._actions = actions

    def draw(self, messages: Any) -> list[Reply]:
        """Apply A2UI messages; one reply for each."""
        return self._channel.post(messages)

    def state(self) -> dict[str, Any]:
        """What is drawn, with its data as people have changed it."""
        session = self._channel.session
        surfaces = [surface for surface in session.surfaces() if not surface.id.startswith(DIALOG)]
        return {
            "surfaces": [
                {
                    "surfaceId": surface.id,
                    "catalogId": surface.catalog_id,
                    "dataModel": surface.data,
                    "tree": session.tree(surface.id),
                }
                for surface in surfaces
            ]
        }

    async def next_action(self, timeout: float | None) -> dict[str, Any] | None:  # noqa: ASYNC109 - the tool's own
        """The oldest unread action, or the next one; None when there is none in time."""
        return await self._actions.next(timeout)

    def close(self, surface_id: str) -> bool:
        """Take a surface away; False when there is none."""
        surface = self._channel.session.surface(surface_id)
        if surface is None or surface_id.startswith(DIALOG):
            return False
        self.draw({"version": surface.version, "deleteSurface": {"surfaceId": surface_id}})
        return True
