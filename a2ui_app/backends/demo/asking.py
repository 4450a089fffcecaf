"""Scripts that ask the person: every kind of question, and a permission."""

from typing import Any

from .stage import Stage

COMMAND = "rm -r build dist"
NOBODY = "Nobody can be asked here, so I go on without an answer."
TEAS = [
    {"label": "Green", "value": "green", "description": "Two minutes, 80 degrees"},
    {"label": "Black", "value": "black", "description": "Four minutes, boiling"},
    {"label": "Mint", "value": "mint", "description": "As long as you like"},
]


async def ask(stage: Stage) -> None:
    """Ask one question of each kind, one after the other, and repeat the answers."""
    if not stage.can_ask:
        await stage.say(NOBODY)
        return
    await stage.say("I have six questions, one of each kind.")
    answers: dict[str, Any] = {
        "One of several": await stage.ask("select", title="Which tea?", options=TEAS),
        "Yes or no": await stage.ask("confirm", title="Start now?", message="The water is hot."),
        "A dangerous yes or no": await stage.ask(
            "confirm", title="Delete the folder build?", message="This cannot be undone.", danger=True
        ),
        "One line": await stage.ask("input", title="What is your name?", placeholder="Ada"),
        "A longer text": await stage.ask("editor", title="Change the note as you like", prefill="# Tea\n\nAt four."),
        "A permission": await stage.permit(COMMAND),
    }
    rows = "".join(f"| {kind} | {shown(answer)} |\n" for kind, answer in answers.items())
    await stage.say(f"Thank you. This is what I heard:\n\n| question | answer |\n|---|---|\n{rows}")


async def permission(stage: Stage) -> None:
    """Ask for a permission, and use the tool only with it."""
    await stage.say("The old build is in the way. I would like to remove it.")
    call = await stage.start_tool("Bash", {"command": COMMAND, "description": "Remove the old build"})
    if await stage.permit(COMMAND):
        await stage.pause(0.6)
        stage.end_tool(call, "removed 2 folders, 214 files (in this demo: none)")
        await stage.say("Done. Had you allowed it for this session, I would not ask again.")
    else:
        stage.end_tool(call, "The person did not allow this.", failed=True)
        await stage.say("I leave the old build where it is.")


def shown(answer: Any) -> str:
    """Return an answer for a cell of a table."""
    if answer is None:
        return "*no answer*"
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    return " ".join(str(answer).split()).replace("|", "\\|") or "*nothing*"
