"""Envelopes: versions, spellings, shapes, and what a fault says to whom."""

from typing import Any

import pytest

from a2ui_app.catalogs.extended import EXTENDED_1_0, document, extended_catalog
from a2ui_app.catalogs.registry import BASIC_0_9, BASIC_1_0
from a2ui_app.session import Session, effects
from a2ui_app.session.errors import A2uiDataError, A2uiIntegrityError, A2uiValidationError

from .board import Board, at, column, text


def create(version: str = "1.0", **more: Any) -> dict[str, Any]:
    catalog = BASIC_0_9 if "0.9" in version else BASIC_1_0
    return {"version": version, "createSurface": {"surfaceId": "s", "catalogId": catalog, **more}}


@pytest.mark.parametrize("version", ["0.9", "v0.9", "0.9.1", "v0.9.1", "1.0", "v1.0"])
def test_every_spelling_of_a_version_is_read_and_used_in_answers(version):
    session = Session()
    assert session.handle_message(create(version)).ok
    assert session.surfaces()[0].version == version
    bad = {"version": version, "updateDataModel": {"surfaceId": "s", "path": "/~2", "value": 1}}
    sent = [e.message for e in session.handle_message(bad).effects if isinstance(e, effects.Send)]
    assert [message["version"] for message in sent] == [version]


FAULTS = [
    ("no JSON object", 5, "/", "object"),
    ("no version", {"createSurface": {"surfaceId": "s"}}, "/version", "1.0"),
    ("another version", {"version": "v99.0", "deleteSurface": {"surfaceId": "s"}}, "/version", "v0.9"),
    ("no action", {"version": "1.0"}, "/", "createSurface"),
    ("an unknown action", {"version": "1.0", "createSurfaces": {}}, "/", "createSurfaces"),
    ("two actions", {"version": "1.0", "deleteSurface": {}, "createSurface": {}}, "/", "one message for each"),
    ("0.8", {"version": "1.0", "beginRendering": {}}, "/beginRendering", "Allowed actions"),
    ("an extra key", {"version": "1.0", "deleteSurface": {"surfaceId": "s"}, "x": 1}, "/x", "leave it out"),
    ("no object", {"version": "1.0", "deleteSurface": []}, "/deleteSurface", "object"),
    ("a missing field", {"version": "1.0", "deleteSurface": {}}, "/deleteSurface/surfaceId", "surfaceId"),
    (
        "a field of another type",
        {"version": "1.0", "deleteSurface": {"surfaceId": 1}},
        "/deleteSurface/surfaceId",
        "string",
    ),
    (
        "an unknown field",
        {"version": "1.0", "deleteSurface": {"surfaceId": "s", "y": 1}},
        "/deleteSurface/y",
        "surfaceId",
    ),
    ("no value", {"version": "1.0", "updateDataModel": {"surfaceId": "s"}}, "/updateDataModel/value", "null deletes"),
    ("a theme in 1.0", create(theme={}), "/createSurface/theme", "leave it out"),
    ("components in 0.9", create("v0.9", components=[]), "/createSurface/components", "its own message"),
    ("a data model that is no object", create(dataModel=[1]), "/createSurface/dataModel", "object"),
    ("an empty list", [], "/", "at least one"),
    ("the second of a list", [create(), {"version": "1.0"}], "/1", "createSurface"),
    ("one in a wrapper", {"messages": [{"version": "1.0"}]}, "/messages/0", "createSurface"),
]


@pytest.mark.parametrize("payload, path, remedy", [fault[1:] for fault in FAULTS], ids=[fault[0] for fault in FAULTS])
def test_a_fault_names_its_place_and_the_remedy_and_applies_nothing(payload, path, remedy):
    session = Session()
    outcome = session.handle_message(payload)
    assert isinstance(outcome.error, A2uiValidationError)
    assert outcome.error.details[0].path == path
    assert remedy in str(outcome.error)
    assert session.surfaces() == []


def test_a_payload_of_two_versions_is_refused_whole():
    session = Session()
    outcome = session.handle_message([create("1.0"), {"version": "v0.9", "deleteSurface": {"surfaceId": "s"}}])
    assert isinstance(outcome.error, A2uiValidationError)
    assert session.surfaces() == []


def test_the_agent_is_told_when_the_fault_names_a_surface():
    session = Session()
    fault = {"version": "v1.0", "updateComponents": {"surfaceId": "s", "components": 5}}
    outcome = session.handle_message(fault)
    message = "components must be a list of components, not the number 5"
    body = {"code": "VALIDATION_FAILED", "surfaceId": "s", "path": "/updateComponents/components", "message": message}
    assert outcome.effects == [effects.Send({"version": "v1.0", "error": body})]
    assert session.handle_message({"version": "1.0"}).effects == []


def test_operations_before_the_failing_one_stay():
    session = Session()
    outcome = session.handle_message(
        [
            create(),
            {"version": "1.0", "updateDataModel": {"surfaceId": "s", "path": "/a", "value": 1}},
            {"version": "1.0", "updateDataModel": {"surfaceId": "s", "path": "/a/b", "value": 2}},
            {"version": "1.0", "updateDataModel": {"surfaceId": "s", "path": "/c", "value": 3}},
        ]
    )
    assert isinstance(outcome.error, A2uiDataError)
    assert session.surfaces()[0].data == {"a": 1}
    assert [type(effect) for effect in outcome.effects] == [
        effects.SurfaceCreated,
        effects.DataModelUpdated,
        effects.Send,
    ]


def test_a_create_with_bad_components_leaves_no_surface():
    session = Session()
    outcome = session.handle_message(create(components=[text("root", 5)], dataModel={"a": 1}))
    assert not outcome.ok
    assert session.surfaces() == []
    assert not any(isinstance(effect, effects.SurfaceCreated) for effect in outcome.effects)
    assert session.handle_message(create(components=[text("root", "5")])).ok


def test_a_surface_may_come_again_after_its_deletion_only():
    session = Session()
    assert session.handle_message(create()).ok
    assert isinstance(session.handle_message(create()).error, A2uiIntegrityError)
    delete = {"version": "1.0", "deleteSurface": {"surfaceId": "s"}}
    assert session.handle_message(delete).effects == [effects.SurfaceDeleted("s")]
    assert session.handle_message(delete).effects == []
    assert session.handle_message(create()).ok


def test_a_payload_bound_to_a_surface_touches_no_other():
    board = Board(data={"a": 1})
    update = board.message(updateDataModel={"surfaceId": "s", "path": "/a", "value": 2})
    assert isinstance(board.session.handle_message(update, surface_id="other").error, A2uiIntegrityError)
    assert board.model == {"a": 1}
    assert board.session.handle_message(update, surface_id="s").ok


def test_the_message_is_not_aliased():
    message = create(components=[column("t"), text("t", at("/a/b"))], dataModel={"a": {"b": "one"}})
    session = Session()
    session.handle_message(message)
    message["createSurface"]["dataModel"]["a"]["b"] = "two"
    message["createSurface"]["components"][1]["text"] = "two"
    data = session.surfaces()[0].data
    session.handle_message({"version": "1.0", "updateDataModel": {"surfaceId": "s", "path": "/a/c", "value": 1}})
    assert data == {"a": {"b": "one"}}
    assert message["createSurface"]["dataModel"] == {"a": {"b": "two"}}


def test_deep_nesting_is_refused():
    deep: Any = "x"
    for _ in range(5_000):
        deep = {"a": deep}
    session = Session()
    assert "nests" in str(session.handle_message(create(dataModel=deep)).error)
    assert session.surfaces() == []


@pytest.mark.parametrize("spelled", ["catalogId", "@catalogId"])
def test_a_surface_without_a_catalog_takes_each_components_own(spelled):
    session = Session()
    assert session.handle_message({"version": "1.0", "createSurface": {"surfaceId": "s"}}).ok
    update = {"surfaceId": "s", "components": [{**text("root", "x"), spelled: BASIC_1_0}]}
    assert session.handle_message({"version": "1.0", "updateComponents": update}).ok
    update = {"surfaceId": "s", "components": [text("root", "x")]}
    outcome = session.handle_message({"version": "1.0", "updateComponents": update})
    assert "no default catalogId" in str(outcome.error)


def test_before_1_0_a_surface_without_a_catalog_gets_the_first():
    session = Session()
    assert session.handle_message({"version": "v0.9", "createSurface": {"surfaceId": "s"}}).ok
    assert session.surfaces()[0].catalog_id == BASIC_0_9


def test_the_commons_are_read_in_both_spellings():
    rule = {"condition": {"@call": "required", "args": {"value": at("/n")}}, "message": "Needed"}
    for checks, accessibility in (("checks", "accessibility"), ("@checks", "@accessibility")):
        field = {"id": "root", "component": "TextField", "label": "L", "value": at("/n")}
        board = Board({**field, checks: [rule], accessibility: {"label": "A"}}, data={"n": ""})
        assert board.last.ok
        assert board.node("root")["errors"] == ["Needed"]
        assert board.node("root")["accessibility"] == {"label": "A"}


def test_bare_bindings_in_1_0_are_literals_with_a_hint_or_bindings_on_request():
    bare = {"path": "/n"}
    board = Board(text("root", bare), data={"n": "x"})
    assert board.texts("root") == [bare]
    assert board.diagnostics[0]["code"] == "BARE_BINDING"
    assert next(iter(board.session.snapshot().nodes.values()))["props"]["text"] == '{"path":"/n"}'  # type: ignore[index]
    assert Board(text("root", bare), data={"n": "x"}, bindings="auto").texts("root") == ["x"]


def test_at_bindings_in_0_9_are_literals():
    board = Board(text("root", at("/n")), data={"n": "x"}, version="v0.9", validation="none")
    assert board.texts("root") == [at("/n")]


def test_capabilities_and_data_models_for_the_transport():
    session = Session()
    assert session.client_data_model() is None
    assert session.capabilities()["1.0"]["supportedCatalogIds"] == [BASIC_1_0]
    session.handle_message(create("v1.0", sendDataModel=True, dataModel={"a": 1}))
    other = {"surfaceId": "other", "catalogId": BASIC_1_0, "dataModel": {"secret": 1}}
    session.handle_message({"version": "v1.0", "createSurface": other})
    assert session.client_data_model() == {"version": "v1.0", "surfaces": {"s": {"a": 1}}}
    assert session.client_data_model("v0.9") is None
    assert set(session.capabilities()) == {"v0.9", "v1.0"}


def test_an_agent_that_accepts_inline_catalogs_gets_documents_with_instructions_and_the_others_do_not():
    session = Session((BASIC_1_0, extended_catalog()))
    assert session.capabilities() == {"1.0": {"supportedCatalogIds": [BASIC_1_0, EXTENDED_1_0]}}
    (inline,) = session.capabilities(inline_catalogs=True)["1.0"]["inlineCatalogs"]
    assert inline["catalogId"] == EXTENDED_1_0
    assert inline["instructions"] == document()["instructions"]
    assert inline["components"].keys() == document()["components"].keys()
    inline["components"].clear()
    assert session.capabilities(inline_catalogs=True)["1.0"]["inlineCatalogs"][0]["components"]
    assert "inlineCatalogs" not in Session().capabilities(inline_catalogs=True)["1.0"]
