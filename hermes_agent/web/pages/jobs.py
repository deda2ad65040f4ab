"""Jobs: the work that waits in the background, how far it is, what failed and why, and the way to let it run."""

from typing import Annotated, Literal

from fastapi import APIRouter, Path, Query, Request
from fastapi.responses import RedirectResponse, Response

from hermes_agent.config.settings import DAEMON_POLL_SECONDS
from hermes_agent.jobs import retrying, upkeep
from hermes_agent.memory.shown.jobs import job_json, progressed
from hermes_agent.store import jobs as rows
from hermes_agent.web.at_length import at_length
from hermes_agent.web.callers import Admin, Reader, TheApp, Writer
from hermes_agent.web.paging import Offset
from hermes_agent.web.rendering import render

router = APIRouter(prefix="/jobs")

_LIMIT = 50
Wanted = Literal["", "waiting", "running", "done", "failed"]
Number = Annotated[int, Path(ge=1, le=2**53)]
Told = Literal["", "due", "running", "waiting", "all"]
"""What an action came to, to be told by the page it leads to."""


@router.get("")
def listed(
    request: Request,
    app: TheApp,
    caller: Reader,
    state: Annotated[Wanted, Query()] = "",
    offset: Offset = 0,
    told: Annotated[Told, Query()] = "",
) -> Response:
    """Show the jobs, the newest first, and how many are in each state."""
    with app.store.read() as connection:
        counts = rows.counts(connection)
        found = rows.recent(connection, _LIMIT + 1, state=state or None, offset=offset)
        failed = rows.unsolved(connection, _LIMIT) if not state and not offset else []
    return render(
        request,
        caller,
        "jobs.html",
        jobs=found[:_LIMIT],
        failed=failed,
        counts=counts,
        state=state,
        offset=offset,
        limit=_LIMIT,
        next=offset + _LIMIT if len(found) > _LIMIT else None,
        progressed=progressed,
        told=told,
        poll_seconds=app.settings[DAEMON_POLL_SECONDS],
    )


@router.post("/run")
@at_length
def run(app: TheApp, caller: Admin) -> Response:
    """Let everything that waits begin at once; the daemon's worker takes it up when it looks next."""
    upkeep.enqueue_due(app.memory, app.settings, app.home.reflections)
    retrying.hurry(app.store)
    return RedirectResponse("/jobs?told=all", status_code=303)


@router.get("/{number}")
def shown(
    request: Request, app: TheApp, caller: Reader, number: Number, told: Annotated[Told, Query()] = ""
) -> Response:
    """Show everything known about a job."""
    job = retrying.get(app.store, number)
    return render(request, caller, "job.html", job=job, values=job_json(job), progressed=progressed, told=told)


@router.post("/{number}/retry")
def retry(app: TheApp, caller: Writer, number: Number) -> Response:
    """Let a failed or postponed job run again at once."""
    return RedirectResponse(f"/jobs/{number}?told={retrying.retry(app.store, number)}", status_code=303)
