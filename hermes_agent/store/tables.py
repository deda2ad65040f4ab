"""The tables, declared once. Canonical unless it says derived; derived ones can be rebuilt.

Names follow the public product where it has the thing (`sessions`, `messages`, `schema_version`),
so that its users find their way with any SQLite client. The text indexes (`messages_fts`, …) are
derived and each engine's own: `sqlite_text.py`, `postgres_text.py`. Indexes are made by the
migrations only; naming them here too would load both dialects at each start.
"""

from sqlalchemy import BigInteger, Boolean, Column, Float, ForeignKey, Integer, LargeBinary, Table, text

from hermes_agent.store.derived_tables import (
    entities,
    entity_aliases,
    entity_links,
    fingerprints,
    outlines,
    passages,
    sketches,
    vectors,
)
from hermes_agent.store.schema import Id, metadata
from hermes_agent.store.types import Body, Json, JsonBody, Moment, String, Uid

__all__ = [
    "disputes",
    "entities",
    "entity_aliases",
    "entity_links",
    "episodes",
    "facts",
    "fingerprints",
    "jobs",
    "journal",
    "messages",
    "metadata",
    "note_versions",
    "outbox",
    "outlines",
    "passages",
    "quarantine",
    "receipts",
    "reflections",
    "schema_version",
    "selftests",
    "sessions",
    "sketches",
    "skills",
    "spending",
    "store_meta",
    "summaries",
    "system_prompts",
    "tokens",
    "vectors",
]


def _count(name: str) -> Column[int]:
    return Column(name, BigInteger, nullable=False, server_default="0")


schema_version = Table("schema_version", metadata, Column("version", Integer, nullable=False))

store_meta = Table(
    "store_meta", metadata, Column("key", String, primary_key=True), Column("value", String, nullable=False)
)

system_prompts = Table(
    "system_prompts", metadata, Column("hash", String, primary_key=True), Column("prompt", String, nullable=False)
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
    *(Column(name, String) for name in ("title", "title_source", "folder")),
    *(_count(name) for name in ("message_count", "tool_call_count", "input_tokens", "output_tokens")),
    *(_count(name) for name in ("cache_read_tokens", "cache_write_tokens", "reasoning_tokens")),
    Column("is_archived", Boolean, nullable=False, server_default=text("false")),
    Column("is_pinned", Boolean, nullable=False, server_default=text("false")),
    Column("metadata", Json),
    *(_count(name) for name in ("learned_to", "reflected_to")),
)

messages = Table(
    "messages",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("uid", Uid, nullable=False, unique=True),
    Column("session_id", String, ForeignKey("sessions.id", ondelete="CASCADE"), nullable=False),
    Column("role", String, nullable=False),
    Column("content", Body),
    Column("said_at", Moment, nullable=False),
    Column("source_class", String, nullable=False),
    Column("state", String, nullable=False, server_default="live"),
    Column("is_summary", Boolean, nullable=False, server_default=text("false")),
    Column("is_cut", Boolean, nullable=False, server_default=text("false")),
    Column("tool_calls", JsonBody),
    Column("tool_call_id", String),
    Column("tool_name", String),
    Column("token_count", Integer),
    Column("finish_reason", String),
    Column("reasoning", Body),
    Column("model", String),
    Column("sent", Body),
    Column("attachments", Json),
    Column("metadata", Json),
    Column("speaker", String),
)

jobs = Table(
    "jobs",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
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
    Column("progress", Json),
)

journal = Table(
    "journal",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
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
    Column("happened_at", Moment),
)

# The whole text of a note after each change, in order; `entry` names the journal's.
note_versions = Table(
    "note_versions",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("uid", Uid, nullable=False, unique=True),
    Column("note", String, nullable=False),
    Column("at", Moment, nullable=False),
    Column("state", String, nullable=False),
    Column("hash", String, nullable=False),
    Column("text", String, nullable=False),
    Column("entry", Uid),
    Column("grounds", Json),
)

# One exchange each: the messages of its session from the first to the last of them, by id.
episodes = Table(
    "episodes",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("uid", Uid, nullable=False, unique=True),
    Column("session_id", String, ForeignKey("sessions.id", ondelete="CASCADE"), nullable=False),
    Column("first_message", BigInteger, nullable=False),
    Column("last_message", BigInteger, nullable=False),
    Column("said_at", Moment, nullable=False),
    Column("ended_at", Moment, nullable=False),
    Column("task", String),
    Column("source", String, nullable=False),
    Column("state", String, nullable=False),
    Column("summary_id", BigInteger),
)

# Each stands for old episodes; a line names the conversation it tells of, so that it can go with it.
summaries = Table(
    "summaries",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("uid", Uid, nullable=False, unique=True),
    Column("topic", String, nullable=False),
    Column("lines", Json, nullable=False),
    Column("episode_count", Integer, nullable=False),
    Column("source", String, nullable=False),
    Column("said_at", Moment, nullable=False),
    Column("ended_at", Moment, nullable=False),
    Column("written_by", String, nullable=False),
    Column("made_at", Moment, nullable=False),
    Column("state", String, nullable=False),
    Column("is_discarded", Boolean, nullable=False, server_default=text("false")),
)

facts = Table(
    "facts",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("uid", Uid, nullable=False, unique=True),
    Column("text", String, nullable=False),
    Column("subject", String),
    Column("attribute", String),
    Column("value", String),
    Column("polarity", String, nullable=False, server_default="is"),
    Column("confidence", Float, nullable=False),
    Column("confidence_reason", String, nullable=False),
    Column("source_class", String, nullable=False),
    Column("source_message", Uid),
    Column("span_start", Integer),
    Column("span_end", Integer),
    Column("source_entry", Uid),
    Column("said_at", Moment, nullable=False),
    Column("learned_at", Moment, nullable=False),
    Column("valid_from", Moment),
    Column("valid_to", Moment),
    Column("superseded_by", Uid),
    Column("corroborations", Integer, nullable=False, server_default="0"),
    Column("state", String, nullable=False),
    Column("ended_at", Moment),
    Column("is_pinned", Boolean, nullable=False, server_default=text("false")),
)

# Two facts that contradict each other; when one of them ends, it is settled.
disputes = Table(
    "disputes",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("fact_id", BigInteger, ForeignKey("facts.id", ondelete="CASCADE"), nullable=False),
    Column("rival_id", BigInteger, ForeignKey("facts.id", ondelete="CASCADE"), nullable=False),
    Column("at", Moment, nullable=False),
    Column("reason", String, nullable=False),
)

# How tasks went. `gist` is derived: the vector of the task, made by our own model.
reflections = Table(
    "reflections",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("uid", Uid, nullable=False, unique=True),
    Column("session_id", String, ForeignKey("sessions.id", ondelete="CASCADE"), nullable=False),
    Column("message_uid", Uid, nullable=False),
    Column("task", String, nullable=False),
    Column("task_type", String, nullable=False),
    Column("outcome", String, nullable=False),
    Column("worked", Json, nullable=False),
    Column("differently", Json, nullable=False),
    Column("source_class", String, nullable=False),
    Column("began_at", Moment, nullable=False),
    Column("ended_at", Moment, nullable=False),
    Column("written_by", String, nullable=False),
    Column("made_at", Moment, nullable=False),
    Column("state", String, nullable=False),
    Column("occurrences", Integer, nullable=False, server_default="1"),
    Column("gist", LargeBinary),
)

# One row for each name that ever was; the folder of a live skill is its copy on this machine.
skills = Table(
    "skills",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("uid", Uid, nullable=False, unique=True),
    Column("skill", String, nullable=False),
    Column("category", String),
    Column("files", Json, nullable=False),
    Column("state", String, nullable=False),
    Column("made_by", String, nullable=False),
    Column("made_at", Moment, nullable=False),
    Column("changed_at", Moment, nullable=False),
    Column("used_count", Integer, nullable=False, server_default="0"),
    Column("last_used_at", Moment),
)

# What waits for the owner's word, or had it: messages from elsewhere, and notes that were made of such.
quarantine = Table(
    "quarantine",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("uid", Uid, nullable=False, unique=True),
    Column("kind", String, nullable=False),
    Column("session_id", String, ForeignKey("sessions.id", ondelete="CASCADE"), nullable=False),
    Column("message_id", BigInteger, ForeignKey("messages.id", ondelete="CASCADE")),
    Column("target", String),
    Column("text", String),
    Column("source_class", String, nullable=False),
    Column("reasons", Json, nullable=False),
    Column("at", Moment, nullable=False),
    Column("state", String, nullable=False),
    Column("decided_at", Moment),
)

# What work cost, each piece of it: an item is the session, the summary or the question it was for.
spending = Table(
    "spending",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("at", Moment, nullable=False),
    Column("work", String, nullable=False),
    *(Column(name, String) for name in ("item", "model")),
    *(_count(name) for name in ("calls", "input_tokens", "output_tokens")),
    Column("milliseconds", Float, nullable=False, server_default="0"),
    _count("saved_tokens"),
)

# How well recall found what the owner's own history holds, each time it was asked.
selftests = Table(
    "selftests",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("uid", Uid, nullable=False, unique=True),
    Column("at", Moment, nullable=False),
    Column("cause", String, nullable=False),
    Column("fingerprint", String),
    Column("questions", Integer, nullable=False),
    Column("results", Json, nullable=False),
)

# What was forgotten, without its words: how many of what, and keyed hashes of it.
receipts = Table(
    "receipts",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("uid", Uid, nullable=False, unique=True),
    Column("at", Moment, nullable=False),
    *(Column(name, String, nullable=False) for name in ("state", "asked", "key")),
    *(Column(name, Json, nullable=False) for name in ("counts", "runs", "blocks", "found", "backups")),
    Column("lifted_at", Moment),
)

# Who may ask over HTTP, by the hash of what they show. Not canonical: a token is for one store and no other.
tokens = Table(
    "tokens",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("uid", Uid, nullable=False, unique=True),
    *(Column(name, String, nullable=False) for name in ("name", "kind", "scope", "hash")),
    Column("created_at", Moment, nullable=False),
    *(Column(name, Moment) for name in ("expires_at", "used_at", "revoked_at")),
    Column("parent_id", BigInteger),
)

# What an external memory is still to be told. Not canonical: it waits on this store alone, and holds no words.
outbox = Table(
    "outbox",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("uid", Uid, nullable=False, unique=True),
    *(Column(name, String, nullable=False) for name in ("provider", "kind")),
    Column("session_id", String),
    *(Column(name, Uid) for name in ("first", "last")),
    Column("created_at", Moment, nullable=False),
)
