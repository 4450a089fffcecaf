"""The tools. Each finds the desk of its caller by the bearer token of the request, and does one thing on it.

All are coroutines, also those that wait for nothing: the SDK runs others in threads, and a desk belongs to the loop.
"""

from collections.abc import Callable
from typing import Annotated, Any, Literal, Protocol

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from ...agent_ui.protocol import AgentUI
from ...backends import base
from . import drawing, texts
from .questions import Questions

LONGEST_WAIT = 3600.0  # seconds that one call of wait_for_action may take

Option = str | dict[str, Any]


class Desk(base.Desk, Protocol):
    """What a conversation offers to its agent."""

    ui: AgentUI


class Caller:
    """Whom a request is from: their desk, and the questions they have asked."""

    def __init__(self, desk: Desk, questions: Questions):
        self.desk = desk
        self.questions = questions


Find = Callable[[Context], Caller]
"""Gives the caller of a request. Raises ToolError when its run is over."""


def add_tools(server: MCPServer, find: Find) -> None:
    """Give ``server`` all tools."""
    _add_questions(server, find)
    _add_notices(server, find)
    _add_surfaces(server, find)


def _add_questions(server: MCPServer, find: Find) -> None:
    async def ask(ctx: Context, tool: str, arguments: dict[str, Any], method: str, **given: Any) -> dict[str, Any]:
        caller = find(ctx)

        async def tick(seconds: float) -> None:  # a sign of life, so that the client goes on waiting
            await ctx.report_progress(seconds, message="The person has not answered yet")

        def dialog() -> Any:
            return getattr(caller.desk.ui, method)(**given, timeout=None)

        return await caller.questions.ask(tool, arguments, dialog, tick)

    @server.tool(description=texts.ASK_SELECT)
    async def ask_select(title: str, options: list[Option], ctx: Context, multiple: bool = False) -> dict[str, Any]:
        shown = [_option(place, option) for place, option in enumerate(options)]
        if not shown:
            raise ToolError('/options: found an empty list; expected at least one option. Example: ["Yes", "No"]')
        arguments = {"title": title, "options": options, "multiple": multiple}
        return await ask(ctx, "ask_select", arguments, "select", title=title, options=shown, multiple=multiple)

    @server.tool(description=texts.ASK_CONFIRM)
    async def ask_confirm(title: str, ctx: Context, message: str = "", danger: bool = False) -> dict[str, Any]:
        arguments = {"title": title, "message": message, "danger": danger}
        return await ask(ctx, "ask_confirm", arguments, "confirm", **arguments)

    @server.tool(description=texts.ASK_INPUT)
    async def ask_input(title: str, ctx: Context, placeholder: str = "") -> dict[str, Any]:
        arguments = {"title": title, "placeholder": placeholder}
        return await ask(ctx, "ask_input", arguments, "input", title=title, placeholder=placeholder or None)

    @server.tool(description=texts.ASK_EDITOR)
    async def ask_editor(title: str, ctx: Context, text: str = "") -> dict[str, Any]:
        arguments = {"title": title, "text": text}
        return await ask(ctx, "ask_editor", arguments, "editor", title=title, prefill=text)


def _add_notices(server: MCPServer, find: Find) -> None:
    @server.tool(description=texts.NOTIFY)
    async def notify(message: str, ctx: Context, level: Literal["info", "success", "warning", "error"] = "info") -> str:
        find(ctx).desk.ui.notify(message, level)
        return "ok"

    @server.tool(description=texts.SET_STATUS)
    async def set_status(key: str, text: str | None, ctx: Context) -> str:
        find(ctx).desk.ui.set_status(key, text)
        return "ok"

    @server.tool(description=texts.SET_WIDGET)
    async def set_widget(key: str, lines: list[str] | None, ctx: Context) -> str:
        find(ctx).desk.ui.set_widget(key, lines)
        return "ok"

    @server.tool(description=texts.SET_WORKING_MESSAGE)
    async def set_working_message(message: str | None, ctx: Context) -> str:
        find(ctx).desk.ui.set_working_message(message)
        return "ok"

    @server.tool(description=texts.SET_TITLE)
    async def set_title(title: str, ctx: Context) -> str:
        find(ctx).desk.ui.set_title(title)
        return "ok"


def _add_surfaces(server: MCPServer, find: Find) -> None:
    @server.tool(description=texts.RENDER_UI)
    async def render_ui(
        ctx: Context, surfaceId: str = "main", components: Any = None, data: Any = None, messages: Any = None
    ) -> dict[str, Any]:
        arguments = {"surfaceId": surfaceId, "components": components, "data": data, "messages": messages}
        return _drawn(lambda: drawing.draw(find(ctx).desk, arguments))

    @server.tool(description=texts.UPDATE_UI_DATA)
    async def update_ui_data(surfaceId: str, path: str, value: Any, ctx: Context) -> dict[str, Any]:
        return _drawn(lambda: drawing.update_data(find(ctx).desk, surfaceId, path, value))

    @server.tool(description=texts.GET_UI_STATE)
    async def get_ui_state(ctx: Context, surfaceId: str = "") -> dict[str, Any]:
        surfaces = find(ctx).desk.state()["surfaces"]
        return {"surfaces": [one for one in surfaces if surfaceId in ("", one["surfaceId"])]}

    @server.tool(description=texts.WAIT_FOR_ACTION)
    async def wait_for_action(
        ctx: Context, seconds: Annotated[float, Field(ge=0, le=LONGEST_WAIT)] = 600.0
    ) -> dict[str, Any]:
        caller = find(ctx)
        answers = caller.questions.take_answers()
        action = await drawing.next_action(caller.desk, 0.0 if answers else seconds, ctx.report_progress)
        return action | ({"answers": answers} if answers else {})

    @server.tool(description=texts.CLOSE_UI)
    async def close_ui(surfaceId: str, ctx: Context) -> str:
        desk = find(ctx).desk
        if not desk.close(surfaceId):
            raise ToolError(drawing.unknown_surface(desk, surfaceId))
        return "ok"


def _drawn(act: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    try:
        return act()
    except drawing.NotDrawn as error:
        raise ToolError(f"Nothing was drawn. {error}") from error


def _option(place: int, option: Option) -> dict[str, Any]:
    if isinstance(option, str):
        return {"label": option, "value": option}
    label = option.get("label", option.get("value"))
    if not isinstance(label, str) or not label:
        raise ToolError(
            f"/options/{place}/label: found {label!r}; expected a string. "
            'Example: {"label": "SQLite", "value": "sqlite"}'
        )
    return {"label": label, "value": option.get("value", label), "description": option.get("description")}
