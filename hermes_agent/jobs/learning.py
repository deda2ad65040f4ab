"""The job `learn`: learn from the sessions that are over, or idle for a while, and keep USER.md up to date.

With a light model a session waits until the model can be asked: the rules do not read it meanwhile, or it would
be learned in two wordings. Why the model could not be asked is kept with the job, which tries again by and by.
"""

from collections.abc import Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes_agent import clock
from hermes_agent.jobs import pausing
from hermes_agent.memory import curation, learning
from hermes_agent.memory.hindered import Hindered
from hermes_agent.memory.memory import Memory
from hermes_agent.memory.notebook import Notebook
from hermes_agent.ops.steps import Step
from hermes_agent.store import jobs, journal, learned
from hermes_agent.store.engine import Connection

if TYPE_CHECKING:
    from hermes_agent.models.model import Model

IDLE_MINUTES = 30
HIDDEN_SOURCES = ("kanban", "subagent", "tool", "cron")
"""Sessions in which no person spoke."""
_MINUTE = 60 * clock.MICROSECONDS
_DAY = 24 * 60 * _MINUTE
_SOME = 50
MOST_WAITING = 1_000


@dataclass(frozen=True, slots=True)
class Health:
    """How many sessions wait to be learned from, at most `MOST_WAITING`, and what hinders it."""

    waiting: int
    trouble: str | None
    """Why the last attempt came to nothing."""
    job_id: int | None
    by_rules: int
    """How often in the last day the rules read what a model could not."""


def run(
    memory: Memory, model: "Model | None" = None, notebook: Notebook | None = None
) -> Generator[Step, None, None]:
    """Learn from one session after the other, the oldest first; then see to USER.md if its notebook is given.

    A session that hinders keeps no other; what went wrong last is raised when the others are done. When the day's
    cap is reached the rest waits for the next day.
    """
    reader = None if model is None or model.is_embedded else model
    hindered, done = Hindered(), 0
    while not hindered.is_model() and (due := _due(memory, hindered)):
        for session_id in due:
            with hindered.set_aside(session_id):
                while _learn(memory, session_id, reader):
                    done += 1
                    yield Step("Learning", done)
            if hindered.is_model():
                break
    if notebook is not None:
        curation.curate(memory.store, notebook, memory.zone)
    hindered.tell()


def enqueue_due(memory: Memory, *, is_curating: bool = False) -> None:
    """Add the job if a session waits or USER.md is behind what is known; after one that failed, after a pause.

    USER.md asks no model: one that waits for the end of the day because of the cap runs for it all the same.
    """
    with memory.store.read() as connection:
        is_behind = is_curating and curation.is_due(connection)
        if not is_behind and not _count_waiting(connection, 1):
            return
        last = jobs.recent(connection, 1, kind=learning.JOB)
        is_open = learning.JOB in jobs.open_keys(connection, [learning.JOB])
        due_at = pausing.due_at(connection, learning.JOB)
    if is_open:
        if is_behind and last[0].is_capped:
            with memory.store.write() as connection:
                jobs.retry(connection, last[0])
        return
    with memory.store.write() as connection:
        jobs.add(connection, learning.JOB, learning.JOB, due_at=due_at)


def health(memory: Memory) -> Health:
    """Tell how learning goes."""
    with memory.store.read() as connection:
        waiting = _count_waiting(connection, MOST_WAITING)
        last = jobs.recent(connection, 1, kind=learning.JOB)
        since = clock.now() - _DAY
        by_rules = len(journal.recent(connection, MOST_WAITING, kind=learning.BY_RULES, since=since))
    reasons = [one for one in last if waiting and one.reason is not None and one.state != "done"]
    hindered = [one for one in reasons if not one.is_capped]
    return Health(
        waiting,
        hindered[0].reason if hindered else None,
        hindered[0].id if hindered else None,
        by_rules,
    )


def _learn(memory: Memory, session_id: str, reader: "Model | None") -> bool:
    learned_now = learning.learn_part(
        memory.store, session_id, reader, zone=memory.zone, cap=memory.cap, is_trained=memory.is_trained
    )
    return learned_now is not None


def _due(memory: Memory, hindered: Hindered) -> list[str]:
    with memory.store.read() as connection:
        waiting = _waiting(connection, _SOME + len(hindered))
    return [session_id for session_id in waiting if session_id not in hindered]


def _waiting(connection: Connection, limit: int) -> list[str]:
    return learned.waiting(connection, _idle_since(), HIDDEN_SOURCES, limit)


def _count_waiting(connection: Connection, most: int) -> int:
    return learned.count_waiting(connection, _idle_since(), HIDDEN_SOURCES, most)


def _idle_since() -> int:
    return clock.now() - IDLE_MINUTES * _MINUTE
