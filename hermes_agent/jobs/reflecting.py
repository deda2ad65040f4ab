"""The jobs `reflect`, `reflections_file` and `distill`: look back on what was done, write what it taught."""

from collections.abc import Generator
from pathlib import Path
from typing import TYPE_CHECKING

from hermes_agent import clock
from hermes_agent.jobs import pausing
from hermes_agent.jobs.learning import HIDDEN_SOURCES, IDLE_MINUTES
from hermes_agent.memory import distilling, reflections, reflections_file, skills
from hermes_agent.memory.hindered import Hindered
from hermes_agent.memory.memory import Memory
from hermes_agent.memory.metering import metered
from hermes_agent.ops.steps import Step
from hermes_agent.store import jobs, learned
from hermes_agent.store.engine import Connection

if TYPE_CHECKING:
    from hermes_agent.models.model import Model

_SOME = 50
_MOST_COUNTED = 10_000
_MINUTE = 60 * clock.MICROSECONDS


def run(memory: Memory, model: "Model | None" = None) -> Generator[Step, None, None]:
    """Reflect on one session after the other, the oldest first.

    A session that hinders keeps no other; what went wrong last is raised when the others are done. When the day's
    cap is reached the rest waits for the next day.
    """
    writer = None if model is None or model.is_embedded else model
    hindered, done = Hindered(), 0
    while not hindered.is_model() and (due := _due(memory, hindered)):
        for session_id in due:
            with hindered.set_aside(session_id):
                reflections.reflect_on(memory.store, session_id, writer, cap=memory.cap)
                done += 1
            yield Step("Reflecting", done)
            if hindered.is_model():
                break
    reflections.fill_gists(memory.store)
    if done:
        with memory.store.write() as connection:
            jobs.add(connection, distilling.JOB, distilling.JOB)
    hindered.tell()


def distill(memory: Memory, folder: Path) -> Generator[Step, None, None]:
    """Make skills of the work that comes again, and take out of their folders what was forgotten."""
    with metered(memory.store, "distilling"):
        skills.sync(memory.store, folder)
        done = distilling.distill(memory.store, folder, HIDDEN_SOURCES, memory.zone)
        yield from (Step("Distilling", number) for number, _ in enumerate(done, start=1))


def write_file(memory: Memory, path: Path) -> Generator[Step, None, None]:
    """Bring REFLECTIONS.md in step with what is kept: lessons come, and go with their conversations."""
    reflections_file.write(memory.store, path, memory.zone)
    yield Step("Writing", 1, 1)


def enqueue_due(memory: Memory) -> None:
    """Add the job if a conversation waits to be reflected on; after one that failed, after a pause."""
    with memory.store.read() as connection:
        is_due = bool(_count_waiting(connection, 1))
    _enqueue(memory, reflections.JOB, is_due=is_due)


def enqueue_file(memory: Memory, path: Path) -> None:
    """Add the job if this machine's REFLECTIONS.md is behind; after one that failed, after a pause."""
    with memory.store.read() as connection:
        is_due = reflections_file.is_behind(connection, path)
    _enqueue(memory, reflections.FILE, is_due=is_due)


def _enqueue(memory: Memory, kind: str, *, is_due: bool) -> None:
    if not is_due:
        return
    with memory.store.read() as connection:
        is_open = bool(jobs.open_keys(connection, [kind]))
        due_at = pausing.due_at(connection, kind)
    if not is_open:
        with memory.store.write() as connection:
            jobs.add(connection, kind, kind, due_at=due_at)


def count_waiting(memory: Memory) -> int:
    """Count the conversations that are over and not reflected on yet."""
    with memory.store.read() as connection:
        return _count_waiting(connection, _MOST_COUNTED)


def _due(memory: Memory, hindered: Hindered) -> list[str]:
    with memory.store.read() as connection:
        waiting = _waiting(connection, _SOME + len(hindered))
    return [session_id for session_id in waiting if session_id not in hindered]


def _waiting(connection: Connection, limit: int) -> list[str]:
    return learned.waiting(connection, _idle_since(), HIDDEN_SOURCES, limit, "reflected_to")


def _count_waiting(connection: Connection, most: int) -> int:
    return learned.count_waiting(connection, _idle_since(), HIDDEN_SOURCES, most, "reflected_to")


def _idle_since() -> int:
    return clock.now() - IDLE_MINUTES * _MINUTE
