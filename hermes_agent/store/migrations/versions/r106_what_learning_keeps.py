"""What learning keeps: the polarity of facts, pins, what took a fact's place, disputes, how far a session was
learned from; what is in quarantine; when something journalled happened, if that was before it was written down.
"""

import sqlalchemy as sa
from alembic import op

from hermes_agent.store.types import Json, String, Uid

revision = "106"
down_revision = "105"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.add_column("facts", sa.Column("polarity", String, nullable=False, server_default="is"))
    op.add_column("facts", sa.Column("is_pinned", sa.Boolean, nullable=False, server_default=sa.text("false")))
    # Kept with the former fact: one may take the place of several. No fact had a former one before this shape.
    op.drop_column("facts", "supersedes")
    op.add_column("facts", sa.Column("superseded_by", Uid))
    op.create_index("facts_by_replacement", "facts", ["superseded_by"])
    # What an undo took back stands in its entry of the journal.
    op.drop_column("note_versions", "undoes")
    op.add_column("sessions", sa.Column("learned_to", sa.BigInteger, nullable=False, server_default="0"))
    op.create_table(
        "disputes",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("fact_id", sa.BigInteger, sa.ForeignKey("facts.id", ondelete="CASCADE"), nullable=False),
        sa.Column("rival_id", sa.BigInteger, sa.ForeignKey("facts.id", ondelete="CASCADE"), nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("reason", String, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("disputes_by_fact", "disputes", ["fact_id"])
    op.create_index("disputes_by_rival", "disputes", ["rival_id"])
    _create_quarantine()
    op.add_column("journal", sa.Column("happened_at", sa.BigInteger))
    op.create_index("journal_by_time", "journal", [sa.text("coalesce(happened_at, at)"), "id"])
    op.create_index("journal_by_session", "journal", ["session_id"])


def _create_quarantine() -> None:
    op.create_table(
        "quarantine",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("uid", Uid, nullable=False, unique=True),
        sa.Column("kind", String, nullable=False),
        sa.Column("session_id", String, sa.ForeignKey("sessions.id", ondelete="CASCADE"), nullable=False),
        sa.Column("message_id", sa.BigInteger, sa.ForeignKey("messages.id", ondelete="CASCADE")),
        sa.Column("target", String),
        sa.Column("text", String),
        sa.Column("source_class", String, nullable=False),
        sa.Column("reasons", Json, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("state", String, nullable=False),
        sa.Column("decided_at", sa.BigInteger),
        sqlite_autoincrement=True,
    )
    op.create_index("quarantine_by_message", "quarantine", ["message_id"])
    op.create_index("quarantine_by_session", "quarantine", ["session_id"])
