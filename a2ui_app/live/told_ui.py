"""A person's UI that also tells the timeline: each dialog becomes an entry with its question and its answer."""

# ruff: noqa: ASYNC109 - the time-out is passed on
from collections.abc import Awaitable, Mapping, Sequence
from typing import Any

from ..agent_ui.protocol import CALL_TIMEOUT, AgentUI, Ok, Reason, Result
from .timeline import Timeline

NOT_ANSWERED = {
    Reason.TIMEOUT: "Nobody answered in time",
    Reason.CONNECTION_CLOSED: "The agent's connection ended",
    Reason.SERVER_SHUTDOWN: "The server was stopped",
    Reason.INVALID_RESPONSE: "The answer could not be read",
}


class ToldUI(AgentUI):
    """Passes everything on to ``ui``."""

    def __init__(self, ui: AgentUI, timeline: Timeline):
        self._ui = ui
        self._timeline = timeline

    @property
    def has_ui(self) -> bool:
        return self._ui.has_ui

    async def select(
        self,
        title: str,
        options: Sequence[Mapping[str, Any]],
        *,
        timeout: float | None = CALL_TIMEOUT,
        **opts: Any,
    ) -> Result:
        labels = {repr(option.get("value")): str(option.get("label")) for option in options}
        dialog = self._ui.select(title, options, timeout=timeout, **opts)
        return await self._told("select", title, dialog, labels)

    async def confirm(self, title: str, message: str, *, timeout: float | None = CALL_TIMEOUT, **opts: Any) -> Result:
        asked = f"{title}\n{message}" if message else title
        dialog = self._ui.confirm(title, message, timeout=timeout, **opts)
        return await self._told("confirm", asked, dialog, {"True": "Yes", "False": "No"})

    async def input(
        self, title: str, placeholder: str | None = None, *, timeout: float | None = CALL_TIMEOUT, **opts: Any
    ) -> Result:
        dialog = self._ui.input(title, placeholder, timeout=timeout, **opts)
        return await self._told("input", title, dialog, secret=bool(opts.get("secret")))

    async def editor(
        self, title: str, prefill: str | None = None, *, timeout: float | None = CALL_TIMEOUT, **opts: Any
    ) -> Result:
        return await self._told("editor", title, self._ui.editor(title, prefill, timeout=timeout, **opts))

    def notify(self, message: str, type: str = "info", **opts: Any) -> None:
        self._ui.notify(message, type, **opts)

    def set_status(self, key: str, text: str | None) -> None:
        self._ui.set_status(key, text)

    def set_widget(self, key: str, content: str | Sequence[str] | None, **opts: Any) -> None:
        self._ui.set_widget(key, content, **opts)

    def set_working_message(self, message: str | None) -> None:
        self._ui.set_working_message(message)

    def set_title(self, title: str) -> None:
        self._ui.set_title(title)

    def set_editor_text(self, text: str | None) -> None:
        self._ui.set_editor_text(text)

    def get_editor_text(self) -> str:
        return self._ui.get_editor_text()

    async def _told(
        self,
        method: str,
        asked: str,
        dialog: Awaitable[Result],
        labels: Mapping[str, str] | None = None,
        *,
        secret: bool = False,
    ) -> Result:
        entry = self._timeline.add("dialog", asked, method=method, status="open")
        try:
            result = await dialog
        except BaseException:  # cancelled by the agent, or given up: the entry must not stay open
            self._timeline.update(entry, status="withdrawn", answer="Withdrawn by the agent")
            raise
        if isinstance(result, Ok) and result.value is not None:
            answer = "••••" if secret else _label(result.value, labels or {})
            self._timeline.update(entry, status="answered", answer=answer)
        elif isinstance(result, Ok):
            self._timeline.update(entry, status="cancelled", answer="Not answered")
        else:
            why = NOT_ANSWERED.get(result.reason) if isinstance(result.reason, Reason) else None
            self._timeline.update(entry, status="failed", answer=why or str(result.reason))
        return result


def _label(value: Any, labels: Mapping[str, str]) -> str:
    values = value if isinstance(value, list | tuple) else [value]
    return ", ".join(labels.get(repr(item), str(item)) for item in values)
