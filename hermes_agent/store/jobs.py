"""Jobs as rows: added with the change they follow, claimed under a lease, retried with backoff.

A lease is the worker's for as long as it renews it. Whoever records how a job went first asks whether the
job `is_held` still: after a lease ran out another worker may be at it.

The statements are the same on both engines: `FOR UPDATE SKIP LOCKED` is left out on SQLite, where
the claiming transaction already holds the only write lock.
"""

from collections.abc import Mapping
from dataclasses import asdict, replace

from sqlalchemy import ColumnElement, Connection, RowMapping, and_, exists, func, or_, select, update
from sqlalchemy.exc import IntegrityError

from hermes_agent import clock
from hermes_agent.ids import new_uid
from hermes_agent.records.jobs import Job, JobState, Progress
from hermes_agent.records.journal import NewEntry
from hermes_agent.store import journal
from hermes_agent.store.fresh import insert_fresh
from hermes_agent.store.rows import to_record
from hermes_agent.store.tables import jobs

MAX_ATTEMPTS = 8
_FIRST_DELAY_SECONDS = 10
_LONGEST_DELAY_SECONDS = 6 * 3600
_DEATH = "The worker stopped before it was done."
_SUPERSEDED = "A newer job with the same key stands for it."


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
    query = select(jobs).where(_can_be_claimed(now, kinds)).order_by(jobs.c.due_at, jobs.c.id).limit(1)
    row = connection.execute(query.with_for_update(skip_locked=True)).mappings().one_or_none()
    if row is None:
        return None
    job = _job(row)
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


def has_due(connection: Connection, kinds: list[str] | None = None) -> bool:
    """Tell whether a worker could claim something, without the write lock that claiming takes."""
    query = select(jobs.c.id).where(_can_be_claimed(clock.now(), kinds)).limit(1)
    return connection.execute(query).first() is not None


def is_held(connection: Connection, job: Job) -> bool:
    """Tell whether the job is still this worker's, and keep it so until the transaction ends.

    A handler that must not do a thing twice asks this in the transaction that writes it.
    """
    query = select(jobs.c.id).where(_is_leased(job))
    return connection.execute(query.with_for_update()).first() is not None


def renew(connection: Connection, job: Job, lease_seconds: float) -> bool:
    """Begin the lease anew; False if the job is not this worker's any more."""
    lease_until = clock.now() + int(lease_seconds * clock.MICROSECONDS)
    found = connection.execute(update(jobs).where(_is_leased(job)).values(lease_until=lease_until))
    return found.rowcount == 1


def finish(connection: Connection, job: Job, state: JobState, reason: str | None = None) -> None:
    """Close a job as done or failed; of one that is done nothing is left, also of what it did not have to do."""
    closing = update(jobs).where(jobs.c.id == job.id)
    if state == "done" and reason is None and job.progress is not None and job.progress.total is not None:
        closing = closing.values(progress=asdict(replace(job.progress, done=job.progress.total)))
    connection.execute(
        closing.values(state=state, finished_at=clock.now(), lease_until=None, leased_by=None, reason=reason)
    )


def postpone(connection: Connection, job: Job, reason: str, *, until: int | None = None) -> JobState:
    """Try again later, each time after a longer wait; give up after the last attempt. Return its state then.

    With `until` nothing has failed: it waits until then, and the attempt does not count.
    If a newer job with the key waits, that one stands for both: it takes over the attempts, the reason and
    the wait, so that what fails again and again is still given up some day.
    """
    if until is None and job.attempts >= job.max_attempts:
        finish(connection, job, "failed", reason)
        return "failed"
    wait = int(backoff_seconds(job.attempts) * clock.MICROSECONDS)
    values = {
        "attempts": job.attempts if until is None else job.attempts - 1,
        "due_at": clock.now() + wait if until is None else until,
        "reason": reason,
    }
    if _let_wait(connection, job, **values):
        return "waiting"
    finish(connection, job, "done", _SUPERSEDED)
    connection.execute(
        update(jobs)
        .where(jobs.c.key == job.key, jobs.c.state == "waiting", jobs.c.attempts < job.attempts)
        .values(values)
    )
    return "done"


def pause(connection: Connection, job: Job, progress: Progress | None = None) -> None:
    """Give a job back, to be gone on with at once.

    The attempt does not count. If it got on, neither do those before it.
    """
    values: dict[str, object] = {"attempts": job.attempts - 1}
    if progress is not None:
        values = {"attempts": 0, "reason": None, "progress": asdict(progress)}
    if not _let_wait(connection, job, due_at=clock.now(), **values):
        finish(connection, job, "done", _SUPERSEDED)


def held_by(connection: Connection, worker: str) -> list[Job]:
    """Return what a worker has claimed and not closed."""
    query = select(jobs).where(jobs.c.leased_by == worker, jobs.c.state == "running").with_for_update()
    return [_job(row) for row in connection.execute(query).mappings()]


def held(connection: Connection) -> list[Job]:
    """Return the jobs that are worked on under a lease that has not run out, in the order they were added."""
    is_held = and_(jobs.c.state == "running", jobs.c.lease_until >= clock.now())
    return [_job(row) for row in connection.execute(select(jobs).where(is_held).order_by(jobs.c.id)).mappings()]


def holders(connection: Connection) -> set[str]:
    """Return the workers that hold a job."""
    return {job.leased_by for job in held(connection) if job.leased_by is not None}


def end_leases(connection: Connection, worker: str) -> None:
    """Let others have what a worker held that is known to be dead; its attempts count."""
    connection.execute(
        update(jobs).where(jobs.c.leased_by == worker, jobs.c.state == "running").values(lease_until=0)
    )


def retry(connection: Connection, job: Job) -> bool:
    """Let a failed or postponed job run now, its attempts counted anew; False if its key waits already."""
    return _let_wait(connection, job, due_at=clock.now(), attempts=0, finished_at=None)


def backoff_seconds(attempts: int) -> float:
    """Return the wait after so many attempts: doubling, at most six hours."""
    return float(min(_FIRST_DELAY_SECONDS * 2 ** max(0, attempts - 1), _LONGEST_DELAY_SECONDS))


def get(connection: Connection, job_id: int) -> Job | None:
    """Return one job."""
    row = connection.execute(select(jobs).where(jobs.c.id == job_id)).mappings().one_or_none()
    return None if row is None else _job(row)


def recent(
    connection: Connection, limit: int, *, state: JobState | None = None, kind: str | None = None, offset: int = 0
) -> list[Job]:
    """Return the newest jobs first."""
    query = select(jobs).order_by(jobs.c.id.desc()).limit(limit).offset(offset)
    if state is not None:
        query = query.where(jobs.c.state == state)
    if kind is not None:
        query = query.where(jobs.c.kind == kind)
    return [_job(row) for row in connection.execute(query).mappings()]


def waiting(connection: Connection) -> list[Job]:
    """Return the jobs that wait, in the order they are due; there is one for each key at most."""
    query = select(jobs).where(jobs.c.state == "waiting").order_by(jobs.c.due_at, jobs.c.id)
    return [_job(row) for row in connection.execute(query).mappings()]


def counts(connection: Connection) -> dict[str, int]:
    """Count the jobs by state."""
    rows = connection.execute(select(jobs.c.state, func.count()).group_by(jobs.c.state))
    return {row[0]: row[1] for row in rows}


def open_keys(connection: Connection, keys: list[str]) -> set[str]:
    """Return those of the keys that a job waits or runs with."""
    query = select(jobs.c.key).where(jobs.c.key.in_(keys), jobs.c.state.in_(["waiting", "running"]))
    return set(connection.execute(query).scalars())


def unsolved(connection: Connection, limit: int) -> list[Job]:
    """Return the failed jobs, the newest first, except those whose key was done since."""
    later = jobs.alias("later")
    is_done = exists().where(later.c.key == jobs.c.key, later.c.state == "done", later.c.id > jobs.c.id)
    query = select(jobs).where(jobs.c.state == "failed", ~is_done).order_by(jobs.c.id.desc()).limit(limit)
    return [_job(row) for row in connection.execute(query).mappings()]


def earliest_due(connection: Connection) -> int | None:
    """Return since when, or from when, the first of the waiting jobs is due."""
    return connection.execute(select(func.min(jobs.c.due_at)).where(jobs.c.state == "waiting")).scalar()


def _job(row: RowMapping) -> Job:
    job = to_record(Job, row)
    kept = row["progress"]
    return job if kept is None else replace(job, progress=Progress(**kept))


def _can_be_claimed(now: int, kinds: list[str] | None) -> ColumnElement[bool]:
    running = jobs.alias("running")
    is_free = ~exists().where(running.c.key == jobs.c.key, running.c.state == "running", running.c.id != jobs.c.id)
    # What was due when it was added stays due if the clock is set back since.
    has_come = or_(jobs.c.due_at <= now, jobs.c.due_at <= jobs.c.created_at)
    is_due = and_(jobs.c.state == "waiting", has_come, is_free)
    is_abandoned = and_(jobs.c.state == "running", jobs.c.lease_until < now)
    can_be_claimed = or_(is_due, is_abandoned)
    return can_be_claimed if kinds is None else and_(can_be_claimed, jobs.c.kind.in_(kinds))


def _is_leased(job: Job) -> ColumnElement[bool]:
    return and_(
        jobs.c.id == job.id,
        jobs.c.state == "running",
        jobs.c.leased_by == job.leased_by,
        jobs.c.attempts == job.attempts,
    )


def _let_wait(connection: Connection, job: Job, **values: object) -> bool:
    """Make a job wait; False if another with its key does, since two may not."""
    waiting = update(jobs).where(jobs.c.id == job.id)
    try:
        # Tried, not looked up before: on PostgreSQL the other may be added between the look and the change.
        with connection.begin_nested():
            connection.execute(waiting.values(state="waiting", lease_until=None, leased_by=None, **values))
    except IntegrityError:
        return False
    return True
