"""Vectors, apart for each fingerprint."""

import sqlalchemy as sa
from alembic import op

from hermes_agent.store.types import String, Uid, Vector

revision = "103"
down_revision = "102"


def upgrade() -> None:
    if op.get_context().dialect.name == "postgresql":
        op.execute("CREATE EXTENSION IF NOT EXISTS vector WITH SCHEMA public")
    op.create_table(
        "vectors",
        sa.Column("fingerprint", String, primary_key=True),
        sa.Column("item", Uid, primary_key=True),
        sa.Column("vector", Vector, nullable=False),
    )
