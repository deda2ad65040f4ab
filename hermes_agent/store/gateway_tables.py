"""The tables of the gateways: what came from chat platforms, and which session each chat goes on with.

Not canonical: they tell what is under way here. What was said is in the archive of whoever said it.
"""

from sqlalchemy import BigInteger, Column, Integer, Table

from hermes_agent.store.tables import metadata as metadata
from hermes_agent.store.types import Json, Moment, String, Uid

_Id = BigInteger().with_variant(Integer, "sqlite")

# Updates of chat platforms; `payload` and `reply` hold words for as long as nobody else has them.
arrivals = Table(
    "arrivals",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=True),
    Column("uid", Uid, nullable=False, unique=True),
    *(Column(name, String, nullable=False) for name in ("platform", "update_key", "chat_key")),
    Column("position", BigInteger, nullable=False),
    Column("message_key", String),
    Column("payload", Json),
    Column("state", String, nullable=False),
    Column("reply", String),
    Column("parts_sent", Integer, nullable=False, server_default="0"),
    Column("arrived_at", Moment, nullable=False),
)

# Chats: by their session key, whose memory they are in, and the session that goes on there.
chats = Table(
    "chats",
    metadata,
    Column("chat_key", String, primary_key=True),
    *(Column(name, String, nullable=False) for name in ("platform", "user_id")),
    *(Column(name, String) for name in ("profile", "session_id")),
    Column("place", Json, nullable=False),
    Column("heard_at", Moment, nullable=False),
    Column("told_at", Moment),
)
