"""The examples of docs/agent-ui.md are run as they stand there."""

import ast
import inspect
import re
import sys
from typing import Any

from .test_cli_host import ROOT, hosted

PAGE = ROOT / "docs" / "agent-ui.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)


async def test_the_examples_hold():
    snippets = [block for block in blocks("python") if not block.startswith("# agent.py")]
    assert len(snippets) == 6
    namespace: dict[str, Any] = {}
    for snippet in snippets:
        code = compile(snippet, str(PAGE), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        done = eval(code, namespace)
        if inspect.isawaitable(done):
            await done


async def test_the_first_agent_and_its_transcript(tmp_path):
    (program,) = [block for block in blocks("python") if block.startswith("# agent.py")]
    (transcript,) = blocks("console")
    path = tmp_path / "agent.py"
    path.write_text(program)
    before, typed, after = split(transcript)
    async with hosted("--", "env", f"PYTHONPATH={ROOT}", sys.executable, str(path)) as terminal:
        assert await terminal.until("cancels): ") == before
        terminal.type(typed)
        assert (await terminal.stdout.read()).decode() == after
        assert await terminal.process.wait() == 0


def split(transcript: str) -> tuple[str, str, str]:
    """Cut a transcript in what is shown, the answer typed, and what is shown then."""
    _, _, shown = transcript.partition("\n")
    before, prompt, rest = shown.partition("cancels): ")
    typed, _, after = rest.partition("\n")
    return before + prompt, typed, after
