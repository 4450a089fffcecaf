"""`render_ui`: what models send is read leniently where its meaning is certain, and drawn only when it is right.

Everything else is an error that names the place, what was found and what is expected, with an example that is right.
"""

import json
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from ...backends.base import Desk
from ...catalogs.registry import BASIC_1_0
from ...live.channel import describe, messages_of, new_session
from . import examples

VERSION = "v1.0"
OLD = ("beginRendering", "surfaceUpdate", "dataModelUpdate")
"""Actions of 0.8, which models know best."""

_FENCED = re.compile(r"\s*```(?:json|a2ui)?\s*\n(.*?)\n?\s*```\s*", re.DOTALL)
_TYPE = re.compile(r"component '(\w+)'")
_PREFIX = re.compile(r"Validation failed for component '\w+' at \S+: ")


class NotDrawn(Exception):
    """Nothing was drawn; the text is for the model."""


def draw(desk: Desk, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Draw what ``arguments`` of the tool say. Raises NotDrawn."""
    messages = read(arguments)
    _rehearse(messages)
    replaced = {_surface_of(message, "createSurface") for message in messages} - {""}
    for surface in desk.state()["surfaces"]:
        if surface["surfaceId"] in replaced:
            desk.close(surface["surfaceId"])
    errors = [reply.error for reply in desk.draw(messages) if reply.error is not None]
    if errors:
        raise NotDrawn("\n".join(_explain(describe(error)) for error in errors))
    touched = sorted({_surface_of(message) for message in messages} - {""})
    return {"ok": True, "surfaces": touched}


def read(arguments: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The A2UI messages that the arguments of the tool mean. Raises NotDrawn."""
    messages = parsed("messages", arguments.get("messages"))
    components = parsed("components", arguments.get("components"))
    if messages is None and components is None:
        raise NotDrawn(f"Give components or messages. Example: {examples.line(examples.FORM)}")
    if components is not None:
        return [_create(str(arguments.get("surfaceId") or "main"), components, parsed("data", arguments.get("data")))]
    return [_message(f"/messages/{place}", message) for place, message in enumerate(messages_of(messages))]


def parsed(place: str, value: Any) -> Any:
    """A value that may have come as JSON in a string, maybe in a Markdown fence. Raises NotDrawn."""
    if not isinstance(value, str):
        return value
    fenced = _FENCED.fullmatch(value)
    text = (fenced[1] if fenced else value).strip()
    try:
        found, end = json.JSONDecoder().raw_decode(text)
    except json.JSONDecodeError as error:
        raise NotDrawn(
            f"/{place}: found text that is no JSON (line {error.lineno}, column {error.colno}: {error.msg}); expected "
            f"a JSON value, not a string. Example: {examples.line(examples.FORM)}"
        ) from error
    if text[end:].strip():
        raise NotDrawn(
            f"/{place}: found text after the JSON, from character {end}: {text[end:].strip()[:40]!r}; expected nothing "
            "after it. Send the JSON value alone."
        )
    return found


def _create(surface_id: str, components: Any, data: Any) -> dict[str, Any]:
    if isinstance(components, Mapping):
        components = components.get("components", [components])
    if not isinstance(components, list):
        raise NotDrawn(
            f"/components: found {_kind(components)}; expected a list of components. "
            f"Example: {examples.line([examples.component('Text')])}"
        )
    if data is not None and not isinstance(data, Mapping):
        raise NotDrawn(f'/data: found {_kind(data)}; expected an object. Example: {{"name": "Ada"}}')
    body = {"surfaceId": surface_id, "catalogId": BASIC_1_0, "components": components, "dataModel": data or {}}
    return {"version": VERSION, "createSurface": body}


def _message(place: str, message: Any) -> dict[str, Any]:
    if not isinstance(message, Mapping):
        raise NotDrawn(
            f"{place}: found {_kind(message)}; expected an A2UI message. Example: {examples.line(examples.CREATE)}"
        )
    old = next((name for name in OLD if name in message), None)
    if old is not None:
        raise NotDrawn(
            f"{place}: found {old}, which is A2UI 0.8; expected createSurface, updateComponents, updateDataModel or "
            f"deleteSurface of 1.0. Example: {examples.line(examples.CREATE)}"
        )
    whole = {"version": VERSION, **message}
    create = whole.get("createSurface")
    if isinstance(create, Mapping) and "catalogId" not in create and str(whole["version"]).lstrip("v").startswith("1"):
        whole["createSurface"] = {**create, "catalogId": BASIC_1_0}
    if _surface_of(whole).startswith("dialog-"):
        raise NotDrawn(f"{place}: surface ids that begin with dialog- are the page's own; choose another surfaceId.")
    return whole


def _rehearse(messages: Sequence[dict[str, Any]]) -> None:
    """Try new surfaces on a session of their own that overlooks nothing. Raises NotDrawn; the page sees none of it."""
    created = {_surface_of(message, "createSurface") for message in messages} - {""}
    session = new_session(validation="strict")
    for place, message in enumerate(messages):
        if _surface_of(message) not in created:
            continue
        outcome = session.handle_message(message)
        if outcome.error is not None:
            raise NotDrawn(_explain(describe(outcome.error), place if len(messages) > 1 else None))


def _explain(error: Mapping[str, Any], place: int | None = None) -> str:
    """An error with all its places, one a line, and an example of the component that the first is about."""
    where = f"/messages/{place}" if place is not None else ""
    details = error.get("details") or [error]
    lines = [f"{where}{detail['path'] or ''}: {_PREFIX.sub('', detail['message'])}" for detail in details]
    found = _TYPE.search(error["message"])
    example = examples.component(found[1]) if found else examples.CREATE if "/version" in str(error["path"]) else {}
    return "\n".join(lines) + (f" Example: {examples.line(example)}" if example else "")


def _surface_of(message: Mapping[str, Any], action: str = "") -> str:
    """The id of the surface that a message is about, if it has that ``action``; empty when there is none."""
    bodies = [message.get(action)] if action else list(message.values())
    return next((str(body["surfaceId"]) for body in bodies if isinstance(body, Mapping) and "surfaceId" in body), "")


def _kind(value: Any) -> str:
    names = {str: "a string", list: "a list", dict: "an object", type(None): "null", bool: "true or false"}
    return names.get(type(value), "a number")


def update_data(desk: Desk, surface_id: str, path: str, value: Any) -> dict[str, Any]:
    """Set data of a surface. Raises NotDrawn."""
    if all(one["surfaceId"] != surface_id for one in desk.state()["surfaces"]):
        raise NotDrawn(unknown_surface(desk, surface_id))
    update = {"surfaceId": surface_id, "path": path if path.startswith("/") else f"/{path}", "value": value}
    errors = [reply.error for reply in desk.draw([{"version": VERSION, "updateDataModel": update}]) if reply.error]
    if errors:
        raise NotDrawn("\n".join(_explain(describe(error)) for error in errors))
    return {"ok": True}


def unknown_surface(desk: Desk, surface_id: str) -> str:
    """What is said of a surface that is not there."""
    known = ", ".join(one["surfaceId"] for one in desk.state()["surfaces"]) or "none; draw one with render_ui"
    return f"/surfaceId: found {surface_id!r}, which is not drawn; drawn are: {known}."


async def next_action(
    desk: Desk, seconds: float, tick: Callable[[float, float], Awaitable[object]], interval: float = 8.0
) -> dict[str, Any]:
    """The next action as the tool tells it, with the data of its surface; ``tick`` is called while one waits."""
    waited = 0.0
    while True:
        pause = min(interval, seconds - waited)
        action = await desk.next_action(max(pause, 0.0))
        waited += pause
        if action is not None:
            surfaces = desk.state()["surfaces"]
            data = next((one["dataModel"] for one in surfaces if one["surfaceId"] == action.get("surfaceId")), None)
            told = {"name": action.get("name"), "surfaceId": action.get("surfaceId"), "context": action.get("context")}
            return {"action": told, "data": data}
        if waited >= seconds:
            return {"action": None}
        await tick(waited, seconds)
