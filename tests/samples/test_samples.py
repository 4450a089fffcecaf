"""Every sample is valid and says what it shows; together they use all of the basic catalogs."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from a2ui_app.catalogs.extended import extended_catalog
from a2ui_app.catalogs.registry import BASIC_0_9, BASIC_1_0, get_catalog
from a2ui_app.samples import GROUPS, Sample, all_samples, find_sample
from a2ui_app.session import Session, effects
from a2ui_app.session.session import DEFAULT_CATALOGS

MEDIA = "/samples-media/"
ASSETS = Path(__file__).resolve().parents[2] / "assets"
ENVELOPE = {"id", "component", "catalogId", "@catalogId", "metadata", "@metadata"}
COMPONENT_COUNT = 18


def each_sample() -> list[Any]:
    return [pytest.param(sample, id=sample.name) for sample in all_samples()]


def play(sample: Sample, validation: Any) -> tuple[Session, list[Any]]:
    """The session after all messages, and what it complained about."""
    session = Session((*DEFAULT_CATALOGS, extended_catalog()), validation=validation)
    complaints: list[Any] = []
    for message in sample.messages:
        outcome = session.handle_message(message)
        complaints += [outcome.error] if outcome.error else []
        complaints += [effect.payload for effect in outcome.effects if isinstance(effect, effects.Diagnostic)]
    return session, complaints


@pytest.mark.parametrize("sample", each_sample())
def test_a_sample_is_valid_and_finds_no_fault(sample: Sample):
    session, complaints = play(sample, sample.validation)
    assert bool(complaints) == sample.shows_errors, complaints
    assert session.surfaces(), "nothing is on the page at the end"


@pytest.mark.parametrize("sample", each_sample())
def test_a_sample_says_what_it_shows(sample: Sample):
    assert sample.title and sample.description.endswith((".", "!", "?")), sample.description
    assert sample.tags
    assert "lorem" not in str(sample.messages).casefold()


@pytest.mark.parametrize("sample", each_sample())
def test_a_sample_loads_nothing_from_elsewhere(sample: Sample):
    for text in strings(sample.messages):
        if text.startswith(MEDIA):
            assert (ASSETS / text.removeprefix("/")).is_file(), text
        elif text.startswith("http"):
            assert text.startswith(("https://a2ui.org/specification/", "https://www.iana.org/")), text


@pytest.mark.parametrize("sample", [s for s in all_samples() if s.validation == "relaxed" and not s.shows_errors])
def test_relaxed_validation_is_asked_for_only_where_it_is_needed(sample: Sample):
    assert play(sample, "strict")[1]


@pytest.mark.parametrize("sample", [s for s in all_samples() if s.name != "formatting"], ids=lambda sample: sample.name)
def test_no_template_is_left_unfilled(sample: Sample):
    session, _ = play(sample, sample.validation)
    shown = [text for text in strings(session.snapshot().nodes) if "${" in text]
    assert not shown  # a string inside an expression is a literal: it has no ${…} of its own


def test_there_is_something_in_every_group():
    assert {sample.group for sample in all_samples()} == set(GROUPS)
    assert len(all_samples()) >= 24


def test_names_find_samples():
    assert find_sample("hello") is not None
    assert find_sample("no-such-sample") is None


@pytest.mark.parametrize("catalog_id", [BASIC_1_0, BASIC_0_9])
def test_the_samples_use_every_property_and_variant_of_a_catalog(catalog_id: str):
    declared = get_catalog(catalog_id).document["components"]
    assert len(declared) == COMPONENT_COUNT
    used: dict[str, dict[str, list[Any]]] = {}
    for component in drawn_with(catalog_id):
        properties = used.setdefault(component["component"], {})
        for name, value in component.items():
            properties.setdefault(name.removeprefix("@"), []).append(value)
    missing = [
        (type_, name)
        for type_, schema in declared.items()
        for name in properties_of(schema).keys() - ENVELOPE
        if name not in used.get(type_, {})
    ]
    assert not missing
    if catalog_id == BASIC_1_0:
        unseen = [
            (type_, name, choice)
            for type_, schema in declared.items()
            for name, property in properties_of(schema).items()
            for choice in property.get("enum", [])
            if choice not in used[type_][name]
        ]
        assert not unseen


@pytest.mark.parametrize("catalog_id", [BASIC_1_0, BASIC_0_9])
def test_the_samples_call_every_function_of_a_catalog(catalog_id: str):
    found = list(objects(drawn_with(catalog_id)))
    called = {call[spelling] for call in found for spelling in ("@call", "call") if spelling in call}
    assert {"formatString", *get_catalog(catalog_id).functions} <= called


def drawn_with(catalog_id: str) -> list[dict[str, Any]]:
    """The component definitions of all surfaces of a catalog."""
    found: list[dict[str, Any]] = []
    for sample in all_samples():
        surfaces: set[str] = set()
        for message in sample.messages:
            body = message.get("createSurface") or message.get("updateComponents") or {}
            if body.get("catalogId") == catalog_id:
                surfaces.add(body["surfaceId"])
            if body.get("surfaceId") in surfaces:
                found += body.get("components", [])
    return found


def properties_of(schema: dict[str, Any]) -> dict[str, Any]:
    """The properties a component's schema declares, in its own parts."""
    found: dict[str, Any] = dict(schema.get("properties", {}))
    for part in schema.get("allOf", []):
        found |= properties_of(part)
    return found


def objects(value: Any) -> Iterator[dict[str, Any]]:
    """Every object in ``value``."""
    if isinstance(value, dict):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ():
        yield from objects(inner)


def strings(value: Any) -> Iterator[str]:
    """Every string in ``value``, keys aside."""
    if isinstance(value, str):
        yield value
    for inner in value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ():
        yield from strings(inner)
