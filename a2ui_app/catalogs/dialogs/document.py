"""The document of the dialogs catalog.

Each dialog is bound to an entry in the surface's data model, so that what a person has typed outlives a reload and
shows in every tab. Its ``action`` answers with the entry; ``cancel`` says that there is no answer.
"""

from typing import Any, Final

DIALOGS_1_0: Final = "urn:a2ui-app:catalogs:dialogs:1"

_COMMON: Final = "https://a2ui.org/specification/v1_0/common_types.json#/$defs/"

Schema = dict[str, Any]


def document() -> Schema:
    """A new copy of the document."""
    components = {
        "SelectDialog": _dialog(
            "SelectDialog",
            "Asks to choose from a list.",
            ["options", "value"],
            value=_type("DynamicStringList", "The places of what is chosen, as strings."),
            options={"type": "array", "description": "What can be chosen.", "items": _option()},
            multiple={"type": "boolean", "description": "Whether several may be chosen."},
        ),
        "ConfirmDialog": _dialog(
            "ConfirmDialog",
            "Asks yes or no.",
            ["reject"],
            message=_string("What is to be confirmed."),
            danger={"type": "boolean", "description": "Whether saying yes may do harm."},
            reject=_type("Action", "Runs when the person says no."),
            yes=_string("The label of yes."),
            no=_string("The label of no."),
        ),
        "InputDialog": _dialog(
            "InputDialog",
            "Asks for one line of text.",
            ["value"],
            value=_type("DynamicString", "What is typed."),
            placeholder=_string("An example of what may be typed."),
            secret={"type": "boolean", "description": "Whether nobody should read along."},
        ),
        "EditorDialog": _dialog(
            "EditorDialog",
            "Asks for a longer text.",
            ["value"],
            value=_type("DynamicString", "What is typed."),
        ),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": DIALOGS_1_0,
        "protocolVersion": "1.0",
        "title": "A2UI App Dialogs",
        "description": "The questions of coding agents.",
        "catalogId": DIALOGS_1_0,
        "components": components,
        "functions": {},
        "$defs": {"anyComponent": {"oneOf": [{"$ref": f"#/components/{name}"} for name in components]}},
    }


def _dialog(name: str, description: str, required: list[str], **properties: Schema) -> Schema:
    return {
        "type": "object",
        "description": description,
        "properties": {
            "component": {"const": name},
            "title": _string("The question."),
            "origin": _string("Who asks."),
            "opened": {"type": "number", "description": "When it was asked, in seconds since the epoch."},
            "deadline": {"type": "number", "description": "When it ends without an answer, in the same seconds."},
            "action": _type("Action", "Runs when the person answers."),
            "cancel": _type("Action", "Runs when the person wants to give no answer."),
            **properties,
        },
        "required": ["component", "title", "action", "cancel", *required],
    }


def _option() -> Schema:
    return {
        "type": "object",
        "properties": {"label": _string("What it is called."), "description": _string("What it means.")},
        "required": ["label"],
        "additionalProperties": False,
    }


def _string(description: str) -> Schema:
    return {"type": "string", "description": description}


def _type(name: str, description: str) -> Schema:
    return {"$ref": f"{_COMMON}{name}", "description": description}
