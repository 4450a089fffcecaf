"""`Context`: a UI and what its owner wants to keep beside it, in one immutable value."""

from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .protocol import AgentUI, Result


@dataclass(frozen=True)
class Context:
    """Passes each of the twelve operations on to `ui`, as given. `state` is anything; the UI never sees it.

    Called on something that is not a Context, an operation raises TypeError and calls nothing.
    """

    ui: AgentUI
    state: Any = None

    def select(self, title: str, options: Sequence[Mapping[str, Any]], **opts: Any) -> Coroutine[Any, Any, Result]:
        return _ui_of(self).select(title, options, **opts)

    def confirm(self, title: str, message: str, **opts: Any) -> Coroutine[Any, Any, Result]:
        return _ui_of(self).confirm(title, message, **opts)

    def input(self, title: str, placeholder: str | None = None, **opts: Any) -> Coroutine[Any, Any, Result]:
        return _ui_of(self).input(title, placeholder, **opts)

    def editor(self, title: str, prefill: str | None = None, **opts: Any) -> Coroutine[Any, Any, Result]:
        return _ui_of(self).editor(title, prefill, **opts)

    def notify(self, message: str, type: str = "info", **opts: Any) -> None:
        _ui_of(self).notify(message, type, **opts)

    def set_status(self, key: str, text: str | None) -> None:
        _ui_of(self).set_status(key, text)

    def set_widget(self, key: str, content: str | Sequence[str] | None, **opts: Any) -> None:
        _ui_of(self).set_widget(key, content, **opts)

    def set_working_message(self, message: str | None) -> None:
        _ui_of(self).set_working_message(message)

    def set_title(self, title: str) -> None:
        _ui_of(self).set_title(title)

    def set_editor_text(self, text: str | None) -> None:
        _ui_of(self).set_editor_text(text)

    def get_editor_text(self) -> str:
        return _ui_of(self).get_editor_text()

    @property
    def has_ui(self) -> bool:
        return _ui_of(self).has_ui


def _ui_of(context: object) -> AgentUI:
    if not isinstance(context, Context):
        raise TypeError(f"expected a Context, not {type(context).__name__}")
    return context.ui
