"""The MCP catalog: apps of MCP tools on a surface, and functions that turn tool results into data.

Component and function names, and what they take, are those of the public ``catalogs/mcp/v1`` catalog.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import jmespath
from jmespath.exceptions import JMESPathError

from . import patterns
from .catalog import Catalog
from .coercion import to_string
from .errors import A2uiExpressionError
from .functions import Function
from .registry import catalog_from_document
from .requests import DataUpdates, ToolRequest
from .shapes import DataPaths, ObjectOf

MCP_1_0: Final = "https://a2ui.org/specification/v1_0/catalogs/mcp/catalog.json"

_COMMON: Final = "https://a2ui.org/specification/v1_0/common_types.json#/$defs/"


def mcp_catalog() -> Catalog:
    """The MCP catalog for protocol 1.0."""
    catalog = catalog_from_document(_document(), _FUNCTIONS)
    app = catalog.components["McpApp"]
    shared = ObjectOf({"paths": DataPaths()}, frozenset({"paths"}), closed=True)
    shape = replace(app.shape, properties={**app.shape.properties, "data": shared})
    return replace(catalog, components={"McpApp": replace(app, shape=shape)})


def _type(name: str, description: str) -> dict[str, Any]:
    return {"$ref": _COMMON + name, "description": description}


def _function(name: str, description: str, required: list[str], /, **arguments: dict[str, Any]) -> dict[str, Any]:
    args = {"type": "object", "properties": arguments, "required": required, "additionalProperties": False}
    return {
        "type": "object",
        "description": description,
        "returnType": "any",
        "properties": {"@call": {"const": name}, "args": args},
        "required": ["@call", "args"],
        "unevaluatedProperties": False,
    }


def _object_of(*names: str, description: str, member: dict[str, Any]) -> dict[str, Any]:
    properties = dict.fromkeys(names, member)
    return {"type": "object", "description": description, "properties": properties, "additionalProperties": False}


def _document() -> dict[str, Any]:
    text, value = "DynamicString", "DynamicValue"
    texts = {"type": "array", "items": {"type": "string"}}
    app = {
        "type": "object",
        "description": "An MCP app in a sandbox. What it may call is listed here; everything else is refused.",
        "properties": {
            "component": {"const": "McpApp"},
            "htmlContent": _type(text, "The app's HTML. With the prefix 'url_encoded:' it is decoded first."),
            "title": _type(text, "The accessible title of the frame."),
            "allowedTools": {**texts, "description": "Tools the app may call; each call goes out as an action."},
            "allowedFunctions": {
                "type": "object",
                "description": "Functions of the surface's catalog that the app may call: name -> JSON schema of args.",
                "additionalProperties": {"type": "object"},
            },
            "data": {
                "type": "object",
                "description": "Data shared with the app, kept equal on both sides.",
                "properties": {"paths": {"type": "object", "additionalProperties": {"type": "string"}}},
                "required": ["paths"],
                "additionalProperties": False,
            },
            "csp": _object_of(
                "connectDomains",
                "resourceDomains",
                "frameDomains",
                "baseUriDomains",
                description="Origins the app may reach; none by default.",
                member=texts,
            ),
            "permissions": _object_of(
                "camera",
                "microphone",
                "geolocation",
                "clipboardWrite",
                description="Browser features granted to the app; none by default.",
                member={"type": ["boolean", "object"]},
            ),
        },
        "required": ["component", "htmlContent"],
    }
    pattern = _type(text, "A regular expression.")
    value_or_list = _type(value, "A string or a list of strings.")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": MCP_1_0,
        "protocolVersion": "1.0",
        "title": "A2UI MCP Catalog",
        "description": "MCP apps on a surface, MCP tools, and functions that shape their results.",
        "catalogId": MCP_1_0,
        "components": {"McpApp": app},
        "functions": {
            "callMcpTool": _function(
                "callMcpTool",
                "Calls an MCP tool; its value is the tool's result.",
                ["name"],
                name=_type(text, "The tool's name."),
                arguments=_type(value, "The tool's arguments, an object."),
                targetDataPath=_type(
                    text, "Where the tool's app is written: uri, htmlContent, csp, permissions, toolInput, toolResult."
                ),
            ),
            "jmespath": _function(
                "jmespath",
                "Evaluates a JMESPath expression.",
                ["expression", "data"],
                expression=_type(text, "The expression."),
                data=_type(value, "What it is evaluated against."),
            ),
            "split": _function(
                "split",
                "Splits a string, or each of a list of strings.",
                ["value", "separator"],
                value=value_or_list,
                separator=_type(text, "Where to split; an empty one splits into characters."),
            ),
            "regexCapture": _function(
                "regexCapture",
                "The capture groups of the first match, null without one.",
                ["value", "pattern"],
                value=value_or_list,
                pattern=pattern,
            ),
            "regexReplace": _function(
                "regexReplace",
                "Replaces every match by a literal text.",
                ["value", "pattern", "replacement"],
                value=value_or_list,
                pattern=pattern,
                replacement=_type(text, "The text; '$1' in it is no group."),
            ),
            "updateDataModel": _function(
                "updateDataModel",
                "Writes into the surface's data model.",
                ["updates"],
                updates=_type(value, "An object: path -> value; a relative path counts from the current scope."),
            ),
        },
        "$defs": {
            "anyComponent": {"oneOf": [{"$ref": "#/components/McpApp"}]},
            "anyFunction": {"oneOf": [{"$ref": f"#/functions/{function.name}"} for function in _FUNCTIONS]},
        },
    }


def _call_tool(arguments: Mapping[str, Any]) -> ToolRequest:
    name, passed, target = arguments.get("name"), arguments.get("arguments") or {}, arguments.get("targetDataPath")
    if not isinstance(name, str) or not name:
        raise A2uiExpressionError("callMcpTool: 'name' must be the name of a tool.")
    if not isinstance(passed, dict):
        raise A2uiExpressionError("callMcpTool: 'arguments' must be an object.")
    return ToolRequest(name, passed, to_string(target) if target is not None else None)


def _jmespath(arguments: Mapping[str, Any]) -> Any:
    expression = to_string(arguments.get("expression"))
    if len(expression) > 1_000:
        raise A2uiExpressionError("jmespath: the expression is over 1,000 characters.")
    try:
        return jmespath.search(expression, arguments.get("data"))
    except (JMESPathError, RecursionError) as error:
        raise A2uiExpressionError(f"jmespath: '{expression[:80]}' cannot be evaluated: {error}") from error


def _split(arguments: Mapping[str, Any]) -> Any:
    separator = to_string(arguments.get("separator"))
    return _each(arguments.get("value"), lambda text: text.split(separator) if separator else list(text))


def _regex_capture(arguments: Mapping[str, Any]) -> Any:
    pattern = to_string(arguments.get("pattern"))
    return _each(arguments.get("value"), lambda text: patterns.capture(pattern, text))


def _regex_replace(arguments: Mapping[str, Any]) -> Any:
    pattern, replacement = to_string(arguments.get("pattern")), to_string(arguments.get("replacement"))
    return _each(arguments.get("value"), lambda text: patterns.replace(pattern, text, replacement))


def _each(value: Any, apply: Any) -> Any:
    """``apply`` to a string, or to each of a list of strings."""
    if isinstance(value, list):
        return [apply(to_string(item)) for item in value]
    return apply(to_string(value))


def _update_data_model(arguments: Mapping[str, Any]) -> DataUpdates:
    updates = arguments.get("updates")
    if not isinstance(updates, dict):
        raise A2uiExpressionError("updateDataModel: 'updates' must be an object of paths and values.")
    return DataUpdates(updates)


_FUNCTIONS: Final = (
    Function("callMcpTool", _call_tool),
    Function("jmespath", _jmespath),
    Function("split", _split),
    Function("regexCapture", _regex_capture),
    Function("regexReplace", _regex_replace),
    Function("updateDataModel", _update_data_model),
)
