"""Stores as they were before the newest shape, made with the steps of their time."""

from alembic import command
from alembic.config import Config
from sqlalchemy import text

from hermes_agent.ids import new_uid
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.store import messages, meta, sessions
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
        messages.append(connection, engine, session, new)
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all() == [
            str(revision)
        ]
    connections.dispose()
    return [message.uid or "" for message in new]
