"""`python -m a2ui_app token CHANNEL`: what a program sends to post to a channel."""

import argparse

from ..access import Keys
from ..store.paths import data_folder


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `token`."""
    parser.add_argument("channel", help="the channel's name, as in its page's address")


def run(args: argparse.Namespace) -> int:
    """Print the channel's bearer token."""
    print(Keys(data_folder()).channel_token(args.channel))
    return 0
