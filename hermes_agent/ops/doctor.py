"""Check the store, mend what is derived, and save what can be read of a damaged file."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from hermes_agent import clock
from hermes_agent.memory import episodes
from hermes_agent.memory import facts as known_facts
from hermes_agent.ops.steps import Step
from hermes_agent.records.journal import NewEntry
from hermes_agent.store import (
    damaged_bodies,
    entities,
    entity_joins,
    facts,
    journal,
    messages,
    meta,
    summaries,
    vectors,
)
from hermes_agent.store.migrate import HEAD
from hermes_agent.store.store import Store

_BLOCK = 2_000
_REBUILDING = "Rebuilding the index"
_READING = "Reading what was said"
_MOST_NAMED = 20


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found. Nothing in `problems` means that all is well."""

    place: str
    engine: str
    shape: int
    size_bytes: int
    messages: int
    problems: tuple[str, ...]
    is_index_damaged: bool
    unchecked: str | None = None
    """What could not be checked, and why."""

    @property
    def is_well(self) -> bool:
        return not self.problems


def check(store: Store) -> Checked:
    """Check the database, its references and bodies, that indexes agree with messages and copies with vectors."""
    with store.read() as connection:
        condition = store.engine.inspect(connection, is_thorough=True)
        count = messages.count(connection)
        damaged_copies = store.engine.check_vectors(connection)
        unreadable = list(damaged_bodies.unreadable(connection, store.engine))
    # Apart: the index checks itself only in a transaction that writes, and the pages take long.
    with store.write() as connection:
        damage = store.engine.text.check(connection)
    problems = [*condition.problems, *damaged_copies, *_named(unreadable)]
    if damage.missing:
        problems.append(f"{damage.missing} texts are missing from the text index")
    if damage.stale:
        problems.append(f"{damage.stale} entries of the text index have no text")
    if damage.broken:
        problems.append(f"the text index is broken: {damage.broken}")
    return Checked(
        store.engine.place,
        condition.version,
        HEAD,
        condition.size_bytes,
        count,
        tuple(problems),
        is_index_damaged=bool(damage.missing or damage.stale or damage.broken),
        unchecked=damage.unchecked and f"the text index could not check itself: {damage.unchecked}",
    )


def _named(unreadable: Sequence[damaged_bodies.Unreadable]) -> Iterator[str]:
    for message in unreadable[:_MOST_NAMED]:
        yield f"{message.name} cannot be read: it is damaged"
    if len(unreadable) > _MOST_NAMED:
        yield f"{len(unreadable) - _MOST_NAMED:,} more cannot be read"


def replace_unreadable(store: Store) -> list[str]:
    """Let messages that cannot be read say so, so that all else works again; return their names."""
    with store.write() as connection:
        found = list(damaged_bodies.unreadable(connection, store.engine))
        if found:
            damaged_bodies.replace(connection, found)
            names = ", ".join(message.name for message in found[:_MOST_NAMED])
            more = f" and {len(found) - _MOST_NAMED:,} more" if len(found) > _MOST_NAMED else ""
            text = f"Could not be read, and now says so: {names}{more}."
            after = {"messages": [message.message_id for message in found]}
            journal.write(connection, NewEntry("messages.lost", "messages", text, after=after))
    return [message.name for message in found]


def rebuild(store: Store, zone: tzinfo | None = None, *, has_vectors: bool = False) -> Generator[Step, None, int]:
    """Make anew what is derived: of vectors only the copies. Return how many messages were indexed.

    The text indexes are made in one transaction: a kill leaves the old ones. Sketches and links are
    replaced block by block; `zone` is the one in which people meant "yesterday". `has_vectors` tells
    that somebody embeds: sketches then carry the gists that recall compares beside the vectors.
    """
    done = yield from _rebuild_index(store)
    yield from _rebuild_episodes(store, zone, has_vectors=has_vectors)
    with store.write() as connection:
        vectors.remove_orphans(connection)
    with store.bare() as connection:
        store.engine.settle_vectors(connection, is_anew=True)
    return done


def _rebuild_index(store: Store) -> Generator[Step, None, int]:
    with store.write() as connection:
        total = messages.count(connection)
        yield Step(_REBUILDING, 0, total)
        store.engine.text.clear(connection)
        done = last = 0
        while block := messages.searchable(connection, last, _BLOCK):
            store.engine.text.put(connection, [messages.indexed(message) for message in block])
            last = block[-1].id
            done += len(block)
            yield Step(_REBUILDING, done, total)
        last = 0
        while found := facts.after(connection, last, _BLOCK):
            store.engine.text.put(connection, [facts.indexed(fact) for fact in found])
            last = found[-1].id
        last = 0
        while told := summaries.after(connection, last, _BLOCK):
            store.engine.text.put(connection, [summaries.indexed(summary) for summary in told])
            last = told[-1].id
        journal.write(
            connection,
            NewEntry("index.rebuilt", "index", f"The text index was rebuilt from {done} messages."),
        )
    return done


def _rebuild_episodes(store: Store, zone: tzinfo | None, *, has_vectors: bool) -> Generator[Step, None, None]:
    with store.read() as connection:
        total = messages.last_id(connection)
    reached: int | None = 0
    while reached is not None:
        yield Step(_READING, reached, total)
        reached = episodes.make_next(store, reached, zone, has_vectors=has_vectors)
    reached = 0
    while reached is not None:
        yield Step(_READING, total, total)
        reached = episodes.derive_next(store, reached, zone, has_vectors=has_vectors)
    reached = 0
    while reached is not None:
        reached = known_facts.derive_next(store, reached)
    with store.write() as connection:
        entities.remove_stale(connection)
        entity_joins.restore(connection)


def vacuum(store: Store) -> int:
    """Give unused room back to the disk; return how many bytes that was."""
    with store.read() as connection:
        before = store.engine.inspect(connection, is_thorough=False).size_bytes
    with store.bare() as connection:
        store.engine.vacuum(connection)
    with store.write() as connection:
        meta.put(connection, meta.LAST_VACUUM, str(clock.now()))
        after = store.engine.inspect(connection, is_thorough=False).size_bytes
    return max(0, before - after)
