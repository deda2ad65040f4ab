"""Compress what is old: summaries stand for episodes, whose vectors go and whose messages are packed.

Episodes are read without a transaction and put together; each summary is kept in one transaction with all that
follows from it, and only if its episodes are still what was read. So a kill leaves every episode either whole or
told by its summary. Nothing is lost: a summary opens to its messages, and an undo brings the episodes back; unless
the owner wants the messages discarded, which cannot be undone.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hermes_agent import clock
from hermes_agent.errors import NotFound
from hermes_agent.ids import new_uid
from hermes_agent.learn import summarizing
from hermes_agent.learn.summarizing import Cluster
from hermes_agent.memory import numbers, quarantine, summary_writing
from hermes_agent.memory.embedding import JOB as EMBED
from hermes_agent.memory.embedding import own_fingerprint
from hermes_agent.memory.metering import metered
from hermes_agent.memory.spending import NO_CAP, Cap
from hermes_agent.memory.undoable import COMPACTION, COMPRESSED, DISCARDED
from hermes_agent.records.archive import Message
from hermes_agent.records.changes import between, change_of, described, whole
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.memory import Episode
from hermes_agent.records.summaries import Line, Summary, summary_name
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
    touched,
)
from hermes_agent.store import quarantine as quarantined
from hermes_agent.store.compressed import Old
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
    unlearned: Sequence[str] = ()
    """Sources of which nothing is learned: their messages need not wait for that to be discarded."""
    actor: str = ACTOR
    """Who wants it: `owner` if by hand."""
    made_before: int | None = None
    """Messages go only behind summaries that were made before this moment; None lets them go at once."""

    @property
    def old(self) -> Old:
        return Old(self.before, self.is_discarding, self.is_discarding, self.unlearned)


@dataclass(frozen=True, slots=True)
class Compressed:
    """What one summary took the place of."""

    summary: Summary
    episodes: int
    messages: int
    """How many messages were packed, or discarded."""
    run: str
    """The uid of the compaction: an undo of it takes all its summaries back."""


def count_due(store: Store, wanted: Wanted) -> int:
    """Count the episodes that a summary should stand for, and those whose messages should go."""
    with store.read() as connection:
        return _count(connection, wanted, wanted.old)


def count_unlearned(store: Store, wanted: Wanted) -> int:
    """Count the old episodes that wait because nothing was learned from their quiet conversations yet."""
    if not wanted.is_discarding:
        return 0
    with store.read() as connection:
        quiet = _count(connection, wanted, replace(wanted.old, is_learned=False))
        return quiet - _count(connection, wanted, wanted.old)


def _count(connection: Connection, wanted: Wanted, which: Old) -> int:
    behind = _discardable(connection, which, wanted.made_before) if wanted.is_discarding else {}
    return compressed.count_old(connection, which, _taken_back(connection, wanted)) + sum(behind.values())


def _taken_back(connection: Connection, wanted: Wanted) -> set[int]:
    """Return the episodes whose compression was undone: only the owner, by hand, compresses them again."""
    if wanted.actor != ACTOR:
        return set()
    undone = [summary_name(number) for number in summaries.undone(connection)]
    told = [change_of(entry) for entry in journal.of_subjects(connection, undone) if entry.kind == COMPRESSED]
    names = {name for change in told if change is not None for name in change.after}
    return {touched.number_of(name) for name in names if name.startswith("episode:")}


def compress(
    store: Store, wanted: Wanted, model: "Model | None" = None, cap: Cap = NO_CAP, *, run: str | None = None
) -> Iterator[Compressed | None]:
    """Let summaries stand for what is old, one after the other; None where somebody else was faster.

    A model words them; when the day's cap is reached the rest waits for the next day. Where messages are to be
    discarded, those behind the summaries that stand already go as well. `run` is the uid of a compaction that is
    gone on with.
    """
    run = run or new_uid(clock.now())
    with store.read() as connection:
        left = _taken_back(connection, wanted)
    screened: set[str] = set()
    while True:
        with store.read() as connection:
            fresh = compressed.old(connection, wanted.old, _READ, left)
            meant = _meant(connection, fresh)
        if not fresh:
            break
        _screen(store, {one.session_id for one in fresh} - screened)
        screened.update(one.session_id for one in fresh)
        for cluster in summarizing.clusters(fresh, meant):
            if model is not None:
                cap.require(store)
            made = _compress(store, cluster, wanted, model, run)
            if made is None:
                left.update(one.id for one in cluster.episodes)
            yield made
    if wanted.is_discarding:
        yield from _discard_behind(store, wanted, run)
    with store.write() as connection:
        if wanted.is_discarding:
            entities.remove_stale(connection)
        meta.put(connection, meta.LAST_COMPRESSION, str(clock.now()))


def recent(store: Store, limit: int, offset: int = 0, *, made_before: int | None = None) -> list[Summary]:
    """Return the summaries that stand, those of the latest time first, made until a moment if one is given."""
    with store.read() as connection:
        return summaries.recent(connection, limit, made_before=made_before, offset=offset)


def count(store: Store) -> int:
    """Count the summaries that stand."""
    with store.read() as connection:
        return summaries.count(connection)


def opened(store: Store, typed: str) -> tuple[Summary, list[Message]]:
    """Return the summary that a person names, and the messages that it stands for."""
    number = numbers.read(typed, "summary")
    with store.read() as connection:
        found = require(connection, number)
        told = compressed.of_summaries(connection, [number])[number]
        behind = messages.get_many(connection, compressed.message_ids(connection, told))
    return found, sorted(behind.values(), key=lambda message: message.id)


def require(connection: Connection, number: int) -> Summary:
    """Return a summary that stands; NotFound if there is none."""
    found = summaries.get(connection, number)
    if found is None or found.state != "current":
        raise NotFound(f"There is no {summary_name(number)}.", hint="List them: hermes memory summaries list")
    return found


def _compress(
    store: Store, cluster: Cluster, wanted: Wanted, model: "Model | None", run: str
) -> Compressed | None:
    every = [one.id for one in cluster.episodes]
    with store.read() as connection:
        told = summary_writing.tellable(connection, cluster.episodes)
        ids = compressed.message_ids(connection, every)
        decided = quarantined.states(connection, ids)
        waiting = quarantined.waiting_sessions(connection)
    with metered(store, "compression", cluster.episodes[0].session_id) as meter:
        new, cause = summary_writing.write(cluster, told, None if model is None else meter.asking(model))
        behind = {one.session_id for one in cluster.episodes}
        is_at_once = wanted.is_discarding and wanted.made_before is None
        is_discarded = is_at_once and _is_told(behind, new.lines, waiting)
        with store.read() as connection:
            packed = {} if is_discarded else bodies.packed(connection, store.engine, ids)
            shrunk = None if is_discarded else _shrunk(connection, cluster.episodes)
        with store.write() as connection:
            # The sessions are held first: whoever says something holds them first as well.
            is_old = compressed.are_old(connection, wanted.old, every)
            before = episodes.held(connection, every)
            is_as_read = [before.get(one.id) for one in cluster.episodes] == cluster.episodes
            if not is_old or not is_as_read or quarantined.states(connection, ids) != decided:
                return None
            made = summaries.add(connection, store.engine, new, is_discarded=is_discarded)
            compressed.compress(connection, list(before), made.id, shrunk)
            if is_discarded:
                _discard(connection, store, cluster.episodes, ids)
                _write_down_discarded(connection, made, wanted, cause)
            else:
                bodies.keep(connection, packed)
                _write_down(connection, made, list(before.values()), wanted, run, cause)
            jobs.add(connection, EMBED, EMBED)
            meter.keep(connection)
    return Compressed(made, len(before), len(ids) if is_discarded else len(packed), run)


def _is_told(behind: Collection[str], lines: Sequence[Line], waiting: Collection[str]) -> bool:
    """Tell whether the messages of conversations may go: a line tells of each, and none waits to be reviewed."""
    told = {line["session"] for line in lines}
    return told.issuperset(behind) and not any(session_id in waiting for session_id in behind)


def _discardable(connection: Connection, which: Old, made_before: int | None) -> dict[int, int]:
    """Return the summaries that stand already and whose messages may go: how many episodes each stands for."""
    due = compressed.with_messages(connection, which)
    known, waiting = summaries.get_many(connection, list(due)), quarantined.waiting_sessions(connection)
    behind = compressed.sessions_of(connection, list(due))
    stood = [one for one in due if made_before is None or known[one].made_at < made_before]
    return {one: due[one] for one in stood if _is_told(behind[one], known[one].lines, waiting)}


def _discard_behind(store: Store, wanted: Wanted, run: str) -> Iterator[Compressed | None]:
    """Discard the messages behind summaries that stand already."""
    with store.read() as connection:
        due = list(_discardable(connection, wanted.old, wanted.made_before))
    for number in due:
        yield _discard_one(store, number, wanted, run)


def _discard_one(store: Store, number: int, wanted: Wanted, run: str) -> Compressed | None:
    with store.read() as connection:
        every = compressed.of_summaries(connection, [number])[number]
    with store.write() as connection:
        is_old = compressed.are_old(connection, wanted.old, every)
        before = episodes.held(connection, every)
        if not is_old or any(one.summary_id != number for one in before.values()):
            return None
        ids = compressed.message_ids(connection, every)
        made = summaries.set_discarded(connection, number)
        episodes.forget_vectors(connection, every)
        _discard(connection, store, list(before.values()), ids)
        _write_down_discarded(connection, made, wanted, None)
        jobs.add(connection, EMBED, EMBED)
    return Compressed(made, len(before), len(ids), run)


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
    from hermes_agent.store import gists

    return gists.shrink(connection, [one.id for one in found], own_fingerprint(connection))


def _screen(store: Store, sessions: Collection[str]) -> None:
    """Look at what was said before anybody learned from it."""
    for session_id in sorted(sessions):
        quarantine.screen_session(store, session_id)


def _write_down(
    connection: Connection, made: Summary, before: Sequence[Episode], wanted: Wanted, run: str, cause: str | None
) -> None:
    """Journal a summary, without its words: they are forgotten with their conversation."""
    now = episodes.get_many(connection, [one.id for one in before])
    change = between(
        {**whole(before), made.name: {"state": "undone"}},
        {**whole(list(now.values())), made.name: {"state": "current"}},
    )
    text = f"{made.name} stands for {_counted(made)}."
    entry = NewEntry(COMPRESSED, made.name, text, wanted.actor, cause, after={COMPACTION: run})
    journal.write(connection, described(entry, change))


def _write_down_discarded(connection: Connection, made: Summary, wanted: Wanted, cause: str | None) -> None:
    text = f"{made.name} stands for {_counted(made)}; their messages were discarded and cannot be brought back."
    journal.write(connection, NewEntry(DISCARDED, made.name, text, wanted.actor, cause))


def _counted(made: Summary) -> str:
    return f"{made.episode_count} episodes" if made.episode_count != 1 else "1 episode"
