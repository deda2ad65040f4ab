"""Tokens: who may ask over HTTP, by the hash of what they show."""

import sqlalchemy as sa
from alembic import op

from hermes_agent.store.types import String, Uid

revision = "111"
down_revision = "110"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "tokens",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("uid", Uid, nullable=False, unique=True),
        sa.Column("name", String, nullable=False),
        sa.Column("kind", String, nullable=False),
        sa.Column("scope", String, nullable=False),
        sa.Column("hash", String, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.BigInteger),
        sa.Column("used_at", sa.BigInteger),
        sa.Column("revoked_at", sa.BigInteger),
        sa.Column("parent_id", sa.BigInteger),
        sqlite_autoincrement=True,
    )
    op.create_index("tokens_hash", "tokens", ["hash"], unique=True)
