"""The jobs that keep the store well: vacuum, prune, rebuild the indexes; and when they are due."""

from hermes_agent import clock
from hermes_agent.agent.checkpoints import Checkpoints
from hermes_agent.config.load import Settings
from hermes_agent.config.settings import MEMORY_VACUUM_SCHEDULE, SESSIONS_AUTO_PRUNE, SESSIONS_RETENTION_DAYS
from hermes_agent.jobs.worker import Handler
from hermes_agent.memory.memory import Memory
from hermes_agent.ops import doctor
from hermes_agent.ops.steps import finish
from hermes_agent.store import jobs, meta

_DAY = 86_400 * clock.MICROSECONDS
_LAST_CHECKPOINTS = "last_checkpoints"
_PERIODS = {"daily": _DAY, "weekly": 7 * _DAY, "monthly": 30 * _DAY}


def handlers(memory: Memory, settings: Settings) -> dict[str, Handler]:
    """Return what each kind of job does."""
    return {
        "vacuum": lambda _: _vacuum(memory),
        "reindex": lambda _: _reindex(memory),
        "prune": lambda _: prune(memory, settings),
    }


def enqueue_due(memory: Memory, settings: Settings) -> None:
    """Add the jobs whose time has come."""
    now = clock.now()
    period = _PERIODS.get(settings[MEMORY_VACUUM_SCHEDULE])
    with memory.store.write() as connection:
        last_vacuum = int(meta.get(connection, doctor.LAST_VACUUM) or 0)
        if period is not None and now - last_vacuum >= period:
            jobs.add(connection, "vacuum", "vacuum")
        last_prune = int(meta.get(connection, "last_prune") or 0)
        if settings[SESSIONS_AUTO_PRUNE] and now - last_prune >= _DAY:
            jobs.add(connection, "prune", "prune")
        if now - int(meta.get(connection, _LAST_CHECKPOINTS) or 0) >= _DAY:
            jobs.add(connection, "checkpoints", "checkpoints")


def prune(memory: Memory, settings: Settings) -> None:
    """Delete ended sessions older than `sessions.retentionDays`."""
    now = clock.now()
    before = now - settings[SESSIONS_RETENTION_DAYS] * _DAY
    memory.delete(memory.prunable(before), cause="sessions.autoPrune", quiet_since=before)
    with memory.store.write() as connection:
        meta.put(connection, "last_prune", str(now))


def prune_checkpoints(memory: Memory, checkpoints: Checkpoints) -> None:
    """Let go of the checkpoints that are too old."""
    checkpoints.prune()
    with memory.store.write() as connection:
        meta.put(connection, _LAST_CHECKPOINTS, str(clock.now()))


def _vacuum(memory: Memory) -> None:
    doctor.vacuum(memory.store)


def _reindex(memory: Memory) -> None:
    finish(doctor.rebuild(memory.store))
