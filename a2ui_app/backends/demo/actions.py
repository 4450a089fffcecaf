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
    """Return the action of an A2UI message to the agent, with or without its envelope, or of a prompt's JSON."""
    inner = message.get("action")
    body = inner if isinstance(inner, Mapping) else message
    context = body.get("context")
    return Action(
        str(body.get("name") or body.get("event") or ""),
        str(body.get("surfaceId") or ""),
        context if isinstance(context, Mapping) else {},
    )


def action_of_prompt(prompt: str) -> Action | None:
    """Return the action that a prompt tells as JSON, with any words before it; None when it is no such prompt."""
    text = prompt.strip()
    if not text.startswith(PREFIX):
        return None
    try:
        told, _ = json.JSONDecoder().raw_decode(text, text.index("{"))
    except ValueError:  # no JSON, or none that can be read: an action without a name
        told = {}
    return action_of(told)
