"""The jobs that keep the store well: vacuum, prune, rebuild the indexes; and when they are due."""

from collections.abc import Generator, Mapping
from pathlib import Path

from hermes_agent import clock
from hermes_agent.agent.checkpoints import Checkpoints
from hermes_agent.config.load import Settings
from hermes_agent.config.settings import (
    MEMORY_CURATE_USER_NOTE,
    MEMORY_VACUUM_SCHEDULE,
    SESSIONS_AUTO_PRUNE,
    SESSIONS_RETENTION_DAYS,
)
from hermes_agent.jobs import (
    backing_up,
    compressing,
    delivering,
    embedding,
    episodes,
    last_done,
    learning,
    pausing,
    reflecting,
)
from hermes_agent.jobs.worker import Handler
from hermes_agent.memory import spending
from hermes_agent.memory.episodes import JOB as EPISODES
from hermes_agent.memory.memory import Memory
from hermes_agent.memory.tidying import JOB as TIDY
from hermes_agent.memory.tidying import LAST as LAST_TIDY
from hermes_agent.ops import doctor
from hermes_agent.ops.steps import Step, finish
from hermes_agent.store import jobs, meta

_DAY = 86_400 * clock.MICROSECONDS
_LAST = {
    "vacuum": meta.LAST_VACUUM,
    "prune": "last_prune",
    "checkpoints": "last_checkpoints",
    EPISODES: episodes.LAST,
    TIDY: LAST_TIDY,
}
# After each deletion the copies of all vectors are gone through.
_PRUNED = 20
_PERIODS = {"daily": _DAY, "weekly": 7 * _DAY, "monthly": 30 * _DAY}


def handlers(memory: Memory, settings: Settings) -> dict[str, Handler]:
    """Return what each kind of job does."""
    return {
        "vacuum": lambda _: _vacuum(memory),
        "reindex": lambda _: _reindex(memory),
        **stepwise(memory, settings),
    }


def stepwise(memory: Memory, settings: Settings) -> dict[str, Handler]:
    """Return those that work in small steps."""
    return {
        "prune": lambda _: prune(memory, settings),
        EPISODES: lambda job: episodes.run(memory, job),
    }


def enqueue_due(memory: Memory, settings: Settings, reflections_file: Path, *, is_beginning: bool = True) -> None:
    """Add the jobs whose time has come, also of what waits for a cap that was raised.

    After one that failed the next waits for a while. A program that begins also says who embeds, and looks for
    what a killed one left without an episode.
    """
    # Asked every few seconds: whoever writes is kept waiting only when there is something to add.
    with memory.store.read() as connection:
        age = {kind: last_done.age(connection, last) for kind, last in _LAST.items()}
        open_ones = jobs.open_keys(connection, list(age))
        missing = {kind: pausing.due_at(connection, kind) for kind in _due(settings, age) if kind not in open_ones}
    if missing:
        with memory.store.write() as connection:
            for kind, due_at in missing.items():
                jobs.add(connection, kind, kind, due_at=due_at)
    if is_beginning:
        episodes.enqueue_missing(memory.store)
    spending.release(memory.store, memory.cap)
    learning.enqueue_due(memory, is_curating=settings[MEMORY_CURATE_USER_NOTE])
    reflecting.enqueue_due(memory)
    reflecting.enqueue_file(memory, reflections_file)
    compressing.enqueue_due(memory, settings)
    backing_up.enqueue_due(memory.store, settings)
    delivering.enqueue_due(memory.store, memory.provider())
    if memory.embedder is not None:
        embedding.enqueue_due(memory.store, memory.embedder, is_beginning=is_beginning)


def _due(settings: Settings, age: Mapping[str, int]) -> list[str]:
    """Return the kinds of jobs whose time has come, by how long ago each was done."""
    period = _PERIODS.get(settings[MEMORY_VACUUM_SCHEDULE])
    due = {
        "vacuum": period is not None and age["vacuum"] >= period,
        "prune": settings[SESSIONS_AUTO_PRUNE] and age["prune"] >= _DAY,
        "checkpoints": age["checkpoints"] >= _DAY,
        EPISODES: age[EPISODES] >= _DAY,
        TIDY: age[TIDY] >= 7 * _DAY,
    }
    return [kind for kind, is_due in due.items() if is_due]


def prune(memory: Memory, settings: Settings) -> Generator[Step, None, None]:
    """Delete ended sessions older than `sessions.retentionDays`, a few at a time."""
    now = clock.now()
    before = now - settings[SESSIONS_RETENTION_DAYS] * _DAY
    old = memory.prunable(before)
    for start in range(0, len(old), _PRUNED):
        some = old[start : start + _PRUNED]
        memory.delete(some, cause="sessions.autoPrune", quiet_since=before)
        yield Step("Pruning", start + len(some), len(old))
    with memory.store.write() as connection:
        meta.put(connection, _LAST["prune"], str(now))


def prune_checkpoints(memory: Memory, checkpoints: Checkpoints) -> None:
    """Let go of the checkpoints that are too old."""
    checkpoints.prune()
    with memory.store.write() as connection:
        meta.put(connection, _LAST["checkpoints"], str(clock.now()))


def _vacuum(memory: Memory) -> None:
    doctor.vacuum(memory.store)


def _reindex(memory: Memory) -> None:
    finish(doctor.rebuild(memory.store, memory.zone, has_vectors=memory.embedder is not None))
