"""Measure recall before and after a new embedder takes over, so that nothing is discarded after a drop.

The run before needs the former embedder: one of ours is made again; of another the last run that was kept counts.
What is still to be compared is noted in the store, so that a kill between the two runs loses neither. Both yield
after each question, and whoever stopped one goes on with the next question later. After a drop
the run before it stays the measure until recall is as good again or the owner accepts it: a third embedder that is
only better than the second is no reason to let go of what the first one made.
"""

import json
from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING

from hermes_agent import clock
from hermes_agent.errors import EmbedderDown
from hermes_agent.memory import selftest
from hermes_agent.memory.selftest import Asked
from hermes_agent.recall.grading import FEWEST_JUDGED, Verdict, compare
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.selftests import Answer, Cause, Run
from hermes_agent.store import fingerprints, journal, meta, selftests
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store

if TYPE_CHECKING:
    from hermes_agent.embedders.embedder import Embedder

_OWED = "selftest.owed"
_DROPPED = "selftest.dropped"
_BEFORE_DROP = "selftest.before_drop"
_BEGUN = "selftest.begun"
_BEGUN_LASTS = 86_400 * clock.MICROSECONDS
_LOOKED_THROUGH = 5


def measure_before(store: Store) -> Generator[int, None, None]:
    """Test recall with the vectors that reads still use, unless that is done.

    Without such vectors there is nothing to compare.
    """
    with store.read() as connection:
        used = fingerprints.complete(connection)
        owed = _owed(connection)
        better = meta.get(connection, _BEFORE_DROP) or None
        kept = [] if used is None else _whole_runs(connection, used.name)
    if used is None or (owed is not None and (owed.uid == better or owed.fingerprint == used.name)):
        return
    before = better or (yield from _tested_again(store, used.name)) or (kept[0].uid if kept else None)
    if before is not None:
        with store.write() as connection:
            meta.put(connection, _OWED, before)


def measure_after(store: Store, embedder: "Embedder") -> Generator[int, None, None]:
    """Test recall with the new vectors, if there is a run to compare with, and keep whether it dropped.

    EmbedderDown if it went away meanwhile: what words alone find says nothing of its vectors.
    """
    with store.read() as connection:
        before = _owed(connection)
    if before is None:
        return
    after = yield from _test(store, embedder, "after re-embed")
    verdict = None if after is None else compare(before, after)
    with store.write() as connection:
        dropped = _sentence(verdict, embedder.name) if verdict is not None and verdict.is_drop else ""
        meta.put(connection, _OWED, "")
        meta.put(connection, _DROPPED, dropped)
        meta.put(connection, _BEFORE_DROP, before.uid if dropped else "")
        if dropped:
            journal.write(connection, NewEntry("selftest.dropped", "memory", dropped, actor="worker"))


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


def _tested_again(store: Store, fingerprint: str) -> Generator[int, None, str | None]:
    """Test recall with an embedder that was in use before; None if it cannot be, or little can be asked.

    A run in which a pass could not look found less than there was: beside it nothing would be a drop.
    """
    from hermes_agent.embedders import former

    embedder = former.of(fingerprint)
    try:
        run = None if embedder is None else (yield from _test(store, embedder, "before re-embed"))
    except EmbedderDown:
        return None
    return None if run is None else run.uid


def _test(store: Store, embedder: "Embedder", cause: Cause) -> Generator[int, None, Run | None]:
    """Ask one question after the other, going on where a test was stopped; None if little can be asked.

    EmbedderDown as soon as a pass cannot look.
    """
    now = clock.to_datetime(clock.now())
    questions = selftest.make_questions(store, now, selftest.QUESTIONS)
    if len(questions) < selftest.FEWEST:
        return None
    asked = {one.answer.message: one for one in _begun(store, embedder, cause)}
    try:
        for number, question in enumerate(questions, start=1):
            if question.message.uid in asked:
                continue
            one = selftest.put(store, embedder, question, now)
            if one.troubles:
                raise EmbedderDown(one.troubles[0])
            asked[question.message.uid] = one
            yield number
    except (GeneratorExit, EmbedderDown):
        _keep_begun(store, embedder, cause, list(asked.values()))
        raise
    _keep_begun(store, embedder, cause, [])
    return selftest.keep(store, [asked[question.message.uid] for question in questions], cause)


def _begun(store: Store, embedder: "Embedder", cause: Cause) -> list[Asked]:
    """Return how the questions went that were asked before the same test was stopped, not long ago."""
    with store.read() as connection:
        kept = json.loads(meta.get(connection, _BEGUN) or "{}")
    is_same = (kept.get("cause"), kept.get("embedder")) == (cause, embedder.fingerprint)
    if not is_same or clock.now() - kept["at"] > _BEGUN_LASTS:
        return []
    return [Asked(Answer(*answer), took_ms, fingerprint) for answer, took_ms, fingerprint in kept["asked"]]


def _keep_begun(store: Store, embedder: "Embedder", cause: Cause, asked: Sequence[Asked]) -> None:
    rows = [((one.answer.message, one.answer.age, one.answer.rank), one.took_ms, one.fingerprint) for one in asked]
    begun = {"cause": cause, "embedder": embedder.fingerprint, "at": clock.now(), "asked": rows}
    with store.write() as connection:
        meta.put(connection, _BEGUN, json.dumps(begun))


def _sentence(verdict: Verdict, name: str) -> str:
    return (
        f"With {name} recall@10 fell from {verdict.before:.1%} to {verdict.after:.1%} "
        f"({verdict.questions} questions of the self-test); the vectors before it are kept."
    )
