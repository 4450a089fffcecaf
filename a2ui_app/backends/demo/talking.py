"""Scripts that only talk: streams of any length, silence, failures, and what was said before."""

import re

from .stage import Stage

DEFAULT_LINES = 100
MOST_LINES = 100_000


async def stream(stage: Stage) -> None:
    """Say as many lines as the first number in the prompt."""
    found = re.search(r"\d+", stage.prompt)
    count = min(int(found.group()), MOST_LINES) if found else DEFAULT_LINES
    text = "".join(f"{n}. line {n} of {count}\n" for n in range(1, count + 1))
    await stage.say(text, lines=True, every=0.004)


async def long(stage: Stage) -> None:
    """Say an answer of many sections, with code and a table in each."""
    await stage.say("".join(_section(number) for number in range(1, 13)), every=0.01)


def _section(number: int) -> str:
    return (
        f"## {number}. Layer {number}\n\n"
        f"Layer {number} takes what layer {number - 1} gives it and passes it on. It keeps **no state**, so it "
        "can be tested alone, and it says in its name what it does:\n\n"
        f"- `read_{number}` takes one item,\n- `check_{number}` refuses what is out of form,\n"
        f"- `write_{number}` hands on the rest.\n\n"
        f"```python\ndef layer_{number}(items):\n    for item in items:\n        if check_{number}(item):\n"
        f"            yield write_{number}(item)\n```\n\n"
        "| items | time | memory |\n|---:|---:|---:|\n"
        f"| 1,000 | {number * 3} ms | {number} MB |\n| 10,000 | {number * 29} ms | {number} MB |\n\n"
    )


async def slow(stage: Stage) -> None:
    """Be silent for a while, again and again: before the first word, in a tool, in the middle of a sentence."""
    stage.set_working_message("Thinking for a long time")
    stage.state("Waiting for the model")
    await stage.pause(6)
    await stage.think("This needs a while …")
    await stage.pause(4)
    stage.set_working_message("Running all tests")
    await stage.tool("Bash", {"command": "make test", "description": "Run all tests"}, "1,217 passed in 8 s", seconds=8)
    await stage.say("That took long, and the next word takes its")
    await stage.pause(4)
    await stage.say("time too. You can stop me while I wait.")


async def history(stage: Stage) -> None:
    """List the prompts of this conversation before this one."""
    earlier = stage.session.exchanges
    if not earlier:
        await stage.say("This is the first prompt of our conversation.")
        return
    lines = "".join(f"{n}. {_short(exchange.prompt)}\n" for n, exchange in enumerate(earlier, 1))
    await stage.say(f"You said before:\n\n{lines}")


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 80 else f"{line[:79]}…"


async def error(stage: Stage) -> None:
    """Fail as an agent does whose model server stays busy."""
    await stage.say("I ask the model server")
    for attempt in range(1, 4):
        stage.state(f"The model server is busy. Trying again ({attempt} of 3)", level="retrying")
        await stage.pause(1.5)
    raise stage.fail("The model server was busy three times (HTTP 529). Send the prompt again in a minute.")


async def crash(stage: Stage) -> None:
    """Break as an agent with a defect does."""
    await stage.say("Something goes wrong now")
    raise ZeroDivisionError("the demo agent broke on purpose")
