"""What must hold whatever an agent or a user sends.

Arbitrary JSON never raises and never harms what was there; and however a surface came to be, its incremental tree is
the one a session resolves from scratch, its patches add up to its snapshot, and a pickle goes on as the original.
"""

import os
import pickle
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from a2ui_app.catalogs.registry import BASIC_1_0
from a2ui_app.session import Session, effects

from .board import Board, at, call, formatted, text

EXAMPLES = int(os.environ.get("A2UI_FUZZ_EXAMPLES", "60"))
"""Runs of each property; `make fuzz` takes far more."""

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
json_values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
)

# --- arbitrary input ---------------------------------------------------------------------------------------------

ACTIONS = ["createSurface", "updateComponents", "updateDataModel", "deleteSurface", "callRendererFunction"]
KEYS = ["surfaceId", "components", "id", "component", "children", "child", "path", "@path", "@call", "args", "value"]
KEYS += ["text", "catalogId", "dataModel", "checks", "condition", "action", "event", "functionCallId", "callFunction"]
WORDS = ["s", "root", "Text", "Column", "List", "Button", "TextField", "/a", "/a/0", "formatString", "${/a}", BASIC_1_0]
likely_values = st.recursive(
    st.sampled_from(WORDS) | scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=5),
    max_leaves=12,
)
likely_messages = st.builds(
    lambda version, action, body: {"version": version, action: body},
    st.sampled_from(["1.0", "v0.9", "v1.0", "0.9.1", "2.0"]),
    st.sampled_from(ACTIONS),
    st.dictionaries(st.sampled_from(KEYS), likely_values, max_size=5) | likely_values,
)


def living_board() -> Board:
    return Board(
        {"id": "root", "component": "List", "children": {"componentId": "row", "path": "/a"}},
        text("row", formatted("${@index()} ${n}")),
        data={"a": [{"n": 1}, {"n": 2}]},
    )


@given(json_values | likely_messages | st.lists(likely_messages, max_size=3))
@settings(max_examples=EXAMPLES * 5, deadline=None)
def test_no_payload_raises_or_harms_what_was_there(payload: Any):
    board = living_board()
    before = pickle.dumps(board.session.tree("s"))
    outcome = board.session.handle_message(payload)
    if outcome.error is not None and not outcome.effects:
        assert pickle.dumps(board.session.tree("s")) == before
    assert str(outcome.error or "ok")
    board.session.snapshot()
    pickle.loads(pickle.dumps(board.session))
    assert board.session.handle_message({"version": "1.0", "deleteSurface": {"surfaceId": "s"}}).ok


@given(st.integers(-5, 50), st.sampled_from(["text", "value", "children", "", "@path"]), json_values)
@settings(max_examples=EXAMPLES, deadline=None)
def test_no_input_of_a_user_raises(ref: int, name: str, value: Any):
    board = living_board()
    board.session.write("s", ref, name, value)
    board.session.invoke("s", ref, name)
    board.session.mcp_app_request("s", ref, name, value)
    board.session.timeout_agent_call(name)
    assert board.nodes("row")


# --- any history -------------------------------------------------------------------------------------------------

IDS = ["root", "a", "b", "c", "d"]
PATHS = ["/", "/x", "/y", "/list", "/list/0", "/list/1", "/list/1/n", "/list/0/l", "/list/0/l/0", "/x/y"]
FLAT = st.sampled_from([None, True, False, 0, 1, 1.0, "", "a", "1"])
ROW = st.fixed_dictionaries(
    {}, optional={"n": FLAT, "id": st.sampled_from(["p", "q", "r"]), "l": st.lists(FLAT, max_size=3)}
)
DATA = FLAT | st.lists(ROW | FLAT, max_size=4) | st.dictionaries(st.sampled_from(["x", "y", "n"]), FLAT, max_size=2)
values = st.sampled_from(
    ["plain", at("/x"), at("n"), at(""), at("/list/0/n"), at("/x/y"), formatted("${/x} ${n}"), formatted("${@index()}")]
)
children = st.lists(st.sampled_from(IDS[1:]), max_size=3) | st.builds(
    lambda id, path: {"componentId": id, "path": path},
    st.sampled_from(IDS[1:]),
    st.sampled_from(["/list", "l", "/x"]),
)


@st.composite
def components(draw: st.DrawFn) -> dict[str, Any]:
    id = draw(st.sampled_from(IDS))
    kind = draw(st.sampled_from(["Text", "Column", "List", "TextField", "CheckBox", "Button", "Unknown", "Card"]))
    definition: dict[str, Any] = {"id": id, "component": kind}
    match kind:
        case "Text":
            definition["text"] = draw(values)
        case "Column" | "List":
            definition["children"] = draw(children)
        case "TextField" | "CheckBox":
            definition |= {"label": draw(values), "value": draw(st.sampled_from([at("/x"), at("n"), "fixed"]))}
            check = {"condition": call("required", value=draw(st.sampled_from([at("/x"), at("n")]))), "message": "!"}
            definition["checks"] = draw(st.sampled_from([[], [check]]))
        case "Button":
            definition |= {"child": draw(st.sampled_from(IDS[1:])), "action": {"event": {"name": "go"}}}
        case "Card":
            definition["child"] = draw(st.sampled_from(IDS[1:]))
    return definition


def bare(tree: dict[str, Any] | None) -> Any:
    """A tree without refs, which depend on history."""
    if tree is None:
        return None
    return {**tree, "ref": 0, "children": [bare(child) for child in tree["children"]]}


def exact(value: Any) -> str:
    return repr(value)  # tells True from 1 and 1 from 1.0, as a browser does


class History(RuleBasedStateMachine):
    """Operations in any order on one surface."""

    def __init__(self) -> None:
        super().__init__()
        self.session = Session(validation="none")
        self.mirror: dict[int, Any] = {}
        self.surfaces: dict[str, Any] = {}

    @initialize()
    def create(self) -> None:
        create = {"surfaceId": "s", "catalogId": BASIC_1_0}
        assert self.session.handle_message({"version": "1.0", "createSurface": create}).ok

    @rule(definitions=st.lists(components(), min_size=1, max_size=4))
    def update_components(self, definitions: list[Any]) -> None:
        update = {"surfaceId": "s", "components": definitions}
        self.session.handle_message({"version": "1.0", "updateComponents": update})

    @rule(path=st.sampled_from(PATHS), value=DATA)
    def update_data(self, path: str, value: Any) -> None:
        update = {"surfaceId": "s", "path": path, "value": value}
        self.session.handle_message({"version": "1.0", "updateDataModel": update})

    @rule(choice=st.integers(0, 30), value=FLAT)
    def write(self, choice: int, value: Any) -> None:
        writable = [(ref, name) for ref, node in self.mirror.items() for name in node.get("writable", ())]
        if writable:
            ref, name = writable[choice % len(writable)]
            self.session.write("s", ref, name, value)

    @rule(choice=st.integers(0, 30))
    def click(self, choice: int) -> None:
        buttons = [ref for ref, node in self.mirror.items() if node["type"] == "Button" and "state" not in node]
        if buttons:
            outcome = self.session.invoke("s", buttons[choice % len(buttons)], "action")
            assert outcome.ok and isinstance(outcome.effects[-1], effects.Send)

    @rule()
    def pickled(self) -> None:
        self.session = pickle.loads(pickle.dumps(self.session))

    @rule()
    def delete_and_create(self) -> None:
        assert self.session.handle_message({"version": "1.0", "deleteSurface": {"surfaceId": "s"}}).ok
        self.create()

    @invariant()
    def tree_is_that_of_a_fresh_session(self) -> None:
        surface = self.session.surface("s")
        if surface is None:
            return
        fresh = Session(validation="none")
        create = {"surfaceId": "s", "catalogId": BASIC_1_0, "components": list(surface.components.values())}
        outcome = fresh.handle_message({"version": "1.0", "createSurface": {**create, "dataModel": surface.data}})
        assert outcome.ok
        assert exact(bare(self.session.tree("s"))) == exact(bare(fresh.tree("s")))

    @invariant()
    def patches_add_up_to_the_snapshot(self) -> None:
        patch = self.session.take_patch()
        for ref, node in patch.nodes.items():
            if node is None:
                self.mirror.pop(ref, None)
            else:
                self.mirror[ref] = node
        for surface_id, entry in patch.surfaces.items():
            if entry is None:
                self.surfaces.pop(surface_id, None)
            else:
                self.surfaces[surface_id] = entry
        snapshot = self.session.snapshot()
        assert exact(sorted(self.mirror.items())) == exact(sorted(snapshot.nodes.items()))
        assert self.surfaces == snapshot.surfaces


History.TestCase.settings = settings(max_examples=EXAMPLES, stateful_step_count=20, deadline=None)
TestHistory = History.TestCase
