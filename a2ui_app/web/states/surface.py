"""The state behind every page that shows live surfaces."""

import re
from typing import Any
from urllib.parse import unquote

import reflex as rx

from ...live.channel import Channel
from ...live.conversations import ConversationNotFound
from ...live.registry import CHANNELS, ChannelNameError, TooManyChannels
from ...live.viewer import Update, Viewer
from .. import home
from ..home import CONVERSATIONS
from ..live_surface import emit, prepared
from ..theme import theme_of

_ADDRESS = re.compile(r"/surface/([^/]+)/?$")
_CONVERSATION = re.compile(r"/c/([^/]+)/?$")

_viewers: dict[str, Viewer] = {}
"""By client token: the viewer of each connected tab. A write of a tab that has none is applied and not acknowledged, so
the browser sends it again when the tab is attached."""


class SurfaceState(rx.State):
    """The A2UI session that the tab views. It has no vars: its deltas are nodes, one key each, pushed by `attach`."""

    def _channel(self) -> Channel:
        """The channel, or the conversation's, in the page's address; else the tab's own."""
        path = self.router.url.path
        if conversation := conversation_in(path):
            return CONVERSATIONS.open(conversation).channel
        named = _ADDRESS.search(path)
        return CHANNELS.open(unquote(named[1]) if named else f"tab-{self.router.session.client_token}")

    @rx.event(background=True)
    async def attach(self) -> None:
        """A page's ``on_load``: Reflex starts it with every (re)connection and cancels it when the tab leaves."""
        token = self.router.session.client_token
        surfaces: dict[str, dict[str, Any] | None] = {}
        try:
            channel = self._channel()
        except (ChannelNameError, TooManyChannels, ConversationNotFound) as error:
            await emit(SurfaceState, snapshot=True, surfaces=None, notice=str(error))
            return
        with channel.watch() as viewer:
            _viewers[token] = viewer
            try:
                async for update in viewer:
                    await self._show(update, surfaces, channel.name)
            finally:
                if _viewers.get(token) is viewer:
                    del _viewers[token]

    @rx.event
    async def write(self, ref: int, property: str, value: Any, delivery: str) -> None:
        """Take what the user entered."""
        self._channel().write(ref, property, value)
        self._acknowledge(delivery)

    @rx.event
    async def invoke(self, ref: int, property: str, value: None, delivery: str) -> None:
        """Run an action; what it opens opens in this tab."""
        result = self._channel().invoke(ref, property, delivery)
        self._acknowledge(delivery)
        for url in result.open_urls:
            await emit(SurfaceState, open=url)

    @rx.event
    async def app(self, ref: int, method: str, params: str, request: str) -> None:
        """Act on what an embedded app asks; the reply goes to this tab, maybe later and over another connection."""
        token = self.router.session.client_token

        def answer(id: str, reply: dict[str, Any] | None) -> None:
            if viewer := _viewers.get(token):
                viewer.reply(id, reply)

        for url in self._channel().ask(ref, method, params, request, answer):
            await emit(SurfaceState, open=url)

    def _acknowledge(self, delivery: str) -> None:
        if viewer := _viewers.get(self.router.session.client_token):
            viewer.acknowledge(delivery)

    async def _show(self, update: Update, surfaces: dict[str, dict[str, Any] | None], name: str) -> None:
        nodes = update.patch.nodes | update.beside
        keys: dict[str, Any] = {str(key): node and prepared(node) for key, node in nodes.items()}
        if update.snapshot:
            surfaces.clear()
        if update.patch.surfaces or update.snapshot:
            surfaces |= update.patch.surfaces
            keys["surfaces"] = [
                {"id": id, "root": surface["root"], "theme": theme_of(surface.get("theme"))}
                for id, surface in surfaces.items()
                if surface is not None
            ]
        if update.acks:
            keys["ack"] = update.acks
        if update.replies:
            keys["replies"] = update.replies
        if update.snapshot:
            keys["snapshot"] = True
            keys["token"] = {"bearer": home.channel_token(name)} if home.channel_token else None
        if keys:
            await emit(SurfaceState, **keys)


def conversation_in(path: str) -> str:
    """The id of the conversation in the address of its page; empty for other pages."""
    found = _CONVERSATION.search(path)
    return found[1] if found else ""
