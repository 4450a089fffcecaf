"""`validate` and `replay` in a terminal."""

import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from a2ui_app.__main__ import main

CATALOG = "https://a2ui.org/specification/v1_0/catalogs/basic/catalog.json"


def create(*components: dict[str, object], id: str = "s") -> dict[str, object]:
    body = {"surfaceId": id, "catalogId": CATALOG, "components": list(components), "dataModel": {"n": "Ada"}}
    return {"version": "1.0", "createSurface": body}


GOOD = create({"id": "root", "component": "Text", "text": {"@path": "/n"}})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "messages.jsonl"


def test_right_messages_are_said_to_be_right(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file.write_text(json.dumps(GOOD) + "\n")
    assert main(["validate", str(file)]) == 0
    assert "1 messages, all right" in capsys.readouterr().out


def test_a_fault_is_explained_with_its_place(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = create({"id": "root", "component": "Card", "child": "gone"}, id="t")
    file.write_text("\n".join(json.dumps(message) for message in (GOOD, bad, {"version": "9"})))
    assert main(["validate", str(file)]) == 1
    out = capsys.readouterr().out
    assert "component 'gone' is not defined" in out
    assert "/version" in out
    assert "3 messages, 2 with faults" in out
    assert main(["validate", str(file), "--relaxed"]) == 1  # the third is wrong anyhow
    assert "BAD  createSurface" not in capsys.readouterr().out


@pytest.mark.parametrize(("text", "said"), [("{", "line 1, column"), ("", "empty"), (None, "cannot be read")])
@pytest.mark.parametrize("command", ["validate", "replay"])
def test_a_file_that_cannot_be_read(file: Path, capsys: pytest.CaptureFixture[str], command, text, said) -> None:
    if text is not None:
        file.write_text(text)
    assert main([command, str(file)]) == 2
    assert said in capsys.readouterr().err


def test_a_replay_shows_what_happens_and_what_stands_there(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    update = {"version": "1.0", "updateDataModel": {"surfaceId": "s", "path": "/n", "value": "Grace"}}
    file.write_text("\n".join(json.dumps(message) for message in (GOOD, update)))
    assert main(["replay", str(file)]) == 0
    out = capsys.readouterr().out
    assert "SurfaceCreated" in out
    assert 'Text root {"text": "Grace"}' in out
    assert main(["replay", str(file), "--json", "--until", "1"]) == 0
    (surface,) = json.loads(capsys.readouterr().out)
    assert surface["dataModel"] == {"n": "Ada"}


def test_messages_come_from_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(json.dumps(GOOD).encode())))
    assert main(["validate", "-"]) == 0
    assert "all right" in capsys.readouterr().out
