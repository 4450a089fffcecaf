"""`python -m a2ui_app link`: a link into the server that runs."""

import argparse
from pathlib import Path

from ..access import Keys
from ..store.paths import data_folder

DEFAULT_ADDRESS = "http://127.0.0.1:8123"


def configure(parser: argparse.ArgumentParser) -> None:
    """`link` has no arguments."""


def run(args: argparse.Namespace) -> int:
    """Print a link that opens the page once."""
    print(new_link(Keys(data_folder())))
    return 0


def new_link(keys: Keys) -> str:
    """A link to the server that was started last; it opens the page once."""
    return f"{address()}/open?token={keys.new_link_token()}"


def tell_address(host: str, port: int) -> None:
    """Note where the server that starts now is reached."""
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else f"[{host}]" if ":" in host else host
    _address_file().write_text(f"http://{shown}:{port}", encoding="ascii")


def address() -> str:
    """Where the server that was started last is reached."""
    try:
        return _address_file().read_text(encoding="ascii")
    except FileNotFoundError:
        return DEFAULT_ADDRESS


def _address_file() -> Path:
    return data_folder() / "address"
