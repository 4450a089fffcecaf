"""What models read: the tools' descriptions, and the guide. Short and exact: each word is paid for in every request."""

from .examples import COMPONENTS, CREATE, FORM, TABLE, component, line

INSTRUCTIONS = (
    "A page where a person watches you. Ask with ask_*, show progress with set_working_message and set_status, and "
    "draw forms, tables and dashboards with render_ui instead of long texts. Read a2ui://guide before you draw."
)

ASK_SELECT = """Ask the person to choose. Waits for the answer.
Options are strings or {"label", "value", "description"}. Returns {"answer": value}; null when they gave none.
Example: {"title": "Which database?", "options": ["SQLite", "PostgreSQL"]}"""

ASK_CONFIRM = """Ask yes or no. Waits. Set danger when yes may destroy something. Returns {"answer": true|false|null}.
Example: {"title": "Delete 12 files?", "message": "They are not in git.", "danger": true}"""

ASK_INPUT = """Ask for one line of text. Waits. Returns {"answer": text|null}.
Example: {"title": "Name of the branch?", "placeholder": "fix-login"}"""

ASK_EDITOR = """Ask for a longer text, which starts as text. Waits. Returns {"answer": text|null}.
Example: {"title": "Commit message", "text": "Fix the login"}"""

NOTIFY = """Show a short message. level: info, success, warning or error.
Example: {"message": "Tests pass", "level": "success"}"""

SET_STATUS = """Show a small status under a key; null clears it.
Example: {"key": "tests", "text": "41 of 120"}"""

SET_WIDGET = """Keep lines on view above the prompt under a key; null removes them.
Example: {"key": "plan", "lines": ["1. read", "2. fix"]}"""

SET_WORKING_MESSAGE = """Say what you are doing; null when done.
Example: {"message": "Running the tests"}"""

SET_TITLE = """Set the page's title.
Example: {"title": "Fix the login"}"""

RENDER_UI = f"""Draw an A2UI surface, or draw it anew. Give components (flat list, linked by ids, one has id "root")
and data; or messages, a list of A2UI 1.0 messages. {{"@path": "/x"}} binds a property to data; inputs write there.
A Button's event comes back through wait_for_action.
Example: {line(FORM)}"""

UPDATE_UI_DATA = """Set data of a surface; what is bound to it changes at once.
Example: {"surfaceId": "form", "path": "/name", "value": "Ada"}"""

GET_UI_STATE = """What is drawn and what the person has entered. Without surfaceId: all surfaces.
Example: {"surfaceId": "form"}"""

WAIT_FOR_ACTION = """Wait until the person uses a surface (default 600 s). Returns
{"action": {"name", "surfaceId", "context"}, "data"}, or {"action": null} when the time is over.
"answers" holds answers to questions you no longer waited for.
Example: {"seconds": 300}"""

CLOSE_UI = """Take a surface away.
Example: {"surfaceId": "form"}"""

_ROWS = "\n".join(f"- {line(component(type_, 'id'))}" for type_ in COMPONENTS)

GUIDE = f"""# Drawing with A2UI 1.0

A surface is a flat list of components. Each has an `id` and names its type in `component`; containers name their
children by id. Exactly one component has the id `root`. Unknown properties are errors.

`render_ui` with components and data:

    {line(FORM)}

The same as messages:

    {line(CREATE)}

## Data

`{{"@path": "/a/b"}}` in place of a value binds a property to the surface's data. Inputs write what the person enters to
their `value` path. `update_ui_data` changes data later. In a template, `{{"componentId": "row", "path": "/items"}}` as
`children` draws the component `row` once for each item; inside, paths without a leading slash belong to the item.

## Actions

`{{"event": {{"name": "save", "context": {{"name": {{"@path": "/name"}}}}}}}}` as a Button's `action`. `wait_for_action`
returns it with the context resolved. If you are not waiting, it comes as the next prompt, which begins with `[action]`.

## Components of the basic catalog, in their smallest form

{_ROWS}

## More components

Table, Chart, CodeBlock, Diff, Markdown, Tree, Accordion, Callout, Badge, Progress and FileUpload are in the extended
catalog (a2ui://catalogs/extended). Each of them needs its catalogId:

    {line(TABLE)}

Text is Markdown: a heading is `"text": "## Title"`. A Button's label is a Text component named by `child`.
"""
