"""Print the path of a Chromium for the browser tests, installing one when there is none.

Looked for in this order: CHROMIUM_PATH, Playwright's own, the system's; else Playwright installs one, or apt as root.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

SYSTEM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def find() -> str | None:
    """The path of an installed Chromium, or None."""
    named = os.environ.get("CHROMIUM_PATH")
    if named:
        if not Path(named).exists():
            sys.exit(f"CHROMIUM_PATH names {named}, which does not exist. Correct it, or unset it to search.")
        return named
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    if Path(own).exists():
        return own
    return next(filter(None, map(shutil.which, SYSTEM_NAMES)), None)


def install() -> None:
    """Install a Chromium: from Playwright, else from Debian's packages."""
    attempts = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    if shutil.which("apt-get") and os.geteuid() == 0:
        attempts += [["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "chromium"]]
    for command in attempts:
        print("Installing Chromium:", " ".join(command), file=sys.stderr)
        done = subprocess.run(command, stdout=sys.stderr, stdin=subprocess.DEVNULL)
        if done.returncode == 0 and find():
            return


def main() -> None:
    """Find, else install, and print."""
    path = find()
    if path is None:
        install()
        path = find()
    if path is None:
        sys.exit("No Chromium was found and none could be installed. Install one and set CHROMIUM_PATH to it.")
    print(path)


if __name__ == "__main__":
    main()
