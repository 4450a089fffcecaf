"""`SurfaceUI`: the web page as a UI. Its dialogs are A2UI surfaces, and so live in every tab and outlive a reload.

It knows no page and no session: A2UI messages go out through ``send``, and what people do comes in as the actions of
the protocol.
"""
# ruff: noqa: ASYNC109 - see protocol.py

import asyncio
import logging
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .board import Board
from .pending import PendingRequests
from .protocol import CALL_TIMEOUT, CallTimeout, Err, Ok, Reason, Result

log = logging.getLogger(__name__)

PREFIX = "dialog-"
"""How the ids of dialogs, and of their surfaces, begin."""

CATALOG = "urn:a2ui-app:catalogs:dialogs:1"
VERSION = "v1.0"

Read = Callable[[Any], Any]
"""Turns an entry of the page into the dialog's value; raises ValueError for what no page of ours sends."""


@dataclass(frozen=True)
class Dialog:
    """A question that waits. Times are seconds since the epoch; ``deadline`` is None when it waits for ever."""

    id: str
    method: str
    title: str
    origin: str
    opened: float
    deadline: float | None
    read: Read


class SurfaceUI:
    """Any number of dialogs may be open; they are answered in any order, and the first answer counts.

    ``changed`` is called when `board` or `dialogs` are others. ``timeout``: seconds until a dialog ends with
    ``Err(Reason.TIMEOUT)``; None: it waits for ever.
    """

    has_ui = True

    def __init__(
        self,
        send: Callable[[list[dict[str, Any]]], object],
        *,
        changed: Callable[[], object] = lambda: None,
        timeout: float | None = None,
        clock: Callable[[], float] = time.time,
    ):
        self.board = Board()
        self._send = send
        self._changed = changed
        self._clock = clock
        self._pending = PendingRequests(timeout)
        self._dialogs: dict[str, Dialog] = {}

    @property
    def dialogs(self) -> tuple[Dialog, ...]:
        """The open ones, oldest first."""
        return tuple(self._dialogs.values())

    # -- asking --------------------------------------------------------------------------------------------------

    async def select(
        self,
        title: str,
        options: Sequence[Mapping[str, Any]],
        *,
        timeout: float | None = CALL_TIMEOUT,
        **opts: Any,
    ) -> Result:
        multiple = opts.get("multiple") is True
        values = [option["value"] for option in options]

        def read(entry: Any) -> Any:
            places = [int(place) for place in entry]
            if (not multiple and len(places) != 1) or any(not 0 <= place < len(values) for place in places):
                raise ValueError(f"no such choice: {entry!r}")
            return [values[place] for place in places] if multiple else values[places[0]]

        shown = [_only(label=str(option["label"]), description=option.get("description")) for option in options]
        return await self._ask("select", title, [], read, timeout, opts, options=shown, multiple=multiple or None)

    async def confirm(self, title: str, message: str, *, timeout: float | None = CALL_TIMEOUT, **opts: Any) -> Result:
        more = {
            "message": message or None,
            "danger": opts.get("danger") is True or None,
            "reject": _event("reject"),
            "yes": opts.get("yes"),
            "no": opts.get("no"),
        }
        return await self._ask("confirm", title, None, lambda entry: True, timeout, opts, **more)

    async def input(
        self, title: str, placeholder: str | None = None, *, timeout: float | None = CALL_TIMEOUT, **opts: Any
    ) -> Result:
        secret = opts.get("secret") is True or None
        return await self._ask("input", title, "", _text, timeout, opts, placeholder=placeholder, secret=secret)

    async def editor(
        self, title: str, prefill: str | None = None, *, timeout: float | None = CALL_TIMEOUT, **opts: Any
    ) -> Result:
        return await self._ask("editor", title, prefill or "", _text, timeout, opts)

    # -- telling -------------------------------------------------------------------------------------------------

    def notify(self, message: str, type: str = "info", **opts: Any) -> None:
        self._show(self.board.with_notice(message, type, self._clock()))

    def set_status(self, key: str, text: str | None) -> None:
        self._show(self.board.with_status(key, text))

    def set_widget(self, key: str, content: str | Sequence[str] | None, **opts: Any) -> None:
        below = "below" in str(opts.get("placement", opts.get("position", ""))).lower()
        self._show(self.board.with_widget(key, content, below))

    def set_working_message(self, message: str | None) -> None:
        self._show(replace(self.board, working_message=message or ""))

    def set_title(self, title: str) -> None:
        self._show(replace(self.board, title=title))

    def set_editor_text(self, text: str | None) -> None:
        self._show(self.board.with_editor_text(text or ""))

    def get_editor_text(self) -> str:
        return self.board.editor_text

    # -- what the person does ------------------------------------------------------------------------------------

    def handle_action(self, action: Mapping[str, Any]) -> bool:
        """Take an action of the protocol. True when it is for a dialog of ours, also for one that is over."""
        dialog_id = action.get("surfaceId")
        if not isinstance(dialog_id, str) or not dialog_id.startswith(PREFIX):
            return False
        dialog = self._dialogs.get(dialog_id)
        if dialog is not None:
            self._answer(dialog, str(action.get("name")), (action.get("context") or {}).get("entry"))
        return True

    def cancel(self, dialog_id: str) -> bool:
        """End a dialog as if its person had cancelled it; False when it is not open."""
        return self._settle(dialog_id, Ok(None))

    def close(self, reason: Reason = Reason.SERVER_SHUTDOWN) -> None:
        """End all dialogs, and every later one, with ``Err(reason)``."""
        open_ids = list(self._dialogs)
        self._pending.close(reason)
        for dialog_id in open_ids:
            self._take_away(dialog_id)

    # -- inside --------------------------------------------------------------------------------------------------

    async def _ask(
        self,
        method: str,
        title: str,
        entry: Any,
        read: Read,
        timeout: float | None,
        opts: Mapping[str, Any],
        **more: Any,
    ) -> Result:
        if self._pending.closed is not None:
            return Err(self._pending.closed)
        now = self._clock()
        deadline = None if self._pending.timeout is None else now + self._pending.timeout
        origin = str(opts.get("origin") or "")
        dialog = Dialog(f"{PREFIX}{uuid.uuid4().hex[:12]}", method, title, origin, now, deadline, read)
        self._send([_surface(dialog, entry, more)])  # may raise: then nothing waits
        self._dialogs[dialog.id] = dialog
        pending = self._pending.open(dialog.id)
        pending.answer.add_done_callback(lambda _: self._take_away(dialog.id))
        self._pending.start_timer(pending)
        self._changed()
        try:
            done, _ = await asyncio.wait({pending.answer}, timeout=timeout)
        except asyncio.CancelledError:  # the asker took the question back: nobody is to answer it
            self._settle(dialog.id, Ok(None))
            raise
        if not done:
            raise CallTimeout(f"no answer to {method} in {timeout} s; the dialog stays open until its own timer ends")
        return pending.answer.result()

    def _answer(self, dialog: Dialog, name: str, entry: Any) -> None:
        if name == "cancel":
            self._settle(dialog.id, Ok(None))
        elif name == "reject":
            self._settle(dialog.id, Ok(False))
        elif name == "answer":
            try:
                value = dialog.read(entry)
            except (TypeError, ValueError) as error:
                log.warning("an answer to %s was not understood, the dialog stays open: %s", dialog.id, error)
                return
            self._settle(dialog.id, Ok(value))

    def _settle(self, dialog_id: str, result: Result) -> bool:
        settled = self._pending.settle(dialog_id, result)
        if settled:
            self._take_away(dialog_id)
        return settled

    def _take_away(self, dialog_id: str) -> None:
        if self._dialogs.pop(dialog_id, None) is not None:
            self._send([{"version": VERSION, "deleteSurface": {"surfaceId": dialog_id}}])
            self._changed()

    def _show(self, board: Board) -> None:
        self.board = board
        self._changed()


def _surface(dialog: Dialog, entry: Any, more: Mapping[str, Any]) -> dict[str, Any]:
    """The message that shows a dialog."""
    bound = {"value": {"@path": "/entry"}} if entry is not None else {}
    root = _only(
        id="root",
        component=f"{dialog.method.capitalize()}Dialog",
        title=dialog.title,
        origin=dialog.origin or None,
        opened=dialog.opened,
        deadline=dialog.deadline,
        action=_event("answer", **({"entry": {"@path": "/entry"}} if bound else {})),
        cancel=_event("cancel"),
        **bound,
        **more,
    )
    model = {} if entry is None else {"entry": entry}
    surface = {"surfaceId": dialog.id, "catalogId": CATALOG, "dataModel": model, "components": [root]}
    return {"version": VERSION, "createSurface": surface}


def _event(name: str, **context: Any) -> dict[str, Any]:
    return {"event": {"name": name, "context": context}}


def _text(entry: Any) -> str:
    if not isinstance(entry, str):
        raise ValueError(f"no text: {entry!r}")
    return entry


def _only(**members: Any) -> dict[str, Any]:
    """The members that have a value."""
    return {name: value for name, value in members.items() if value is not None}
