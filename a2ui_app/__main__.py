"""`python -m a2ui_app COMMAND`: the app's commands. A command's module is imported only when that command is called.

To add one: a line in COMMANDS, and in the module it names `configure(parser)`, which declares the arguments, and
`run(args) -> int`, which does the work and returns the exit code.
"""

import argparse
import importlib
import sys
from collections.abc import Sequence

COMMANDS = {  # name -> (module, one line of help)
    "serve": ("a2ui_app.serve", "build the page if its sources changed, and serve it"),
    "link": ("a2ui_app.cli.link", "print a link that opens the page of the server that runs"),
    "token": ("a2ui_app.cli.token", "print the token with which a program posts to a channel"),
    "password": ("a2ui_app.cli.password", "set the password for serving on an address of the network"),
    "run": ("a2ui_app.cli.run", "give one prompt to a coding agent, and print what it does"),
    "validate": ("a2ui_app.cli.validate", "check a file of A2UI messages, and explain what is wrong"),
    "replay": ("a2ui_app.cli.replay", "show what a file of A2UI messages does, step by step"),
    "mcp": ("a2ui_app.cli.mcp", "give an agent the page's tools over stdio"),
    "host": ("a2ui_app.cli.host", "run a program that speaks RPC or DebugRPC, and answer it in the terminal"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0 for success, 1 for failure and 2 for a wrong command line."""
    argv = sys.argv[1:] if argv is None else argv
    parser = argparse.ArgumentParser(prog="a2ui_app", description="One page that any coding agent can draw on.")
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    chosen = next((argument for argument in argv if not argument.startswith("-")), None)
    for name, (module, help_line) in COMMANDS.items():
        subparser = subparsers.add_parser(name, help=help_line, description=help_line)
        if name == chosen:
            command = importlib.import_module(module)
            command.configure(subparser)
            subparser.set_defaults(run=command.run)
    args = parser.parse_args(argv)
    return args.run(args)


if __name__ == "__main__":
    sys.exit(main())
