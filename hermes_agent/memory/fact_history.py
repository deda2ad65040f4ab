"""How a fact came to be as it is, and what contradicts what: views of the facts for whoever decides about them."""

from collections.abc import Sequence
from dataclasses import dataclass

from hermes_agent.memory import numbers
from hermes_agent.memory.facts import about_ids, require
from hermes_agent.records.journal import Entry
from hermes_agent.records.memory import Fact
from hermes_agent.store import facts, journal
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store

_MOST_ENTRIES = 1_000


@dataclass(frozen=True, slots=True)
class Chapter:
    """A fact in the history of one, and what happened to it, in order."""

    fact: Fact
    entries: Sequence[Entry]


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two facts that contradict each other, `rival` the one that was known before."""

    rival: Fact
    fact: Fact
    at: int
    reason: str


def history(store: Store, typed: str) -> list[Chapter]:
    """Return the facts that stood in the place of each other before and after one, the oldest first."""
    with store.read() as connection:
        chain = _chain(connection, require(connection, numbers.read(typed, "fact")))
        return [Chapter(fact, _entries(connection, fact)) for fact in chain]


def conflicts(
    store: Store, limit: int, offset: int = 0, *, of: Fact | None = None, about: str | None = None
) -> list[Conflict]:
    """Return the contradictions that nobody has settled, the latest first.

    `of` is a fact that must be one of the two; `about` is somebody or something that one of them must be about.
    """
    with store.read() as connection:
        among = [of.id] if of is not None else None if about is None else about_ids(connection, about)
        open_ones = facts.open_disputes(connection, limit, offset, among=among)
        ids = [number for one in open_ones for number in (one.fact_id, one.rival_id)]
        known = facts.get_many(connection, ids)
    return [Conflict(known[one.rival_id], known[one.fact_id], one.at, one.reason) for one in open_ones]


def _chain(connection: Connection, fact: Fact) -> list[Fact]:
    found = {fact.uid: fact}
    fresh = [fact]
    while fresh:
        former = facts.replaced_by(connection, [one.uid for one in fresh])
        later = facts.by_uids(connection, [one.superseded_by for one in fresh if one.superseded_by])
        fresh = [one for one in (*former, *later.values()) if one.uid not in found]
        found |= {one.uid: one for one in fresh}
    return sorted(found.values(), key=lambda one: one.id)


def _entries(connection: Connection, fact: Fact) -> list[Entry]:
    """Return what was journalled of a fact, and the entry that brought it."""
    entries = journal.recent(connection, _MOST_ENTRIES, subject=fact.name)
    source = None if fact.source_entry is None else journal.get(connection, fact.source_entry)
    if source is not None and source.uid not in {entry.uid for entry in entries}:
        entries.append(source)
    return sorted(entries, key=lambda entry: entry.id)
