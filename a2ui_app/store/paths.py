"""Where the app keeps its data: one folder of the person's, made when it is first needed."""

import os
import sys
from pathlib import Path

VARIABLE = "A2UI_DATA"


def data_folder() -> Path:
    """The folder in ``A2UI_DATA``, else the one that the system gives programs for their data. Not made here."""
    if named := os.environ.get(VARIABLE):
        return Path(named).expanduser().absolute()
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or "~/AppData/Local").expanduser() / "a2ui-app"
    if sys.platform == "darwin":
        return Path("~/Library/Application Support/a2ui-app").expanduser()
    return Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser() / "a2ui-app"


def uploads_folder() -> Path:
    """Where files go that people attach."""
    return data_folder() / "uploads"
