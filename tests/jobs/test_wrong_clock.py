"""A clock that was wrong for a while, on both engines: work goes on afterwards, and nothing is lost."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC

import pytest

from hermes_agent import clock
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.jobs import backing_up, compressing, upkeep
from hermes_agent.jobs.worker import run_due
from hermes_agent.memory import compressing as verbs
from hermes_agent.memory import tidying
from hermes_agent.memory.memory import Memory
from hermes_agent.memory.spending import Cap
from hermes_agent.memory.undo_choice import Named
from hermes_agent.memory.undoing import undo
from hermes_agent.records.changes import Undone
from hermes_agent.records.spending import Cost, Spent
from hermes_agent.store import jobs, meta, spending
from hermes_agent.store.store import Store
from tests.conftest import Hermes
from tests.memory.old_talk import DAY, everything, learn, notebook, states, talk, work_off


@contextmanager
def days_ahead(days: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the clock be wrong by so many days."""
    right = clock.now
    with monkeypatch.context() as patch:
        patch.setattr(clock, "now", lambda: right() + days * DAY)
        yield


def compress(memory: Memory, home: Home, *, slice_seconds: float = 60) -> None:
    """Let the daemon's job do what is due."""
    settings = load(home)
    compressing.enqueue_due(memory, settings)
    handlers = {verbs.JOB: lambda job: compressing.run(memory, settings, uid=job.uid)}
    for outcome in run_due(memory.store, handlers, slice_seconds=slice_seconds):
        assert outcome.reason is None


def open_jobs(store: Store, *kinds: str) -> set[str]:
    with store.read() as connection:
        return set(jobs.open_keys(connection, list(kinds)))


def test_work_goes_on_after_a_stamp_of_the_future(store: Store, own_home: Home) -> None:
    memory = Memory(store, "default", UTC)
    talk(memory, "old", clock.now() - 60 * DAY)
    work_off(memory)
    ahead = str(clock.now() + 200 * DAY)
    with store.write() as connection:
        for key in (meta.LAST_COMPRESSION, meta.LAST_VACUUM, tidying.LAST, "last_episodes", "last_checkpoints"):
            meta.put(connection, key, ahead)
        meta.put(connection, "backups_since", ahead)
    backing_up.note(own_home, store, clock.now() + 200 * DAY, own_home.backups)
    upkeep.enqueue_due(memory, load(own_home), own_home.reflections)
    kinds = (verbs.JOB, "vacuum", tidying.JOB, "episodes", "checkpoints", backing_up.JOB)
    assert open_jobs(store, *kinds) == set(kinds)


def test_a_day_of_the_cap_ends_at_midnight(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with days_ahead(200, monkeypatch), store.write() as connection:
        spending.add(connection, Spent("reflection", "a", Cost(1, 900, 200)))
    cap = Cap(1_000, UTC)
    assert (cap.today(store).used, cap.today(store).is_reached) == (0, False)
    with days_ahead(200, monkeypatch):
        assert cap.today(store).is_reached


def test_a_clock_far_ahead_deletes_no_message(
    store: Store, own_home: Home, hermes: Hermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    hermes("config", "set", "memory.compression.discardRaw", "true")
    memory = Memory(store, "default", UTC)
    talk(memory, "new", clock.now() - 5 * DAY)
    work_off(memory)
    learn(memory)
    said = everything(memory)
    with days_ahead(200, monkeypatch):
        compress(memory, own_home)
        assert states(memory) == {"compressed": 4}
    compress(memory, own_home)
    assert everything(memory) == said


def test_the_daemon_discards_what_a_summary_told_for_a_week(
    store: Store, own_home: Home, hermes: Hermes, monkeypatch: pytest.MonkeyPatch
) -> None:
    hermes("config", "set", "memory.compression.discardRaw", "true")
    memory = Memory(store, "default", UTC)
    talk(memory, "old", clock.now() - 60 * DAY)
    work_off(memory)
    learn(memory)
    compress(memory, own_home)
    assert len(everything(memory)) == 16
    with days_ahead(8, monkeypatch):
        compress(memory, own_home)
    assert everything(memory) == []


def test_what_one_job_compressed_in_many_slices_has_one_uid(store: Store, own_home: Home) -> None:
    memory = Memory(store, "default", UTC)
    for number in range(4):
        talk(memory, f"old-{number}", clock.now() - (60 + 40 * number) * DAY)
    work_off(memory)
    compress(memory, own_home, slice_seconds=0)
    with store.read() as connection:
        (job,) = jobs.recent(connection, 9, kind=verbs.JOB)
    made = verbs.recent(store, 99)
    undone = undo(notebook(memory, own_home.root), Named(job.uid))
    assert len(made) > 1 and isinstance(undone, Undone)
    assert verbs.recent(store, 99) == [] and states(memory) == {"raw": 16}
