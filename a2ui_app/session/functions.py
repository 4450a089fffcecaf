"""Dynamic values: literals, bindings and function calls, compiled once and evaluated in a scope.

Bindings and calls can stand anywhere inside a dynamic value. Evaluation records what it reads in the `Scope`, so that
the resolver knows which data paths a node depends on; a call that waits for the agent marks the scope as pending and
gives None. Faults are A2uiError, caught where a whole property (or one context value) is evaluated.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from ..catalogs import expressions
from ..catalogs.catalog import Catalog, Family
from ..catalogs.coercion import to_boolean, to_number, to_string
from ..catalogs.functions import EVALUATED, Function
from ..catalogs.registry import find_catalog
from ..catalogs.requests import DataUpdates, ToolRequest
from ..catalogs.shapes import Coercion
from .agent_calls import Calls
from .data_model import MISSING, Path, format_pointer, get, resolve_pointer
from .errors import A2uiCatalogError, A2uiError, A2uiExpressionError

if TYPE_CHECKING:
    from .surface import Surface


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a surface writes bindings and calls."""

    path_key: str
    call_key: str


SPELLINGS: Final[dict[Family, Spelling]] = {"0.9": Spelling("path", "call"), "1.0": Spelling("@path", "@call")}


@dataclass(slots=True)
class Scope:
    """One evaluation: where it stands in the data, what it has read, and what went wrong."""

    surface: "Surface"
    path: Path = ()
    index: int | None = None
    """Row of the innermost template, for ``@index``."""
    calls: Calls | None = None
    """What the node (or the action's run) has asked its agent so far."""
    next_call_id: Callable[[], str] | None = None
    """For the first call; None, with no ``calls``, where an answer cannot be waited for (an event's context)."""
    user_activated: bool = False
    reads: dict[tuple[Path, bool], None] = field(default_factory=dict)
    """(path, is_list) in reading order."""
    problems: dict[tuple[str, ...], dict[str, Any]] = field(default_factory=dict)
    """Diagnostics by what makes them the same one."""
    pending: int = 0
    """Calls that wait for the agent."""

    def read(self, path: Path) -> Any:
        self.reads[path, False] = None
        return get(self.surface.data, path)

    def read_list(self, path: Path) -> Any:
        self.reads[path, True] = None
        return get(self.surface.data, path)

    def report(self, code: str, message: str, *key: str, **payload: Any) -> None:
        self.problems.setdefault((code, *key), {"code": code, "message": message, **payload})

    def report_error(self, error: A2uiError, component_id: str, name: str) -> None:
        """A property (or context value) that could not be evaluated."""
        code = "CATALOG_ERROR" if isinstance(error, A2uiCatalogError) else "EXPRESSION_ERROR"
        self.report(code, str(error), component_id, name, str(error), componentId=component_id, property=name)


class Expression:
    """A compiled dynamic value. Never changed once compiled; not frozen, since that doubles the cost of compiling."""

    __slots__ = ()

    def evaluate(self, scope: Scope) -> Any:
        raise NotImplementedError


@dataclass(slots=True)
class Literal(Expression):
    value: Any

    def evaluate(self, scope: Scope) -> Any:
        return self.value


@dataclass(slots=True)
class Binding(Expression):
    pointer: str
    optional: bool = False
    """An input's own value may be absent until someone types: not worth a warning."""

    def path(self, scope: Scope) -> Path:
        return resolve_pointer(self.pointer, scope.path)

    def evaluate(self, scope: Scope) -> Any:
        path = resolve_pointer(self.pointer, scope.path)
        value = scope.read(path)
        if value is not MISSING:
            return value
        if not self.optional and scope.surface.has_data:
            pointer = format_pointer(path)
            scope.report("MISSING_DATA_BINDING", f"No data at {pointer}.", pointer, path=pointer)
        return None


@dataclass(slots=True)
class ObjectValue(Expression):
    members: tuple[tuple[str, Expression], ...]

    def evaluate(self, scope: Scope) -> Any:
        return {name: member.evaluate(scope) for name, member in self.members}


@dataclass(slots=True)
class ListValue(Expression):
    items: tuple[Expression, ...]

    def evaluate(self, scope: Scope) -> Any:
        return [item.evaluate(scope) for item in self.items]


@dataclass(slots=True)
class Template(Expression):
    """The pieces of a ``formatString``, joined as text. A piece that calls an unknown function is left empty."""

    pieces: tuple[Expression, ...]

    def evaluate(self, scope: Scope) -> Any:
        return "".join([self._piece(piece, scope) for piece in self.pieces])

    @staticmethod
    def _piece(piece: Expression, scope: Scope) -> str:
        if type(piece) is Literal:
            return piece.value if isinstance(piece.value, str) else to_string(piece.value)
        try:
            return to_string(piece.evaluate(scope))
        except UnknownFunction as error:
            scope.report("EXPRESSION_ERROR", str(error), str(error))
            return ""


@dataclass(slots=True)
class Call(Expression):
    name: str
    arguments: tuple[tuple[str, Expression], ...]
    catalog_id: str | None = None
    in_template: bool = False
    """Written inside a formatString, where an unknown name is a typing error rather than an agent's function."""

    def evaluate(self, scope: Scope) -> Any:
        value = self.request(scope)
        if isinstance(value, DataUpdates):
            raise A2uiExpressionError(f"{self.name} changes the data model: it runs from an action, not from a value.")
        return value

    def request(self, scope: Scope) -> Any:
        """The value, or what the function asks of the session (`DataUpdates`), which only an action may."""
        if self.name == "@index":
            return _row_index(self, scope)
        catalog = function_catalog(self, scope.surface)
        function = catalog.functions.get(self.name)
        if self.name in EVALUATED and function is not None:
            return _format_string(self, scope)
        if function is None and (self.in_template or catalog.family == "0.9"):
            raise UnknownFunction(f"Unrecognized function '{self.name}' (catalog {catalog.id}).")
        if function is not None:
            check_caller(function, scope)
        before = scope.pending
        arguments = {name: argument.evaluate(scope) for name, argument in self.arguments}
        if scope.pending > before:
            return None
        if function is None or function.execute is None:
            return _waiting(self.name, scope).ask_agent(self.name, self.catalog_id, arguments, scope)
        value = run(function, arguments)
        return _waiting(self.name, scope).ask_tool(value, scope) if isinstance(value, ToolRequest) else value


class UnknownFunction(A2uiExpressionError):
    """A name that no catalog of the surface declares."""


def run(function: Function, arguments: Mapping[str, Any]) -> Any:
    """The result of a local function; raises A2uiExpressionError whatever its body raises."""
    assert function.execute is not None
    try:
        return function.execute(arguments)
    except A2uiError:
        raise
    except Exception as error:  # the body belongs to whoever wrote the catalog
        raise A2uiExpressionError(f"{function.name} failed: {error}") from error


def check_caller(function: Function, scope: Scope) -> None:
    """Who may call: rules of ``allowedCallers`` and ``requiresUserActivation``; raises A2uiExpressionError."""
    if function.allowed_callers == "agentOnly":
        raise A2uiExpressionError(f"Function '{function.name}' can only be called by the agent (agentOnly).")
    if function.requires_user_activation and not scope.user_activated:
        raise A2uiExpressionError(f"Function '{function.name}' runs only when the user acts, not from a binding.")


def function_catalog(call: Call, surface: "Surface") -> Catalog:
    """The catalog a call runs in: its own, else the surface's default; never that of the component around it.

    Before 1.0 a call always runs in the surface's catalog. Raises A2uiCatalogError.
    """
    named = call.catalog_id if surface.family == "1.0" else None
    catalog_id = named if named is not None else surface.catalog_id
    if catalog_id is None:
        raise A2uiCatalogError(
            f"Call '{call.name}' names no catalogId and surface {surface.id} has no default catalogId."
        )
    catalog = find_catalog(catalog_id) if catalog_id in surface.catalog_ids else None
    if catalog is None:
        raise A2uiCatalogError(f"Catalog not found: {catalog_id}")
    return catalog


def _waiting(name: str, scope: Scope) -> Calls:
    if scope.calls is None:
        if scope.next_call_id is None:
            raise UnknownFunction(f"Unrecognized function '{name}': nothing here can wait for the agent's answer.")
        scope.calls = Calls(scope.surface.id, scope.next_call_id)
    return scope.calls


def _row_index(call: Call, scope: Scope) -> int:
    if scope.surface.family == "0.9":
        raise UnknownFunction("Unrecognized function '@index' (it came with 1.0).")
    if scope.index is None:
        raise A2uiExpressionError("@index function can only be evaluated inside a collection template iteration scope.")
    arguments = {name: argument.evaluate(scope) for name, argument in call.arguments}
    unknown = sorted(arguments.keys() - {"offset"})
    if unknown or call.catalog_id is not None:
        raise A2uiExpressionError(f"@index takes 'offset' only, not '{unknown[0] if unknown else 'catalogId'}'.")
    return scope.index + int(to_number(arguments.get("offset", 0)))


def _format_string(call: Call, scope: Scope) -> Any:
    arguments = dict(call.arguments)
    unknown = sorted(arguments.keys() - {"value"})
    if unknown or not arguments:
        raise A2uiExpressionError(f"formatString takes 'value' only{f', not {unknown[0]!r}' if unknown else ''}.")
    value = arguments["value"]
    template = value.value if type(value) is Literal else value.evaluate(scope)
    return compile_template(template if isinstance(template, str) else to_string(template)).evaluate(scope)


# -- compiling ----------------------------------------------------------------------------------------------------


def compile_value(raw: Any, spelling: Spelling, *, optional: bool = False) -> Expression:
    """The expression of a dynamic value as a message writes it. What holds no binding and no call is one literal."""
    if isinstance(raw, dict):
        if isinstance(raw.get(spelling.path_key), str):
            return Binding(raw[spelling.path_key], optional)
        if isinstance(raw.get(spelling.call_key), str):
            return compile_call(raw, spelling)
        members = tuple((_unescape(name, spelling), compile_value(value, spelling)) for name, value in raw.items())
        if all(type(member) is Literal for _, member in members):
            return Literal({name: member.evaluate(_NOWHERE) for name, member in members})
        return ObjectValue(members)
    if isinstance(raw, list):
        items = tuple(compile_value(item, spelling) for item in raw)
        if all(type(item) is Literal for item in items):
            return Literal([item.evaluate(_NOWHERE) for item in items])
        return ListValue(items)
    return Literal(raw)


_NOWHERE: Final[Any] = None
"""The scope of literals, which read none."""


def compile_call(raw: Mapping[str, Any], spelling: Spelling) -> Call:
    arguments = raw.get("args")
    compiled = tuple(
        (name, compile_value(value, spelling))
        for name, value in (arguments.items() if isinstance(arguments, dict) else ())
    )
    catalog_id = raw.get("catalogId")
    return Call(raw[spelling.call_key], compiled, catalog_id if isinstance(catalog_id, str) else None)


def _unescape(key: str, spelling: Spelling) -> str:
    """``@@x`` writes the literal key ``@x`` on 1.0 (reserved-key rule)."""
    return key[1:] if spelling.path_key == "@path" and key.startswith("@@") else key


@lru_cache(maxsize=4096)
def compile_template(template: str) -> Template:
    """The pieces of a formatString template; raises A2uiExpressionError."""
    return Template(tuple(_from_parsed(part) for part in expressions.parse(template)))


def _from_parsed(part: Any) -> Expression:
    match part:
        case expressions.Path(path):
            return Binding(path)
        case expressions.Call(name, args):
            return Call(name, tuple((key, _from_parsed(value)) for key, value in args), in_template=True)
        case expressions.Literal(value):
            return Literal(value)
        case _:
            return Literal(part)


def coerce(coercion: Coercion, value: Any) -> Any:
    """``value`` as the type a property wants (core_sdk_spec, coercion table)."""
    match coercion:
        case "string":
            return value if isinstance(value, str) else to_string(value)
        case "boolean":
            return value if isinstance(value, bool) else to_boolean(value)
        case "number":
            return value if isinstance(value, int | float) and not isinstance(value, bool) else to_number(value)
        case "strings":
            if isinstance(value, list):
                return [item if isinstance(item, str) else to_string(item) for item in value]
            return [] if value is None else [to_string(value)]
        case _:
            return value
