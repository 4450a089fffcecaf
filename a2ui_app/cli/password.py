"""`python -m a2ui_app password`: the password that a server on an address of the network asks for."""

import argparse
import getpass
import sys

from ..access import Keys
from ..access.keys import WeakPassword
from ..store.paths import data_folder


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `password`."""
    parser.add_argument("--stdin", action="store_true", help="read it from standard input instead of asking")


def run(args: argparse.Namespace) -> int:
    """Ask for the password twice and keep its hash; every session ends. 1 when it was not set."""
    if args.stdin:
        password = sys.stdin.readline().rstrip("\r\n")
    else:
        password = getpass.getpass("New password: ")
        if getpass.getpass("The same again: ") != password:
            print("The two are not the same; nothing was changed.", file=sys.stderr)
            return 1
    keys = Keys(data_folder())
    try:
        keys.set_password(password)
    except WeakPassword as error:
        print(error, file=sys.stderr)
        return 1
    keys.sign_out_everywhere()
    print("The password is set. Start the server again; every browser has to sign in anew.")
    return 0
