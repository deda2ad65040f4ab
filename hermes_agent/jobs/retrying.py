"""Let a job that failed or was put off run again, as its owner asks for it."""

from typing import Literal

from hermes_agent import clock
from hermes_agent.errors import NotFound
from hermes_agent.jobs import worker
from hermes_agent.records.jobs import Job
from hermes_agent.store import jobs
from hermes_agent.store.store import Store

Retried = Literal["due", "running", "another waits"]


def require(store: Store, job_id: int) -> Job:
    """Return a job that must be there."""
    with store.read() as connection:
        return _require(jobs.get(connection, job_id), job_id)


def retry(store: Store, job_id: int) -> tuple[Job, Retried]:
    """Let a job run at once; return it as it is then, and what became of it."""
    worker.free_abandoned(store)
    with store.write() as connection:
        job = _require(jobs.get(connection, job_id), job_id)
        if job.state == "running" and (job.lease_until or 0) > clock.now():
            return job, "running"
        is_due = jobs.retry(connection, job)
        return _require(jobs.get(connection, job_id), job_id), "due" if is_due else "another waits"


def _require(job: Job | None, job_id: int) -> Job:
    if job is None:
        raise NotFound(f"There is no job {job_id}.", hint="List them with: hermes jobs list")
    return job
