"""Several prompts to one agent, one after the other, in one process where the agent can do that."""

from abc import ABC, abstractmethod
from typing import Self

from .base import BackendError, ExecOptions
from .run import Run, Turn

FINISH_GRACE = 5.0  # seconds an agent has to save its session and exit after its last word


class Conversation(ABC):
    """An async context manager: leaving it ends the agent. With `keep` false the agent ends with each prompt.

    `session_id` is the session the next prompt continues, empty for a new one.
    """

    def __init__(self, options: ExecOptions, keep: bool) -> None:
        self.options = options
        self.keep = keep
        self.session_id = options.resume_session_id or ""
        self._run: Run | None = None

    async def execute(self, prompt: str) -> Run:
        """Start work on `prompt`. Raises BackendError while another one is being worked on."""
        if self._run is not None and not self._run.done:
            raise BackendError("The agent is still working on the prompt before this one.")
        self._run = Run(self.turn(prompt), self.options)
        return self._run

    async def close(self) -> None:
        """End the current prompt and the agent."""
        if self._run is not None:
            await self._run.cancel()
        await self.stop(FINISH_GRACE)

    @abstractmethod
    def turn(self, prompt: str) -> Turn:
        """Return the turn that works on `prompt`."""

    @abstractmethod
    async def stop(self, grace: float) -> None:
        """End the agent's process, giving it `grace` seconds to do so by itself."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.close()
