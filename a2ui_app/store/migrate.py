"""Brings a database to the tables of this version, when it is opened."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.script.revision import ResolutionError
from alembic.util import CommandError
from sqlalchemy import Engine

from .trouble import StoreError

SCRIPTS = Path(__file__).resolve().parents[2] / "alembic"


def migrate(engine: Engine) -> None:
    """Run the migrations that the database has not seen. Raises StoreError when it is newer than this version."""
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, "head")
        except (CommandError, ResolutionError) as error:
            raise StoreError(
                f"The database {engine.url.render_as_string(hide_password=True)} was made by a newer version of A2UI "
                "App. Update the app, or set A2UI_DATA to another folder."
            ) from error


def newest() -> str | None:
    """The revision that this version's tables have."""
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS))
    return ScriptDirectory.from_config(config).get_current_head()
