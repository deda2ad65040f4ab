"""Chats in the store: by their session key, with the session that goes on there."""

from sqlalchemy import Connection, select, update

from hermes_agent.records.archive import Json
from hermes_agent.records.arrivals import Chat
from hermes_agent.store.fresh import insert_fresh
from hermes_agent.store.gateway_tables import chats
from hermes_agent.store.rows import to_record


def get(connection: Connection, chat_key: str) -> Chat | None:
    """Return a chat by its key."""
    row = connection.execute(select(chats).where(chats.c.chat_key == chat_key)).mappings().one_or_none()
    return None if row is None else to_record(Chat, row)


def every(connection: Connection) -> list[Chat]:
    """Return all chats, the one that was heard of last first."""
    rows = connection.execute(select(chats).order_by(chats.c.heard_at.desc())).mappings()
    return [to_record(Chat, row) for row in rows]


def keep(connection: Connection, chat: Chat) -> bool:
    """Keep a chat unless it is known; tell whether it was new."""
    values = {name: getattr(chat, name) for name in Chat.__dataclass_fields__}
    fresh = insert_fresh(connection, chats, "chat_key").returning(chats.c.chat_key)
    return connection.execute(fresh, values).first() is not None


def put_session(connection: Connection, chat_key: str, profile: str | None, session_id: str | None) -> None:
    """Let a chat go on with a session of a profile, or begin a new one."""
    values = {"profile": profile, "session_id": session_id}
    connection.execute(update(chats).where(chats.c.chat_key == chat_key).values(values))


def put_place(connection: Connection, chat_key: str, place: Json) -> None:
    """Keep where answers go."""
    connection.execute(update(chats).where(chats.c.chat_key == chat_key).values(place=place))


def note_heard(connection: Connection, chat_key: str, at: int) -> None:
    """Keep when something of a chat was last taken into the archive."""
    connection.execute(update(chats).where(chats.c.chat_key == chat_key).values(heard_at=at))


def note_told(connection: Connection, chat_key: str, at: int) -> None:
    """Keep when somebody who is not let in was told so."""
    connection.execute(update(chats).where(chats.c.chat_key == chat_key).values(told_at=at))
