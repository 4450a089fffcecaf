"""CodeBlock and Diff: coloured on the server, so that no page loads a highlighter."""

import re
from collections.abc import Iterator
from functools import lru_cache
from time import monotonic
from typing import Any

import reflex as rx
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, String, Token
from pygments.util import ClassNotFound

from ...live_surface import Node, Wire, component, js, spread, when, with_props
from .parts import Markup, drawn, ext, joined

PIECE = 1_000
"""Characters that a lexer gets at once."""
MOST_TIME = 0.03
"""Seconds for one block of code; what is not coloured by then is plain."""
MAX_DIFF_LINES = 2_000

_CLASSES = (
    (Comment, "comment"),
    (Keyword, "keyword"),
    (String, "string"),
    (Number, "number"),
    (Name.Function, "name"),
    (Name.Class, "name"),
    (Name.Builtin, "name"),
    (Name.Tag, "keyword"),
    (Name.Attribute, "name"),
    (Operator.Word, "keyword"),
    (Generic.Heading, "keyword"),
)
_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


@lru_cache(maxsize=256)
def highlight(code: str, language: str) -> tuple[Markup, ...]:
    """The code as runs of text; plain when the language is not known, and from where it would take too long."""
    try:
        lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return (code,)
    return tuple(joined(_runs(lexer, code)))


def _runs(lexer: Lexer, code: str) -> Iterator[tuple[str, str]]:
    """Runs with their class. Lexers are regular expressions that may take the square of a text's length.

    So they get pieces, and no more of them once the time is used up: the page of everybody waits meanwhile.
    """
    until = monotonic() + MOST_TIME
    for piece in pieces(code):
        if len(piece) > PIECE or monotonic() > until:
            yield "", piece
        else:
            yield from ((_class(kind), text) for kind, text in lexer.get_tokens(piece))


def pieces(code: str) -> Iterator[str]:
    """The code in pieces of at most `PIECE` characters, cut before lines that are not indented where there are any.

    A line that is longer is a piece of its own.
    """
    lines = code.splitlines(keepends=True)
    start = 0
    while start < len(lines):
        end, size, best = start, 0, 0
        while end < len(lines) and (size + len(lines[end]) <= PIECE or end == start):
            size += len(lines[end])
            end += 1
            if end < len(lines) and not lines[end][0].isspace():
                best = end
        end = best if best and end < len(lines) else end
        yield "".join(lines[start:end])
        start = end


def _class(kind: Any) -> str:
    return next((f"a2x-{name}" for token, name in _CLASSES if kind in token), "") if kind is not Token else ""


def prepare_code(node: Wire) -> Wire:
    props = node["props"]
    code, language = props.get("code"), props.get("language")
    runs = list(highlight(code, language)) if isinstance(code, str) and isinstance(language, str) else [code or ""]
    lines = (
        "\n".join(map(str, range(1, (code or "").removesuffix("\n").count("\n") + 2)))
        if props.get("lineNumbers")
        else None
    )
    return with_props(node, runs=[["span", {}, *runs]], numbers=lines)


@component("CodeBlock", prepare=prepare_code)
def code_block(node: Node) -> rx.Component:
    copy = ext("copy", dict, uses="useCopy", hook=f"const copy = useCopy({node.code!s})")
    words = js('(copy.copied ? "Copied" : "Copy")', str, like=copy)
    return rx.el.figure(
        rx.el.figcaption(
            rx.el.span(js(f"({node.prop('title')!s} ?? {node.language!s})", str)),
            rx.el.button(words, type="button", on_click=js("copy.copy", rx.event.EventChain, like=copy)),
        ),
        rx.el.div(
            when(node.prop("numbers"), rx.el.pre(node.prop("numbers"), custom_attrs={"aria-hidden": True})),
            rx.el.pre(rx.el.code(drawn(node.prop("runs"))), tab_index=0),
            class_name="a2x-lines",
        ),
        class_name="a2x-code",
        **node.attrs,
    )


def diff_lines(diff: str) -> Iterator[dict[str, Any]]:
    """The lines of a unified diff with their kind and their numbers before and after.

    A hunk's head says how many lines it has, so that a removed line that begins with ``--`` is no file's head.
    """
    old = new = old_left = new_left = 0
    for text in diff.removesuffix("\n").split("\n"):
        if old_left <= 0 and new_left <= 0:
            if hunk := _HUNK.match(text):
                old, new = int(hunk[1]), int(hunk[3])
                old_left, new_left = int(hunk[2] or 1), int(hunk[4] or 1)
            yield {"kind": "hunk" if hunk else "file", "old": "", "new": "", "text": text}
        elif text.startswith("\\"):  # "\ No newline at end of file"
            yield {"kind": "file", "old": "", "new": "", "text": text}
        else:
            kind = {"+": "added", "-": "removed"}.get(text[:1], "same")
            yield {
                "kind": kind,
                "old": "" if kind == "added" else str(old),
                "new": "" if kind == "removed" else str(new),
                "text": text,
            }
            if kind != "added":
                old, old_left = old + 1, old_left - 1
            if kind != "removed":
                new, new_left = new + 1, new_left - 1


def prepare_diff(node: Wire) -> Wire:
    diff = node["props"].get("diff")
    lines = list(diff_lines(diff)) if isinstance(diff, str) and diff else []
    more = max(0, len(lines) - MAX_DIFF_LINES)
    note = f"{more:,} more lines not shown" if more else None
    return with_props(node, diff=None, lines=lines[:MAX_DIFF_LINES], hidden=note)


@component("Diff", prepare=prepare_diff)
def diff(node: Node) -> rx.Component:
    def line(one: rx.Var, place: rx.Var) -> rx.Component:
        old, new, text, kind = (js(f"{one!s}.{name}", str) for name in ("old", "new", "text", "kind"))
        return rx.el.tr(
            rx.el.td(old, class_name="a2x-number"),
            rx.el.td(new, class_name="a2x-number"),
            rx.el.td(text),
            key=place,
            custom_attrs={"data-kind": kind},
        )

    rows = rx.el.tbody(rx.foreach(js(f"({node.prop('lines')!s} ?? [])", list[dict]), line))
    return rx.el.figure(
        when(node.prop("title"), rx.el.figcaption(node.prop("title"))),
        rx.el.div(rx.el.table(rows, **spread(node.aria)), class_name="a2x-lines"),
        when(node.prop("hidden"), rx.el.p(node.prop("hidden"), class_name="a2-note")),
        class_name="a2x-code a2x-diff",
        **spread(node.box),
    )
