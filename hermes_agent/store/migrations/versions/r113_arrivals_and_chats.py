"""Arrivals and chats: what comes from chat platforms until it is answered, and the sessions of the chats."""

import sqlalchemy as sa
from alembic import op

from hermes_agent.store.types import Json, String, Uid

revision = "113"
down_revision = "112"

_ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "arrivals",
        sa.Column("id", _ID, primary_key=True, autoincrement=True),
        sa.Column("uid", Uid, nullable=False, unique=True),
        sa.Column("platform", String, nullable=False),
        sa.Column("update_key", String, nullable=False),
        sa.Column("chat_key", String, nullable=False),
        sa.Column("position", sa.BigInteger, nullable=False),
        sa.Column("message_key", String),
        sa.Column("payload", Json),
        sa.Column("state", String, nullable=False),
        sa.Column("reply", String),
        sa.Column("parts_sent", sa.Integer, nullable=False, server_default="0"),
        sa.Column("arrived_at", sa.BigInteger, nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("arrivals_update", "arrivals", ["platform", "update_key"], unique=True)
    op.create_index("arrivals_chat", "arrivals", ["chat_key", "state", "position"])
    op.create_index("arrivals_state", "arrivals", ["state", "platform"])
    op.create_table(
        "chats",
        sa.Column("chat_key", String, primary_key=True),
        sa.Column("platform", String, nullable=False),
        sa.Column("user_id", String, nullable=False),
        sa.Column("profile", String),
        sa.Column("session_id", String),
        sa.Column("place", Json, nullable=False),
        sa.Column("heard_at", sa.BigInteger, nullable=False),
        sa.Column("told_at", sa.BigInteger),
    )
    op.create_index("chats_session", "chats", ["session_id"])
