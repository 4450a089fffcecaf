"""Our session beside a2ui-core's MessageProcessor and GenericBinder, the same surface in the same run."""

import time
from functools import partial
from typing import Any

from a2ui.core import RELAXED_VALIDATION, MessageProcessor, MessageProcessorOptions
from a2ui.core.basic_catalog import BasicCatalog
from a2ui.core.resolution import ComponentContext, GenericBinder

from a2ui_app.catalogs.registry import BASIC_1_0
from a2ui_app.session import Session
from a2ui_app.session.effects import Diagnostic
from a2ui_app.session.validation import Validation

from .table import Timing, blocks, goal, heading, interleaved, row, timed

Wire = dict[str, Any]


def mixed(count: int) -> tuple[list[Wire], Wire]:
    """``count`` components in groups of five: Row, Text (formatString), TextField (two checks), Button, Text."""
    groups = range(count // 5)
    components: list[Wire] = [{"id": "root", "component": "Column", "children": [f"row{n}" for n in groups]}]
    for n in groups:
        path = {"@path": f"/v{n}"}
        checks = [
            {"condition": {"@call": "required", "args": {"value": path}}, "message": "Needed"},
            {"condition": {"@call": "email", "args": {"value": path}}, "message": "No address"},
        ]
        components += [
            {"id": f"row{n}", "component": "Row", "children": [f"hi{n}", f"field{n}", f"go{n}"]},
            {
                "id": f"hi{n}",
                "component": "Text",
                "text": {"@call": "formatString", "args": {"value": f"Hi ${{/v{n}}}"}},
            },
            {"id": f"field{n}", "component": "TextField", "label": "Mail", "value": path, "checks": checks},
            {
                "id": f"go{n}",
                "component": "Button",
                "child": f"label{n}",
                "action": {"event": {"name": "go", "context": {"mail": path}}},
            },
            {"id": f"label{n}", "component": "Text", "text": path},
        ]
    return components, {f"v{n}": "a" for n in groups}


def create_message(components: list[Wire], data: Wire) -> Wire:
    body = {"surfaceId": "s", "catalogId": BASIC_1_0, "components": components, "dataModel": data}
    return {"version": "v1.0", "createSurface": body}


class Ours:
    """Create and resolve, then a keystroke as the app has it: the write, and the patch for the browser."""

    def __init__(self, components: list[Wire], data: Wire, level: Validation = "relaxed"):
        self.session = Session(validation=level)
        assert self.session.handle_message(create_message(components, data)).ok

    def find(self, component_id: str) -> int:
        nodes = self.session.take_patch().nodes
        return next(ref for ref, node in nodes.items() if node and node["id"] == component_id)

    def key(self, ref: int, value: str) -> None:
        assert self.session.write("s", ref, "value", value).ok
        assert self.session.take_patch().nodes


CATALOG = BasicCatalog("1.0")


class Theirs:
    """The same with a2ui-core: a processor, and a GenericBinder for each component."""

    def __init__(self, components: list[Wire], data: Wire, level: Validation = "relaxed"):
        config = RELAXED_VALIDATION if level == "relaxed" else None
        self.processor = MessageProcessor([CATALOG], options=MessageProcessorOptions(validation_config=config))
        self.processor.process_messages([create_message(components, data)])
        surface = self.processor.model.get_surface("s")
        assert surface is not None
        self.surface = surface
        self.binders = {
            part["id"]: GenericBinder(ComponentContext.from_surface(surface, part["id"])) for part in components
        }

    def key(self, component_id: str, value: str) -> None:
        snapshot: Any = self.binders[component_id].snapshot
        snapshot["setValue"](value)


def compare_creation() -> None:
    """Both with the same validation: ``relaxed`` is what the app runs, ``none`` what neither should."""
    heading("create + resolve, ms: median (least)", "components, validation", "ours", "a2ui-core", "times faster")
    levels: tuple[Validation, ...] = ("relaxed", "none")
    for level in levels:
        for count, repeat in ((100, 7), (1000, 5), (5000, 1)):
            components, data = mixed(count)
            ours, theirs = interleaved(
                repeat, partial(Ours, components, data, level), partial(Theirs, components, data, level)
            )
            row(f"{count}, {level}", ours, theirs, f"{theirs.median / ours.median:.1f}")
            if count == 1000:
                goal(f"creation at 1000, {level}, times faster", theirs.median / ours.median, 30, at_least=True)


def compare_keystrokes() -> None:
    heading("one keystroke, ms: median (least)", "components", "ours", "a2ui-core", "times faster")
    components, data = mixed(1000)
    ours, theirs = Ours(components, data), Theirs(components, data)
    ref = ours.find("field7")
    values = [f"ada{'x' * (n % 20)}@b.co" for n in range(100)]
    small, core = blocks(
        [partial(ours.key, ref, value) for value in values], [partial(theirs.key, "field7", value) for value in values]
    )
    row(1000, small, core, f"{core.median / small.median:.1f}")
    large = Ours(*mixed(10_000))
    large_ref = large.find("field7")
    large_runs, small_again = blocks(
        [partial(large.key, large_ref, value) for value in values], [partial(ours.key, ref, value) for value in values]
    )
    row("10,000", large_runs, "-", "-")
    goal("keystroke at 1000, times faster", core.median / small.median, 30, at_least=True)
    goal("keystroke at 10,000 over 1,000", large_runs.median / small_again.median, 1.5, at_least=False)


def compare_templates() -> None:
    heading("1000 rows of a template, ms", "", "ours", "a2ui-core", "times faster")
    components: list[Wire] = [
        {"id": "root", "component": "List", "children": {"componentId": "row", "path": "/rows"}},
        {"id": "row", "component": "Row", "children": ["name", "field"]},
        {"id": "name", "component": "Text", "text": {"@path": "name"}},
        {
            "id": "field",
            "component": "TextField",
            "label": "Name",
            "value": {"@path": "name"},
            "checks": [{"condition": {"@call": "required", "args": {"value": {"@path": "name"}}}, "message": "Needed"}],
        },
    ]
    data = {"rows": [{"name": f"n{n}"} for n in range(1000)]}
    built: dict[str, Any] = {}
    ours = Timing((timed(lambda: built.update(ours=Ours(components, data))),))
    theirs = Timing((timed(lambda: built.update(theirs=core_rows(components, data))),))
    row("build", ours, theirs, f"{theirs.median / ours.median:.1f}")
    ref = built["ours"].find("field")
    values = [f"x{n}" for n in range(60)]
    set_value: Any = built["theirs"][0].snapshot["setValue"]
    ours_write, theirs_write = blocks(
        [partial(built["ours"].key, ref, value) for value in values], [partial(set_value, value) for value in values]
    )
    row("one row's write", ours_write, theirs_write, f"{theirs_write.median / ours_write.median:.1f}")


def core_rows(components: list[Wire], data: Wire) -> list[GenericBinder]:
    """a2ui-core has no templates: a renderer over it makes the binders of each row. The rows' fields come first."""
    processor = MessageProcessor([CATALOG])
    processor.process_messages([create_message(components, data)])
    surface = processor.model.get_surface("s")
    assert surface is not None
    rows = range(len(data["rows"]))
    return [
        GenericBinder(ComponentContext.from_surface(surface, id, f"/rows/{n}"))
        for id in ("field", "name", "row")
        for n in rows
    ]


def worst_cases() -> None:
    """Inputs meant to make a session slow; each is to end with an answer in bounded time."""
    heading("hostile inputs, ms", "input", "time", "ends with")
    regex = {"@call": "regex", "args": {"value": "a" * 40 + "!", "pattern": "^(a+)+$"}}
    nested: Any = {"@path": "/a"}
    for _ in range(20_000):
        nested = {"@call": "not", "args": {"value": nested}}
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    chain = [{"id": f"c{n}", "component": "Card", "child": f"c{n + 1}"} for n in range(5_000)]
    text = {"id": "root", "component": "Text"}
    rows = {"id": "root", "component": "List", "children": {"componentId": "row", "path": "/l"}}
    cases: list[tuple[str, list[Wire], Wire]] = [
        ("catastrophic pattern", [{**text, "text": regex}], {}),
        ("20,000 nested calls", [{**text, "text": nested}], {"a": True}),
        ("100,000 levels of data", [{**text, "text": "x"}], {"a": deep}),
        ("template of 10,001 letters", [{**text, "text": fmt("x" * 10_001)}], {}),
        ("template of 100 nested parts", [{**text, "text": fmt("${" * 100 + "/a" + "}" * 100)}], {"a": 1}),
        ("template of 5,000 parts", [{**text, "text": fmt("${/a}" * 2_000)}], {"a": 1}),
        ("100,000 rows", [rows, {"id": "row", "component": "Text", "text": {"@path": ""}}], {"l": ["x"] * 100_000}),
        ("chain of 5,000 cards", [{"id": "root", "component": "Card", "child": "c0"}, *chain], {}),
    ]
    for name, components, data in cases:
        session = Session()
        message = create_message(components, data)
        start = time.perf_counter()
        outcome = session.handle_message(message)
        took = (time.perf_counter() - start) * 1000
        codes = [effect.payload["code"] for effect in outcome.effects if isinstance(effect, Diagnostic)]
        row(name, f"{took:.1f}", type(outcome.error).__name__ if outcome.error else codes[:1] or "ok")


def fmt(template: str) -> Wire:
    return {"@call": "formatString", "args": {"value": template}}


def run() -> None:
    Session()  # load the catalogs once
    compare_creation()
    compare_keystrokes()
    compare_templates()
    worst_cases()


if __name__ == "__main__":
    run()
