"""The example of docs/catalogs.md runs as it stands."""

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs" / "catalogs.md"


def test_the_example_of_a_catalog_runs() -> None:
    first, view = re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    exec(compile(first, str(DOCS), "exec"), {})
    assert "@component" in view
