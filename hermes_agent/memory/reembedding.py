"""Measure recall before and after a new embedder takes over, so that nothing is discarded after a drop.

The run before needs the former embedder: one of ours is made again; of another the last run that was kept counts.
What is still to be compared is noted in the store, so that a kill between the two runs loses neither.
"""

from collections.abc import Generator
from typing import TYPE_CHECKING, TypeVar

from hermes_agent import clock
from hermes_agent.memory import selftest
from hermes_agent.memory.selftest import Tested
from hermes_agent.recall.grading import FEWEST_JUDGED, Verdict, compare
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.selftests import Cause, Run
from hermes_agent.store import fingerprints, journal, meta, selftests
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store

if TYPE_CHECKING:
    from hermes_agent.embedders.embedder import Embedder

T = TypeVar("T")

_OWED = "selftest.owed"
_DROPPED = "selftest.dropped"


def measure_before(store: Store) -> None:
    """Test recall with the vectors that reads still use; without such vectors there is nothing to compare."""
    from hermes_agent.embedders import former

    with store.read() as connection:
        used = fingerprints.complete(connection)
        if used is None:
            return
        kept = selftests.recent(connection, 1, fewest_questions=FEWEST_JUDGED, fingerprint=used.name)
    embedder = former.of(used.name)
    before = kept[0] if kept else None
    if embedder is not None:
        before = _test(store, embedder, "before re-embed") or before
    if before is not None:
        with store.write() as connection:
            meta.put(connection, _OWED, before.uid)


def measure_after(store: Store, embedder: "Embedder") -> Verdict | None:
    """Test recall with the new vectors and keep whether it dropped; None when there is nothing to compare with."""
    with store.read() as connection:
        owed = meta.get(connection, _OWED)
        before = selftests.get(connection, owed) if owed else None
    if before is None:
        return None
    after = _test(store, embedder, "after re-embed")
    verdict = None if after is None else compare(before, after)
    with store.write() as connection:
        meta.put(connection, _OWED, "")
        dropped = _sentence(verdict, embedder.name) if verdict is not None and verdict.is_drop else ""
        meta.put(connection, _DROPPED, dropped)
        if dropped:
            journal.write(connection, NewEntry("selftest.dropped", "memory", dropped, actor="worker"))
    return verdict


def may_discard(connection: Connection) -> bool:
    """Tell whether old vectors may go: no comparison is owed, and the last one found no drop."""
    return not meta.get(connection, _OWED) and not meta.get(connection, _DROPPED)


def trouble(store: Store) -> str | None:
    """Say what the last change of the embedder did to recall, if that was a drop nobody has accepted."""
    with store.read() as connection:
        return meta.get(connection, _DROPPED) or None


def accept(store: Store, cause: str) -> str | None:
    """Live with the drop, so that old vectors may go again; return what it said, None if there was none."""
    with store.write() as connection:
        dropped = meta.get(connection, _DROPPED) or None
        if dropped is not None:
            meta.put(connection, _DROPPED, "")
            journal.write(connection, NewEntry("selftest.accepted", "memory", dropped, actor="owner", cause=cause))
    return dropped


def _test(store: Store, embedder: "Embedder", cause: Cause) -> Run | None:
    """Test recall without a pause; the same moment's zone for both runs."""
    tested = _finish(selftest.run(store, embedder, clock.to_datetime(clock.now()), cause))
    return tested.run if isinstance(tested, Tested) else None


def _finish(work: Generator[int, None, T]) -> T:
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: T = end.value
            return result


def _sentence(verdict: Verdict, name: str) -> str:
    return (
        f"With {name} recall@10 fell from {verdict.before:.1%} to {verdict.after:.1%} "
        f"({verdict.questions} questions of the self-test); the vectors before it are kept."
    )
