"""The demo agent as a backend: its conversations and its turns, watched over by `Run` as with every agent."""

import math

from ..base import Backend, BackendError, ExecOptions, Message, MessageType, Outcome, TokenUsage
from ..conversation import Conversation
from ..environment import merge_env
from ..process import existing_folder
from ..run import Run, Turn
from .memory import Exchange, Session, find_session, new_session
from .scripts import choose, commands
from .stage import Stage

PACE = "A2UI_DEMO_PACE"  # the variable that multiplies every wait; 0 waits for nothing but people
MODEL = "demo"
CHARACTERS_PER_TOKEN = 4  # the usual rule of thumb


class DemoBackend(Backend):
    name = "demo"
    header = "demo (built in)"
    program = ""
    install = ""

    async def execute(self, prompt: str, options: ExecOptions | None = None) -> Run:
        """Play the script that `prompt` names; see Backend.execute."""
        return await self.converse(options, keep=False).execute(prompt)

    def converse(self, options: ExecOptions | None = None, *, keep: bool = True) -> "DemoConversation":
        """Return a conversation, as the agents with a process have it. Raises as `execute` does."""
        options = options or ExecOptions()
        existing_folder(options.cwd)
        return DemoConversation(options, keep, pace_of(options))

    async def models(self) -> list[str]:
        return [MODEL]


class DemoConversation(Conversation):
    """Prompts that follow each other; there is no process to keep or to end."""

    def __init__(self, options: ExecOptions, keep: bool, pace: float) -> None:
        super().__init__(options, keep)
        self._pace = pace

    def turn(self, prompt: str) -> Turn:
        return DemoTurn(self, prompt, self._pace)

    async def stop(self, grace: float) -> None:
        pass


class DemoTurn(Turn):
    """One prompt: the session is found or made, the script is played, the answer is remembered."""

    def __init__(self, conversation: DemoConversation, prompt: str, pace: float) -> None:
        self._conversation = conversation
        self._prompt = prompt
        self._pace = pace
        self._session: Session | None = None
        self._resumed: bool | None = None
        self._context = 0  # characters said before this turn
        self._stage: Stage | None = None

    async def play(self, run: Run) -> None:
        options = self._conversation.options
        self._session = session = self._open(run)
        self._context = sum(len(exchange.prompt) + len(exchange.answer) for exchange in session.exchanges)
        self._conversation.session_id = run.session_id = session.id
        details = {"session_id": session.id, "model": options.model or MODEL, "commands": commands()}
        run.emit(Message(MessageType.STATUS, "Session started", input=details, level="session"))
        self._stage = stage = Stage(run, options, session, self._prompt, self._pace)
        try:
            await choose(self._prompt).play(stage)
            run.settle()
        finally:  # a turn that was cut off is part of the conversation too
            session.exchanges.append(Exchange(self._prompt, stage.answer))
            await stage.leave()

    def outcome(self) -> Outcome:
        if self._session is None or self._stage is None:
            return Outcome()
        usage = {self._conversation.options.model or MODEL: self._usage(self._stage)}
        return Outcome(output=self._stage.answer, session_id=self._session.id, usage=usage, resumed=self._resumed)

    def _open(self, run: Run) -> Session:
        """Return the session to play in, and note whether it is the one to be resumed."""
        conversation = self._conversation
        if not conversation.session_id:
            return new_session()
        asked = conversation.options.resume_session_id is not None
        if session := find_session(conversation.session_id):
            self._resumed = True if asked else None
            return session
        if not conversation.options.fresh_after_failed_resume:
            raise BackendError("The demo agent does not have the session to resume. Start a new one.")
        self._resumed = False
        text = "The earlier session was not found. A new one was started, without its context."
        run.emit(Message(MessageType.STATUS, text, level="session"))
        return new_session()

    def _usage(self, stage: Stage) -> TokenUsage:
        """Tokens as a model would count them: made up from lengths, so the same prompts cost the same every time."""
        return TokenUsage(_tokens(len(self._prompt)), _tokens(stage.said), cache_read_tokens=_tokens(self._context))


def pace_of(options: ExecOptions) -> float:
    """Return the multiplier of all waits. Raises BackendError when the variable holds no such number."""
    text = merge_env(options.env).get(PACE, "1")
    try:
        pace = float(text)
    except ValueError:
        pace = math.nan
    if not 0 <= pace < math.inf:
        raise BackendError(f"{PACE} is {text!r}. Set it to a number from 0 (no waits) up; 1 is the usual pace.")
    return pace


def _tokens(characters: int) -> int:
    return math.ceil(characters / CHARACTERS_PER_TOKEN)
