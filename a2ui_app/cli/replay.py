"""`python -m a2ui_app replay FILE`: what A2UI messages do, one after the other, and what stands there in the end."""

import argparse
import json
import sys
from dataclasses import asdict
from typing import Any

from ..live.channel import action_of, describe, new_session
from ..transports.payload import PayloadError
from .validate import explain, read_messages


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `replay`."""
    parser.add_argument("file", help="a file of JSON or JSON Lines; - for standard input")
    parser.add_argument("--until", type=int, metavar="N", help="stop after message N")
    parser.add_argument("--json", action="store_true", help="print the surfaces alone, as JSON")


def run(args: argparse.Namespace) -> int:
    """Print each message with its effects, then the trees and the data. 1 when a message failed, 2 without a file."""
    try:
        messages = read_messages(args.file)
    except (OSError, PayloadError) as error:
        print(f"{args.file}: {explain(error)}", file=sys.stderr)
        return 2
    session = new_session()
    failed = False
    for number, message in enumerate(messages[: args.until], start=1):
        outcome = session.handle_message(message)
        failed |= outcome.error is not None
        if not args.json:
            show_step(number, message, outcome)
    surfaces = [
        {"surfaceId": surface.id, "dataModel": surface.data, "tree": session.tree(surface.id)}
        for surface in session.surfaces()
    ]
    if args.json:
        print(json.dumps(surfaces, ensure_ascii=False))
    else:
        for surface in surfaces:
            show_surface(surface)
    return 1 if failed else 0


def show_step(number: int, message: Any, outcome: Any) -> None:
    """Print a message and what it did."""
    print(f"{number:>4}  {action_of(message)}")
    if outcome.error is not None:
        error = describe(outcome.error)
        print(f"      error at {error['path'] or '/'}: {error['message']}")
    for effect in outcome.effects:
        told = json.dumps(asdict(effect), ensure_ascii=False, default=str)
        print(f"      {type(effect).__name__} {told if len(told) <= 160 else told[:159] + '…'}")


def show_surface(surface: dict[str, Any]) -> None:
    """Print a surface as an indented tree, and its data."""
    print(f"\n{surface['surfaceId']}")
    if surface["tree"] is not None:
        show_node(surface["tree"], 1)
    print(f"  data {json.dumps(surface['dataModel'], ensure_ascii=False)}")


def show_node(node: dict[str, Any], depth: int) -> None:
    """Print a node and its children."""
    state = "" if node["state"] == "ok" else f" ({node['state']})"
    props = json.dumps(node["props"], ensure_ascii=False)
    shown = "" if props == "{}" else f" {props if len(props) <= 120 else props[:119] + '…'}"
    print(f"{'  ' * depth}{node['type']} {node['id']}{state}{shown}")
    for child in node["children"]:
        show_node(child, depth + 1)
