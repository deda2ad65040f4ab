"""The derived tables: what can be made anew of the canonical ones, and who made the vectors."""

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Integer, LargeBinary, Table, text

from hermes_agent.store.schema import Id, metadata
from hermes_agent.store.types import Bits, Moment, String, Vector

# Derived: what recall compares of a message, so that it need not read the text (`text/sketch.py`).
sketches = Table(
    "sketches",
    metadata,
    Column("message_id", Id, ForeignKey("messages.id", ondelete="CASCADE"), primary_key=True),
    Column("episode_id", BigInteger, nullable=False),
    Column("session_id", String, nullable=False),
    Column("version", Integer, nullable=False),
    Column("role", String, nullable=False),
    Column("speaker", String),
    Column("said_at", Moment, nullable=False),
    Column("marks", Integer, nullable=False),
    *(Column(name, LargeBinary, nullable=False) for name in ("stems", "cuts")),
    Column("words", String, nullable=False),
    Column("days", LargeBinary, nullable=False),
    Column("gist", LargeBinary),
)

# Derived: the things that texts name, and which facts and episodes name them.
entities = Table(
    "entities",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("key", String, nullable=False, unique=True),
    *(Column(name, String, nullable=False) for name in ("name", "kind")),
)

entity_links = Table(
    "entity_links",
    metadata,
    Column("entity_id", BigInteger, ForeignKey("entities.id", ondelete="CASCADE"), primary_key=True),
    Column("kind", String, primary_key=True),
    Column("item", BigInteger, primary_key=True),
)

entity_aliases = Table(
    "entity_aliases",
    metadata,
    Column("alias", String, primary_key=True),
    Column("entity_id", BigInteger, ForeignKey("entities.id", ondelete="CASCADE"), primary_key=True),
)

# What made vectors: model, revision, dimensions, form of the text. Never are two of them compared.
fingerprints = Table(
    "fingerprints",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("name", String, nullable=False, unique=True),
    Column("dimensions", Integer, nullable=False),
    Column("made_at", Moment, nullable=False),
    Column("is_complete", Boolean, nullable=False, server_default=text("false")),
    Column("trouble", String),
    Column("trouble_at", Moment),
)

# Derived: one vector for each episode, fact, …; these are searched.
vectors = Table(
    "vectors",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("fingerprint_id", BigInteger, ForeignKey("fingerprints.id", ondelete="CASCADE"), nullable=False),
    Column("kind", String, nullable=False),
    Column("item", BigInteger, nullable=False),
    Column("vector", Vector, nullable=False),
)

# Derived: the vectors of a message and of its passages, compared once the message is a candidate.
passages = Table(
    "passages",
    metadata,
    Column("message_id", BigInteger, ForeignKey("messages.id", ondelete="CASCADE"), primary_key=True),
    Column("fingerprint_id", BigInteger, ForeignKey("fingerprints.id", ondelete="CASCADE"), primary_key=True),
    Column("vectors", LargeBinary, nullable=False),
)

# Derived: of an episode that a summary stands for, which way the gist of each message points; these are searched.
outlines = Table(
    "outlines",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=True),
    Column("episode_id", BigInteger, ForeignKey("episodes.id", ondelete="CASCADE"), nullable=False),
    Column("bits", Bits, nullable=False),
)
