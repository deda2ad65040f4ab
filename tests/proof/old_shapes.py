"""Stores as they were before the newest shape, made with the steps of their time."""

from alembic import command
from alembic.config import Config
from sqlalchemy import insert, text

from hermes_agent.ids import new_uid
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.store import meta, sessions, tables
from hermes_agent.store.engine import Connection, Engine
from hermes_agent.store.messages import scope_of
from hermes_agent.store.text_index import IndexedText
from hermes_agent.text.identifiers import text_trigrams
from hermes_agent.text.words import words
from tests.proof.places import open_at


def make_old(place: str, revision: int) -> list[str]:
    """Make a store of an older shape with a few messages; return their uids in order."""
    engine = open_at(place).engine
    connections = engine.open()
    new = [
        NewMessage("user", f"an older word{revision} about docker", uid=new_uid()),
        NewMessage("assistant", "机器学习 getUserById", uid=new_uid()),
        NewMessage("tool", "older output", tool_name="shell", uid=new_uid()),
    ]
    with connections.connect() as connection, connection.execution_options(writes=True).begin():
        engine.lock_shape(connection)
        config = Config()
        config.set_main_option("script_location", "hermes_agent.store:migrations")
        config.attributes["connection"] = connection
        config.attributes["schema"] = engine.schema
        command.upgrade(config, str(revision))
        meta.put(connection, "profile", "default")
        session = sessions.create(connection, NewSession(id="old"))
        _append(connection, engine, session, new)
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all() == [
            str(revision)
        ]
    connections.dispose()
    return [message.uid or "" for message in new]


def _append(connection: Connection, engine: Engine, session_id: str, new: list[NewMessage]) -> None:
    """Keep messages with the columns that every shape has: the program's own words know the newest one only."""
    for said_at, message in enumerate(new, start=1):
        said = message.content or ""
        values = {
            "uid": message.uid,
            "session_id": session_id,
            "role": message.role,
            "content": said,
            "said_at": said_at,
            "source_class": message.role,
            "tool_name": message.tool_name,
        }
        made = connection.execute(insert(tables.messages).values(values).returning(tables.messages.c.id))
        found = words(f"{said}\n{message.tool_name or ''}")
        indexed = IndexedText(int(made.scalar_one()), scope_of(message.role), found, text_trigrams(said))
        engine.text.put(connection, [indexed])
    connection.execute(
        text("UPDATE sessions SET message_count = :count WHERE id = :id"), {"count": len(new), "id": session_id}
    )
