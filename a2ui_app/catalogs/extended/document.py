"""The document of the extended catalog, as it is published at ``/catalogs/extended.json``."""

from typing import Any, Final

EXTENDED_1_0: Final = "urn:a2ui-app:catalogs:extended:1"

FORMATS: Final = ("text", "number", "percent", "date", "code")
ALIGNMENTS: Final = ("start", "center", "end")
CHARTS: Final = ("line", "bar", "pie")
TONES: Final = ("neutral", "info", "success", "warning", "danger")

_COMMON: Final = "https://a2ui.org/specification/v1_0/common_types.json#/$defs/"

Schema = dict[str, Any]


def document() -> Schema:
    """A new copy of the document."""
    components = {
        "Table": _table(),
        "Progress": _progress(),
        "Badge": _badge(),
        "Callout": _callout(),
        "CodeBlock": _code_block(),
        "Diff": _diff(),
        "Accordion": _accordion(),
        "Chart": _chart(),
        "Markdown": _markdown(),
        "Tree": _tree(),
        "FileUpload": _file_upload(),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": EXTENDED_1_0,
        "protocolVersion": "1.0",
        "title": "A2UI App Extended Catalog",
        "description": "Tables, code, diffs and other components beside the basic catalog.",
        "catalogId": EXTENDED_1_0,
        "instructions": (
            "Use these beside the basic catalog: set catalogId on each of these components. Keep big data in the data "
            "model and bind to it: Table.rows wants a list of objects. Prefer a Table to rows of Text, a Diff to two "
            "code blocks."
        ),
        "components": components,
        "functions": {},
        "$defs": {"anyComponent": {"oneOf": [{"$ref": f"#/components/{name}"} for name in components]}},
    }


# --- The components ------------------------------------------------------------------------------------------------


def _table() -> Schema:
    column = _object(
        "A column.",
        ["key", "label"],
        key=_string("The member of each row that the column shows."),
        label=_string("The column's head."),
        align=_choice("Where its cells stand; numbers stand at the end by default.", ALIGNMENTS),
        format=_choice("How its values are written; the default is 'text'.", FORMATS),
    )
    return _component(
        "Table",
        "Records in rows. A click on a column's head sorts by it, in the browser only. The head stays in view.",
        ["columns", "rows"],
        columns={"type": "array", "description": "The columns, in order.", "items": column, "minItems": 1},
        rows=_records("The rows: objects whose members are named by the columns' keys."),
        caption=_type("DynamicString", "What the table is about, shown above it."),
        empty=_type("DynamicString", "What is said when there are no rows."),
    )


def _progress() -> Schema:
    return _component(
        "Progress",
        "How far something is. Without a value it only shows that something is going on.",
        [],
        value=_type("DynamicNumber", "How far it is, from 0 to max."),
        max={"type": "number", "exclusiveMinimum": 0, "description": "The value when all is done; 1 by default."},
        label=_type("DynamicString", "What is going on."),
        tone=_type("DynamicString", "The colour: neutral, info, success, warning or danger; by default the surface's."),
    )


def _badge() -> Schema:
    return _component(
        "Badge",
        "A short word or number that marks something: a state, a count.",
        ["text"],
        text=_type("DynamicString", "The word."),
        tone=_type("DynamicString", "The colour: neutral, info, success, warning or danger."),
    )


def _callout() -> Schema:
    return _component(
        "Callout",
        "A note that stands out.",
        ["text"],
        text=_type("DynamicString", "The note; simple Markdown."),
        title=_type("DynamicString", "Its heading."),
        tone=_type("DynamicString", "What kind of note: neutral, info (the default), success, warning or danger."),
        child=_type("Child", "One component below the text, such as a button."),
    )


def _code_block() -> Schema:
    return _component(
        "CodeBlock",
        "Code or other text in a fixed-width font, with colours and a button that copies it.",
        ["code"],
        code=_type("DynamicString", "The code."),
        language=_type("DynamicString", "Its language, such as python, json or bash; plain without one."),
        title=_type("DynamicString", "A file name or the like, shown above it."),
        lineNumbers={"type": "boolean", "description": "Whether lines are numbered."},
    )


def _diff() -> Schema:
    return _component(
        "Diff",
        "What changed in text files.",
        ["diff"],
        diff=_type("DynamicString", "A unified diff, as git and diff -u write it."),
        title=_type("DynamicString", "What the change is, shown above it."),
    )


def _accordion() -> Schema:
    section = _object(
        "A section.",
        ["title", "child"],
        title=_type("DynamicString", "What is always seen, and opens the section."),
        child=_type("Child", "The component inside."),
        open={"type": "boolean", "description": "Whether it is open at first."},
    )
    return _component(
        "Accordion",
        "Sections that open and close.",
        ["sections"],
        sections={"type": "array", "description": "The sections, in order.", "items": section, "minItems": 1},
        single={"type": "boolean", "description": "Whether one that opens closes the others."},
    )


def _chart() -> Schema:
    series = _object(
        "A series of numbers.",
        ["key"],
        key=_string("The member of each point that holds its number."),
        label=_string("Its name; the key by default."),
        tone=_choice("Its colour.", TONES),
    )
    return _component(
        "Chart",
        "Numbers as a line, bar or pie chart. Readers of screens get the same as a table.",
        ["kind", "points", "x", "series"],
        kind=_choice("A pie shows the first series only.", CHARTS),
        points=_records("The points: objects with the members that x and series name."),
        x=_string("The member of each point that holds its label."),
        series={"type": "array", "description": "What is drawn.", "items": series, "minItems": 1},
        caption=_type("DynamicString", "What the chart is about, shown above it."),
        format=_choice("How numbers are written; the default is 'number'.", ("number", "percent")),
    )


def _markdown() -> Schema:
    return _component(
        "Markdown",
        "A longer text: headings, lists, tables, coloured code, links. No HTML, no images.",
        ["text"],
        text=_type("DynamicString", "The Markdown."),
    )


def _tree() -> Schema:
    return _component(
        "Tree",
        "Things inside things, such as folders and files. Branches open and close.",
        ["items"],
        items=_records("The items: objects with label, detail (optional) and items (optional, the same again)."),
        open={"type": "integer", "minimum": 0, "description": "How many levels are open at first; 1 by default."},
        label=_type("DynamicString", "What the tree shows, for readers of screens."),
    )


def _file_upload() -> Schema:
    return _component(
        "FileUpload",
        "Lets the person choose files. Each is put into the data as {name, type, size, content}, content in base64.",
        ["value"],
        value=_records("The files; bind it to data."),
        label=_type("DynamicString", "What is asked for."),
        accept=_string("The kinds of files, as in HTML: '.csv,image/*'. Any by default."),
        multiple={"type": "boolean", "description": "Whether several may be chosen."},
        maxBytes={
            "type": "integer",
            "minimum": 1,
            "description": "The most bytes of one file. All files together have at most 700,000.",
        },
    )


# --- The words they are written in ---------------------------------------------------------------------------------


def _component(name: str, description: str, required: list[str], /, **properties: Schema) -> Schema:
    weight = {"type": "number", "description": "The share of the space in a Row or Column."}
    return {
        "type": "object",
        "description": description,
        "properties": {"component": {"const": name}, **properties, "weight": weight},
        "required": ["component", *required],
    }


def _object(description: str, required: list[str], /, **properties: Schema) -> Schema:
    return {
        "type": "object",
        "description": description,
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _type(name: str, description: str) -> Schema:
    return {"$ref": _COMMON + name, "description": description}


def _string(description: str) -> Schema:
    return {"type": "string", "description": description}


def _choice(description: str, choices: tuple[str, ...]) -> Schema:
    return {"type": "string", "enum": list(choices), "description": description}


def _records(description: str) -> Schema:
    """A list of objects: bound, computed, or written out."""
    return {
        "description": description,
        "oneOf": [
            {"type": "array", "items": {"type": "object"}},
            {"$ref": _COMMON + "DataBinding"},
            {"$ref": _COMMON + "FunctionCall"},
        ],
    }
