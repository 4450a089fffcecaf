"""Actions of the demo's surfaces, read from a message or from a prompt: text beginning with `[action]`."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

PREFIX = "[action]"


@dataclass(frozen=True)
class Action:
    """What a person did on a surface; `surface_id` is empty when it was not told."""

    name: str
    surface_id: str = ""
    context: Mapping[str, Any] = field(default_factory=dict)


def action_of(message: Mapping[str, Any]) -> Action:
    """Return the action of an A2UI message to the agent, with or without its envelope."""
    inner = message.get("action")
    body = inner if isinstance(inner, Mapping) else message
    context = body.get("context")
    return Action(
        str(body.get("name") or ""),
        str(body.get("surfaceId") or ""),
        context if isinstance(context, Mapping) else {},
    )


def action_of_prompt(prompt: str) -> Action | None:
    """Return the action that a prompt tells, None when it is no such prompt.

    Read is JSON of any of the forms above, and text before it whose first word names the action when the JSON does not.
    """
    text = prompt.strip()
    if not text.lower().startswith(PREFIX):
        return None
    words, told = _split(text[len(PREFIX) :])
    action = action_of(told)
    if action.name:
        return action
    name = words.split()[0] if words.split() else ""
    return Action(name, action.surface_id, action.context or told)


def _split(text: str) -> tuple[str, Mapping[str, Any]]:
    """Return the words before the first JSON object, and that object."""
    start = text.find("{")
    if start < 0:
        return text, {}
    try:
        told, _ = json.JSONDecoder().raw_decode(text[start:])
    except json.JSONDecodeError:
        return text[:start], {}
    return text[:start], told
