"""Compress what is old: summaries stand for episodes, whose vectors go and whose messages are packed.

Episodes are read without a transaction and put together; each summary is kept in one transaction with all that
follows from it, and only if its episodes are still what was read. So a kill leaves every episode either whole or
told by its summary. Nothing is lost: a summary opens to its messages, and an undo brings the episodes back; unless
the owner wants the messages discarded, which cannot be undone.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes_agent import clock
from hermes_agent.errors import NotFound
from hermes_agent.learn import summarizing
from hermes_agent.learn.summarizing import Cluster
from hermes_agent.memory import numbers, quarantine, summary_writing
from hermes_agent.memory.embedding import JOB as EMBED
from hermes_agent.memory.metering import metered
from hermes_agent.memory.spending import NO_CAP, Cap
from hermes_agent.memory.undo_choice import COMPRESSED
from hermes_agent.records.archive import Message
from hermes_agent.records.changes import between, described, whole
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.memory import Episode
from hermes_agent.records.summaries import Summary, summary_name
from hermes_agent.store import (
    bodies,
    compressed,
    entities,
    episodes,
    jobs,
    journal,
    messages,
    meta,
    sketches,
    summaries,
)
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store

if TYPE_CHECKING:
    from hermes_agent.learn.summarizing import Vector
    from hermes_agent.models.model import Model

JOB = "compress"
ACTOR = "learning"
_READ = 1_000
"""So many episodes are put together at a time."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be compressed: what ended before a moment; whether the messages behind it go."""

    before: int
    is_discarding: bool = False


@dataclass(frozen=True, slots=True)
class Compressed:
    """What one summary took the place of."""

    summary: Summary
    episodes: int
    messages: int
    """How many messages were packed, or discarded."""


def count_due(store: Store, wanted: Wanted) -> int:
    """Count the episodes that a summary should stand for."""
    with store.read() as connection:
        return compressed.count_old(connection, wanted.before, is_quiet=wanted.is_discarding)


def compress(
    store: Store, wanted: Wanted, model: "Model | None" = None, cap: Cap = NO_CAP
) -> Iterator[Compressed | None]:
    """Let summaries stand for what is old, one after the other; None where somebody else was faster.

    A model words them; when the day's cap is reached the rest waits for the next day.
    """
    left: set[int] = set()
    screened: set[str] = set()
    while True:
        with store.read() as connection:
            old = compressed.old(connection, wanted.before, _READ + len(left), is_quiet=wanted.is_discarding)
            fresh = [one for one in old if one.id not in left][:_READ]
            meant = _meant(connection, fresh)
        if not fresh:
            break
        _screen(store, {one.session_id for one in fresh} - screened)
        screened.update(one.session_id for one in fresh)
        for cluster in summarizing.clusters(fresh, meant):
            if model is not None:
                cap.require(store)
            made = _compress(store, cluster, wanted, model)
            if made is None:
                left.update(one.id for one in cluster.episodes)
            yield made
    with store.write() as connection:
        if wanted.is_discarding:
            entities.remove_stale(connection)
        meta.put(connection, meta.LAST_COMPRESSION, str(clock.now()))


def recent(store: Store, limit: int) -> list[Summary]:
    """Return the summaries that stand, those of the latest time first."""
    with store.read() as connection:
        return summaries.recent(connection, limit)


def opened(store: Store, typed: str) -> tuple[Summary, list[Message]]:
    """Return the summary that a person names, and the messages that it stands for."""
    number = numbers.read(typed, "summary")
    with store.read() as connection:
        found = summaries.get(connection, number)
        if found is None or found.state != "current":
            raise NotFound(f"There is no {summary_name(number)}.", hint="List them: hermes memory summaries list")
        told = compressed.of_summaries(connection, [number])[number]
        behind = messages.get_many(connection, compressed.message_ids(connection, told))
    return found, sorted(behind.values(), key=lambda message: message.id)


def _compress(store: Store, cluster: Cluster, wanted: Wanted, model: "Model | None") -> Compressed | None:
    with store.read() as connection:
        told = summary_writing.tellable(connection, cluster.episodes)
        ids = compressed.message_ids(connection, [one.id for one in cluster.episodes])
        packed = {} if wanted.is_discarding else bodies.packed(connection, store.engine, ids)
        shrunk = None if wanted.is_discarding else _shrunk(connection, cluster.episodes)
    with metered(store, "compression", cluster.episodes[0].session_id) as meter:
        new, cause = summary_writing.write(cluster, told, None if model is None else meter.asking(model))
        with store.write() as connection:
            before = episodes.held(connection, [one.id for one in cluster.episodes])
            if [before.get(one.id) for one in cluster.episodes] != cluster.episodes:
                return None
            made = summaries.add(connection, store.engine, new, is_discarded=wanted.is_discarding)
            compressed.compress(connection, list(before), made.id, shrunk)
            if wanted.is_discarding:
                _discard(connection, store, cluster.episodes, ids)
            else:
                bodies.keep(connection, packed)
            _write_down(connection, made, list(before.values()), cause, is_discarded=wanted.is_discarding)
            jobs.add(connection, EMBED, EMBED)
            meter.keep(connection)
    return Compressed(made, len(before), len(ids) if wanted.is_discarding else len(packed))


def _discard(connection: Connection, store: Store, found: Sequence[Episode], ids: Sequence[int]) -> None:
    """Delete the messages of episodes, and the names that led to them: only the summary is found from now on."""
    bodies.discard(connection, store.engine, ids)
    entities.unlink(connection, "episode", [one.id for one in found])
    for session_id in {one.session_id for one in found}:
        messages.recount(connection, session_id)


def _meant(connection: Connection, found: Sequence[Episode]) -> "list[Vector]":
    """Return what episodes mean: the sum of the gists of their messages, nothing where there are none."""
    import numpy

    from hermes_agent.embedders.local import DIMENSIONS
    from hermes_agent.store import gists

    known = sketches.gists_of(connection, [one.id for one in found])
    nothing = numpy.zeros(DIMENSIONS, numpy.float32)
    return [gists.read(known[one.id]).sum(0) if known.get(one.id) else nothing for one in found]


def _shrunk(connection: Connection, found: Sequence[Episode]) -> dict[int, bytes]:
    from hermes_agent.embedders.local import Local
    from hermes_agent.store import fingerprints, gists

    own = fingerprints.get(connection, Local.fingerprint)
    return gists.shrink(connection, [one.id for one in found], None if own is None else own.id)


def _screen(store: Store, sessions: Collection[str]) -> None:
    """Look at what was said before anybody learned from it."""
    for session_id in sorted(sessions):
        quarantine.screen_session(store, session_id)


def _write_down(
    connection: Connection, made: Summary, before: Sequence[Episode], cause: str | None, *, is_discarded: bool
) -> None:
    """Journal a summary, without its words: they are forgotten with their conversation."""
    count = f"{len(before)} episodes" if len(before) != 1 else "1 episode"
    if is_discarded:
        text = f"{made.name} stands for {count}; their messages were discarded and cannot be brought back."
        journal.write(connection, NewEntry("memory.discarded", made.name, text, ACTOR, cause))
        return
    now = episodes.get_many(connection, [one.id for one in before])
    change = between(
        {**whole(before), made.name: {"state": "undone"}},
        {**whole(list(now.values())), made.name: {"state": "current"}},
    )
    entry = NewEntry(COMPRESSED, made.name, f"{made.name} stands for {count}.", ACTOR, cause)
    journal.write(connection, described(entry, change))
