"""The channels of this process, by name."""

import re
from collections.abc import Iterator

from .channel import Channel

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
"""A channel's name stands in a path and in a page's title: no separators, no blanks, no controls."""


class ChannelNameError(ValueError):
    """A name that no channel can have."""


class TooManyChannels(RuntimeError):
    """Every channel that may exist is in use."""


class Channels:
    """Channels by name, made on demand. At ``limit`` the ones nobody has used for the longest make room.

    A channel that a page shows is in use. What is dropped is gone, as if the server had been started again.
    """

    def __init__(self, limit: int = 1000):
        self._limit = limit
        self._channels: dict[str, Channel] = {}  # least recently used first

    def open(self, name: str) -> Channel:
        """The channel called ``name``. Raises ChannelNameError, and TooManyChannels when all are being viewed."""
        if not NAME.fullmatch(name):
            raise ChannelNameError(
                "A channel's name is 1 to 64 letters, digits, '.', '_' or '-', and starts with a letter or digit."
            )
        channel = self._channels.pop(name, None)
        if channel is None:
            self._make_room()
            channel = Channel(name)
        self._channels[name] = channel
        return channel

    def get(self, name: str) -> Channel | None:
        """The channel called ``name`` if there is one."""
        return self._channels.get(name)

    def close(self, name: str) -> None:
        """End a channel and forget it; pages that show it keep what they show until they load again."""
        if channel := self._channels.pop(name, None):
            channel.close()

    def __iter__(self) -> Iterator[Channel]:
        return iter(tuple(self._channels.values()))

    def __len__(self) -> int:
        return len(self._channels)

    def _make_room(self) -> None:
        if len(self._channels) < self._limit:
            return
        idle = next((name for name, channel in self._channels.items() if not channel.viewers), None)
        if idle is None:
            raise TooManyChannels(f"All {self._limit} channels are being viewed; close a page and try again.")
        self.close(idle)


CHANNELS = Channels()
"""What the pages and the HTTP routes share."""
