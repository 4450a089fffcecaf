"""docs/store.md: its example does what it says."""

import re
from pathlib import Path

import pytest

from a2ui_app.store.migrate import SCRIPTS


def test_the_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", (SCRIPTS.parent / "docs" / "store.md").read_text(), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(compile(example, "docs/store.md", "exec"), {})
    assert capsys.readouterr().out == "['Die Straße']\n['Hello']\n"
