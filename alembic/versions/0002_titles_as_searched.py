"""Titles as a search compares them: SQLite folds ASCII letters only."""

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision: str = "0002"
down_revision: str | None = "0001"
branch_labels: str | Sequence[str] | None = None
depends_on: str | Sequence[str] | None = None

conversation = sa.table("conversation", sa.column("id"), sa.column("title"), sa.column("folded"))


def upgrade() -> None:
    with op.batch_alter_table("conversation", schema=None) as batch_op:
        batch_op.add_column(sa.Column("folded", sa.String(), nullable=False, server_default=""))
    connection = op.get_bind()
    for id, title in connection.execute(sa.select(conversation.c.id, conversation.c.title)).all():
        changed = sa.update(conversation).where(conversation.c.id == id)
        connection.execute(changed.values(folded=title.casefold()))


def downgrade() -> None:
    with op.batch_alter_table("conversation", schema=None) as batch_op:
        batch_op.drop_column("folded")
