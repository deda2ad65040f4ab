"""Episodes for whoever looks at them: listed, and opened to the messages they hold."""

from collections.abc import Sequence
from dataclasses import dataclass

from hermes_agent.errors import NotFound
from hermes_agent.memory import numbers
from hermes_agent.records.archive import Message
from hermes_agent.records.memory import Episode, Said
from hermes_agent.store import compressed, entities, episode_pages, episodes, messages, sessions
from hermes_agent.store.store import Store
from hermes_agent.text.entity_keys import entity_key

_MOST_NAMING = 2_000
_FOREVER = 2**62


@dataclass(frozen=True, slots=True)
class Told:
    """An episode and what was said in it."""

    episode: Episode
    said: Sequence[Said]


def recent(
    store: Store,
    limit: int,
    offset: int = 0,
    *,
    since: int | None = None,
    until: int | None = None,
    session: str | None = None,
    hidden_sources: Sequence[str] = (),
) -> list[Episode]:
    """Return the episodes that were said last, the latest first; `session` is named as people name one."""
    with store.read() as connection:
        session_id = None if session is None else sessions.require(connection, session).id
        return episode_pages.page(
            connection,
            limit,
            offset,
            since=since,
            until=until,
            session_id=session_id,
            hidden_sources=hidden_sources,
        )


def naming(
    store: Store,
    about: str,
    limit: int,
    offset: int = 0,
    *,
    since: int | None = None,
    until: int | None = None,
    hidden_sources: Sequence[str] = (),
) -> list[Episode]:
    """Return the episodes that name somebody or something, the latest first."""
    begin, end = since or 0, _FOREVER if until is None else until
    with store.read() as connection:
        things = entities.resolve(connection, [entity_key(about)])
        ids = [one for group in things.values() for one in group]
        found = episodes.get_many(connection, entities.items_of(connection, ids, "episode", _MOST_NAMING))
    inside = [one for one in found.values() if begin <= one.said_at < end and one.source not in hidden_sources]
    return sorted(inside, key=lambda one: (-one.said_at, -one.id))[offset : offset + limit]


def told(store: Store, found: Sequence[Episode]) -> list[Told]:
    """Return episodes with what was said in them, without what tools returned."""
    with store.read() as connection:
        said = episodes.texts(connection, [one.id for one in found])
    return [Told(one, said.get(one.id, ())) for one in found]


def opened(store: Store, typed: str) -> tuple[Episode, list[Message]]:
    """Return the episode that a person names, and its messages in order."""
    number = numbers.read(typed, "episode")
    with store.read() as connection:
        found = episodes.get(connection, number)
        if found is None:
            raise NotFound(f"There is no episode:{number}.", hint="It may have gone with its conversation.")
        held = messages.get_many(connection, compressed.message_ids(connection, [number]))
    return found, sorted(held.values(), key=lambda message: message.id)
