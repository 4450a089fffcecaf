"""A person for tests: answers what they were told to."""
# ruff: noqa: ASYNC109 - the signatures of AgentUI

from typing import Any

from a2ui_app.agent_ui import HeadlessUI
from a2ui_app.agent_ui.protocol import Result


class Person(HeadlessUI):
    """Answers every dialog with the next of the given answers."""

    has_ui = True

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked: list[Any] = []

    async def select(self, title, options, *, timeout=35.0, **opts) -> Result:
        self.asked.append((title, [option["label"] for option in options], opts))
        answer: Any = self.answers.pop(0)
        return answer(options) if callable(answer) else answer  # type: ignore[no-any-return]

    async def input(self, title, placeholder=None, *, timeout=35.0, **opts) -> Result:
        self.asked.append((title, placeholder, opts))
        return self.answers.pop(0)


class Broken(HeadlessUI):
    """A page that is gone."""

    async def select(self, title, options, *, timeout=35.0, **opts) -> Result:
        raise RuntimeError("the page is gone")
