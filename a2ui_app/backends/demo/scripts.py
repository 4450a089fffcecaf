"""The scripts by the word that names them, and which one a prompt asks for.

To add one: a coroutine that takes a `Stage`, and a line here.
"""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from . import asking, drawing, talking, tour, working
from .actions import action_of_prompt
from .stage import Stage


@dataclass(frozen=True)
class Script:
    """What is played for the word `name`; `about` is its line in the help."""

    name: str
    about: str
    play: Callable[[Stage], Awaitable[None]]


async def show_help(stage: Stage) -> None:
    """List all scripts."""
    rows = "".join(f"| `{script.name}` | {script.about} |\n" for script in SCRIPTS.values())
    await stage.say(f"## What I can show\n\nSend one of these words.\n\n| word | what happens |\n|---|---|\n{rows}")
    await stage.say("\nI am a built-in demo: no model, no key, no network. No command is run and no file is touched.")


SCRIPTS = {
    script.name: script
    for script in (
        Script("tour", "a guided show of everything, in about a minute", tour.tour),
        Script("ask", "every kind of question: choices, yes or no, a line, a text", asking.ask),
        Script("permission", "a command that needs your yes", asking.permission),
        Script("form", "a form; I wait for it and answer with what you entered", drawing.form),
        Script("dashboard", "figures that change while you look, and a button", drawing.dashboard),
        Script("table", "a table with a button in each row", drawing.table),
        Script("edit", "a small bug fix: plan, read, edit, a test that fails, one that passes", working.edit),
        Script("slow", "long silences, to see that waiting is shown", talking.slow),
        Script("long", "a long answer", talking.long),
        Script("stream", "that many lines as fast as they go: `stream 500`", talking.stream),
        Script("history", "what this conversation said before", talking.history),
        Script("error", "a model server that stays busy: retries, then a failure", talking.error),
        Script("crash", "a defect in the agent itself", talking.crash),
        Script("help", "this list", show_help),
    )
}

_ACTION = Script("action", "what a person did on a surface", drawing.react)


def choose(prompt: str) -> Script:
    """Return the script whose name is the first to stand in `prompt` as a word; the tour when none does."""
    if action_of_prompt(prompt) is not None:
        return _ACTION
    words = re.findall(r"\w+", prompt.lower())
    return next((SCRIPTS[word] for word in words if word in SCRIPTS), SCRIPTS["tour"])


def commands() -> list[dict[str, str]]:
    """Return the scripts as what a person may write after a slash."""
    return [{"name": script.name, "description": script.about} for script in SCRIPTS.values()]
