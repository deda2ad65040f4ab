"""Summaries of old episodes, what work costs, and how often a skill was used."""

import sqlalchemy as sa
from alembic import op

from hermes_agent.store.types import Json, String, Uid

revision = "108"
down_revision = "107"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")

_SQLITE_TEXT = (
    "CREATE VIRTUAL TABLE summaries_fts USING fts5(content, content='', contentless_delete=1, tokenize='ascii')",
    "CREATE VIRTUAL TABLE summaries_fts_words USING fts5vocab(summaries_fts, 'row')",
)
_POSTGRES_TEXT = (
    "CREATE TABLE summaries_fts (id bigint PRIMARY KEY, words tsvector NOT NULL, word_count integer NOT NULL)",
    "CREATE INDEX summaries_fts_words ON summaries_fts USING gin (words)",
)


def upgrade() -> None:
    op.create_table(
        "summaries",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("uid", Uid, nullable=False, unique=True),
        sa.Column("topic", String, nullable=False),
        sa.Column("lines", Json, nullable=False),
        sa.Column("episode_count", sa.Integer, nullable=False),
        sa.Column("source", String, nullable=False),
        sa.Column("said_at", sa.BigInteger, nullable=False),
        sa.Column("ended_at", sa.BigInteger, nullable=False),
        sa.Column("written_by", String, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("state", String, nullable=False),
        sa.Column("is_discarded", sa.Boolean, nullable=False, server_default=sa.text("false")),
        sqlite_autoincrement=True,
    )
    op.add_column("episodes", sa.Column("summary_id", sa.BigInteger))
    op.create_index("episodes_by_summary", "episodes", ["summary_id"])
    op.create_index("episodes_by_state", "episodes", ["state", "said_at"])
    _create_spending()
    op.add_column("skills", sa.Column("used_count", sa.Integer, nullable=False, server_default="0"))
    op.add_column("skills", sa.Column("last_used_at", sa.BigInteger))
    _create_index_of_summaries()


def _create_spending() -> None:
    op.create_table(
        "spending",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("work", String, nullable=False),
        sa.Column("item", String),
        sa.Column("model", String),
        sa.Column("calls", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("input_tokens", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("output_tokens", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("milliseconds", sa.Float, nullable=False, server_default="0"),
        sa.Column("saved_tokens", sa.BigInteger, nullable=False, server_default="0"),
        sqlite_autoincrement=True,
    )
    op.create_index("spending_by_time", "spending", ["at"])


def _create_index_of_summaries() -> None:
    is_sqlite = op.get_context().dialect.name == "sqlite"
    for statement in _SQLITE_TEXT if is_sqlite else _POSTGRES_TEXT:
        op.execute(statement)
