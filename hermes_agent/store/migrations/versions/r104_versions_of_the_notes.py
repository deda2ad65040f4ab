"""Versions of the notes."""

import sqlalchemy as sa
from alembic import op

from hermes_agent.store.types import Json, String, Uid

revision = "104"
down_revision = "103"


def upgrade() -> None:
    op.create_table(
        "note_versions",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=True),
        sa.Column("uid", Uid, nullable=False, unique=True),
        sa.Column("note", String, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("state", String, nullable=False),
        sa.Column("hash", String, nullable=False),
        sa.Column("text", String, nullable=False),
        sa.Column("entry", Uid),
        sa.Column("undoes", Uid),
        sa.Column("grounds", Json),
        sqlite_autoincrement=True,
    )
    op.create_index("note_versions_by_note", "note_versions", ["note", "id"])
