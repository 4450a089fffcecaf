"""The conversations of the demo agent, by session id, for as long as this process lives."""

import uuid
from collections import OrderedDict
from dataclasses import dataclass, field

REMEMBERED = 1000  # conversations; the one that was not used for the longest time is forgotten first


@dataclass
class Exchange:
    """One prompt and what was answered, as far as the answer got."""

    prompt: str
    answer: str = ""


@dataclass
class Session:
    """One conversation. `allowed` has the commands that the person allowed for all of it."""

    id: str
    exchanges: list[Exchange] = field(default_factory=list)
    allowed: set[str] = field(default_factory=set)


_sessions: OrderedDict[str, Session] = OrderedDict()


def new_session() -> Session:
    """Return a new conversation, which is remembered."""
    session = Session(str(uuid.uuid4()))
    _sessions[session.id] = session
    while len(_sessions) > REMEMBERED:
        _sessions.popitem(last=False)
    return session


def find_session(session_id: str) -> Session | None:
    """Return the conversation of that id, if it is remembered."""
    session = _sessions.get(session_id)
    if session is not None:
        _sessions.move_to_end(session_id)
    return session


def forget_all() -> None:
    """Forget every conversation, as the end of the process would."""
    _sessions.clear()
