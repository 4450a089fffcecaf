"""The surfaces that the demo draws, as A2UI 1.0 messages. Plain data: what happens on them is in drawing.py."""

from collections.abc import Mapping, Sequence
from typing import Any

VERSION = "1.0"
CATALOG = "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json"

Component = dict[str, Any]
JsonMessage = dict[str, Any]

# --- messages -------------------------------------------------------------------------------------------------------


def create(surface_id: str, components: Sequence[Component], data: Mapping[str, Any]) -> JsonMessage:
    body = {"surfaceId": surface_id, "catalogId": CATALOG, "dataModel": dict(data), "components": list(components)}
    return {"version": VERSION, "createSurface": body}


def update_components(surface_id: str, *components: Component) -> JsonMessage:
    return {"version": VERSION, "updateComponents": {"surfaceId": surface_id, "components": list(components)}}


def update_data(surface_id: str, path: str, value: Any) -> JsonMessage:
    return {"version": VERSION, "updateDataModel": {"surfaceId": surface_id, "path": path, "value": value}}


# --- components -----------------------------------------------------------------------------------------------------


def component(id: str, type: str, **properties: Any) -> Component:
    return {"id": id, "component": type, **properties}


def text(id: str, words: Any, **properties: Any) -> Component:
    return component(id, "Text", text=words, **properties)


def button(id: str, label: str, event: str, context: Mapping[str, Any], **properties: Any) -> list[Component]:
    """A button and the text on it."""
    action = {"event": {"name": event, "context": dict(context)}}
    return [component(id, "Button", child=f"{id}-label", action=action, **properties), text(f"{id}-label", label)]


def path(pointer: str) -> dict[str, str]:
    """A binding to the data model: absolute with a slash, else relative to the row of a template."""
    return {"@path": pointer}


def call(function: str, **arguments: Any) -> dict[str, Any]:
    return {"@call": function, "args": arguments}


def formatted(template: str) -> dict[str, Any]:
    return call("formatString", value=template)


def required(pointer: str, message: str) -> dict[str, Any]:
    return {"condition": call("required", value=path(pointer)), "message": message}


# --- the form -------------------------------------------------------------------------------------------------------

PROJECT = {"name": "", "kind": ["service"], "parts": ["tests"], "workers": 2, "start": "2026-12-07", "note": ""}
_NAMED = {
    "condition": call("regex", value=path("/project/name"), pattern="^[a-z][a-z0-9-]{1,30}$"),
    "message": "Small letters, digits and hyphens, a letter first",
}
FORM: tuple[Component, ...] = (
    component("root", "Card", child="form"),
    component(
        "form", "Column", children=["title", "name", "kind", "parts", "workers", "start", "note", "divider", "buttons"]
    ),
    text("title", "## A new project"),
    component(
        "name", "TextField", label="Name", placeholder="tea-shop", value=path("/project/name"), **{"@checks": [_NAMED]}
    ),
    component(
        "kind",
        "ChoicePicker",
        label="What is it?",
        variant="mutuallyExclusive",
        displayStyle="chips",
        value=path("/project/kind"),
        options=[
            {"label": "A service", "value": "service"},
            {"label": "A library", "value": "library"},
            {"label": "A command", "value": "command"},
        ],
    ),
    component(
        "parts",
        "ChoicePicker",
        label="With",
        variant="multipleSelection",
        value=path("/project/parts"),
        options=[
            {"label": "Tests", "value": "tests"},
            {"label": "Documentation", "value": "docs"},
            {"label": "A container image", "value": "image"},
        ],
    ),
    component("workers", "Slider", label="Workers", min=1, max=8, steps=7, value=path("/project/workers")),
    component("start", "DateTimeInput", label="Start", enableDate=True, value=path("/project/start")),
    component("note", "TextField", label="Note", variant="longText", value=path("/project/note")),
    component("divider", "Divider"),
    component("buttons", "Row", children=["cancel", "create"], justify="end"),
    *button("cancel", "Cancel", "cancelProject", {}),
    *button(
        "create", "Create", "createProject", {"project": path("/project")}, variant="primary", **{"@checks": [_NAMED]}
    ),
)
FORM_DONE: tuple[Component, ...] = (
    component("root", "Card", child="done"),
    component("done", "Row", children=["done-icon", "done-text"], align="center"),
    component("done-icon", "Icon", name="check"),
    component("done-text", "Column", children=["done-title", "done-note"], weight=1),
    text("done-title", formatted("### ${/project/name} is ready")),
    text("done-note", formatted("${/project/workers} workers, from ${/project/start}"), variant="caption"),
)

# --- the dashboard --------------------------------------------------------------------------------------------------


def _tile(name: str, label: str, template: str, note: str) -> list[Component]:
    parts = [f"{name}-label", f"{name}-value", f"{name}-note"]
    return [
        component(name, "Card", child=f"{name}-body", weight=1),
        component(f"{name}-body", "Column", children=parts),
        text(parts[0], label, variant="caption"),
        text(parts[1], formatted(template)),
        text(parts[2], note, variant="caption"),
    ]


# Drawn in three steps: the page shows at once what it has, and fills in the rest when it comes.
DASHBOARD: tuple[Component, ...] = (
    component("root", "Column", children=["head", "tiles", "jobs-card"]),
    component("head", "Row", children=["head-text", "again"], justify="spaceBetween", align="center"),
    component("head-text", "Column", children=["title", "status"]),
    text("title", formatted("## Build ${/build/number}")),
    text("status", path("/build/status"), variant="caption", **{"@accessibility": {"live": "polite"}}),
    *button("again", "Run again", "runAgain", {"number": path("/build/number")}, variant="primary"),
)
DASHBOARD_TILES: tuple[Component, ...] = (
    component("tiles", "Row", children=["passed", "failed", "coverage"]),
    *_tile("passed", "Tests passed", "## ${formatNumber(value: ${/build/passed}, decimals: 0)}", "of 1,217"),
    *_tile("failed", "Failed", "## ${/build/failed}", "goal 0"),
    *_tile("coverage", "Coverage", "## ${/build/coverage} %", "goal 90 %"),
)
DASHBOARD_JOBS: tuple[Component, ...] = (
    component("jobs-card", "Card", child="jobs"),
    component("jobs", "Column", children={"componentId": "job", "path": "/jobs"}),
    component("job", "Row", children=["job-icon", "job-name", "job-time"], align="center"),
    component("job-icon", "Icon", name=path("icon"), **{"@accessibility": {"label": path("state")}}),
    text("job-name", path("name"), weight=1),
    text("job-time", path("time"), variant="caption"),
)
JOBS = ("Install", "Lint", "Unit tests", "Browser tests", "Package")
_ICONS = {"waiting": "moreHoriz", "running": "play", "passed": "check"}


def build_data(number: int, step: int) -> dict[str, Any]:
    """The data of build `number` when `step` of its jobs are done."""
    over = step >= len(JOBS)
    build = {
        "number": number,
        "status": "All jobs passed" if over else f"{JOBS[step]} …",
        "passed": 1217 * step // len(JOBS),
        "failed": 0,
        "coverage": 58 + 7 * step,
    }
    return {"build": build, "jobs": [_job(name, place, step) for place, name in enumerate(JOBS)]}


def _job(name: str, place: int, step: int) -> dict[str, str]:
    state = "passed" if place < step else "running" if place == step else "waiting"
    return {"name": name, "state": state, "icon": _ICONS[state], "time": f"{7 + 5 * place} s" if place < step else ""}


# --- the table ------------------------------------------------------------------------------------------------------

_ROW_ACTION = {"event": {"name": "closeIssue", "context": {"id": path("id")}}}
TABLE: tuple[Component, ...] = (
    component("root", "Card", child="body"),
    component("body", "Column", children=["title", "names", "divider", "rows", "left"]),
    text("title", "## Open issues"),
    component("names", "Row", children=["names-title", "names-owner", "names-state"]),
    text("names-title", "**Title**", weight=4),
    text("names-owner", "**Owner**", weight=2),
    text("names-state", "**State**", weight=3),  # over two columns: the buttons need no name
    component("divider", "Divider"),
    component("rows", "Column", children={"componentId": "row", "path": "/issues"}),
    component("row", "Row", children=["row-title", "row-owner", "row-state", "row-last"], align="center"),
    text("row-title", formatted("#${id} ${title}"), weight=4),
    text("row-owner", path("owner"), weight=2),
    text("row-state", path("state"), weight=2),
    component("row-last", "Row", children=["row-close"], weight=1),
    component("row-close", "Button", child="row-icon", action=_ROW_ACTION),
    component("row-icon", "Icon", name="check", **{"@accessibility": {"label": formatted("Close issue ${id}")}}),
    text("left", formatted("${/open} of ${/all} are open"), variant="caption"),
)
ISSUES = (
    {"id": 12, "title": "Total is wrong for two of a kind", "owner": "Ada", "state": "open"},
    {"id": 15, "title": "Basket forgets its note", "owner": "Grace", "state": "open"},
    {"id": 18, "title": "Slow search with accents", "owner": "Edsger", "state": "open"},
    {"id": 21, "title": "Dark colours of the receipt", "owner": "Ada", "state": "open"},
)


def table_data() -> dict[str, Any]:
    return {"issues": [dict(issue) for issue in ISSUES], "open": len(ISSUES), "all": len(ISSUES)}
