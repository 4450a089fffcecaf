"""How Alembic reaches the database: by the connection it is given (a2ui_app/store/migrate.py), else by DATABASE_URL."""

from alembic import context
from sqlalchemy import Connection
from sqlmodel import SQLModel

from a2ui_app.store import tables  # noqa: F401  (declares the tables)
from a2ui_app.store.engine import new_engine


def run(connection: Connection) -> None:
    context.configure(connection=connection, target_metadata=SQLModel.metadata, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()


connection = context.config.attributes.get("connection")
if connection is not None:
    run(connection)
else:
    with new_engine().begin() as own:
        run(own)
