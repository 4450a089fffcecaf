"""The older spelling of early 1.0 agents: bare ``path`` and ``call`` (decision 1 of the design)."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..catalogs.catalog import ComponentType
from ..catalogs.shapes import ANYTHING, Action, Checks, Dynamic, ListOf, ObjectOf, Shape
from .validation import ACCESSIBILITY_SHAPES


def has_at_spelling(value: Any) -> bool:
    if isinstance(value, dict):
        return "@path" in value or "@call" in value or any(map(has_at_spelling, value.values()))
    return isinstance(value, list) and any(map(has_at_spelling, value))


def respell(definition: dict[str, Any], shape: ObjectOf | None, *, everywhere: bool) -> dict[str, Any]:
    """``path``/``call`` as ``@path``/``@call`` where the schema wants a dynamic value.

    Where it takes any value an object with these keys may be meant literally: there only ``everywhere``, when the
    surface has used no other spelling.
    """
    properties = shape.properties if shape else {}
    return {
        name: _respell_value(value, _respelled_shape(name, properties), everywhere=everywhere)
        for name, value in definition.items()
    }


def _respelled_shape(name: str, properties: Mapping[str, Shape]) -> Shape:
    if name == "checks":
        return Checks(needs_message=False)
    return ACCESSIBILITY_SHAPES["1.0"] if name == "accessibility" else properties.get(name, ANYTHING)


def _respell_value(value: Any, shape: Shape, *, everywhere: bool) -> Any:
    match shape:
        case Dynamic(coercion):
            return _respell_dynamic(value, coercion != "any" or everywhere, everywhere)
        case Checks() if isinstance(value, list):
            return [
                {name: _respell_dynamic(part, name == "condition", everywhere) for name, part in rule.items()}
                if isinstance(rule, dict)
                else rule
                for rule in value
            ]
        case Action() if isinstance(value, dict):
            return {name: _respell_dynamic(part, name == "functionCall", everywhere) for name, part in value.items()}
        case ObjectOf() if isinstance(value, dict):
            return {
                name: _respell_value(part, shape.properties.get(name, ANYTHING), everywhere=everywhere)
                for name, part in value.items()
            }
        case ListOf() if isinstance(value, list):
            return [_respell_value(part, shape.item, everywhere=everywhere) for part in value]
        case _:
            return value


def _respell_dynamic(value: Any, here: bool, everywhere: bool) -> Any:
    if isinstance(value, list):
        return [_respell_dynamic(item, everywhere, everywhere) for item in value]
    if not isinstance(value, dict):
        return value
    if here and value.keys() == {"path"} and isinstance(value["path"], str):
        return {"@path": value["path"]}
    if here and isinstance(value.get("call"), str) and value.keys() <= {"call", "args", "catalogId", "returnType"}:
        arguments = value.get("args", {})
        respelled = {"@call": value["call"]} | {key: value[key] for key in ("catalogId",) if key in value}
        if isinstance(arguments, dict):
            respelled["args"] = {name: _respell_dynamic(part, True, everywhere) for name, part in arguments.items()}
        return respelled
    return {name: _respell_dynamic(member, everywhere, everywhere) for name, member in value.items()}


def bare_bindings(
    definitions: list[dict[str, Any]], declared: Iterable[ComponentType | None]
) -> Iterator[tuple[str, str]]:
    for definition, component in zip(definitions, declared, strict=False):
        for name, value in definition.items():
            looks_bound = isinstance(value, dict) and not value.keys().isdisjoint(("path", "call"))
            if looks_bound and component and isinstance(component.shape.properties.get(name), Dynamic):
                yield definition["id"], name
