"""The job `reflect`: reflect on the tasks of sessions that are over, or idle for a while."""

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

from hermes_agent import clock
from hermes_agent.jobs.learning import HIDDEN_SOURCES, IDLE_MINUTES
from hermes_agent.memory import reflections, reflections_file
from hermes_agent.memory.memory import Memory
from hermes_agent.ops.steps import Step
from hermes_agent.store import jobs, learned
from hermes_agent.store.engine import Connection

if TYPE_CHECKING:
    from hermes_agent.models.model import Model

_SOME = 50
_MINUTE = 60 * clock.MICROSECONDS


def run(memory: Memory, path: Path, model: "Model | None" = None) -> Generator[Step, None, None]:
    """Reflect on one session after the other, the oldest first; then bring the file in step."""
    writer = None if model is None or model.is_embedded else model
    done = 0
    while due := _due(memory, _SOME):
        for session_id in due:
            reflections.reflect_on(memory.store, session_id, writer)
            done += 1
            yield Step("Reflecting", done)
    reflections.fill_gists(memory.store)
    reflections_file.write(memory.store, path, memory.zone)


def enqueue_due(memory: Memory) -> None:
    """Add the job if a session waits."""
    if not _due(memory, 1):
        return
    with memory.store.read() as connection:
        if reflections.JOB in jobs.open_keys(connection, [reflections.JOB]):
            return
    with memory.store.write() as connection:
        jobs.add(connection, reflections.JOB, reflections.JOB)


def _due(memory: Memory, limit: int) -> list[str]:
    with memory.store.read() as connection:
        return _waiting(connection, limit)


def _waiting(connection: Connection, limit: int) -> list[str]:
    idle_since = clock.now() - IDLE_MINUTES * _MINUTE
    return learned.waiting(connection, idle_since, HIDDEN_SOURCES, limit, "reflected_to")
