"""`python -m a2ui_app validate FILE`: whether A2UI messages are right, and what is wrong with those that are not."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..live.channel import action_of, describe, messages_of, new_session
from ..session.effects import Diagnostic
from ..transports.payload import PayloadError, read


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `validate`."""
    parser.add_argument("file", help="a file of JSON or JSON Lines; - for standard input")
    parser.add_argument("--relaxed", action="store_true", help="allow what a page allows: children that come later")


def run(args: argparse.Namespace) -> int:
    """Print a line for each message. 0 when all are right, 1 when one is not, 2 when the file cannot be read."""
    try:
        messages = read_messages(args.file)
    except (OSError, PayloadError) as error:
        print(f"{args.file}: {explain(error)}", file=sys.stderr)
        return 2
    wrong = 0
    session = new_session(validation="relaxed" if args.relaxed else "strict")
    for number, message in enumerate(messages, start=1):
        faults = list(faults_of(session, message))
        wrong += bool(faults)
        print(f"{number:>4}  {'ok ' if not faults else 'BAD'}  {action_of(message)}")
        for fault in faults:
            print(f"           {fault}")
    print(f"{len(messages)} messages, {wrong} with faults" if wrong else f"{len(messages)} messages, all right")
    return 1 if wrong else 0


def read_messages(file: str) -> list[Any]:
    """The messages of a file. Raises OSError and PayloadError."""
    data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    return messages_of(read(data, "application/jsonl" if file.endswith(("jsonl", "ndjson")) else ""))


def faults_of(session: Any, message: Any) -> Iterator[str]:
    """What is wrong with a message, a sentence for each place."""
    outcome = session.handle_message(message)
    if outcome.error is not None:
        error = describe(outcome.error)
        for detail in error.get("details") or [error]:
            yield f"{detail['path'] or '/'}: {detail['message']}"
    for effect in outcome.effects:
        if isinstance(effect, Diagnostic):
            place = " ".join(str(effect.payload[key]) for key in ("componentId", "property") if key in effect.payload)
            yield f"{effect.surface_id} {place}: {effect.payload.get('message')}"


def explain(error: OSError | PayloadError) -> str:
    """What a reader can do about a file that cannot be read."""
    if isinstance(error, PayloadError):
        return f"line {error.line}, column {error.column}: {error}"
    return f"cannot be read: {error.strerror}"
