"""Jobs that must follow, and the journal of what changed."""

import sqlalchemy as sa
from alembic import op

from hermes_agent.store.types import Json, String, Uid

revision = "102"
down_revision = "101"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "jobs",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("uid", Uid, nullable=False, unique=True),
        sa.Column("kind", String, nullable=False),
        sa.Column("key", String, nullable=False),
        sa.Column("payload", Json, nullable=False),
        sa.Column("state", String, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False, server_default="0"),
        sa.Column("max_attempts", sa.Integer, nullable=False),
        sa.Column("due_at", sa.BigInteger, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("lease_until", sa.BigInteger),
        sa.Column("leased_by", String),
        sa.Column("finished_at", sa.BigInteger),
        sa.Column("reason", String),
        sqlite_autoincrement=True,
    )
    for state in ("waiting", "running"):
        op.create_index(
            f"jobs_{state}_once",
            "jobs",
            ["key"],
            unique=True,
            sqlite_where=sa.text(f"state = '{state}'"),
            postgresql_where=sa.text(f"state = '{state}'"),
        )
    op.create_index("jobs_by_due", "jobs", ["state", "due_at"])
    op.create_table(
        "journal",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("uid", Uid, nullable=False, unique=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("kind", String, nullable=False),
        sa.Column("subject", String, nullable=False),
        sa.Column("text", String, nullable=False),
        sa.Column("actor", String, nullable=False),
        sa.Column("cause", String),
        sa.Column("before", Json),
        sa.Column("after", Json),
        sa.Column("session_id", String),
        sqlite_autoincrement=True,
    )
    op.create_index("journal_by_subject", "journal", ["subject"])
