"""Skills with the texts of their folders, and how often each was used."""

import sqlalchemy as sa
from alembic import op

from hermes_agent.store.types import Json, String, Uid

revision = "108"
down_revision = "107"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
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
        sa.Column("is_pinned", sa.Boolean, nullable=False, server_default=sa.text("false")),
        sqlite_autoincrement=True,
    )
    op.create_index("skills_by_name", "skills", ["skill"], unique=True)
    op.create_table(
        "skill_uses",
        sa.Column("skill_id", _ID, sa.ForeignKey("skills.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("views", sa.BigInteger, nullable=False, server_default="0"),
        sa.Column("last_viewed_at", sa.BigInteger),
    )
