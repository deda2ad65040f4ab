"""Episodes and facts; entities, sketches, passages and vectors to find them; self-tests; progress of jobs."""

import sqlalchemy as sa
from alembic import op

from hermes_agent.store.types import Json, String, Uid, Vector

revision = "105"
down_revision = "104"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")

_SQLITE_TEXT = (
    "CREATE VIRTUAL TABLE facts_fts USING fts5(content, content='', contentless_delete=1, tokenize='ascii')",
    "CREATE VIRTUAL TABLE facts_fts_words USING fts5vocab(facts_fts, 'row')",
)
_POSTGRES_TEXT = (
    "CREATE TABLE facts_fts (id bigint PRIMARY KEY, words tsvector NOT NULL, word_count integer NOT NULL)",
    "CREATE INDEX facts_fts_words ON facts_fts USING gin (words)",
)


def upgrade() -> None:
    op.add_column("messages", sa.Column("speaker", String))
    op.add_column("jobs", sa.Column("progress", Json))
    _create_episodes()
    _create_facts()
    _create_entities()
    _create_vectors()
    op.create_table(
        "selftests",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("uid", Uid, nullable=False, unique=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("cause", String, nullable=False),
        sa.Column("fingerprint", String),
        sa.Column("questions", sa.Integer, nullable=False),
        sa.Column("results", Json, nullable=False),
        sqlite_autoincrement=True,
    )
    is_sqlite = op.get_context().dialect.name == "sqlite"
    for statement in _SQLITE_TEXT if is_sqlite else _POSTGRES_TEXT:
        op.execute(statement)


def _create_episodes() -> None:
    op.create_table(
        "episodes",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("uid", Uid, nullable=False, unique=True),
        sa.Column("session_id", String, sa.ForeignKey("sessions.id", ondelete="CASCADE"), nullable=False),
        sa.Column("first_message", sa.BigInteger, nullable=False),
        sa.Column("last_message", sa.BigInteger, nullable=False),
        sa.Column("said_at", sa.BigInteger, nullable=False),
        sa.Column("ended_at", sa.BigInteger, nullable=False),
        sa.Column("task", String),
        sa.Column("source", String, nullable=False),
        sa.Column("state", String, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("episodes_by_session", "episodes", ["session_id", "first_message"])
    op.create_index("episodes_by_message", "episodes", ["first_message"], unique=True)
    op.create_index("episodes_by_time", "episodes", ["said_at"])
    op.create_table(
        "sketches",
        sa.Column("message_id", _ID, sa.ForeignKey("messages.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("episode_id", sa.BigInteger, nullable=False),
        sa.Column("session_id", String, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("role", String, nullable=False),
        sa.Column("speaker", String),
        sa.Column("said_at", sa.BigInteger, nullable=False),
        sa.Column("marks", sa.Integer, nullable=False),
        sa.Column("stems", sa.LargeBinary, nullable=False),
        sa.Column("cuts", sa.LargeBinary, nullable=False),
        sa.Column("words", String, nullable=False),
        sa.Column("days", sa.LargeBinary, nullable=False),
        sa.Column("gist", sa.LargeBinary),
    )
    op.create_index("sketches_by_episode", "sketches", ["episode_id"])
    op.create_index("sketches_by_session", "sketches", ["session_id", "message_id"])


def _create_facts() -> None:
    op.create_table(
        "facts",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("uid", Uid, nullable=False, unique=True),
        sa.Column("text", String, nullable=False),
        sa.Column("subject", String),
        sa.Column("attribute", String),
        sa.Column("value", String),
        sa.Column("confidence", sa.Float, nullable=False),
        sa.Column("confidence_reason", String, nullable=False),
        sa.Column("source_class", String, nullable=False),
        sa.Column("source_message", Uid),
        sa.Column("span_start", sa.Integer),
        sa.Column("span_end", sa.Integer),
        sa.Column("source_entry", Uid),
        sa.Column("said_at", sa.BigInteger, nullable=False),
        sa.Column("learned_at", sa.BigInteger, nullable=False),
        sa.Column("valid_from", sa.BigInteger),
        sa.Column("valid_to", sa.BigInteger),
        sa.Column("supersedes", Uid),
        sa.Column("corroborations", sa.Integer, nullable=False, server_default="0"),
        sa.Column("state", String, nullable=False),
        sa.Column("ended_at", sa.BigInteger),
        sqlite_autoincrement=True,
    )
    op.create_index("facts_by_state", "facts", ["state", "id"])
    op.create_index("facts_by_slot", "facts", ["subject", "attribute"])
    op.create_index("facts_by_message", "facts", ["source_message"])


def _create_entities() -> None:
    op.create_table(
        "entities",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("key", String, nullable=False, unique=True),
        sa.Column("name", String, nullable=False),
        sa.Column("kind", String, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "entity_links",
        sa.Column("entity_id", sa.BigInteger, sa.ForeignKey("entities.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("kind", String, primary_key=True),
        sa.Column("item", sa.BigInteger, primary_key=True),
    )
    op.create_index("entity_links_by_item", "entity_links", ["kind", "item"])
    op.create_table(
        "entity_aliases",
        sa.Column("alias", String, primary_key=True),
        sa.Column("entity_id", sa.BigInteger, sa.ForeignKey("entities.id", ondelete="CASCADE"), primary_key=True),
    )
    op.create_index("entity_aliases_by_entity", "entity_aliases", ["entity_id"])


def _create_vectors() -> None:
    # Derived, and nothing wrote to it before this shape.
    op.drop_table("vectors")
    op.create_table(
        "fingerprints",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("name", String, nullable=False, unique=True),
        sa.Column("dimensions", sa.Integer, nullable=False),
        sa.Column("made_at", sa.BigInteger, nullable=False),
        sa.Column("is_complete", sa.Boolean, nullable=False, server_default=sa.text("false")),
        sa.Column("trouble", String),
        sa.Column("trouble_at", sa.BigInteger),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "vectors",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column(
            "fingerprint_id", sa.BigInteger, sa.ForeignKey("fingerprints.id", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("kind", String, nullable=False),
        sa.Column("item", sa.BigInteger, nullable=False),
        sa.Column("vector", Vector, nullable=False),
        sa.UniqueConstraint("fingerprint_id", "kind", "item", name="vectors_by_item"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "passages",
        # The message first: when one is deleted its rows must be found.
        sa.Column("message_id", sa.BigInteger, sa.ForeignKey("messages.id", ondelete="CASCADE"), primary_key=True),
        sa.Column(
            "fingerprint_id", sa.BigInteger, sa.ForeignKey("fingerprints.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("vectors", sa.LargeBinary, nullable=False),
    )
