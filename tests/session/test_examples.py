"""The public example messages (three protocol versions) are accepted without an error, a placeholder or a diagnostic.

The folder is not part of the project: A2UI_EXAMPLES names it (default ../shared/a2ui-examples).
"""

import json
import os
import pickle
from pathlib import Path

import pytest

from a2ui_app.session import Session, effects

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get("A2UI_EXAMPLES", ROOT.parent / "shared" / "a2ui-examples"))
if not FOLDER.is_dir():
    pytest.skip(f"no examples at {FOLDER} (A2UI_EXAMPLES)", allow_module_level=True)

EXAMPLES = sorted(FOLDER.glob("*/*.json"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: f"{path.parent.name}-{path.stem}")
@pytest.mark.parametrize("at_once", [True, False], ids=["one payload", "message by message"])
def test_example(path: Path, at_once: bool):
    messages = json.loads(path.read_text(encoding="utf-8"))["messages"]
    session = Session(bindings="auto")  # the 1.0 examples use the older spelling
    for payload in [messages] if at_once else messages:
        outcome = session.handle_message(payload)
        assert outcome.ok, outcome.error
        assert [effect for effect in outcome.effects if isinstance(effect, effects.Diagnostic)] == []
        session = pickle.loads(pickle.dumps(session))
    nodes = session.snapshot().nodes.values()
    assert nodes
    assert [node for node in nodes if node is None or "state" in node] == []


def test_all_examples_are_there():
    assert len(EXAMPLES) == 136
