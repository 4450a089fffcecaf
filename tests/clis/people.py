"""A person for the real agents: allows everything, or nothing."""

from collections.abc import Mapping, Sequence
from typing import Any

from a2ui_app.agent_ui import HeadlessUI, Ok
from a2ui_app.agent_ui.protocol import Result


class Person(HeadlessUI):
    """Chooses the first option that allows, or the last one, which does not; `asked` are the titles."""

    has_ui = True

    def __init__(self, allows: bool):
        self.allows = allows
        self.asked: list[str] = []

    async def select(self, title: str, options: Sequence[Mapping[str, Any]], **opts: Any) -> Result:
        self.asked.append(title)
        return Ok(options[0 if self.allows else -1]["value"])
