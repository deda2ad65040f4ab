"""The worker: takes due jobs one by one, lets their handler work, and records how it went.

A failure is kept with its reason and tried again after a longer and longer wait; after the last
attempt, or at once where trying again is of no use, the job is failed, journalled, and waits for
`hermes jobs retry`.

A handler whose work may be long is a generator: it yields a `Step` after each small piece, and finds by
itself what is still to do when it is called again. The worker stops it at a step, when its slice of time
is spent or the worker is to stop, and gives the job back; others get their turn. Every other handler runs
to its end. However long that takes, a thread renews the lease meanwhile.
"""

import logging
import threading
import traceback
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Literal, Self

from hermes_agent import clock
from hermes_agent.config import full_disk
from hermes_agent.errors import CapReached, HermesError, LostStore, StoreFull, StoreReadOnly
from hermes_agent.jobs.alive import is_dead, worker_name
from hermes_agent.ops.steps import Step
from hermes_agent.records.jobs import Job, JobState, Progress
from hermes_agent.records.journal import NewEntry
from hermes_agent.store import jobs, journal
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store

LEASE_SECONDS = 300.0
"""Longer than anything keeps others from writing: while a reindex does, no lease can be renewed."""
SLICE_SECONDS = 1.0
_MOST_DOUBLINGS = 6
_EXPECTED = (LostStore, StoreFull, StoreReadOnly)
_LOST = "The lease ran out; another worker took the job."

LOG = logging.getLogger("hermes")
REQUESTS = logging.getLogger("hermes.requests")
"""What is asked over HTTP; apart, since a log of the daemon's own doings is read by people."""

Work = Generator[Step, None, object]
Handler = Callable[[Job], Work | None]
Ending = Literal["done", "paused", "capped", "postponed", "superseded", "failed", "lost"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one job went; `reason` says what kept it from being done, None if nothing did."""

    job: Job
    ending: Ending
    reason: str | None = None
    progress: Progress | None = None

    @property
    def is_trouble(self) -> bool:
        """Whether something went wrong; that a cap is reached is as its owner wished."""
        return self.reason is not None and self.ending != "capped"


def run_due(
    store: Store,
    handlers: Mapping[str, Handler],
    limit: int | None = None,
    *,
    worker: str | None = None,
    is_over: Callable[[], bool] = lambda: False,
    lease_seconds: float = LEASE_SECONDS,
    slice_seconds: float = SLICE_SECONDS,
) -> Iterator[Outcome]:
    """Run the due jobs that somebody here can handle, until `is_over`, and yield how each went.

    What a worker held that died on this machine is due at once.
    A job in slices is yielded after each of them; towards the limit it counts once.
    """
    name = worker or worker_name()
    kinds = list(handlers)
    done = 0
    free_abandoned(store)
    while not is_over() and (limit is None or done < limit):
        with store.read() as connection:
            if not jobs.has_due(connection, kinds):
                return
        try:
            with store.write() as connection:
                job = jobs.claim(connection, name, lease_seconds, kinds)
            if job is None:
                return
            outcome = run(store, handlers[job.kind], job, is_over, lease_seconds, slice_seconds)
        except KeyboardInterrupt:
            release(store, name)
            raise
        yield outcome
        done += outcome.ending != "paused"


def run(
    store: Store,
    handler: Handler,
    job: Job,
    is_over: Callable[[], bool] = lambda: False,
    lease_seconds: float = LEASE_SECONDS,
    slice_seconds: float = SLICE_SECONDS,
) -> Outcome:
    """Run one claimed job, or a slice of it; no transaction is open while it works."""
    reason = progress = until = None
    is_lasting = False
    began = clock.monotonic()
    try:
        with _Lease(store, job, lease_seconds) as lease:
            work = handler(job)
            for step in work or ():
                if lease.is_lost or is_over() or clock.monotonic() - began >= slice_seconds:
                    progress = Progress(step.done, step.total)
                    break
            if work is not None:
                work.close()
    except CapReached as error:
        reason, until = error.message, error.until
    except Exception as error:  # the job boundary: whatever went wrong is kept with the job and shown
        reason = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        is_lasting = isinstance(error, HermesError) and error.is_lasting
    if reason is not None and until is not None:
        return _put_off(store, job, reason, until)
    return _record(store, job, reason, progress, is_lasting=is_lasting)


def serve(
    store: Store,
    handlers: Mapping[str, Handler],
    schedule: Callable[[], None],
    stop: threading.Event,
    *,
    worker: str,
    poll_seconds: float,
    beat: Callable[[], None] = lambda: None,
) -> None:
    """Add what the schedule says and run what is due, again and again, until `stop` is set.

    Nothing else ends it: what goes wrong here is logged, once as long as it is the same, and tried again after a
    longer and longer wait.
    `beat` is called whenever it looks for the next thing to do.
    """

    def is_over() -> bool:
        beat()
        return stop.is_set()

    failures, told = 0, ""
    while not is_over():
        try:
            schedule()
            for outcome in run_due(store, handlers, worker=worker, is_over=is_over):
                _log(outcome)
            failures, told = 0, ""
        except Exception as error:  # the boundary of the jobs that cannot even be claimed
            failures, before, told = min(failures + 1, _MOST_DOUBLINGS), told, described(error)
            if told != before:
                LOG.error("%s", told)
        stop.wait(poll_seconds * 2**failures)


def release(store: Store, worker: str) -> list[Job]:
    """Give back what a worker holds that was made to stop; return it."""
    with store.write() as connection:
        held = jobs.held_by(connection, worker)
        for job in held:
            jobs.pause(connection, job)
    return held


def free_abandoned(store: Store) -> int:
    """Let others have what workers of this machine held that were killed; return how many such workers there were.

    The attempts of their jobs count.
    """
    with store.read() as connection:
        dead = [name for name in jobs.holders(connection) if is_dead(name)]
    if dead:
        with store.write() as connection:
            for name in dead:
                jobs.end_leases(connection, name)
    return len(dead)


class _Lease:
    """Renews a job's lease in a thread while the job is worked on."""

    def __init__(self, store: Store, job: Job, lease_seconds: float) -> None:
        self._store = store
        self._job = job
        self._seconds = lease_seconds
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._renew, name="lease", daemon=True)
        self.is_lost = False

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()

    def _renew(self) -> None:
        while not self._ended.wait(self._seconds / 3):
            try:
                with self._store.write() as connection:
                    self.is_lost = not jobs.renew(connection, self._job, self._seconds)
            except HermesError as error:
                # Two more tries are left before it runs out; whether it did is seen when the job is recorded.
                LOG.warning("The lease of job %d could not be renewed: %s", self._job.id, error.message)
            if self.is_lost:
                return


def _record(store: Store, job: Job, reason: str | None, progress: Progress | None, *, is_lasting: bool) -> Outcome:
    """Write down how a job went, unless it is another worker's by now."""
    with store.write() as connection:
        if not jobs.is_held(connection, job):
            return Outcome(job, "lost", _LOST if reason is None else f"{_LOST} {reason}")
        if reason is None and progress is not None:
            jobs.pause(connection, job, progress)
            return Outcome(job, "paused", progress=progress)
        if reason is None:
            jobs.finish(connection, job, "done")
            return Outcome(job, "done")
        state = _give_up(connection, job, reason) if is_lasting else jobs.postpone(connection, job, reason)
        if state == "failed":
            text = f"Job {job.id} ({job.kind}) failed {job.attempts} times: {reason}"
            journal.write(connection, NewEntry("job.failed", f"job:{job.id}", text, actor="worker"))
            return Outcome(job, "failed", reason)
        return Outcome(job, "postponed" if state == "waiting" else "superseded", reason)


def _put_off(store: Store, job: Job, reason: str, until: int) -> Outcome:
    """Let a job wait until then that did what it could, unless it is another worker's by now."""
    with store.write() as connection:
        if not jobs.is_held(connection, job):
            return Outcome(job, "lost", _LOST)
        jobs.postpone(connection, job, reason, until=until)
    return Outcome(job, "capped", reason)


def _give_up(connection: Connection, job: Job, reason: str) -> JobState:
    jobs.finish(connection, job, "failed", reason)
    return "failed"


def _log(outcome: Outcome) -> None:
    """Log how a job went. A reason may quote what somebody said, so the log only tells where it stands."""
    job = outcome.job
    if outcome.ending == "capped":
        LOG.info("Job %d (%s): %s", job.id, job.kind, outcome.reason)
    elif outcome.reason is not None:
        why = f"(attempt {job.attempts} of {job.max_attempts}); why: hermes jobs show {job.id}"
        LOG.warning("Job %d (%s): %s %s", job.id, job.kind, outcome.ending, why)
    elif outcome.ending == "done":
        LOG.info("Job %d (%s): done", job.id, job.kind)


def described(error: BaseException) -> str:
    """Write an error with its frames; of its words only ours, since a driver's quote what was to be stored.

    What its owner mends, and is no bug, is a sentence: a full disk, a home that went or may not be written.
    """
    if full_disk.is_meant(error):
        error = full_disk.refusal()
    if isinstance(error, _EXPECTED):
        return f"{error.message} {error.hint or ''}".rstrip()
    said = f": {error.message}" if isinstance(error, HermesError) else ""
    frames = "".join(traceback.format_tb(error.__traceback__)).rstrip()
    return f"{type(error).__name__}{said}\n{frames}"
