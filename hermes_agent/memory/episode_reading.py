"""Episodes for whoever looks at them: listed, and opened to the messages they hold."""

from hermes_agent.errors import NotFound
from hermes_agent.memory import numbers
from hermes_agent.records.archive import Message
from hermes_agent.records.memory import Episode
from hermes_agent.store import compressed, episode_pages, episodes, messages, sessions
from hermes_agent.store.store import Store


def recent(
    store: Store,
    limit: int,
    offset: int = 0,
    *,
    since: int | None = None,
    until: int | None = None,
    session: str | None = None,
) -> list[Episode]:
    """Return the episodes that were said last, the latest first; `session` is named as people name one."""
    with store.read() as connection:
        session_id = None if session is None else sessions.require(connection, session).id
        return episode_pages.page(connection, limit, offset, since=since, until=until, session_id=session_id)


def opened(store: Store, typed: str) -> tuple[Episode, list[Message]]:
    """Return the episode that a person names, and its messages in order."""
    number = numbers.read(typed, "episode")
    with store.read() as connection:
        found = episodes.get(connection, number)
        if found is None:
            raise NotFound(f"There is no episode:{number}.")
        held = messages.get_many(connection, compressed.message_ids(connection, [number]))
    return found, sorted(held.values(), key=lambda message: message.id)
