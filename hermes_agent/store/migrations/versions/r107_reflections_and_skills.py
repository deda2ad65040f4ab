"""Reflections: how tasks went, and up to which message each session was reflected on; skills with their texts."""

import sqlalchemy as sa
from alembic import op

from hermes_agent.store.types import Json, String, Uid

revision = "107"
down_revision = "106"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.add_column("sessions", sa.Column("reflected_to", sa.BigInteger, nullable=False, server_default="0"))
    # What was done before is not gone through: a light model would be asked about every old task.
    last = "SELECT max(id) FROM messages WHERE messages.session_id = sessions.id"
    op.execute(f"UPDATE sessions SET reflected_to = coalesce(({last}), 0)")
    op.create_table(
        "reflections",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("uid", Uid, nullable=False, unique=True),
        sa.Column("session_id", String, sa.ForeignKey("sessions.id", ondelete="CASCADE"), nullable=False),
        sa.Column("message_uid", Uid, nullable=False),
        sa.Column("task", String, nullable=False),
        sa.Column("task_type", String, nullable=False),
        sa.Column("outcome", String, nullable=False),
        sa.Column("worked", Json, nullable=False),
        sa.Column("differently", Json, nullable=False),
        sa.Column("source_class", String, nullable=False),
        sa.Column("began_at", sa.BigInteger, nullable=False),
        sa.Column("ended_at", sa.BigInteger, nullable=False),
        sa.Column("written_by", String, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("state", String, nullable=False),
        sa.Column("occurrences", sa.Integer, nullable=False, server_default="1"),
        sa.Column("gist", sa.LargeBinary),
        sqlite_autoincrement=True,
    )
    op.create_index("reflections_by_session", "reflections", ["session_id"])
    op.create_index("reflections_by_message", "reflections", ["message_uid"])
    _create_skills()


def _create_skills() -> None:
    op.create_table(
        "skills",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("uid", Uid, nullable=False, unique=True),
        sa.Column("skill", String, nullable=False),
        sa.Column("category", String),
        sa.Column("files", Json, nullable=False),
        sa.Column("state", String, nullable=False),
        sa.Column("made_by", String, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("changed_at", sa.BigInteger, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("skills_by_name", "skills", ["skill"], unique=True)
