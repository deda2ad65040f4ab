"""The worker: takes due jobs one by one, lets their handler work, and records how it went.

A failure is kept with its reason and tried again after a longer and longer wait; after the last
attempt the job is failed, journalled, and waits for `hermes jobs retry`.
"""

import os
import socket
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from hermes_agent.ids import new_uid
from hermes_agent.records.jobs import Job
from hermes_agent.records.journal import NewEntry
from hermes_agent.store import jobs, journal
from hermes_agent.store.store import Store

LEASE_SECONDS = 600.0

Handler = Callable[[Job], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one job went; `reason` says why it failed."""

    job: Job
    reason: str | None = None


def worker_name() -> str:
    """Name this worker: machine, process and a part of chance, since process numbers come again."""
    return f"{socket.gethostname()}:{os.getpid()}:{new_uid()[-6:]}"


def run_due(store: Store, handlers: Mapping[str, Handler], limit: int | None = None) -> Iterator[Outcome]:
    """Run the due jobs that somebody here can handle, and yield how each went."""
    worker = worker_name()
    done = 0
    while limit is None or done < limit:
        with store.write() as connection:
            job = jobs.claim(connection, worker, LEASE_SECONDS, list(handlers))
        if job is None:
            return
        yield run(store, handlers[job.kind], job)
        done += 1


def run(store: Store, handler: Handler, job: Job) -> Outcome:
    """Run one claimed job; no transaction is open while it works."""
    reason = None
    try:
        handler(job)
    except Exception as error:  # the job boundary: whatever went wrong is kept with the job and shown
        reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    with store.write() as connection:
        if not jobs.is_held(connection, job):
            return Outcome(job, reason or "The lease ran out; another worker took the job.")
        if reason is None:
            jobs.finish(connection, job, "done")
        else:
            jobs.postpone(connection, job, reason)
            if job.attempts >= job.max_attempts:
                text = f"Job {job.id} ({job.kind}) failed {job.attempts} times: {reason}"
                journal.write(connection, NewEntry("job.failed", f"job:{job.id}", text, actor="worker"))
    return Outcome(job, reason)
