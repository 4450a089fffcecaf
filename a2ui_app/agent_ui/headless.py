"""`HeadlessUI`: nobody is there. For CI, tests and batch runs."""
# ruff: noqa: ASYNC109 - see protocol.py

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from .protocol import CALL_TIMEOUT, Ok, Result

log = logging.getLogger(__name__)

_LEVELS = {"info": logging.INFO, "warning": logging.WARNING, "error": logging.ERROR}


class HeadlessUI:
    """Answers every dialog at once, as a person who cancels would; messages go to the log."""

    has_ui = False

    async def select(
        self,
        title: str,
        options: Sequence[Mapping[str, Any]],
        *,
        timeout: float | None = CALL_TIMEOUT,
        **opts: Any,
    ) -> Result:
        return Ok(None)

    async def confirm(self, title: str, message: str, *, timeout: float | None = CALL_TIMEOUT, **opts: Any) -> Result:
        return Ok(False)

    async def input(
        self, title: str, placeholder: str | None = None, *, timeout: float | None = CALL_TIMEOUT, **opts: Any
    ) -> Result:
        return Ok(None)

    async def editor(
        self, title: str, prefill: str | None = None, *, timeout: float | None = CALL_TIMEOUT, **opts: Any
    ) -> Result:
        return Ok(None)

    def notify(self, message: str, type: str = "info", **opts: Any) -> None:
        """Log at the level of `type`. Raises ValueError for a type that is not info, warning, error or success."""
        if type == "success":
            log.info("[SUCCESS] %s", message)
        elif type in _LEVELS:
            log.log(_LEVELS[type], "%s", message)
        else:
            raise ValueError(f"unknown type of notification {type!r}; known: info, warning, error, success")

    def set_status(self, key: str, text: str | None) -> None:
        pass

    def set_widget(self, key: str, content: str | Sequence[str] | None, **opts: Any) -> None:
        pass

    def set_working_message(self, message: str | None) -> None:
        if message is not None:
            log.debug("[WORKING] %s", message)

    def set_title(self, title: str) -> None:
        pass

    def set_editor_text(self, text: str | None) -> None:
        pass

    def get_editor_text(self) -> str:
        return ""
