"""The scripted model server, with a model that uses the page: `SCN:mcp` asks, `SCN:mcpslow` draws."""

import os
import sys
from typing import Any

sys.path.insert(0, os.environ["A2UI_CLI_TOOLS"])
import fake_models  # type: ignore[import-not-found]

ASK = {"title": "Which flavour?", "options": ["vanilla", "mint"]}
DRAW = {
    "surfaceId": "shop",
    "components": [
        {"id": "root", "component": "Column", "children": ["name", "send"]},
        {"id": "name", "component": "TextField", "label": "Name", "value": {"@path": "/name"}},
        {"id": "send", "component": "Button", "child": "label", "action": {"event": {"name": "order"}}},
        {"id": "label", "component": "Text", "text": "Order"},
    ],
    "data": {"name": "Ada"},
}
_pick = fake_models.pick


def pick(tools: list[Any], kind: str, args: dict[str, Any]) -> Any:
    """The app's own tool, by the end of its name; agents put different things before it."""
    if kind != "mcp":
        return _pick(tools, kind, args)
    name, arguments = ("render_ui", DRAW) if "wait_s" in args else ("ask_select", ASK)
    found = next((tool for tool in tools if tool[0].lower().endswith(name)), None)
    return (found[0], arguments, found[2]) if found else None


fake_models.pick = pick
fake_models.web.run_app(fake_models.app, host="127.0.0.1", port=int(sys.argv[1]), print=None, access_log=None)
