"""Jobs as rows: added with the change they follow, claimed under a lease, retried with backoff.

The statements are the same on both engines: `FOR UPDATE SKIP LOCKED` is left out on SQLite, where
the claiming transaction already holds the only write lock.
"""

from collections.abc import Mapping
from dataclasses import replace

from sqlalchemy import Connection, and_, exists, func, or_, select, update

from hermes_agent import clock
from hermes_agent.ids import new_uid
from hermes_agent.records.jobs import Job, JobState
from hermes_agent.records.journal import NewEntry
from hermes_agent.store import journal
from hermes_agent.store.fresh import insert_fresh
from hermes_agent.store.rows import to_record
from hermes_agent.store.tables import jobs

MAX_ATTEMPTS = 8
_FIRST_DELAY_SECONDS = 10
_LONGEST_DELAY_SECONDS = 6 * 3600
_DEATH = "The worker stopped before it was done."


def add(
    connection: Connection,
    kind: str,
    key: str,
    payload: Mapping[str, object] | None = None,
    *,
    due_at: int | None = None,
    max_attempts: int = MAX_ATTEMPTS,
) -> int:
    """Add a job and return its id; while one with the key is waiting, that one's id is returned instead."""
    now = clock.now()
    values = {
        "uid": new_uid(now),
        "kind": kind,
        "key": key,
        "payload": dict(payload or {}),
        "state": "waiting",
        "max_attempts": max_attempts,
        "due_at": now if due_at is None else due_at,
        "created_at": now,
    }
    # Locked: a worker may not take it before what we have written, and it must see, is committed.
    waiting = select(jobs.c.id).where(jobs.c.key == key, jobs.c.state == "waiting").with_for_update()
    fresh = insert_fresh(connection, jobs, "key", "state = 'waiting'").returning(jobs.c.id)
    while True:
        # The one that was in the way may be taken by a worker before we read it: then ours can be added.
        found = connection.execute(fresh, values).scalar() or connection.execute(waiting).scalar()
        if found is not None:
            return int(found)


def claim(connection: Connection, worker: str, lease_seconds: float, kinds: list[str] | None = None) -> Job | None:
    """Take the next due job for a worker: one that waits, or one whose worker's lease ran out."""
    now = clock.now()
    running = jobs.alias("running")
    is_free = ~exists().where(running.c.key == jobs.c.key, running.c.state == "running", running.c.id != jobs.c.id)
    is_due = and_(jobs.c.state == "waiting", jobs.c.due_at <= now, is_free)
    is_abandoned = and_(jobs.c.state == "running", jobs.c.lease_until < now)
    query = select(jobs).where(or_(is_due, is_abandoned)).order_by(jobs.c.due_at, jobs.c.id).limit(1)
    if kinds is not None:
        query = query.where(jobs.c.kind.in_(kinds))
    row = connection.execute(query.with_for_update(skip_locked=True)).mappings().one_or_none()
    if row is None:
        return None
    job = to_record(Job, row)
    taken = replace(
        job,
        state="running",
        attempts=job.attempts + 1,
        leased_by=worker,
        lease_until=now + int(lease_seconds * clock.MICROSECONDS),
        reason=_DEATH if job.state == "running" else job.reason,
    )
    if job.state == "running" and job.attempts >= job.max_attempts:
        finish(connection, job, "failed", _DEATH)
        text = f"Job {job.id} ({job.kind}) failed {job.attempts} times: {_DEATH}"
        journal.write(connection, NewEntry("job.failed", f"job:{job.id}", text, actor="worker"))
        return claim(connection, worker, lease_seconds, kinds)
    connection.execute(
        update(jobs)
        .where(jobs.c.id == job.id)
        .values(
            state="running",
            attempts=taken.attempts,
            leased_by=worker,
            lease_until=taken.lease_until,
            reason=taken.reason,
        )
    )
    return taken


def is_held(connection: Connection, job: Job) -> bool:
    """Tell whether the job is still this worker's, and not taken by another after the lease ran out."""
    row = connection.execute(select(jobs.c.leased_by, jobs.c.attempts).where(jobs.c.id == job.id)).one_or_none()
    return row is not None and row.leased_by == job.leased_by and row.attempts == job.attempts


def finish(connection: Connection, job: Job, state: JobState, reason: str | None = None) -> None:
    """Close a job as done or failed."""
    connection.execute(
        update(jobs)
        .where(jobs.c.id == job.id)
        .values(state=state, finished_at=clock.now(), lease_until=None, leased_by=None, reason=reason)
    )


def postpone(connection: Connection, job: Job, reason: str) -> None:
    """Try again later, each time after a longer wait; give up after the last attempt."""
    if job.attempts >= job.max_attempts:
        finish(connection, job, "failed", reason)
        return
    if _is_waiting(connection, job.key):
        # A newer job with the same key will do the work; two may not wait.
        finish(connection, job, "failed", reason)
        return
    due_at = clock.now() + int(backoff_seconds(job.attempts) * clock.MICROSECONDS)
    connection.execute(
        update(jobs)
        .where(jobs.c.id == job.id)
        .values(state="waiting", due_at=due_at, lease_until=None, leased_by=None, reason=reason)
    )


def retry(connection: Connection, job: Job) -> bool:
    """Let a failed or postponed job run now, its attempts counted anew; False if its key waits already."""
    if job.state != "waiting" and _is_waiting(connection, job.key):
        return False
    connection.execute(
        update(jobs)
        .where(jobs.c.id == job.id)
        .values(
            state="waiting",
            due_at=clock.now(),
            attempts=0,
            finished_at=None,
            lease_until=None,
            leased_by=None,
        )
    )
    return True


def backoff_seconds(attempts: int) -> float:
    """Return the wait after so many attempts: doubling, at most six hours."""
    return float(min(_FIRST_DELAY_SECONDS * 2 ** max(0, attempts - 1), _LONGEST_DELAY_SECONDS))


def get(connection: Connection, job_id: int) -> Job | None:
    """Return one job."""
    row = connection.execute(select(jobs).where(jobs.c.id == job_id)).mappings().one_or_none()
    return None if row is None else to_record(Job, row)


def recent(
    connection: Connection, limit: int, *, state: JobState | None = None, kind: str | None = None
) -> list[Job]:
    """Return the newest jobs first."""
    query = select(jobs).order_by(jobs.c.id.desc()).limit(limit)
    if state is not None:
        query = query.where(jobs.c.state == state)
    if kind is not None:
        query = query.where(jobs.c.kind == kind)
    return [to_record(Job, row) for row in connection.execute(query).mappings()]


def counts(connection: Connection) -> dict[str, int]:
    """Count the jobs by state."""
    rows = connection.execute(select(jobs.c.state, func.count()).group_by(jobs.c.state))
    return {row[0]: row[1] for row in rows}


def _is_waiting(connection: Connection, key: str) -> bool:
    query = select(jobs.c.id).where(jobs.c.key == key, jobs.c.state == "waiting")
    return connection.execute(query).first() is not None
