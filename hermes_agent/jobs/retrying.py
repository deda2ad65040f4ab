"""Let jobs run again, or at once: for whichever door their owner uses."""

from typing import Literal

from hermes_agent import clock
from hermes_agent.errors import NotFound
from hermes_agent.jobs.worker import free_abandoned
from hermes_agent.records.jobs import Job
from hermes_agent.store import jobs
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store

Retried = Literal["due", "running", "waiting"]
"""What became of it: it is due now, it runs already, or another with its key waits already."""


def get(store: Store, job_id: int) -> Job:
    """Return a job."""
    with store.read() as connection:
        return _require(connection, job_id)


def retry(store: Store, job_id: int) -> Retried:
    """Let a failed or postponed job run again at once."""
    free_abandoned(store)
    with store.write() as connection:
        job = _require(connection, job_id)
        if job.state == "running" and (job.lease_until or 0) > clock.now():
            return "running"
        return "due" if jobs.retry(connection, job) else "waiting"


def hurry(store: Store) -> int:
    """Let everything that waits be due now, but for what waits because of the day's cap; return how many."""
    free_abandoned(store)
    with store.write() as connection:
        waiting = [job for job in jobs.waiting(connection) if not job.is_capped]
        return sum(jobs.retry(connection, job) for job in waiting)


def _require(connection: Connection, job_id: int) -> Job:
    job = jobs.get(connection, job_id)
    if job is None:
        raise NotFound(f"There is no job {job_id}.", hint="List them with: hermes jobs list")
    return job
