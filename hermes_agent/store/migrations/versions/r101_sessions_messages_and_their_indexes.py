"""Sessions, messages and the indexes that find them."""

import sqlalchemy as sa
from alembic import op

from hermes_agent.store.types import Json, String, Uid

revision = "101"
down_revision = None

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def _counter(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger, nullable=False, server_default="0")


def _flag(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean, nullable=False, server_default=sa.text("false"))


_SQLITE_TEXT = (
    "CREATE VIRTUAL TABLE messages_fts USING fts5(content, content='', contentless_delete=1, tokenize='ascii')",
    "CREATE VIRTUAL TABLE tools_fts USING fts5(content, content='', contentless_delete=1, tokenize='ascii')",
    "CREATE VIRTUAL TABLE identifiers_fts USING fts5(content, content='', contentless_delete=1,"
    " tokenize='ascii', detail=none)",
    "CREATE VIRTUAL TABLE messages_fts_words USING fts5vocab(messages_fts, 'row')",
    "CREATE VIRTUAL TABLE tools_fts_words USING fts5vocab(tools_fts, 'row')",
    f"PRAGMA application_id = {0x48524D53}",
)
_POSTGRES_TEXT = (
    "CREATE TABLE messages_fts (id bigint PRIMARY KEY, words tsvector NOT NULL, word_count integer NOT NULL)",
    "CREATE TABLE tools_fts (id bigint PRIMARY KEY, words tsvector NOT NULL, word_count integer NOT NULL)",
    "CREATE TABLE identifiers_fts (id bigint PRIMARY KEY, trigrams text[] NOT NULL)",
    "CREATE INDEX messages_fts_words ON messages_fts USING gin (words)",
    "CREATE INDEX tools_fts_words ON tools_fts USING gin (words)",
    "CREATE INDEX identifiers_fts_trigrams ON identifiers_fts USING gin (trigrams)",
)


def upgrade() -> None:
    op.create_table("schema_version", sa.Column("version", sa.Integer, nullable=False))
    op.create_table(
        "store_meta",
        sa.Column("key", String, primary_key=True),
        sa.Column("value", String, nullable=False),
    )
    op.create_table(
        "system_prompts",
        sa.Column("hash", String, primary_key=True),
        sa.Column("prompt", String, nullable=False),
    )
    _create_sessions()
    _create_messages()
    is_sqlite = op.get_context().dialect.name == "sqlite"
    for statement in _SQLITE_TEXT if is_sqlite else _POSTGRES_TEXT:
        op.execute(statement)


def _create_sessions() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", String, primary_key=True),
        sa.Column("uid", Uid, nullable=False, unique=True),
        sa.Column("source", String, nullable=False),
        sa.Column("user_id", String),
        sa.Column("model", String),
        sa.Column("model_config", Json),
        sa.Column("system_prompt_hash", String, sa.ForeignKey("system_prompts.hash")),
        sa.Column("parent_session_id", String, sa.ForeignKey("sessions.id", ondelete="SET NULL")),
        sa.Column("parent_kind", String),
        sa.Column("started_at", sa.BigInteger, nullable=False),
        sa.Column("ended_at", sa.BigInteger),
        sa.Column("end_reason", String),
        sa.Column("last_active_at", sa.BigInteger, nullable=False),
        sa.Column("title", String),
        sa.Column("title_source", String),
        sa.Column("folder", String),
        _counter("message_count"),
        _counter("tool_call_count"),
        _counter("input_tokens"),
        _counter("output_tokens"),
        _counter("cache_read_tokens"),
        _counter("cache_write_tokens"),
        _counter("reasoning_tokens"),
        _flag("is_archived"),
        _flag("is_pinned"),
        sa.Column("metadata", Json),
    )
    op.create_index("sessions_by_activity", "sessions", ["last_active_at"])
    op.create_index("sessions_by_parent", "sessions", ["parent_session_id"])
    op.create_index("sessions_by_title", "sessions", ["title"], unique=True)


def _create_messages() -> None:
    op.create_table(
        "messages",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("uid", Uid, nullable=False, unique=True),
        sa.Column("session_id", String, sa.ForeignKey("sessions.id", ondelete="CASCADE"), nullable=False),
        sa.Column("role", String, nullable=False),
        sa.Column("content", String),
        sa.Column("said_at", sa.BigInteger, nullable=False),
        sa.Column("source_class", String, nullable=False),
        sa.Column("state", String, nullable=False, server_default="live"),
        _flag("is_summary"),
        _flag("is_cut"),
        sa.Column("tool_calls", Json),
        sa.Column("tool_call_id", String),
        sa.Column("tool_name", String),
        sa.Column("token_count", sa.Integer),
        sa.Column("finish_reason", String),
        sa.Column("reasoning", String),
        sa.Column("model", String),
        sa.Column("sent", String),
        sa.Column("attachments", Json),
        sa.Column("metadata", Json),
        sqlite_autoincrement=True,
    )
    op.create_index("messages_by_session", "messages", ["session_id", "id"])
