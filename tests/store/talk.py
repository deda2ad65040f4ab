"""Talk in a store: messages that are said, and found again."""

from collections.abc import Callable

from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.store import messages, sessions
from hermes_agent.store.store import Store
from hermes_agent.store.text_index import Order
from hermes_agent.text.query import parse

Open = Callable[[str], Store]


def say(store: Store, *contents: str, role: str = "user", session: str | None = None) -> list[int]:
    with store.write() as connection:
        session_id = session or sessions.create(connection, NewSession())
        if session:
            sessions.create(connection, NewSession(id=session))
        return messages.append(connection, store.engine, session_id, [NewMessage(role, c) for c in contents])


def found(store: Store, query: str, order: Order = "best", limit: int = 100) -> list[int]:
    with store.read() as connection:
        return [m.id for m in store.engine.text.match(connection, "talk", parse(query), limit, order).best]
