"""Every public example message file, drawn in the browser: no page error, no placeholder, nothing refused.

The folder is not part of the project: A2UI_EXAMPLES names it (default ../shared/a2ui-examples).
"""

import json
import os
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(os.environ.get("A2UI_EXAMPLES", ROOT.parent / "shared" / "a2ui-examples"))
if not FOLDER.is_dir():
    pytest.skip(f"no examples at {FOLDER} (A2UI_EXAMPLES)", allow_module_level=True)

EXAMPLES = sorted(FOLDER.glob("*/*.json"))


@pytest.mark.parametrize("version", ["v0_9", "v0_9_1", "v1_0"])
def test_examples_are_drawn(app_url: str, page: Page, version: str):
    # They name pictures and sounds on other hosts: no request of a test leaves this machine.
    page.route(lambda url: not url.startswith(app_url), lambda route: route.abort())
    for path in (path for path in EXAMPLES if path.parent.name == version):
        channel = f"example-{version}-{path.stem}"
        reply = httpx.post(f"{app_url}/a2ui/{channel}", json=json.loads(path.read_text(encoding="utf-8"))).json()
        assert reply["ok"], (path.name, reply)
        assert not any("diagnostics" in result for result in reply["results"]), (path.name, reply)
        page.goto(f"{app_url}/surface/{channel}")
        surface = page.locator("[data-surface]")
        expect(surface.locator("[data-ref]").first).to_be_attached()
        expect(surface.locator(".a2-pending, .a2-unknown")).to_have_count(0)
