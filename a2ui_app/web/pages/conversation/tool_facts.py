"""What is worth seeing of a tool call: a line that says what it does, its edit as a diff, its list of tasks."""

import difflib
import json
import re
from collections.abc import Mapping
from typing import Any

SUMMARY = 160  # characters of the line
DIFF_LINES = 400
SHOWN = 20_000  # characters of input and output that a page is sent

_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_TELLING = ("command", "cmd", "file_path", "filePath", "path", "pattern", "query", "url", "description", "prompt")
_OLD = ("old_string", "oldString", "oldText", "old_str", "old")
_NEW = ("new_string", "newString", "newText", "new_str", "new")
_DONE = {"completed": "done", "done": "done", "in_progress": "active", "active": "active"}

Row = list[str]
"""A kind and a text: what a page draws as one line."""


def summary(call: Mapping[str, Any]) -> str:
    """What a call with this input is about: its command, file or query; empty when nothing tells."""
    told = [call[name] for name in _TELLING if call.get(name)]
    told += [value for value in call.values() if isinstance(value, str) and value]
    if not told:
        return ""
    first = told[0]
    text = " ".join(str(part) for part in first) if isinstance(first, list) else str(first)
    line = " ".join(text.split())
    return line if len(line) <= SUMMARY else line[: SUMMARY - 1] + "…"


def diff(call: Mapping[str, Any]) -> list[Row]:
    """The edit of a call as lines, each with its kind (add, cut, same, place); empty when it edits nothing."""
    rows: list[Row] = []
    for edit in _edits(call):
        rows += edit
    if len(rows) > DIFF_LINES:
        rows = [*rows[:DIFF_LINES], ["place", f"… {len(rows) - DIFF_LINES} more lines"]]
    return rows


def _edits(call: Mapping[str, Any]) -> list[list[Row]]:
    for name in ("diff", "patch", "unified_diff"):
        if isinstance(call.get(name), str):
            return [_rows_of_patch(call[name])]
    for name in ("edits", "changes"):
        several = call.get(name)
        parts = several.values() if isinstance(several, Mapping) else several
        if isinstance(several, list | Mapping) and parts:
            return [row for part in parts if isinstance(part, Mapping) for row in _edits(part)]
    old = next((call[name] for name in _OLD if isinstance(call.get(name), str)), None)
    new = next((call[name] for name in _NEW if isinstance(call.get(name), str)), None)
    if old is None and new is None:
        content = call.get("content")
        is_file = any(isinstance(call.get(name), str) for name in ("file_path", "filePath", "path"))
        if not (isinstance(content, str) and is_file):
            return []
        new = content
    return [_rows_between(old or "", new or "")]


def _rows_between(old: str, new: str) -> list[Row]:
    if len(old) + len(new) > SHOWN * 4:
        return [["place", f"{len(old):,} characters became {len(new):,}"]]
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=3)
    return _rows_of_patch("\n".join(list(lines)[2:]))


def _rows_of_patch(patch: str) -> list[Row]:
    kinds = {"+": "add", "-": "cut", "@": "place"}
    rows: list[Row] = []
    for line in patch.splitlines():
        if line.startswith(("--- ", "+++ ", "diff ", "index ", "***")):
            rows.append(["place", line])
        else:
            kind = kinds.get(line[:1], "same")
            rows.append([kind, line if kind == "place" else line[1:] if line[:1] in "+- " else line])
    return rows


def todos(call: Mapping[str, Any]) -> list[Row]:
    """The tasks of a call that plans, each with its state (done, active, open)."""
    items = next((call[name] for name in ("todos", "plan", "entries") if isinstance(call.get(name), list)), [])
    rows: list[Row] = []
    for item in items:
        if isinstance(item, Mapping):
            text = next((item[name] for name in ("content", "step", "text", "title") if item.get(name)), "")
            rows.append([_DONE.get(str(item.get("status")), "open"), str(text)])
    return rows


def input_text(call: Mapping[str, Any]) -> str:
    """The input as people read it."""
    if set(call) == {"command"} and isinstance(call["command"], str):
        return cut(call["command"])
    return cut(json.dumps(dict(call), ensure_ascii=False, indent=2)) if call else ""


def output_text(output: str) -> str:
    """The output without the codes that colour a terminal."""
    return cut(_ANSI.sub("", output).replace("\r\n", "\n").rstrip())


def cut(text: str) -> str:
    """The text as far as a page is sent it."""
    if len(text) <= SHOWN:
        return text
    return f"{text[:SHOWN]}\n… {len(text) - SHOWN:,} more characters"
