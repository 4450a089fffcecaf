"""Catalog views in Python: what a view is given, how it is registered, and the dispatcher that draws a tree.

This file and ``runtime.js`` are the only ones that know how Reflex compiles hooks and dispatches deltas.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import reflex as rx
from reflex_base.compiler.templates import component_template
from reflex_base.event import EventChain
from reflex_base.event.context import EventContext
from reflex_base.vars import VarData
from reflex_components_core.base.bare import Bare

RUNTIME = rx.asset("runtime.js", shared=True).importable_path
WIDGETS = rx.asset("widgets.js", shared=True).importable_path

Wire = dict[str, Any]
"""A node as the session sends it (`a2ui_app.session.nodes`)."""

Drawn = rx.Component | rx.Var
"""What can stand as a child."""

View = Callable[["Node"], Drawn]
Prepare = Callable[[Wire], Wire]


def js(
    expression: str,
    type_: Any = Any,
    *,
    uses: str = "",
    library: str = WIDGETS,
    hook: str = "",
    like: rx.Var | None = None,
) -> rx.Var:
    """A JavaScript expression with a Python type.

    ``uses`` is what it imports from ``library``, ``hook`` the line that defines what it names; ``like`` is a Var in it,
    whose imports and hooks it needs as well.
    """
    own = VarData(imports={library: [uses]} if uses else {}, hooks={hook: None} if hook else {})
    data = VarData.merge(like._get_all_var_data() if like is not None else None, own)
    return rx.Var(expression, _var_type=type_, _var_data=data).guess_type()


def when(condition: rx.Var, then: Drawn) -> rx.Var:
    """``then`` where ``condition`` is truthy in JavaScript, else nothing; without the fragments of ``rx.cond``."""
    return _choose(condition, [(f"{condition!s}", then)], None)


def pick(value: rx.Var, cases: Mapping[str, Drawn], default: Drawn | None = None) -> rx.Var:
    """The case that ``value`` equals; without the fragments and the JSON of ``rx.match``."""
    return _choose(value, [(f"{value!s} === {json.dumps(case)}", drawn) for case, drawn in cases.items()], default)


def _choose(decides: rx.Var, choices: Sequence[tuple[str, Drawn]], default: Drawn | None) -> rx.Var:
    tests = [test for test, _ in choices]
    drawn = [then for _, then in choices] + ([default] if default is not None else [])
    children = [Bare.create(child) if isinstance(child, rx.Var) else child for child in drawn]
    codes = [component_template(child) for child in children] + ([] if default is not None else ["null"])
    data = [VarData(imports=child._get_all_imports(), hooks=child._get_all_hooks()) for child in children]
    code = "".join(f"{test} ? {code} : " for test, code in zip(tests, codes, strict=False)) + codes[-1]
    return js(f"({code})", rx.Component)._replace(merge_var_data=VarData.merge(decides._get_all_var_data(), *data))


def spread(*attributes: rx.Var) -> dict[str, Any]:
    """Keyword arguments that give an element the attributes in JavaScript objects; later ones win."""
    return {"special_props": list(attributes)}


class Binding(NamedTuple):
    """A two-way binding: ``text`` is for `spread` onto a text input; other controls use ``value`` and ``on_change``."""

    value: rx.Var
    on_change: rx.Var
    text: rx.Var
    name: str

    def set(self, value: str, *, uses: str) -> rx.Var:
        """An event handler that enters the JavaScript expression ``value``, which uses a function of widgets.js."""
        return js(f"() => {self.name}.set({value})", EventChain, uses=uses, like=self.value)


class Node:
    """The node a view draws. Its properties are attributes; one whose name is taken here is read with `prop`."""

    def __init__(self, node: rx.Var):
        self._node = node

    def prop(self, name: str, type_: Any = str) -> rx.Var:
        """The resolved property ``name``; undefined in the browser when the definition has none."""
        return js(f"{self._node!s}.props.{name}", type_)

    def __getattr__(self, name: str) -> rx.Var:
        if name.startswith("_"):
            raise AttributeError(name)
        return self.prop(name)

    def field(self, name: str, type_: Any = str) -> rx.Var:
        """Something the session says about the node: ref, type, busy, valid, errors, severity, more."""
        return js(f"{self._node!s}.{name}", type_)

    @property
    def whole(self) -> rx.Var[dict]:
        """The node itself, for a component that is written in JavaScript."""
        return js(f"{self._node!s}", dict, like=self._node)

    @property
    def ref(self) -> rx.Var[str]:
        """The node's ref, unique on the page."""
        return self.field("ref")

    @property
    def invalid(self) -> rx.Var[bool]:
        """Whether a check fails."""
        return js(f"{self._node!s}.valid === false", bool)

    @property
    def first_error(self) -> rx.Var[str]:
        """The message of the first failing check, if any."""
        return js(f"{self._node!s}.errors?.[0]", str)

    def dom_id(self, part: str) -> rx.Var[str]:
        """An id for an element of this node, unique on the page."""
        return js(f'"a2-" + {self._node!s}.ref + "-{part}"', str)

    @property
    def box(self) -> rx.Var:
        """For the outermost element: ref, weight, hidden. Use it with `spread`."""
        return js(f"box({self._node!s})", dict, uses="box")

    @property
    def aria(self) -> rx.Var:
        """For the element that is read or operated: label, description, live, invalid. Use it with `spread`."""
        return js(f"aria({self._node!s})", dict, uses="aria")

    @property
    def attrs(self) -> dict[str, Any]:
        """`box` and `aria` for a view of one element: ``rx.el.p(node.text, **node.attrs)``."""
        return spread(self.box, self.aria)

    @property
    def children(self) -> rx.Component:
        """The child nodes in order, and how many rows are not shown."""
        return rx.fragment(self.each(lambda child: child), self.more)

    def each(self, wrap: Callable[[rx.Component], rx.Component]) -> rx.Component:
        """The child nodes, each inside ``wrap``."""

        def draw(ref: rx.Var[int]) -> rx.Component:
            child = wrap(node_view(id=ref))
            child.key = ref
            return child

        return rx.foreach(js(f"({self._node!s}.props.children ?? [])", list[int]), draw)

    @property
    def more(self) -> rx.Var:
        """A note of the rows that a template has beyond those shown; nothing when it shows all."""
        count = self.field("more", int)
        return when(count, rx.el.p(count, " more not shown", class_name="a2-note"))

    def child(self, prop: str) -> rx.Component:
        """The child node that ``prop`` links to."""
        return node_view(id=self.prop(prop, int))

    def bind(self, prop: str, type_: Any = str) -> Binding:
        """The property ``prop`` as an input's value, both ways."""
        name = f"bind_{prop}"
        hook = f'const {name} = useBinding({self._node!s}, "{prop}")'
        data = VarData(imports={RUNTIME: ["useBinding"]}, hooks={hook: None})
        return Binding(
            rx.Var(f"{name}.value", _var_type=type_, _var_data=data).guess_type(),
            rx.Var(f"{name}.onChange", _var_type=EventChain, _var_data=data),
            rx.Var(f"{name}.text", _var_type=dict, _var_data=data),
            name,
        )

    def local(self, name: str, default: Any) -> tuple[rx.Var, rx.Var]:
        """State of this element in this browser only: its value, and an event handler that takes an input's text."""
        setter = f"set{name.capitalize()}"
        hook = f"const [{name}, {setter}] = useState({rx.Var.create(default)!s})"
        value = js(name, type(default), uses="useState", library="react", hook=hook)
        return value, js(f"(event) => {setter}(event.target.value)", EventChain, like=value)

    def invoke(self, prop: str) -> rx.Var:
        """An event handler that runs the action in ``prop``, once, however often the connection breaks."""
        data = VarData(imports={RUNTIME: ["invoke"]})
        return rx.Var(f'() => invoke({self._node!s}, "{prop}")', _var_type=EventChain, _var_data=data)


_views: dict[str, Callable[..., rx.Component]] = {}
_prepare: dict[str, Prepare] = {}


def component(type_: str, *, prepare: Prepare | None = None) -> Callable[[View], View]:
    """Register the view of the catalog component ``type_``.

    ``prepare`` runs on the server before a node goes to the browser: it returns the node that the view wants, and
    leaves the one it is given alone. What must not reach the page (a forbidden address) is taken out there.
    """

    def register(view: View) -> View:
        def compiled(node: rx.Var[dict]) -> rx.Component:
            drawn = view(Node(node))
            return Bare.create(drawn) if isinstance(drawn, rx.Var) else drawn

        compiled.__name__ = compiled.__qualname__ = view.__name__
        compiled.__module__ = view.__module__
        _views[type_] = rx.memo(compiled)
        if prepare is not None:
            _prepare[type_] = prepare
        return view

    return register


def prepared(node: Wire) -> Wire:
    """The wire node as its view wants it."""
    prepare = _prepare.get(node.get("type", ""))
    return prepare(node) if prepare is not None and "state" not in node else node


def components() -> Sequence[str]:
    """The types that have a view."""
    return sorted(_views)


def with_props(node: Wire, **props: Any) -> Wire:
    """A copy of ``node`` with some properties in another form; None takes one out. For `prepare` functions."""
    merged = {name: value for name, value in (node["props"] | props).items() if value is not None}
    return {**node, "props": merged}


@rx.memo
def node_view(id: rx.Var[int], rest: rx.RestProp) -> rx.Component:
    """Any node, drawn by the view of its type. It is rendered again when that node changes, and only then."""
    node = js("node", dict, uses="useKey", library=RUNTIME, hook=f"const node = useKey({id!s})")
    view = js("node?.view", str, like=node)
    cases = {type_: view(node=node) for type_, view in _views.items()}
    return Bare.create(when(node, pick(view, cases, default=cases["@unknown"])))


class Mirror(rx.Component):
    """Receives the deltas of ``state``; sends input to ``on_write`` and ``on_invoke`` (ref, property, value, id).

    ``on_app`` gets the requests of embedded apps likewise: ref, method, params as JSON text, id.
    """

    library = RUNTIME
    tag = "Mirror"

    state: rx.Var[str]
    on_write: rx.EventHandler[lambda ref, prop, value, id: [ref, prop, value, id]]
    on_invoke: rx.EventHandler[lambda ref, prop, value, id: [ref, prop, value, id]]
    on_app: rx.EventHandler[lambda ref, method, params, id: [ref, method, params, id]]


async def emit(state: type[rx.State], **keys: Any) -> None:
    """Push values of ``state``'s own keys to the tab whose event is being handled, without the state's lock."""
    await EventContext.get().emit_delta({state.get_full_name(): keys})
