"""Outlines of old episodes, by which they are found; what was compressed before gets them of its gists."""

import sqlalchemy as sa
from alembic import op

from hermes_agent.store.types import Bits

revision = "109"
down_revision = "108"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")

# The first 32 bytes of a gist that is shrunk are the bits of the whole message; one without any has no direction.
_SQLITE_BITS, _SQLITE_NOTHING = "substr(sketches.gist, 1, 32)", "zeroblob(32)"
_POSTGRES_BITS = "CAST('x' || encode(substring(sketches.gist FROM 1 FOR 32), 'hex') AS bit(256))"
_POSTGRES_NOTHING = "CAST(0 AS bit(256))"
_LONGEST = 7 * 32


def upgrade() -> None:
    op.create_table(
        "outlines",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("episode_id", sa.BigInteger, sa.ForeignKey("episodes.id", ondelete="CASCADE"), nullable=False),
        sa.Column("bits", Bits, nullable=False),
        sqlite_autoincrement=True,
    )
    is_sqlite = op.get_context().dialect.name == "sqlite"
    bits, nothing = (_SQLITE_BITS, _SQLITE_NOTHING) if is_sqlite else (_POSTGRES_BITS, _POSTGRES_NOTHING)
    op.execute(
        f"INSERT INTO outlines (episode_id, bits) SELECT sketches.episode_id, {bits} FROM sketches"
        " JOIN episodes ON episodes.id = sketches.episode_id WHERE episodes.state = 'compressed'"
        f" AND length(sketches.gist) BETWEEN 32 AND {_LONGEST} AND {bits} <> {nothing}"
        " ORDER BY sketches.message_id"
    )
    op.create_index("outlines_by_episode", "outlines", ["episode_id"])
