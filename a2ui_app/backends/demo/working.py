"""Scripts that use tools. Names and inputs of the tools are those of a well-known agent: a page shows them alike."""

from collections.abc import Sequence

from .stage import Stage

FILE = "shop/prices.py"
OLD = """def total(items):
    return sum(item.price for item in items)"""
NEW = '''def total(items):
    """The price of all items, in cents; each counts as often as it is in the basket."""
    return sum(item.price * item.count for item in items)'''
LISTING = "".join(
    f"{number:6}\t{line}\n" for number, line in enumerate(["from shop.items import Item", "", "", *OLD.splitlines()], 1)
)
FAILING = """FF..                                                             [100%]
___________________________ test_two_of_a_kind ____________________________
    def test_two_of_a_kind():
>       assert total([Item("tea", price=350, count=2)]) == 700
E       assert 350 == 700

tests/test_prices.py:12: AssertionError
2 failed, 2 passed in 0.08s"""
PASSING = "....                                                             [100%]\n4 passed in 0.06s"
STEPS = (
    ("Run the tests", "Running the tests"),
    ("Read the code", "Reading the code"),
    ("Fix the sum", "Fixing the sum"),
    ("Run the tests again", "Running the tests again"),
)


async def edit(stage: Stage) -> None:
    """Fix a small bug: a plan, a test that fails, a file read and edited, a test that passes."""
    stage.set_title("Fix the basket's total")
    await stage.think("The total is wrong for two of a kind. First I want to see it fail.")
    await plan(stage, 0)
    await run_tests(stage, FAILING, failed=True)
    await plan(stage, 1)
    await read(stage)
    await stage.say(f"`total` in `{FILE}` forgets how many of each item there are.")
    await plan(stage, 2)
    await change(stage)
    await plan(stage, 3)
    await run_tests(stage, PASSING)
    await plan(stage, 4)
    stage.notify("All tests pass", "success")
    await stage.say(f"Fixed: **{FILE}** multiplies each price by its count, and all four tests pass.")


async def plan(stage: Stage, done: int, steps: Sequence[tuple[str, str]] = STEPS) -> None:
    """Write the to-do list: the first `done` steps are done, the next one is being done. It is a widget too."""
    states = ["completed"] * done + ["in_progress"] + ["pending"] * len(steps)
    todos = [
        {"content": content, "activeForm": active, "status": state}
        for (content, active), state in zip(steps, states, strict=False)
    ]
    await stage.tool("TodoWrite", {"todos": todos}, "The list was updated", seconds=0.1)
    marks = {"completed": "✓", "in_progress": "▸", "pending": "·"}
    stage.set_widget("plan", [f"{marks[todo['status']]} {todo['content']}" for todo in todos])
    stage.set_status("plan", f"{done} of {len(steps)} steps")
    if done < len(steps):
        stage.set_working_message(steps[done][1])


async def read(stage: Stage) -> None:
    await stage.tool("Read", {"file_path": FILE}, LISTING)


async def change(stage: Stage) -> None:
    await stage.tool("Edit", {"file_path": FILE, "old_string": OLD, "new_string": NEW}, f"Changed:\n{diff()}")


async def run_tests(stage: Stage, output: str, *, failed: bool = False) -> None:
    tests = {"command": "pytest -q tests/test_prices.py", "description": "Run the tests of the prices"}
    await stage.tool("Bash", tests, output, seconds=1.5, failed=failed)


def diff() -> str:
    """Return the change as a unified diff."""
    removed = "".join(f"-{line}\n" for line in OLD.splitlines()[1:])
    added = "".join(f"+{line}\n" for line in NEW.splitlines()[1:])
    return f"--- a/{FILE}\n+++ b/{FILE}\n@@ -4,2 +4,3 @@\n {OLD.splitlines()[0]}\n{removed}{added}"
