"""The job `episodes`: make the episodes that no turn made.

They are those of imported sessions, of a store from before there were episodes, and of turns that
were killed; for the last it runs once a day, and when a program begins that finds some. Since it does so in every
home, with a daemon or without, it also lets go of what was spent more than a year ago.
"""

from collections.abc import Generator

from hermes_agent import clock
from hermes_agent.jobs import pausing
from hermes_agent.memory import episodes, spending
from hermes_agent.memory.memory import Memory
from hermes_agent.ops.steps import Step
from hermes_agent.records.jobs import Job
from hermes_agent.store import jobs, messages, meta
from hermes_agent.store.store import Store

LAST = "last_episodes"


def run(memory: Memory, job: Job) -> Generator[Step, None, None]:
    """Go through the messages from where the last slice came to; what is done is told by message id."""
    reached = 0 if job.progress is None else job.progress.done
    with memory.store.read() as connection:
        last = messages.last_id(connection)
    while (further := _next(memory, reached)) is not None:
        reached = further
        yield Step("Making episodes", reached, max(last, reached))
    with memory.store.write() as connection:
        meta.put(connection, LAST, str(clock.now()))
        spending.drop_old(connection)


def enqueue_missing(store: Store) -> None:
    """Add the job if something that was said lately is in no episode: whoever was to make it was killed.

    It may be somebody's turn that goes on just now, too: that lets its episode go on.
    """
    with store.read() as connection:
        if jobs.open_keys(connection, [episodes.JOB]) or not episodes.lately_missing(connection, 1):
            return
        due_at = pausing.due_at(connection, episodes.JOB)
    with store.write(is_aside=True) as connection:
        jobs.add(connection, episodes.JOB, episodes.JOB, due_at=due_at)


def _next(memory: Memory, reached: int) -> int | None:
    return episodes.make_next(memory.store, reached, memory.zone, has_vectors=memory.embedder is not None)
