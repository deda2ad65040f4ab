"""`/api/jobs`: the work that waits in the background: seen, tried again, run."""

from typing import Annotated

from fastapi import APIRouter, Query, Request, Response

from hermes_agent.errors import HermesError
from hermes_agent.handlers import every_handler
from hermes_agent.jobs import retrying, upkeep, worker
from hermes_agent.jobs.shown import outcome_json
from hermes_agent.memory.shown.jobs import job_json
from hermes_agent.records.jobs import Job, JobState
from hermes_agent.store import jobs as rows
from hermes_agent.web.answers import answer, gives, lists, page, shows, tagged
from hermes_agent.web.asked import Number
from hermes_agent.web.at_length import at_length
from hermes_agent.web.callers import Admin, Reader, TheApp, Writer
from hermes_agent.web.paging import Limit, Offset
from hermes_agent.web.shapes import Object, having, record

router = APIRouter(prefix="/jobs", tags=["jobs"])

JOB = record("Job", Job)
RAN = having("JobsRun", "How the jobs went that were run.", jobs=list[Object])


@router.get("", responses=lists(JOB))
def list_jobs(
    app: TheApp,
    caller: Reader,
    limit: Limit = 50,
    offset: Offset = 0,
    state: Annotated[JobState | None, Query(description="Only these.")] = None,
    kind: Annotated[str | None, Query(max_length=100, description="Only of this kind: learn, embed, …")] = None,
) -> Response:
    """List jobs, the newest first."""
    with app.store.read() as connection:
        found = rows.recent(connection, limit + 1, state=state, kind=kind, offset=offset)
    return page([job_json(one) for one in found], limit, offset)


@router.post("/run", responses=gives(RAN))
@at_length
def run_jobs(
    app: TheApp,
    caller: Admin,
    limit: Annotated[int, Query(ge=1, le=20, description="At most so many; the answer waits for them.")] = 1,
) -> Response:
    """Run jobs that are due, here and now, and tell how they went; the daemon does so by itself."""
    upkeep.enqueue_due(app.memory, app.settings, app.home.reflections)
    ended = [one for one in worker.run_due(app.store, every_handler(app), limit) if one.ending != "paused"]
    return answer({"jobs": [outcome_json(one) for one in ended]})


@router.get("/{number}", responses=shows(JOB))
def show_job(app: TheApp, caller: Reader, request: Request, number: Number) -> Response:
    """Show a job with everything known about it."""
    return tagged(request, job_json(retrying.get(app.store, number)))


@router.post("/{number}/retry", responses=gives(JOB))
def retry_job(app: TheApp, caller: Writer, number: Number) -> Response:
    """Let a failed or postponed job run again at once."""
    became = retrying.retry(app.store, number)
    job = retrying.get(app.store, number)
    if became != "due":
        told = "it is running" if became == "running" else f"another job with the key {job.key} waits already"
        raise HermesError(f"Job {number} stays as it is: {told}.")
    return answer(job_json(job))
