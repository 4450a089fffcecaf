"""The guided show of everything. It asks too, and goes on by itself when nobody answers."""

from . import drawing, working
from .asking import COMMAND, shown
from .stage import Stage

PATIENCE = 30.0  # seconds a question of the tour stays open
BETWEEN = 1.5  # seconds to look at a part before the next one
STEPS = (
    ("Talk and think", "Talking"),
    ("Use tools", "Using tools"),
    ("Ask you", "Asking you"),
    ("Draw", "Drawing"),
)
WELCOME = """# Welcome

I am the **demo agent**. I am built in: no key, no network, and nothing that I do is real. In a minute you see what any
coding agent can show here.

1. Text streams in as *Markdown*, with `code`, lists and tables.
2. Tools show what they were given and what came out.
3. Questions wait for you, and surfaces stay live.

```python
def greet(name: str) -> str:
    return f"Hello, {name}!"
```

| part | what you see |
|---|---|
| above | this text, and what I think |
| beside | a status, a widget, what I am doing |
| below | tools, questions, a surface |
"""
SHOWS = [
    {"label": "A dashboard", "value": "dashboard", "description": "Figures that change while you look"},
    {"label": "A table", "value": "table", "description": "A button in each row"},
    {"label": "A form", "value": "form", "description": "I wait for what you enter"},
]
FAREWELL = """## That was all

Send `help` for everything I can show, or pick a real agent for real work. I have put `form` into your prompt box: send
it if you like.
"""


async def tour(stage: Stage) -> None:
    """Show everything an agent can do here."""
    stage.set_title("A tour with the demo agent")
    for part in (talk, use_tools, ask, draw):
        await part(stage)
        await stage.pause(BETWEEN)
    await working.plan(stage, 4, STEPS)
    stage.set_editor_text("form")
    await stage.say(FAREWELL)


async def talk(stage: Stage) -> None:
    stage.set_working_message("Talking")
    await stage.think("A newcomer. I show the text first, then tools, then questions, and a surface at the end.")
    await stage.say(WELCOME)


async def use_tools(stage: Stage) -> None:
    await working.plan(stage, 1, STEPS)
    await stage.say("These tools look as they do with a real agent. The first one **fails**, as tools do.")
    await working.run_tests(stage, working.FAILING, failed=True)
    await working.read(stage)
    await working.change(stage)
    await working.run_tests(stage, working.PASSING)
    stage.notify("This is a notice", "info")
    stage.notify("All tests pass", "success")
    stage.notify("A warning looks like this", "warning")
    stage.notify("And an error like this", "error")


async def ask(stage: Stage) -> None:
    await working.plan(stage, 2, STEPS)
    if not stage.can_ask:
        await stage.say("With a person at the page I would ask questions now.")
        return
    await stage.say("Now I ask. Answer or not: I go on by myself after half a minute.")
    name = await stage.ask("input", title="What is your name?", placeholder="Ada", timeout=PATIENCE)
    note = await stage.ask("editor", title="Change this note as you like", prefill="Tea at four.", timeout=PATIENCE)
    sure = await stage.ask("confirm", title="Is the tour clear so far?", message="Yes or no.", timeout=PATIENCE)
    gone = await stage.ask(
        "confirm",
        title="Delete the folder build?",
        message="A question about something dangerous looks like this. Nothing is deleted.",
        danger=True,
        timeout=PATIENCE,
    )
    allowed = await stage.permit(COMMAND, PATIENCE)
    answers = {"name": name, "note": note, "clear": sure, "delete": gone, "permission": allowed}
    await stage.say("I heard: " + ", ".join(f"{what}: {shown(answer)}" for what, answer in answers.items()) + ".")


async def draw(stage: Stage) -> None:
    await working.plan(stage, 3, STEPS)
    if stage.desk is None:
        await stage.say(drawing.NO_DESK)
        return
    chosen = None
    if stage.can_ask:
        chosen = await stage.ask("select", title="What shall I draw?", options=SHOWS, timeout=PATIENCE)
    await {"form": drawing.form, "table": drawing.table}.get(str(chosen), drawing.dashboard)(stage)
