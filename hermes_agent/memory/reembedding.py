"""Measure recall before and after a new embedder takes over, so that nothing is discarded after a drop.

The run before needs the former embedder: one of ours is made again; of another the last run that was kept counts.
What is still to be compared is noted in the store, so that a kill between the two runs loses neither. After a drop
the run before it stays the measure until recall is as good again or the owner accepts it: a third embedder that is
only better than the second is no reason to let go of what the first one made.
"""

from collections.abc import Generator
from typing import TYPE_CHECKING, TypeVar

from hermes_agent import clock
from hermes_agent.errors import EmbedderDown
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
_BEFORE_DROP = "selftest.before_drop"
_LOOKED_THROUGH = 5


def measure_before(store: Store) -> bool:
    """Test recall with the vectors that reads still use, unless that is done; tell whether something was.

    Without such vectors there is nothing to compare.
    """
    with store.read() as connection:
        used = fingerprints.complete(connection)
        owed = _owed(connection)
        better = meta.get(connection, _BEFORE_DROP) or None
        kept = [] if used is None else _whole_runs(connection, used.name)
    if used is None or (owed is not None and (owed.uid == better or owed.fingerprint == used.name)):
        return False
    before = better or _tested_again(store, used.name) or (kept[0].uid if kept else None)
    if before is None:
        return False
    with store.write() as connection:
        meta.put(connection, _OWED, before)
    return True


def measure_after(store: Store, embedder: "Embedder") -> Verdict | None:
    """Test recall with the new vectors and keep whether it dropped; None when there is nothing to compare with.

    EmbedderDown if it went away meanwhile: what words alone find says nothing of its vectors.
    """
    with store.read() as connection:
        before = _owed(connection)
    if before is None:
        return None
    after = _test(store, embedder, "after re-embed")
    if after is not None and after.troubles:
        raise EmbedderDown(after.troubles[0])
    verdict = None if after is None else compare(before, after)
    with store.write() as connection:
        dropped = _sentence(verdict, embedder.name) if verdict is not None and verdict.is_drop else ""
        meta.put(connection, _OWED, "")
        meta.put(connection, _DROPPED, dropped)
        meta.put(connection, _BEFORE_DROP, before.uid if dropped else "")
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
            meta.put(connection, _BEFORE_DROP, "")
            journal.write(connection, NewEntry("selftest.accepted", "memory", dropped, actor="owner", cause=cause))
    return dropped


def _owed(connection: Connection) -> Run | None:
    """Return the run that one with the new vectors is still to be compared with."""
    uid = meta.get(connection, _OWED)
    return selftests.get(connection, uid) if uid else None


def _whole_runs(connection: Connection, fingerprint: str) -> list[Run]:
    """Return runs with the vectors of a fingerprint that can be judged, the newest first."""
    found = selftests.recent(connection, _LOOKED_THROUGH, fewest_questions=FEWEST_JUDGED, fingerprint=fingerprint)
    return [run for run in found if not run.troubles]


def _tested_again(store: Store, fingerprint: str) -> str | None:
    """Test recall with an embedder that was in use before; None if it cannot be made or little can be asked."""
    from hermes_agent.embedders import former

    embedder = former.of(fingerprint)
    run = None if embedder is None else _test(store, embedder, "before re-embed")
    return None if run is None else run.uid


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
