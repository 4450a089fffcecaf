"""The public conformance cases (core/*.yaml), run against our session.

The folder is not part of the project: A2UI_CONFORMANCE names it (default ../shared/a2ui-conformance), and without it
there is nothing to run. A case that does not concern a renderer, or that contradicts the specification's newest text,
stands in NOT_RUN with the reason; a name there that no case has any more fails `test_the_list_of_exceptions_is_true`.
"""

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from a2ui_app.catalogs.catalog import Catalog, ComponentType, Family
from a2ui_app.catalogs.functions import Function
from a2ui_app.catalogs.registry import basic_catalog, catalog_from_document
from a2ui_app.catalogs.shapes import ObjectOf, read_shape
from a2ui_app.session import Outcome, Session, effects, errors
from a2ui_app.session.data_model import format_pointer, parse_pointer, resolve_pointer
from a2ui_app.session.functions import Call, function_catalog
from a2ui_app.session.messages import VERSIONS

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get("A2UI_CONFORMANCE", ROOT.parent / "shared" / "a2ui-conformance")) / "core"
if not FOLDER.is_dir():
    pytest.skip(f"no conformance cases at {FOLDER} (A2UI_CONFORMANCE)", allow_module_level=True)

V0_8 = "protocol 0.8 is not read: the specification lists it as superseded, and its messages carry no version"
INVENTED = "the case draws with an invented component 'Collection'; tests/session/test_tree.py shows the same rows"
NOT_RUN: dict[str, str] = {
    "test_validator_0_8": V0_8,
    "test_custom_catalog_0_8": V0_8,
    "test_index_function_in_collection_loop": INVENTED,
    "test_index_function_with_offset": INVENTED,
    "test_index_function_nested_path": INVENTED,
    "test_v10_create_surface_with_metadata_extensions": "newer suites want an identifier: 'a2ui:experimental' is none",
    "test_multiple_update_types_error": "newer suites word it 'multiple conflicting update actions'; ours is that one",
}
STEPS_NOT_RUN: dict[tuple[str, int], str] = {
    (
        "test_validator_0_9",
        4,
    ): "before 1.0 a surface that names no catalog gets the first one (seed, A2UIPhoenix.new/2)",
    ("test_custom_catalog_0_9", 4): "an unknown component is a placeholder under relaxed validation",
    ("test_custom_catalog_1_0", 3): "an unknown component is a placeholder under relaxed validation",
    ("test_validator_1_0", 4): "one session reads every version, so 0.9 is no error beside 1.0",
}
CATEGORIES = {
    "IntegrityError": errors.A2uiIntegrityError,
    "ValidationError": errors.A2uiValidationError,
    "RecursionError": errors.A2uiRecursionError,
    "CatalogError": errors.A2uiCatalogError,
    "DataError": errors.A2uiDataError,
    "StateError": errors.A2uiStateError,
}


def read_cases() -> Iterator[tuple[str, dict[str, Any]]]:
    for path in sorted(FOLDER.glob("*.yaml")):
        for case in yaml.safe_load(path.read_text(encoding="utf-8")):
            yield path.stem, case


CASES = list(read_cases())


def cases_of(*actions: str) -> Any:
    chosen = [
        pytest.param(case, id=f"{suite}-{case['name']}")
        for suite, case in CASES
        if case["action"] in actions and case["name"] not in NOT_RUN and not case["name"].startswith("test_v08_")
    ]
    return pytest.mark.parametrize("case", chosen)


def test_the_list_of_exceptions_is_true():
    steps = {case["name"]: len(case.get("steps", ())) for _, case in CASES}
    assert NOT_RUN.keys() <= steps.keys()
    assert all(number < steps[name] for name, number in STEPS_NOT_RUN)


# --- catalogs that a case names ------------------------------------------------------------------------------------


def family_of(case: Mapping[str, Any]) -> Family:
    named = case.get("protocolVersion") or case.get("catalog", {}).get("protocolVersion")
    if named is None:
        named = next((message["version"] for message in messages_of(case) if "version" in message), "v1.0")
    return VERSIONS.get(named, "0.9")


def messages_of(case: Mapping[str, Any]) -> list[Any]:
    payloads = [case.get("messages"), *(step.get("payload", step.get("messages")) for step in case.get("steps", ()))]
    return [message for payload in payloads if payload for message in _unwrap(payload)]


def _unwrap(payload: Any) -> list[Any]:
    found = [payload] if isinstance(payload, dict) else payload
    return [inner for message in found for inner in message.get("messages", [message])]


def catalog_from(definition: Mapping[str, Any], family: Family) -> Catalog:
    """A catalog as a case sketches it: component name -> schema, functions with their metadata."""
    components = {
        name: ComponentType(
            name,
            _shape(schema),
            _rule(schema, "allowedParents"),
            _rule(schema, "allowedChildren"),
        )
        for name, schema in definition.get("components", {}).items()
    }
    functions = {name: Function(name, lambda arguments: None) for name in definition.get("functions", {})}
    version = definition.get("protocolVersion")
    return Catalog(definition["catalogId"], VERSIONS[version] if version else family, components, functions)


def _shape(schema: Mapping[str, Any]) -> ObjectOf:
    links = {name: {"$ref": f"#/$defs/{name_}"} for name, name_ in (("child", "Child"), ("children", "ChildList"))}
    shape = read_shape({"properties": {**links, **schema.get("properties", {})}, **_plain(schema)}, {})
    assert isinstance(shape, ObjectOf)
    return ObjectOf(shape.properties, shape.required - {"component", "id"}, shape.closed)


def _plain(schema: Mapping[str, Any]) -> dict[str, Any]:
    return {key: schema[key] for key in ("required", "additionalProperties") if key in schema}


def _rule(schema: Mapping[str, Any], name: str) -> tuple[str, ...] | None:
    return tuple(schema[name]) if name in schema else None


def catalogs_of(case: Mapping[str, Any]) -> list[Catalog]:
    """Those the case defines, and the basic catalog under each other name its messages use."""
    family = family_of(case)
    defined: dict[str, Catalog] = {}
    for definition in [
        *case.get("catalogs", ()),
        case.get("catalog", {}),
        case.get("catalog", {}).get("catalogSchema"),
    ]:
        if definition and "catalogId" in definition:
            defined[definition["catalogId"]] = catalog_from(definition, family)
    for message in messages_of(case):
        body = message.get("createSurface", {})
        version = VERSIONS.get(message.get("version", ""), family)
        for component in [
            body,
            *body.get("components", []),
            *message.get("updateComponents", {}).get("components", []),
        ]:
            name = component.get("catalogId") if isinstance(component, dict) else None
            if isinstance(name, str) and "unknown" not in name and name not in defined:
                defined[name] = replace(basic_catalog(version), id=name)
    return list(defined.values()) or [basic_catalog(family)]


# --- running -------------------------------------------------------------------------------------------------------


def session_for(case: Mapping[str, Any]) -> Session:
    expects_error = "expectError" in case or any("expectError" in step for step in case.get("steps", ()))
    strict = case.get("strictMode", False)
    # The suites about resolution use invented properties; only those about validation are meant to be validated.
    validation = "strict" if strict else "relaxed" if expects_error else "none"
    return Session(catalogs_of(case), validation=validation, bindings="auto", default_catalog=True)


def check_error(outcome: Outcome, expected: Any) -> None:
    if outcome.error is None and isinstance(expected, dict) and "message" in expected:
        # An expression that fails empties its property and is reported (specification, "Diagnostics").
        said = [e.payload["message"] for e in outcome.effects if isinstance(e, effects.Diagnostic)]
        assert any(expected["message"] in message for message in said)
        return
    assert outcome.error is not None, "accepted, though the case expects an error"
    if not isinstance(expected, dict):
        return  # the text of one implementation's schema validator
    assert isinstance(outcome.error, CATEGORIES[expected["category"]])
    if "message" in expected:
        said = expected["message"].rstrip(".")
        assert said in str(outcome.error)
    paths = {"/".join(detail["path"].split(".")[-1:]) for detail in expected.get("details", ())}
    told = " ".join(detail.path for detail in outcome.error.details) + str(outcome.error)
    assert all(path in told for path in paths)


@cases_of("process_messages", "validate")
def test_messages(case: dict[str, Any]):
    session = session_for(case)
    steps = case.get("steps") or [{"messages": case["messages"]}]
    for number, step in enumerate(steps):
        if (case["name"], number) in STEPS_NOT_RUN:
            continue
        outcome = session.handle_message(step.get("payload", step.get("messages")))
        expected = step.get("expectError") or (case.get("expectError") if step is steps[-1] else None)
        if expected:
            check_error(outcome, expected)
        elif outcome.error is not None:  # some cases say only what must not exist afterwards
            assert expects_nothing(case.get("expect")), outcome.error
    check_surfaces(session, case.get("expect"))


def expects_nothing(expect: Any) -> bool:
    surfaces = (expect or {}).get("surfaces", {})
    return bool(surfaces) and all(wanted.get("exists") is False for wanted in surfaces.values())


def check_surfaces(session: Session, expect: Any) -> None:
    for surface_id, wanted in (expect or {}).get("surfaces", {}).items():
        surface = session.surface(surface_id)
        if wanted.get("exists") is False:
            assert surface is None
            continue
        assert surface is not None
        if "theme" in wanted:
            assert surface.theme == wanted["theme"]
        if "sendDataModel" in wanted:
            assert surface.send_data_model == wanted["sendDataModel"]
        if "dataModel" in wanted:
            assert surface.data == wanted["dataModel"]
        components = wanted.get("components", {})
        if isinstance(components, list):
            components = {component["id"]: component for component in components}
        for component_id, properties in components.items():
            definition = surface.components[component_id]
            assert definition | properties == definition
        for component_id, result in wanted.get("validationResult", {}).items():
            check_validation(session, surface_id, component_id, result)


def check_validation(session: Session, surface_id: str, component_id: str, result: Mapping[str, Any]) -> None:
    root = {"id": "root", "component": "Column", "children": [component_id]}  # the cases leave it out
    update = {"surfaceId": surface_id, "components": [root]}
    assert session.handle_message({"version": "1.0", "updateComponents": update}).ok
    node = next(node for node in session.snapshot().nodes.values() if node and node["id"] == component_id)
    assert node.get("valid", True) == result["valid"]
    assert node.get("errors") == [result["message"]]
    assert node.get("severity", "error") == result.get("severity", "error")


@cases_of("get_renderer_data_model")
def test_data_model(case: dict[str, Any]):
    session = session_for(case)
    assert session.handle_message(case["messages"]).ok
    assert session.client_data_model(case["args"]["version"]) == case["expect"]


@cases_of("get_renderer_capabilities")
def test_capabilities(case: dict[str, Any]):
    family = VERSIONS[case["args"]["version"]]
    session = Session([catalog_from(definition, family) for definition in case["catalogs"]])
    supported = [entry["supportedCatalogIds"] for entry in session.capabilities().values()]
    assert supported == [entry["supportedCatalogIds"] for entry in case["expect"].values()]


@cases_of("resolve_path")
def test_paths(case: dict[str, Any]):
    scope = parse_pointer(case["args"].get("contextPath", ""))
    assert format_pointer(resolve_pointer(case["args"]["path"], scope)) == case["expect"]


@cases_of("handle_rpc")
def test_calls(case: dict[str, Any]):
    arguments = case["args"]
    if "outboundCall" in arguments:
        check_agent_call(arguments, case["expect"])
        return
    call = arguments["message"]["callRendererFunction"]["callFunction"]
    expected = case["expect"]["response"]["rendererFunctionResponse"]
    functions = {
        name: Function(name, _body(expected), "any", rules["allowedCallers"], rules["requiresUserActivation"])
        for name, rules in arguments["functionMetadata"].items()
    }
    session = Session([Catalog(call["catalogId"], "1.0", {}, functions)])
    outcome = session.handle_message(arguments["message"], user_activated=arguments.get("userActivationPresent", False))
    assert outcome.effects == [effects.Send(case["expect"]["response"])]


def _body(expected: Mapping[str, Any]) -> Any:
    def run(arguments: Mapping[str, Any]) -> Any:
        if "error" in expected:
            raise errors.A2uiExpressionError(expected["error"]["message"])
        return expected.get("value")

    return run


def check_agent_call(arguments: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    """The call is made by a binding here: our session gives the id, and the answer settles it."""
    outbound = arguments["outboundCall"]
    function = outbound["callFunction"]
    catalog = replace(basic_catalog("1.0"), id=function["catalogId"])
    session = Session([catalog])
    call = {"@call": function["call"], "args": function["args"]}
    root = {"id": "root", "component": "Text", "text": {"@call": "formatString", "args": {"value": "x"}}}
    create = {"surfaceId": outbound["surfaceId"], "catalogId": catalog.id, "components": [{**root, "text": call}]}
    sent = session.handle_message({"version": "v1.0", "createSurface": create}).effects
    asked = next(e.message["callAgentFunction"] for e in sent if isinstance(e, effects.Send))
    assert asked["callFunction"]["args"] == function["args"]
    answer = arguments["inboundResponse"]["agentFunctionResponse"]
    response = {"version": "v1.0", "agentFunctionResponse": {**answer, "functionCallId": asked["functionCallId"]}}
    settled = session.handle_message(response).effects
    assert settled == [effects.RpcSettled(asked["functionCallId"], {"value": expected["result"]})]


@cases_of("select_catalog")
def test_catalog_selection(case: dict[str, Any]):
    """A component or call resolves to the catalog it names, else to the surface's default, else it is an error."""
    arguments = case["args"]
    versions = arguments.get("catalogs", {})
    session = Session([_anything(id, versions.get(id)) for id in arguments["surface"]["supportedCatalogIds"]])
    create = {"surfaceId": "s", "catalogId": arguments["surface"]["defaultCatalogId"]}
    assert session.handle_message({"version": "v1.0", "createSurface": create}).ok
    call = arguments.get("functionCall")
    probe = {"component": "Probe", "value": {"@call": call["call"], "catalogId": call["catalogId"]}} if call else {}
    named = [id for id, catalog in versions.items() if catalog["protocolVersion"] == "v0.9"]
    mixed = {"component": "Probe", "catalogId": named[0]} if named else {}
    components = [*arguments.get("components", {}).values(), *filter(None, (probe, mixed))]
    update = {"surfaceId": "s", "components": [{"id": f"c{n}", **item} for n, item in enumerate(components)]}
    outcome = session.handle_message({"version": "v1.0", "updateComponents": update})
    if "expectError" in case:
        assert isinstance(outcome.error, CATEGORIES[case["expectError"]["category"]])
        return
    assert outcome.ok, outcome.error
    surface = session.surface("s")
    assert surface is not None
    if call:
        resolved = function_catalog(Call(call["call"], (), call["catalogId"]), surface)
    else:
        resolved = surface.catalog_of(components[-1])
    assert resolved is not None and resolved.id == case["expectSelected"]


def _anything(catalog_id: str, document: Mapping[str, Any] | None) -> Catalog:
    names = ("Probe", "Text", "Button", "LineChart")
    components = {name: ComponentType(name, ObjectOf({}, frozenset(), closed=False)) for name in names}
    functions = {"add": Function("add", lambda arguments: arguments["a"] + arguments["b"])}
    return Catalog(catalog_id, VERSIONS[(document or {}).get("protocolVersion", "v1.0")], components, functions)


@cases_of("accessibility_check")
def test_accessibility(case: dict[str, Any]):
    """Attributes reach the node as given; the browser's own accessibility tree is not asked here."""
    surface = case["surface"]
    parts = [surface, *({"id": id, **part} for id, part in surface["components"].items())]
    components = [{**part, "id": "root"} if part is surface else part for part in parts]
    for part in components:
        part.pop("components", None)
    session = Session(validation="none", default_catalog=True)
    create = {"surfaceId": "s", "components": components}
    assert session.handle_message({"version": "1.0", "createSurface": create}).ok
    nodes = {node["id"]: node for node in session.snapshot().nodes.values() if node}
    for component_id, attributes in case["assertions"]["accessibilityTree"].items():
        if component_id in nodes and "accessibility" in nodes[component_id]:
            assert nodes[component_id]["accessibility"] == attributes
        else:
            assert component_id in NAMED_BY_CONTENT or surface["component"] == "Container"


NAMED_BY_CONTENT = {"submit_btn"}
"""Nothing explicit: a button's accessible name is its content, which HTML gives it."""


@cases_of("from_json", "catalog_schema")
def test_catalog_documents(case: dict[str, Any]):
    """a2ui-core reads the documents; what a surface can use of them is what the case says."""
    family = family_of(case) if "protocolVersion" in {**case, **case["catalog"]} else "0.9"
    if "expectError" in case:
        with pytest.raises(CATEGORIES[case["expectError"]["category"]]):
            catalog_from_document(case["catalog"], family=family)
        return
    catalog = catalog_from_document({"catalogId": case.get("catalogId"), **case["catalog"]}, family=family)
    assert catalog.components.keys() == case["expect"].get("components", {}).keys()
    assert catalog.functions.keys() == case["expect"].get("functions", {}).keys()
