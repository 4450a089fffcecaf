"""An agent's permission requests and questions, put to its person and answered.

Each protocol has its own words; these are ours. Without a person everything is declined. A permission holds for one
call or, when the person says so, for the session: an agent's offer to remember it on disk is never taken.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from .base import ExecOptions

if TYPE_CHECKING:
    from .run import Run

log = logging.getLogger(__name__)

OTHER = "other"  # value of the option that lets a person type an answer of their own
_OTHER_OPTION = {"label": "Other…", "value": "\0" + OTHER, "description": "Type another answer"}

ChoiceKind = Literal["allow_once", "allow_session", "reject_once"]


@dataclass(frozen=True)
class Choice:
    """One possible answer to a permission request; `id` is the agent's name for it."""

    id: str
    label: str
    kind: ChoiceKind


ALLOW_ONCE = Choice("allow_once", "Allow once", "allow_once")
ALLOW_SESSION = Choice("allow_session", "Allow for this session", "allow_session")
REJECT_ONCE = Choice("reject_once", "Deny", "reject_once")


@dataclass(frozen=True)
class Permission:
    """A tool call that needs a yes. `choices` are in the order to show; `trusted`: it is one of the app's own tools."""

    title: str
    detail: str = ""
    choices: Sequence[Choice] = (ALLOW_ONCE, REJECT_ONCE)
    trusted: bool = False


@dataclass(frozen=True)
class Option:
    label: str
    description: str = ""


@dataclass(frozen=True)
class Question:
    """One question; without options it asks for text, `free_text` adds a way to type another answer."""

    id: str
    text: str
    header: str = ""
    options: Sequence[Option] = ()
    multiple: bool = False
    free_text: bool = True
    secret: bool = False


@dataclass(frozen=True)
class Questions:
    """Questions to answer together; the answer is `{question id: [answers]}`, or None when the person declined."""

    items: Sequence[Question]


@dataclass(frozen=True)
class UICall:
    """A dialog of `AgentUI` that the agent asks for by name; the answer is its value, None when there is none."""

    operation: Literal["select", "confirm", "input", "editor"]
    arguments: Mapping[str, Any] = field(default_factory=dict)


Request: TypeAlias = Permission | Questions | UICall


async def ask(request: Request, options: ExecOptions, run: "Run") -> Any:
    """Return the answer to `request`: a Choice or None, a mapping or None, or a value, as its class says."""
    if isinstance(request, Permission):
        return await decide(request, options, run)
    if options.ui is None:
        return None
    if isinstance(request, Questions):
        with run.waiting("Waiting for an answer"):
            return await _answers(request.items, options)
    with run.waiting("Waiting for an answer"):
        dialog = getattr(options.ui, request.operation)
        return _value(await dialog(**{"timeout": None, **request.arguments}))


def tell(options: ExecOptions, operation: str, *arguments: Any) -> None:
    """Call a notification of the person's UI, if there is one; what it refuses is logged and not the agent's matter."""
    if options.ui is None:
        return
    try:
        getattr(options.ui, operation)(*arguments)
    except Exception:
        log.exception("the UI did not take %s%r", operation, arguments)


async def decide(permission: Permission, options: ExecOptions, run: "Run") -> Choice | None:
    """Return what the person chose; a rejection (None when none is offered) if nobody can be asked or nothing was."""
    by_kind = {choice.kind: choice for choice in reversed(permission.choices)}
    if permission.trusted or options.permissions == "auto":
        return by_kind.get("allow_once", by_kind.get("reject_once"))
    if options.ui is None:
        return by_kind.get("reject_once")
    shown = [{"label": choice.label, "value": choice.id} for choice in permission.choices]
    with run.waiting(permission.title):
        title = "\n".join(filter(None, (permission.title, permission.detail)))  # nobody allows what they cannot see
        chosen = _value(await options.ui.select(title, shown, timeout=None))
    return next((choice for choice in permission.choices if choice.id == chosen), by_kind.get("reject_once"))


async def _answers(questions: Sequence[Question], options: ExecOptions) -> dict[str, list[str]] | None:
    answers: dict[str, list[str]] = {}
    for question in questions:
        answer = await _answer(question, options)
        if answer is None:
            return None
        answers[question.id] = answer
    return answers


async def _answer(question: Question, options: ExecOptions) -> list[str] | None:
    ui = options.ui
    assert ui is not None
    title = question.text or question.header
    if not question.options:
        typed = _value(await ui.input(title, question.header or None, timeout=None, secret=question.secret))
        return None if typed is None else [str(typed)]
    shown = [{"label": o.label, "value": o.label, "description": o.description} for o in question.options]
    if question.free_text:
        shown.append(_OTHER_OPTION)
    chosen = _value(await ui.select(title, shown, timeout=None, multiple=question.multiple))
    if chosen is None:
        return None
    picked = [str(item) for item in chosen] if isinstance(chosen, list | tuple) else [str(chosen)]
    if _OTHER_OPTION["value"] not in picked:
        return picked
    typed = _value(await ui.input(title, question.header or None, timeout=None))
    if typed is None:
        return None
    return [str(typed) if item == _OTHER_OPTION["value"] else item for item in picked]


def _value(result: Any) -> Any:
    """Return the value of `Ok`, None for `Err`: in every case of error the person gave no answer."""
    return getattr(result, "value", None)


class Dialogs:
    """The open dialogs of one turn: each is a task that ends with `reply(request_id, answer)`, or is withdrawn."""

    def __init__(self, run: "Run", options: ExecOptions, reply: Callable[[str, Any], None]) -> None:
        self._run = run
        self._options = options
        self._reply = reply
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def open(self, request_id: str, request: Request) -> None:
        """Put `request` to the person."""
        self._tasks[request_id] = asyncio.create_task(self._put(request_id, request))

    def withdraw(self, request_id: str) -> None:
        """Close the dialog of a request that the agent took back; no answer is sent."""
        task = self._tasks.pop(request_id, None)
        if task is not None:
            task.cancel()

    async def close(self) -> None:
        """Close all dialogs, without answers."""
        tasks = list(self._tasks.values())
        self._tasks.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _put(self, request_id: str, request: Request) -> None:
        try:
            answer = await ask(request, self._options, self._run)
        except TimeoutError:  # the request had a limit of its own
            answer = None
        except Exception:  # whatever a UI does, the agent gets an answer: it waits for one
            log.exception("a dialog of the agent failed; it is told that nobody answered")
            answer = None
        self._tasks.pop(request_id, None)
        self._reply(request_id, answer)
