"""Scripts that draw surfaces, and what the agent does when a person acts on one.

The form waits for its person. The others are left on the page: what is done there comes as a later prompt.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from . import surfaces
from .actions import Action, action_of_prompt
from .asking import shown
from .stage import Stage
from .surfaces import create, update_components, update_data

NO_DESK = "There is no page that I could draw on here. Open the app in a browser and ask me again."


async def form(stage: Stage) -> None:
    """Draw a form, wait until it is sent or given up, and answer with what was entered."""
    if stage.desk is None:
        await stage.say(NO_DESK)
        return
    surface_id = stage.surface_id("form")
    stage.draw(create(surface_id, surfaces.FORM, {"project": surfaces.PROJECT}))
    await stage.say("Tell me about the project. I wait for you.")
    while (action := await stage.next_action("Waiting for the form")) is not None:
        await answer(stage, action)
        if action.surface_id == surface_id:
            return


async def dashboard(stage: Stage) -> None:
    """Draw a dashboard bit by bit, and let a build run on it."""
    if stage.desk is None:
        await stage.say(NO_DESK)
        return
    surface_id = stage.surface_id("dashboard")
    stage.draw(create(surface_id, surfaces.DASHBOARD, surfaces.build_data(128, 0)))
    for components in (surfaces.DASHBOARD_TILES, surfaces.DASHBOARD_JOBS):
        await stage.pause(0.5)
        stage.draw(update_components(surface_id, *components))
    await run_build(stage, surface_id, 128)
    await stage.say("The build is done. **Run again** starts the next one.")


async def run_build(stage: Stage, surface_id: str, number: int) -> None:
    """Let build `number` run on a dashboard."""
    for step in range(len(surfaces.JOBS) + 1):
        data = surfaces.build_data(number, step)
        stage.draw(update_data(surface_id, "/build", data["build"]), update_data(surface_id, "/jobs", data["jobs"]))
        await stage.pause(0.9)


async def table(stage: Stage) -> None:
    """Draw a table with a button in each row."""
    if stage.desk is None:
        await stage.say(NO_DESK)
        return
    stage.draw(create(stage.surface_id("table"), surfaces.TABLE, surfaces.table_data()))
    await stage.say("These issues are open. Close one with its button, and I write it into its row.")


# --- actions --------------------------------------------------------------------------------------------------------


async def react(stage: Stage) -> None:
    """Answer the action that a prompt tells."""
    action = action_of_prompt(stage.prompt)
    assert action is not None
    await answer(stage, action)


async def answer(stage: Stage, action: Action) -> None:
    """Answer an action on one of our surfaces; one that we do not know is repeated, so that nothing is lost."""
    reaction = REACTIONS.get(action.name)
    if reaction is None or stage.desk is None:
        named = f"`{action.name}`" if action.name else "something that I cannot read"
        await stage.say(f"You did {named}.{_entries(action.context)}")
    elif not isinstance(data := stage.data_of(action.surface_id), Mapping):
        await stage.say("That surface is no longer there. Send `form`, `dashboard` or `table` for a new one.")
    else:
        await reaction(stage, action, data)


async def _create_project(stage: Stage, action: Action, data: Mapping[str, Any]) -> None:
    stage.draw(update_components(action.surface_id, *surfaces.FORM_DONE))
    project = action.context.get("project")
    entered = project if isinstance(project, Mapping) else data.get("project", {})
    stage.notify(f"{entered.get('name', 'The project')} is ready", "success")
    await stage.say(f"This is what you entered:{_entries(entered)}")


async def _cancel_project(stage: Stage, action: Action, data: Mapping[str, Any]) -> None:
    stage.close(action.surface_id)
    await stage.say("No project then. The form is gone.")


async def _run_again(stage: Stage, action: Action, data: Mapping[str, Any]) -> None:
    number = int(data["build"]["number"]) + 1
    await stage.say(f"Build {number} runs.")
    await run_build(stage, action.surface_id, number)


async def _close_issue(stage: Stage, action: Action, data: Mapping[str, Any]) -> None:
    issues, wanted = data["issues"], action.context.get("id")
    place = next((place for place, issue in enumerate(issues) if issue["id"] == wanted), None)
    if place is None:
        await stage.say(f"There is no issue {shown(wanted)}.")
        return
    still_open = sum(issue["state"] == "open" and issue["id"] != wanted for issue in issues)
    stage.draw(
        update_data(action.surface_id, f"/issues/{place}/state", "closed"),
        update_data(action.surface_id, "/open", still_open),
    )
    await stage.say(f"Issue #{wanted} is closed, {still_open} are open.")


Reaction = Callable[[Stage, Action, Mapping[str, Any]], Awaitable[None]]
REACTIONS: dict[str, Reaction] = {
    "createProject": _create_project,
    "cancelProject": _cancel_project,
    "runAgain": _run_again,
    "closeIssue": _close_issue,
}


def _entries(values: Mapping[str, Any]) -> str:
    """Return a table of values, empty when there are none."""
    if not values:
        return ""
    rows = "".join(f"| {name} | {_entry(value)} |\n" for name, value in values.items())
    return f"\n\n| field | value |\n|---|---|\n{rows}"


def _entry(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else shown(value)
