"""The tables, declared once. Canonical unless it says derived; derived ones can be rebuilt.

Names follow the public product where it has the thing (`sessions`, `messages`, `schema_version`),
so that its users find their way with any SQLite client. The text indexes (`messages_fts`, …) are
derived and each engine's own: `sqlite_text.py`, `postgres_text.py`. Indexes are made by the
migrations only; naming them here too would load both dialects at each start.
"""

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Integer, MetaData, Table, text

from hermes_agent.store.types import Json, Moment, String, Uid, Vector

metadata = MetaData()

# SQLite gives a rowid alias only to INTEGER; a 64-bit integer is BIGINT on PostgreSQL.
_Id = BigInteger().with_variant(Integer, "sqlite")

schema_version = Table("schema_version", metadata, Column("version", Integer, nullable=False))

store_meta = Table(
    "store_meta",
    metadata,
    Column("key", String, primary_key=True),
    Column("value", String, nullable=False),
)

system_prompts = Table(
    "system_prompts",
    metadata,
    Column("hash", String, primary_key=True),
    Column("prompt", String, nullable=False),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", String, primary_key=True),
    Column("uid", Uid, nullable=False, unique=True),
    Column("source", String, nullable=False),
    Column("user_id", String),
    Column("model", String),
    Column("model_config", Json),
    Column("system_prompt_hash", String, ForeignKey("system_prompts.hash")),
    Column("parent_session_id", String, ForeignKey("sessions.id", ondelete="SET NULL")),
    Column("parent_kind", String),
    Column("started_at", Moment, nullable=False),
    Column("ended_at", Moment),
    Column("end_reason", String),
    Column("last_active_at", Moment, nullable=False),
    Column("title", String),
    Column("title_source", String),
    Column("folder", String),
    Column("message_count", BigInteger, nullable=False, server_default="0"),
    Column("tool_call_count", BigInteger, nullable=False, server_default="0"),
    Column("input_tokens", BigInteger, nullable=False, server_default="0"),
    Column("output_tokens", BigInteger, nullable=False, server_default="0"),
    Column("cache_read_tokens", BigInteger, nullable=False, server_default="0"),
    Column("cache_write_tokens", BigInteger, nullable=False, server_default="0"),
    Column("reasoning_tokens", BigInteger, nullable=False, server_default="0"),
    Column("is_archived", Boolean, nullable=False, server_default=text("false")),
    Column("is_pinned", Boolean, nullable=False, server_default=text("false")),
    Column("metadata", Json),
)

messages = Table(
    "messages",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=True),
    Column("uid", Uid, nullable=False, unique=True),
    Column("session_id", String, ForeignKey("sessions.id", ondelete="CASCADE"), nullable=False),
    Column("role", String, nullable=False),
    Column("content", String),
    Column("said_at", Moment, nullable=False),
    Column("source_class", String, nullable=False),
    Column("state", String, nullable=False, server_default="live"),
    Column("is_summary", Boolean, nullable=False, server_default=text("false")),
    Column("is_cut", Boolean, nullable=False, server_default=text("false")),
    Column("tool_calls", Json),
    Column("tool_call_id", String),
    Column("tool_name", String),
    Column("token_count", Integer),
    Column("finish_reason", String),
    Column("reasoning", String),
    Column("model", String),
    Column("sent", String),
    Column("attachments", Json),
    Column("metadata", Json),
)

jobs = Table(
    "jobs",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=True),
    Column("uid", Uid, nullable=False, unique=True),
    Column("kind", String, nullable=False),
    Column("key", String, nullable=False),
    Column("payload", Json, nullable=False),
    Column("state", String, nullable=False),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("max_attempts", Integer, nullable=False),
    Column("due_at", Moment, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("lease_until", Moment),
    Column("leased_by", String),
    Column("finished_at", Moment),
    Column("reason", String),
)

journal = Table(
    "journal",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=True),
    Column("uid", Uid, nullable=False, unique=True),
    Column("at", Moment, nullable=False),
    Column("kind", String, nullable=False),
    Column("subject", String, nullable=False),
    Column("text", String, nullable=False),
    Column("actor", String, nullable=False),
    Column("cause", String),
    Column("before", Json),
    Column("after", Json),
    Column("session_id", String),
)

# The whole text of a note after each change, in order; `entry` and `undoes` name entries of the journal.
note_versions = Table(
    "note_versions",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=True),
    Column("uid", Uid, nullable=False, unique=True),
    Column("note", String, nullable=False),
    Column("at", Moment, nullable=False),
    Column("state", String, nullable=False),
    Column("hash", String, nullable=False),
    Column("text", String, nullable=False),
    Column("entry", Uid),
    Column("undoes", Uid),
    Column("grounds", Json),
)

# Derived: made from the text by an embedder; `fingerprint` says which.
vectors = Table(
    "vectors",
    metadata,
    Column("fingerprint", String, primary_key=True),
    Column("item", Uid, primary_key=True),
    Column("vector", Vector, nullable=False),
)
