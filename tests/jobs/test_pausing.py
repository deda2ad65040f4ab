"""Jobs that failed for good, on both engines: the next of their kind waits for a while, however often is asked."""

from datetime import UTC, datetime

import pytest

from hermes_agent import clock
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.jobs import upkeep
from hermes_agent.jobs.pausing import PAUSE_MINUTES
from hermes_agent.jobs.worker import run_due
from hermes_agent.memory import compressing, tidying
from hermes_agent.memory.memory import Memory
from hermes_agent.records.jobs import Job
from hermes_agent.store import jobs
from hermes_agent.store.store import Store
from tests.memory.old_talk import TALK, talk, work_off


def fail(job: Job) -> None:
    raise RuntimeError("the model says 400")


@pytest.mark.parametrize("kind", [compressing.JOB, tidying.JOB])
def test_a_job_that_failed_for_good_is_not_added_at_every_poll(store: Store, own_home: Home, kind: str) -> None:
    memory = Memory(store, "default", UTC)
    talk(memory, "old", clock.from_datetime(datetime(2026, 3, 2, 9, tzinfo=UTC)), TALK)
    work_off(memory)
    for _ in range(3):
        upkeep.enqueue_due(memory, load(own_home), own_home.reflections)
        with store.write() as connection:
            now = clock.now()
            connection.exec_driver_sql(
                f"UPDATE jobs SET attempts = max_attempts - 1 WHERE kind = '{kind}' AND due_at <= {now}"
            )
        list(run_due(store, {kind: fail}))
    with store.read() as connection:
        waiting, failed = jobs.recent(connection, 9, kind=kind)
    assert (waiting.state, failed.state) == ("waiting", "failed")
    assert waiting.due_at == (failed.finished_at or 0) + PAUSE_MINUTES * 60 * clock.MICROSECONDS
