"""The outbox: what an external memory is still to be told."""

import sqlalchemy as sa
from alembic import op

from hermes_agent.store.types import String, Uid

revision = "112"
down_revision = "111"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "outbox",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("uid", Uid, nullable=False, unique=True),
        sa.Column("provider", String, nullable=False),
        sa.Column("kind", String, nullable=False),
        sa.Column("session_id", String),
        sa.Column("first", Uid),
        sa.Column("last", Uid),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("outbox_provider", "outbox", ["provider", "id"])
