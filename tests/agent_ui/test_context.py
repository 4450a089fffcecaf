"""Checklist A: the twelve operations and `Context`, row by row."""

import dataclasses
import inspect
from typing import Any, cast

import pytest

from a2ui_app.agent_ui import AgentUI, Context, DebugRpcUI, HeadlessUI, Ok, RpcUI

TWELVE = {
    *("select", "confirm", "input", "editor", "notify", "set_status", "set_widget", "set_working_message"),
    *("set_title", "set_editor_text", "get_editor_text", "has_ui"),
}
OPTIONS = [{"label": "A", "value": "a"}]


class Recorder:
    """Notes each call, with its positional and named arguments."""

    has_ui = True

    def __init__(self) -> None:
        self.calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []

    def __getattr__(self, name: str) -> Any:
        if name not in TWELVE:
            raise AttributeError(name)

        def record(*args: Any, **opts: Any) -> Any:
            self.calls.append((name, args, opts))
            if name in ("select", "confirm", "input", "editor"):
                return self._answer(name)
            return "typed" if name == "get_editor_text" else None

        return record

    async def _answer(self, name: str) -> Ok[str]:
        return Ok(f"answer to {name}")


@pytest.fixture
def ui() -> Recorder:
    return Recorder()


@pytest.fixture
def context(ui: Recorder) -> Context:
    return Context(cast(AgentUI, ui), state={"kept": True})


def test_row_001_twelve_operations():
    assert {name for name in vars(AgentUI) if not name.startswith("_")} == TWELVE
    for implementation in (RpcUI, DebugRpcUI, HeadlessUI, Context):
        for name in TWELVE:
            assert inspect.getattr_static(implementation, name, None) is not None, (implementation, name)


def test_row_002_state_is_none(ui):
    assert Context(ui).state is None


@pytest.mark.parametrize("state", [{"a": 1}, [1], object(), (1, 2)])
def test_row_003_state_is_kept(ui, state):
    assert Context(ui, state).state is state


async def test_row_004_select_passes_its_arguments_and_no_state(ui, context):
    assert await context.select("T", OPTIONS, foo="bar", timeout=3) == Ok("answer to select")
    assert ui.calls == [("select", ("T", OPTIONS), {"foo": "bar", "timeout": 3})]


async def test_row_005_select_without_options_passes_none(ui, context):
    await context.select("T", OPTIONS)
    assert ui.calls == [("select", ("T", OPTIONS), {})]


async def test_row_006_input_without_placeholder(ui, context):
    await context.input("T")
    assert ui.calls == [("input", ("T", None), {})]


async def test_row_007_editor_without_prefill(ui, context):
    await context.editor("T")
    assert ui.calls == [("editor", ("T", None), {})]


async def test_row_008_input_with_opts(ui, context):
    await context.input("T", "ph", secret=True, nested={"a": [1]})
    assert ui.calls == [("input", ("T", "ph"), {"secret": True, "nested": {"a": [1]}})]


@pytest.mark.parametrize("type", ["info", "warning", "error", "success"])
def test_row_009_notify(ui, context, type):
    assert context.notify("m", type) is None
    assert ui.calls == [("notify", ("m", type), {})]


def test_row_010_clearing_a_status(ui, context):
    context.set_status("k", None)
    assert ui.calls == [("set_status", ("k", None), {})]


@pytest.mark.parametrize("content", ["text", ["a", "b"], None])
def test_row_011_widget_contents(ui, context, content):
    context.set_widget("k", content, position="above")
    assert ui.calls == [("set_widget", ("k", content), {"position": "above"})]


def test_row_012_clearing_the_working_message(ui, context):
    context.set_working_message(None)
    assert ui.calls == [("set_working_message", (None,), {})]


def test_row_013_editor_text(context):
    assert context.get_editor_text() == "typed"


@pytest.mark.parametrize("value", [True, False])
def test_row_014_has_ui(ui, context, value):
    ui.has_ui = value
    assert context.has_ui is value


@pytest.mark.parametrize("operation", sorted(TWELVE - {"has_ui"}))
async def test_row_015_something_that_is_no_context(ui, operation):
    arguments = {"select": ("T", []), "confirm": ("T", "M"), "get_editor_text": (), "set_status": ("k", "t")}
    arguments["set_widget"] = ("k", None)

    class Lookalike:
        def __init__(self) -> None:
            self.ui = ui

    with pytest.raises(TypeError, match="expected a Context, not Lookalike"):
        getattr(Context, operation)(Lookalike(), *arguments.get(operation, ("T",)))
    assert ui.calls == []


async def test_row_016_a_context_is_immutable_and_reusable(ui, context):
    with pytest.raises(dataclasses.FrozenInstanceError):
        context.state = None
    await context.confirm("T", "M")
    context.set_title("T")
    await context.confirm("T", "M")
    assert [name for name, _, _ in ui.calls] == ["confirm", "set_title", "confirm"]
    assert context.state == {"kept": True}


async def test_row_017_any_text_is_unchanged(ui, context):
    text = "日本語 🎉 \"quoted\" 'single' \\ \n\t\u2028 é"
    await context.input(text, text, hint=text)
    context.set_editor_text(text)
    assert ui.calls == [("input", (text, text), {"hint": text}), ("set_editor_text", (text,), {})]


def test_every_adapter_is_an_agent_ui(context):
    for adapter in (RpcUI(), DebugRpcUI(), HeadlessUI(), context):
        assert isinstance(adapter, AgentUI)
