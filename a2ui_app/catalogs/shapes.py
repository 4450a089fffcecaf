"""The shape of a component's properties, read once from its JSON schema.

A shape answers two questions about a property: how the resolver treats it (is it dynamic, a child link, an action?)
and whether a value that an agent sent fits (`misfits`). Only the references of A2UI's ``common_types`` carry meaning
beyond JSON Schema: a property is a child link only if its schema refers to ``Child``/``ComponentId``/``ChildList``.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from . import patterns

Coercion = Literal["string", "number", "boolean", "strings", "any"]
_COERCIONS: Final[dict[str, Coercion]] = {
    "DynamicString": "string",
    "DynamicNumber": "number",
    "DynamicBoolean": "boolean",
    "DynamicStringList": "strings",
    "DynamicValue": "any",
}
_REFERENCE: Final = re.compile(r"#/\$defs/(\w+)$")
_JSON_TYPES: Final[dict[str, tuple[type, ...]]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "object": (dict,),
    "array": (list,),
    "null": (type(None),),
}


@dataclass(frozen=True)
class Misfit:
    """A value that does not fit: where (JSON Pointer segments), a detail code of a2ui-core, and what was expected."""

    path: tuple[str, ...]
    code: str
    message: str


@dataclass(frozen=True)
class Scalar:
    """A plain value: JSON types, and the values an ``enum`` or ``const`` allows."""

    types: tuple[str, ...] = ()
    values: tuple[Any, ...] = ()
    minimum: float | None = None
    exclusive_minimum: float | None = None
    maximum: float | None = None
    pattern: str | None = None


@dataclass(frozen=True)
class Dynamic:
    """A literal of one of ``literals``, a data binding or a function call; its result is coerced to ``coercion``."""

    coercion: Coercion
    literals: tuple["Shape", ...]


@dataclass(frozen=True)
class Child:
    """The id of one child component."""


@dataclass(frozen=True)
class ChildList:
    """A list of child ids, or a template ``{componentId, path}``."""


@dataclass(frozen=True)
class Action:
    """``{event}`` or ``{functionCall}``; the short form ``{name, context}`` is read too."""


@dataclass(frozen=True)
class Checks:
    """A list of ``{condition, message}``."""

    needs_message: bool


@dataclass(frozen=True)
class DataPaths:
    """``{key: pointer}``: data an embedded app shares, resolved as ``{key: value}`` (MCP catalog, ``data.paths``)."""


@dataclass(frozen=True)
class ObjectOf:
    properties: Mapping[str, "Shape"]
    required: frozenset[str]
    closed: bool


@dataclass(frozen=True)
class ListOf:
    item: "Shape"
    least: int = 0


@dataclass(frozen=True)
class OneOf:
    options: tuple["Shape", ...]


Shape = Scalar | Dynamic | Child | ChildList | Action | Checks | DataPaths | ObjectOf | ListOf | OneOf
ANYTHING: Final = Scalar()


def holds_links(shape: Shape) -> bool:
    """Whether a value of ``shape`` can refer to child components."""
    match shape:
        case Child() | ChildList():
            return True
        case ObjectOf(properties):
            return any(map(holds_links, properties.values()))
        case ListOf(item):
            return holds_links(item)
        case _:
            return False


def read_shape(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> Shape:
    """The shape of ``schema``, whose local references are looked up in ``definitions`` (a ``$defs`` table)."""
    name = _reference(schema)
    if name in ("ComponentId", "Child"):
        return Child()
    if name == "ChildList":
        return ChildList()
    if name == "Action":
        return Action()
    if name in _COERCIONS:
        return Dynamic(_COERCIONS[name], _literals(definitions.get(name, {}), definitions))
    if name is not None:
        return read_shape(definitions.get(name, {}), definitions)
    for part in schema.get("allOf", ()):  # a dynamic type with a hint, as DateTimeInput.min adds a format
        if _reference(part) in _COERCIONS:
            return read_shape(part, definitions)
    if "properties" in schema or "allOf" in schema:
        return _read_object(schema, definitions)
    options = schema.get("oneOf") or schema.get("anyOf")
    if options:
        if any(_reference(option) in ("DataBinding", "FunctionCall") for option in options):
            return Dynamic("any", _literals(schema, definitions))
        return OneOf(tuple(read_shape(option, definitions) for option in options))
    if schema.get("type") == "array" or "items" in schema:
        item = schema.get("items", {})
        if _reference(item) == "CheckRule":
            return Checks("message" in definitions.get("CheckRule", {}).get("required", ()))
        return ListOf(read_shape(item, definitions), schema.get("minItems", 0))
    return _read_scalar(schema)


def _reference(schema: Mapping[str, Any]) -> str | None:
    match = _REFERENCE.search(schema.get("$ref", ""))
    return match[1] if match else None


def _literals(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> tuple[Shape, ...]:
    """The literal options of a dynamic type: what is neither a binding nor a call."""
    plain = [
        option
        for option in schema.get("oneOf") or schema.get("anyOf") or ()
        if _reference(option) not in ("DataBinding", "FunctionCall") and "allOf" not in option
    ]
    return tuple(read_shape(option, definitions) for option in plain)


def _read_object(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> ObjectOf:
    """An object; the parts of an ``allOf`` are merged, as catalogs write a component's own and common properties."""
    properties: dict[str, Shape] = {}
    required = set(schema.get("required", ()))
    closed = False
    for part in schema.get("allOf", ()):
        name = _reference(part)
        merged = _read_object(definitions.get(name, {}) if name else part, definitions)
        properties |= merged.properties
        required |= merged.required
        closed |= merged.closed
    for name, value in schema.get("properties", {}).items():
        properties[name] = read_shape(value, definitions)
    closed |= False in (schema.get("additionalProperties"), schema.get("unevaluatedProperties"))
    return ObjectOf(properties, frozenset(required), closed)


def _read_scalar(schema: Mapping[str, Any]) -> Scalar:
    types = schema.get("type", ())
    values = (schema["const"],) if "const" in schema else tuple(schema.get("enum", ()))
    return Scalar(
        types=(types,) if isinstance(types, str) else tuple(types),
        values=values,
        minimum=schema.get("minimum"),
        exclusive_minimum=schema.get("exclusiveMinimum"),
        maximum=schema.get("maximum"),
        pattern=schema.get("pattern"),
    )


@dataclass(frozen=True)
class Rules:
    """What `misfits` needs to know beside the shape: the spelling of a surface, and its functions."""

    path_key: str
    call_key: str
    check_call: Callable[[Mapping[str, Any]], Sequence[Misfit]]
    """Checks the name and the arguments of a function call."""
    check_path: Callable[[Any], str | None]
    """Answers what is wrong with a pointer, or None."""


FITS: Final[Sequence[Misfit]] = ()


def misfits(shape: Shape, value: Any, rules: Rules) -> Sequence[Misfit]:
    """Where and why ``value`` does not fit ``shape``; empty when it does."""
    return _CHECKERS[type(shape)](shape, value, rules)


def under(segment: str | int, found: Sequence[Misfit]) -> Sequence[Misfit]:
    """``found``, one level deeper in the payload."""
    if not found:
        return FITS
    return [Misfit((str(segment), *misfit.path), misfit.code, misfit.message) for misfit in found]


def is_dynamic(value: Any, rules: Rules) -> bool:
    return isinstance(value, dict) and (rules.path_key in value or rules.call_key in value)


def name_of(value: Any) -> str:
    """How an error names what it found: ``the number 5``, ``a list``."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "the boolean " + str(value).lower()
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, str):
        return f"the string {value[:40]!r}"
    return "a list" if isinstance(value, list) else "an object"


def _one(code: str, message: str, *path: str) -> Sequence[Misfit]:
    return (Misfit(path, code, message),)


def _scalar_misfits(shape: Scalar, value: Any, rules: Rules) -> Sequence[Misfit]:
    if shape.values and value not in shape.values:
        allowed = ", ".join(repr(v) for v in shape.values[:12]) + (", …" if len(shape.values) > 12 else "")
        return _one("invalid_value", f"must be one of {allowed}, not {name_of(value)}")
    if shape.types and not any(_has_type(value, name) for name in shape.types):
        code = "invalid_value" if value is None else "type_mismatch"
        return _one(code, f"must be a {' or '.join(shape.types)}, not {name_of(value)}")
    if shape.pattern is not None and isinstance(value, str) and not patterns.search(shape.pattern, value):
        return _one("invalid_value", f"must match {shape.pattern}, not {name_of(value)}")
    if isinstance(value, int | float) and not isinstance(value, bool):
        if shape.minimum is not None and value < shape.minimum:
            return _one("invalid_value", f"must be at least {shape.minimum}, not {value}")
        if shape.exclusive_minimum is not None and value <= shape.exclusive_minimum:
            return _one("invalid_value", f"must be over {shape.exclusive_minimum}, not {value}")
        if shape.maximum is not None and value > shape.maximum:
            return _one("invalid_value", f"must be at most {shape.maximum}, not {value}")
    return FITS


def _has_type(value: Any, name: str) -> bool:
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, _JSON_TYPES.get(name, (object,))) or (
        name == "integer" and isinstance(value, float) and value.is_integer()
    )


def _child_misfits(shape: Child, value: Any, rules: Rules) -> Sequence[Misfit]:
    if isinstance(value, str):
        return FITS
    return _one("type_mismatch", f"must be the id of a component (a string), not {name_of(value)}")


_WANTED: Final = {
    "string": "a string",
    "number": "a number",
    "boolean": "true or false",
    "strings": "a list of strings",
}


def _dynamic_misfits(shape: Dynamic, value: Any, rules: Rules) -> Sequence[Misfit]:
    if isinstance(value, str) and shape.coercion == "string":
        return FITS
    if isinstance(value, dict):
        if rules.path_key in value or rules.call_key in value:
            return _binding_or_call_misfits(value, rules)
        if rules.path_key == "@path" and value.keys() & {"path", "call"}:
            return (
                FITS  # a literal on 1.0, however much it looks like a binding (suite "reserved_keys"); the host warns
            )
    reserved = _reserved_misfits(value, rules) if isinstance(value, dict | list) else FITS
    if reserved:
        return reserved
    tries = [misfits(option, value, rules) for option in shape.literals]
    if not all(tries) or not tries:
        return FITS
    # An option of the right JSON type fails for a better reason than one of another type.
    closest = min(tries, key=lambda found: found[0].code == "type_mismatch")
    if closest[0].code != "type_mismatch" or shape.coercion not in _WANTED:
        return closest
    return _one(
        "invalid_value" if value is None else "type_mismatch",
        f"must be {_WANTED[shape.coercion]}, a binding {{{rules.path_key!r}: …}} or a function call "
        f"{{{rules.call_key!r}: …}}, not {name_of(value)}",
    )


def _binding_or_call_misfits(value: Mapping[str, Any], rules: Rules) -> Sequence[Misfit]:
    if rules.path_key not in value:
        return rules.check_call(value)
    problem = rules.check_path(value[rules.path_key])
    if problem is None and len(value) == 1:
        return FITS
    found = [Misfit((rules.path_key,), "invalid_pointer", problem)] if problem else []
    message = f"is not part of a binding; only '{rules.path_key}' is"
    return found + [Misfit((key,), "extra_field", message) for key in value if key != rules.path_key]


def dynamic_value_misfits(value: Any, rules: Rules) -> Sequence[Misfit]:
    """For a value of any type: its bindings and calls, at any depth, and reserved keys."""
    if is_dynamic(value, rules):
        return _binding_or_call_misfits(value, rules)
    return _reserved_misfits(value, rules) if isinstance(value, dict | list) else FITS


def _reserved_misfits(value: Any, rules: Rules) -> Sequence[Misfit]:
    """Keys with a single leading ``@`` are reserved inside dynamic values of a 1.0 surface (reserved-key rule)."""
    found: list[Misfit] = []
    for key, member in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(key, str) and rules.path_key == "@path" and _is_reserved(key):
            found.append(
                Misfit((key,), "INVALID_RESERVED_KEY", f"is reserved; write '@{key}' for the literal key '{key}'")
            )
        found += under(key, dynamic_value_misfits(member, rules))
    return found


def _is_reserved(key: str) -> bool:
    return key.startswith("@") and not key.startswith("@@") and key not in ("@path", "@call")


def _child_list_misfits(shape: ChildList, value: Any, rules: Rules) -> Sequence[Misfit]:
    if isinstance(value, list):
        wrong = [index for index, child in enumerate(value) if not isinstance(child, str)]
        return [found for index in wrong for found in under(index, _child_misfits(Child(), value[index], rules))]
    if not isinstance(value, dict) or not isinstance(value.get("componentId"), str):
        message = "must be a list of component ids or a template {'componentId': …, 'path': …}, not "
        return _one("type_mismatch", message + name_of(value))
    found: list[Misfit] = []
    if "path" not in value:
        message = "is required: the list in the data model that the template repeats"
        found.append(Misfit(("path",), "missing_field", message))
    elif problem := rules.check_path(value["path"]):
        found.append(Misfit(("path",), "invalid_pointer", problem))
    for key in sorted(value.keys() - {"componentId", "path"}):
        message = "is not part of a template; only 'componentId' and 'path' are"
        found.append(Misfit((key,), "extra_field", message))
    return found


def _action_misfits(shape: Action, value: Any, rules: Rules) -> Sequence[Misfit]:
    if not isinstance(value, dict):
        return _one("type_mismatch", f"must be {{'event': …}} or {{'functionCall': …}}, not {name_of(value)}")
    if "functionCall" in value:
        call = value["functionCall"]
        if isinstance(call, dict) and rules.call_key in call:
            return under("functionCall", rules.check_call(call))
        return _one("type_mismatch", f"must be a function call {{{rules.call_key!r}: …}}", "functionCall")
    if "event" in value:
        return under("event", _event_misfits(value["event"], rules))
    if "name" in value:  # the short form of the conformance suite "actions"
        return _event_misfits(value, rules)
    return _one("missing_field", "needs 'event' (sent to the agent) or 'functionCall' (run here)")


def _event_misfits(event: Any, rules: Rules) -> Sequence[Misfit]:
    if not isinstance(event, dict):
        return _one("type_mismatch", f"must be {{'name': …, 'context': …}}, not {name_of(event)}")
    found: list[Misfit] = []
    if not isinstance(event.get("name"), str):
        code = "type_mismatch" if "name" in event else "missing_field"
        found.append(Misfit(("name",), code, "must be the name of the action, a string"))
    context = event.get("context", {})
    if not isinstance(context, dict):
        message = f"must be an object of values, not {name_of(context)}"
        found.append(Misfit(("context",), "type_mismatch", message))
    else:
        for key, member in context.items():
            found += under("context", under(key, dynamic_value_misfits(member, rules)))
    return found


def _checks_misfits(shape: Checks, value: Any, rules: Rules) -> Sequence[Misfit]:
    if not isinstance(value, list):
        return _one("type_mismatch", f"must be a list of {{'condition': …, 'message': …}}, not {name_of(value)}")
    found: list[Misfit] = []
    for index, rule in enumerate(value):
        found += under(index, _check_rule_misfits(shape, rule, rules))
    return found


def _check_rule_misfits(shape: Checks, rule: Any, rules: Rules) -> Sequence[Misfit]:
    if not isinstance(rule, dict) or "condition" not in rule:
        return _one("missing_field", "is required: a binding or a function call", "condition")
    found: list[Misfit] = []
    condition = rule["condition"]
    if is_dynamic(condition, rules):
        found += under("condition", _binding_or_call_misfits(condition, rules))
    elif not (isinstance(condition, bool) and shape.needs_message):  # 0.9 allows a literal boolean
        found.append(Misfit(("condition",), "type_mismatch", "must be a binding or a function call"))
    if "message" in rule and not isinstance(rule["message"], str):
        found.append(Misfit(("message",), "type_mismatch", "must be a string"))
    elif "message" not in rule and shape.needs_message:
        found.append(Misfit(("message",), "missing_field", "is required: what to tell when the check fails"))
    for key in sorted(rule.keys() - {"condition", "message"}):
        message = "is not part of a check; 'condition' and 'message' are"
        found.append(Misfit((key,), "extra_field", message))
    return found


def _data_paths_misfits(shape: DataPaths, value: Any, rules: Rules) -> Sequence[Misfit]:
    if not isinstance(value, dict):
        return _one("type_mismatch", f"must be an object of keys and paths, not {name_of(value)}")
    problems = ((key, rules.check_path(pointer)) for key, pointer in value.items())
    return [Misfit((key,), "invalid_pointer", problem) for key, problem in problems if problem]


def _object_misfits(shape: ObjectOf, value: Any, rules: Rules) -> Sequence[Misfit]:
    if not isinstance(value, dict):
        return _one("type_mismatch", f"must be an object, not {name_of(value)}")
    found: list[Misfit] = []
    if not shape.required <= value.keys():
        found += [Misfit((name,), "missing_field", "is required") for name in sorted(shape.required - value.keys())]
    for name, member in value.items():
        inner = shape.properties.get(name)
        if inner is not None and member is None:
            found.append(Misfit((name,), "invalid_value", "must not be null; leave the property out"))
        elif inner is not None:
            if wrong := misfits(inner, member, rules):
                found += under(name, wrong)
        elif shape.closed:
            known = ", ".join(sorted(shape.properties))
            found.append(Misfit((name,), "extra_field", f"is not known here; known are {known}"))
    return found


def _list_misfits(shape: ListOf, value: Any, rules: Rules) -> Sequence[Misfit]:
    if not isinstance(value, list):
        return _one("type_mismatch", f"must be a list, not {name_of(value)}")
    if len(value) < shape.least:
        return _one("invalid_value", f"must have at least {shape.least} item(s)")
    found: list[Misfit] = []
    for index, member in enumerate(value):
        found += under(index, misfits(shape.item, member, rules))
    return found


def _one_of_misfits(shape: OneOf, value: Any, rules: Rules) -> Sequence[Misfit]:
    tries = [misfits(option, value, rules) for option in shape.options]
    if not all(tries):
        return FITS
    return min(tries, key=lambda found: (found[0].code == "type_mismatch", len(found)))


_CHECKERS: Final[dict[type, Callable[[Any, Any, Rules], Sequence[Misfit]]]] = {
    Scalar: _scalar_misfits,
    Dynamic: _dynamic_misfits,
    Child: _child_misfits,
    ChildList: _child_list_misfits,
    Action: _action_misfits,
    Checks: _checks_misfits,
    DataPaths: _data_paths_misfits,
    ObjectOf: _object_misfits,
    ListOf: _list_misfits,
    OneOf: _one_of_misfits,
}
