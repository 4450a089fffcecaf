"""The state behind the conversation page: what people do there. What they see is pushed by `SurfaceState.attach`."""

import json
import re
from typing import Any

import reflex as rx

from ...live.conversation import Conversation
from ...live.conversations import ConversationNotFound
from ...live.export import as_json, as_markdown
from ...live.timeline_view import earlier
from ..home import CONVERSATIONS
from ..live_surface import emit, prepared
from .surface import SurfaceState, conversation_in


class ConversationState(rx.State):
    """Passes on to the conversation in the page's address. It has no vars."""

    def _conversation(self) -> Conversation:
        return CONVERSATIONS.open(conversation_in(self.router.url.path))

    @rx.event
    def send(self, text: str, files: list[str]) -> None:
        """Give the agent a prompt."""
        if text.strip() or files:
            self._conversation().send(text, files)

    @rx.event
    def stop(self) -> None:
        """End the run."""
        self._conversation().stop()

    @rx.event
    def resume_queue(self) -> None:
        """Send what waits."""
        self._conversation().resume_queue()

    @rx.event
    def edit_queued(self, index: int, text: str) -> None:
        """Change or take out a prompt that waits."""
        self._conversation().edit_queued(int(index), text)

    @rx.event
    async def earlier(self, first: int) -> None:
        """Show this tab what came before the chunk ``first``."""
        nodes = earlier(self._conversation().timeline, int(first))
        await emit(SurfaceState, **{key: prepared(node) for key, node in nodes.items()})

    @rx.event
    def set_permissions(self, permissions: str) -> None:
        """Ask before tools run, or let them."""
        if permissions in ("ask", "auto"):
            self._conversation().change_setup(permissions=permissions)

    @rx.event
    def export(self, form: str) -> Any:
        """Save the conversation as a file: ``markdown`` or ``json``."""
        conversation = self._conversation()
        name = re.sub(r"[^\w-]+", "-", conversation.title).strip("-")[:60] or conversation.id
        if form == "json":
            return rx.download(data=json.dumps(as_json(conversation), ensure_ascii=False), filename=f"{name}.json")
        return rx.download(data=as_markdown(conversation), filename=f"{name}.md")

    @rx.event
    def rename(self, title: str) -> None:
        """Call the conversation ``title``."""
        if title.strip():
            self._conversation().rename(title)

    @rx.event
    def seen(self) -> Any:
        """A page's ``on_load``: the person looks at it; one that is not there leads to the start."""
        try:
            conversation = self._conversation()
        except ConversationNotFound:
            return rx.redirect("/")
        CONVERSATIONS.mark(conversation.id, read=len(conversation.timeline))
        return None
