"""Receipts of what was forgotten: how many of what, and keyed hashes by which it is looked for and not learned."""

import sqlalchemy as sa
from alembic import op

from hermes_agent.store.types import Json, String, Uid

revision = "110"
down_revision = "109"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "receipts",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("uid", Uid, nullable=False, unique=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("state", String, nullable=False),
        sa.Column("asked", String, nullable=False),
        sa.Column("counts", Json, nullable=False),
        sa.Column("key", String, nullable=False),
        sa.Column("runs", Json, nullable=False),
        sa.Column("blocks", Json, nullable=False),
        sa.Column("found", Json, nullable=False),
        sa.Column("backups", Json, nullable=False),
        sa.Column("lifted_at", sa.BigInteger),
        sqlite_autoincrement=True,
    )
