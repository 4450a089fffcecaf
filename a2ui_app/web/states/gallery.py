"""The gallery's state: what a tab plays, and what the panes beside the surface tell about it."""

import asyncio
from typing import Any, Literal
from urllib.parse import unquote
from weakref import WeakKeyDictionary

import reflex as rx

from ...live.channel import Channel
from ...live.registry import CHANNELS, TooManyChannels
from ...samples import all_samples, find_sample
from ..pages.gallery.json_text import format_json
from ..pages.gallery.player import Player
from ..pages.gallery.rows import (
    NO_PROBLEM,
    PANE_WIDTH,
    FindingRow,
    LogRow,
    ProblemRow,
    StepRow,
    data_text,
    finding_row,
    log_row,
    matching,
    row_of,
    step_row,
)
from ..pages.gallery.stream import Problem, pack, read_message, read_stream, unpack

FIRST = "operations-dashboard"
"""What `/gallery` shows."""
OWN = "own"
"""The name in the address of a stream that a person brought."""
REFRESH_PAUSE = 0.1
"""Seconds between two refreshes of the panes: what happens meanwhile is shown in one."""
SHOWN_ENTRIES = 80

Pane = Literal["messages", "data", "log", "problems"]

_players: WeakKeyDictionary[Channel, Player] = WeakKeyDictionary()
"""What each tab's channel plays."""


class GalleryState(rx.State):
    """The tab's player, as its page shows it. The surfaces themselves go through `SurfaceState`."""

    name: rx.Field[str] = rx.field("")
    title: rx.Field[str] = rx.field("")
    description: rx.Field[str] = rx.field("")
    steps: rx.Field[list[StepRow]] = rx.field(default_factory=list)
    position: rx.Field[int] = rx.field(0)
    selected: rx.Field[int] = rx.field(0)
    message_text: rx.Field[str] = rx.field("")
    message_version: rx.Field[int] = rx.field(0)
    message_problem: rx.Field[ProblemRow] = rx.field(default_factory=NO_PROBLEM.copy)
    edited: rx.Field[bool] = rx.field(False)
    playing: rx.Field[bool] = rx.field(False)
    speed: rx.Field[str] = rx.field("1")
    pane: rx.Field[Pane] = rx.field("messages")
    view: rx.Field[Literal["samples", "surface", "inspect"]] = rx.field("surface")
    narrow: rx.Field[bool] = rx.field(False)
    matches: rx.Field[list[str]] = rx.field(default_factory=lambda: [sample.name for sample in all_samples()])
    data_text: rx.Field[str] = rx.field("")
    log_rows: rx.Field[list[LogRow]] = rx.field(default_factory=list)
    log_count: rx.Field[int] = rx.field(0)
    log_all: rx.Field[bool] = rx.field(False)
    findings: rx.Field[list[FindingRow]] = rx.field(default_factory=list)
    finding_count: rx.Field[int] = rx.field(0)
    composing: rx.Field[bool] = rx.field(False)
    draft: rx.Field[str] = rx.field("")
    draft_ready: rx.Field[bool] = rx.field(False)
    draft_version: rx.Field[int] = rx.field(0)
    draft_problem: rx.Field[ProblemRow] = rx.field(default_factory=NO_PROBLEM.copy)
    page_problem: rx.Field[ProblemRow] = rx.field(default_factory=NO_PROBLEM.copy)
    _draft: str = ""
    _opened: str = ""
    _run: int = 0

    # -- opening ----------------------------------------------------------------------------------------------

    @rx.event
    def open(self) -> Any:
        """A page's ``on_load``: show what the address names, unless the tab shows it already."""
        address = self.router.url
        wanted = f"{address.path}#{address.fragment}"
        player = self._player()
        if wanted == self._opened and player and player.position == self.position:
            return None  # the network was away: go on where we were
        self._opened = wanted
        self.page_problem = NO_PROBLEM
        name = unquote(address.path.removeprefix("/gallery").strip("/")) or FIRST
        try:
            if name != OWN:
                return self._open_sample(name, address.query_parameters.get("step", ""))
            if address.fragment:
                self._start(Player(self._channel(), OWN, unpack(address.fragment)), play=False)
            elif player is None or player.name != OWN:
                raise Problem("Nothing is open in this tab yet.", "Paste or drop A2UI messages anywhere on this page.")
        except Problem as problem:
            self.page_problem = row_of(problem)
            if name == OWN:
                self._clear()
        except TooManyChannels as error:
            self.page_problem = row_of(Problem("The gallery is full.", str(error)))
        return None

    def _open_sample(self, name: str, step: str) -> Any:
        sample = find_sample(name)
        if sample is None:
            self._clear()
            raise Problem(f"There is no sample called “{name}”.", "Choose one from the list.")
        player = Player(self._channel(), name, list(sample.messages), sample)
        at = int(step) if step.isascii() and step.isdecimal() else None
        return self._start(player, play=sample.play and at is None, position=at)

    def _start(self, player: Player, *, play: bool, position: int | None = None) -> Any:
        _players[player.channel] = player
        sample = player.sample
        self.name = player.name
        self.title = sample.title if sample else "Your own messages"
        self.description = sample.description if sample else "Only this tab shows them. Share puts them into a link."
        self.steps = [step_row(number, message) for number, message in enumerate(player.messages, start=1)]
        self.edited = False
        self._run += 1
        self.playing = False
        first = 1 if play else len(player.messages)
        self._seek(first if position is None else position)
        return self._toggle_play() if play else None

    def _clear(self) -> None:
        self._start(Player(self._channel(), "", []), play=False)
        self.title, self.description = "Nothing is open", ""

    def _channel(self) -> Channel:
        return CHANNELS.open(f"tab-{self.router.session.client_token}")

    def _player(self) -> Player | None:
        return _players.get(self._channel())

    # -- playing ----------------------------------------------------------------------------------------------

    @rx.event
    def seek(self, position: int) -> None:
        """Show the first ``position`` messages, and stop playing."""
        self.playing = False
        self._seek(position)

    @rx.event
    def restart(self) -> None:
        """Undo edits and input, and show everything again."""
        if player := self._player():
            fresh = list(player.sample.messages) if player.sample else player.messages
            self._start(Player(player.channel, player.name, fresh, player.sample), play=False)

    @rx.event
    def press(self, key: str) -> Any:
        """What a key or a button of the player does."""
        match key:
            case "toggle":
                return self._toggle_play()
            case "forward":
                self.seek(self.position + 1)
            case "back":
                self.seek(self.position - 1)
            case "first":
                self.seek(0)
            case "last":
                self.seek(len(self.steps))
        return None

    def _toggle_play(self) -> Any:
        """Play from here, from the start when at the end; or pause."""
        self.playing = not self.playing and bool(self.steps)
        if not self.playing:
            return None
        if self.position >= len(self.steps):
            self._seek(0)
        self._run += 1
        return GalleryState.play

    @rx.event(background=True)
    async def play(self) -> None:
        """Step on until paused, at the end, or until another run has begun."""
        async with self:
            run = self._run
        while True:
            await asyncio.sleep(self._pace())
            async with self:
                if not self.playing or self._run != run:
                    return
                self._seek(self.position + 1)
                if self.position >= len(self.steps):
                    self.playing = False
                    return

    def _pace(self) -> float:
        player = self._player()
        pace_ms = player.sample.pace_ms if player and player.sample else 700
        return pace_ms / 1000 / float(self.speed)

    @rx.event
    def set_speed(self, speed: str) -> None:
        """Play at ``speed`` times the stream's own pace."""
        if speed in ("0.5", "1", "2", "4"):
            self.speed = speed

    def _seek(self, position: int) -> None:
        if player := self._player():
            player.seek(int(position))
            self.position = player.position
            self._select(max(0, player.position - 1))
            self._refresh()

    # -- the panes --------------------------------------------------------------------------------------------

    @rx.event(background=True)
    async def follow(self) -> None:
        """A page's ``on_load``: keep the panes up with what people enter and agents answer."""
        async with self:
            try:
                channel = self._channel()
            except TooManyChannels:
                return  # `open` has said so
        with channel.watch() as viewer:
            async for _ in viewer:
                async with self:
                    self._refresh()
                await asyncio.sleep(REFRESH_PAUSE)

    @rx.event
    def show_pane(self, pane: str) -> None:
        """Open a pane."""
        if pane in ("messages", "data", "log", "problems"):
            self.pane = pane
            self._refresh()

    @rx.event
    def inspect(self, number: int) -> None:
        """Open message ``number`` without going there."""
        if 0 < number <= len(self.steps):
            self.pane = "messages"
            self._select(number - 1)

    @rx.event
    def show_view(self, view: str) -> None:
        """On a narrow screen: show the samples, the surface, or the panes."""
        if view in ("samples", "surface", "inspect"):
            self.view = view

    @rx.event
    def toggle_narrow(self) -> None:
        """Show the surface as wide as a phone, or as wide as it likes."""
        self.narrow = not self.narrow

    @rx.event
    def toggle_log_all(self) -> None:
        """List every effect, or only what left the page or was refused."""
        self.log_all = not self.log_all
        self._refresh()

    @rx.event
    def search(self, query: str) -> None:
        """Keep the samples in the list that have every word of ``query``."""
        self.matches = matching(query)

    def _refresh(self) -> None:
        player = self._player()
        if player is None:
            return
        entries = [entry for entry in player.entries() if self.log_all or entry.kind not in ("received", "surface")]
        findings = list(player.findings())
        self.log_count, self.finding_count = len(entries), len(findings)
        if self.pane == "data":
            self.data_text = data_text(player.models())
        if self.pane == "log":
            self.log_rows = [log_row(entry) for entry in reversed(entries[-SHOWN_ENTRIES:])]
        if self.pane == "problems":
            self.findings = [finding_row(finding) for finding in findings[:SHOWN_ENTRIES]]

    # -- editing ----------------------------------------------------------------------------------------------

    @rx.event
    def edit(self, text: str) -> None:
        """Put what was written in place of the selected message, and show its effect."""
        player = self._player()
        if player is None or not self.steps or text == self.message_text:
            return
        try:
            message = read_message(text)
        except Problem as problem:
            self.message_problem = row_of(problem)
            return
        self.message_problem = NO_PROBLEM
        self.message_text = text
        player.replace(self.selected, message)
        self.edited = True
        self.steps[self.selected] = step_row(self.selected + 1, message)
        self._refresh()

    @rx.event
    def tidy(self) -> None:
        """Lay out the selected message again."""
        self._select(self.selected)

    def _select(self, index: int) -> None:
        player = self._player()
        messages = player.messages if player else []
        self.selected = index
        self.message_text = format_json(messages[index], PANE_WIDTH) if index < len(messages) else ""
        self.message_problem = NO_PROBLEM
        self.message_version += 1

    # -- one's own messages -----------------------------------------------------------------------------------

    @rx.event
    def compose(self) -> None:
        """Open the place to paste messages into."""
        self.composing = True
        self.draft_problem = NO_PROBLEM

    @rx.event
    def set_composing(self, is_open: bool) -> None:
        """The place to paste was opened or closed."""
        self.composing = is_open

    @rx.event
    def write_draft(self, text: str) -> None:
        """Check what is being written, so that a fault shows before it is opened."""
        self._draft, self.draft_problem, self.draft_ready = text, NO_PROBLEM, False
        if text.strip():
            try:
                read_stream(text)
                self.draft_ready = True
            except Problem as problem:
                self.draft_problem = row_of(problem)

    @rx.event
    def open_draft(self) -> Any:
        """Show what was written."""
        return self.take(self._draft)

    @rx.event
    def take(self, text: str) -> Any:
        """Show a text that was pasted, dropped or chosen; if it cannot be read, say why beside it."""
        try:
            messages = read_stream(text)
        except Problem as problem:
            self.composing = True
            self.draft = self._draft = text
            self.draft_problem, self.draft_ready = row_of(problem), False
            self.draft_version += 1
            return None
        self.composing = False
        self.view = "surface"
        self.page_problem = NO_PROBLEM
        self._start(Player(self._channel(), OWN, messages), play=False)
        if self.finding_count:
            self.show_pane("problems")
        self._opened = f"/gallery/{OWN}#"
        return rx.redirect(f"/gallery/{OWN}")

    # -- sharing ----------------------------------------------------------------------------------------------

    @rx.event
    def share(self) -> Any:
        """Copy a link that opens the same: by name, or with the messages in it when they are a person's own."""
        player = self._player()
        if player is None or not player.messages:
            return rx.toast.info("There is nothing to share yet.")
        here = f"{self.router.url.origin}/gallery"
        if player.sample and not player.edited:
            at_end = self.position == len(self.steps)
            link = f"{here}/{player.name}" + ("" if at_end else f"?step={self.position}")
        else:
            packed = pack(player.messages)
            if packed is None:
                return rx.toast.error("These messages are too long for a link. Save them to a file and send that.")
            link = f"{here}/{OWN}#{packed}"
        return [rx.set_clipboard(link), rx.toast.success("Link copied")]

    @rx.event
    def download(self) -> Any:
        """Save the stream as it is now, one message a line."""
        player = self._player()
        if player is None or not player.messages:
            return rx.toast.info("There is nothing to save yet.")
        lines = "".join(format_json(message, width=10**9) + "\n" for message in player.messages)
        return rx.download(data=lines, filename=f"{player.name}.jsonl")
