"""The worker on both engines: leases, slices, failures, and jobs that stand for others."""

import errno
import logging
import subprocess
import sys
import threading
from collections.abc import Callable, Generator

import pytest

from hermes_agent import clock
from hermes_agent.errors import LostStore, StoreBusy, StoreFull, StoreReadOnly
from hermes_agent.jobs import worker
from hermes_agent.jobs.alive import worker_name
from hermes_agent.jobs.worker import run_due
from hermes_agent.ops.steps import Step
from hermes_agent.records.jobs import Job, Progress
from hermes_agent.store import jobs, journal
from hermes_agent.store.store import Store

PATIENCE_SECONDS = 60


def add(store: Store, kind: str = "work", key: str | None = None, max_attempts: int = 8) -> int:
    with store.write() as connection:
        return jobs.add(connection, kind, key or kind, {"said": "x"}, max_attempts=max_attempts)


def get(store: Store, job_id: int) -> Job:
    with store.read() as connection:
        job = jobs.get(connection, job_id)
    assert job is not None
    return job


def counting(number: int, done: list[int]) -> Callable[[Job], Generator[Step, None, None]]:
    """Return a handler that counts to a number, a step at a time, and goes on where it was stopped."""

    def count(job: Job) -> Generator[Step, None, None]:
        while len(done) < number:
            done.append(len(done))
            yield Step("Counting", len(done), number)

    return count


def take_over(store: Store, job: Job) -> Job:
    """Let another worker have the job, as if the lease had run out."""
    with store.write() as connection:
        jobs.end_leases(connection, job.leased_by or "")
        taken = jobs.claim(connection, "another", 60)
    assert taken is not None and taken.id == job.id
    return taken


def test_a_job_that_takes_longer_than_its_lease_keeps_it(store: Store) -> None:
    job_id = add(store)
    stolen: list[Job | None] = []

    def work(job: Job) -> None:
        first = job.lease_until or 0
        deadline = clock.monotonic() + PATIENCE_SECONDS
        pause = threading.Event()
        while clock.now() <= first + 100_000 and clock.monotonic() < deadline:
            with store.write() as connection:
                stolen.append(jobs.claim(connection, "another", 60))
            # Who writes without a pause keeps the lease from being renewed: SQLite's busy wait is not fair.
            pause.wait(0.05)
        assert (get(store, job_id).lease_until or 0) > first

    (outcome,) = run_due(store, {"work": work}, lease_seconds=3.0)
    assert (outcome.ending, outcome.reason) == ("done", None)
    assert set(stolen) == {None}
    assert (get(store, job_id).state, get(store, job_id).attempts) == ("done", 1)


def test_the_lease_is_let_go_when_the_job_is_done(store: Store) -> None:
    add(store)
    list(run_due(store, {"work": lambda job: None}, lease_seconds=0.01))
    assert [thread.name for thread in threading.enumerate() if thread.name == "lease"] == []


def test_what_a_worker_did_after_its_lease_was_lost_is_not_recorded(store: Store) -> None:
    job_id = add(store)
    (outcome,) = run_due(store, {"work": lambda job: void(take_over(store, job))}, limit=1)
    assert outcome.ending == "lost" and "another worker" in (outcome.reason or "")
    left = get(store, job_id)
    assert (left.state, left.leased_by, left.attempts) == ("running", "another", 2)


def test_a_failure_after_the_lease_was_lost_leaves_the_other_worker_alone(store: Store) -> None:
    def fail(job: Job) -> None:
        take_over(store, job)
        raise ValueError("too late")

    job_id = add(store)
    (outcome,) = run_due(store, {"work": fail}, limit=1)
    assert outcome.ending == "lost" and "too late" in (outcome.reason or "")
    assert (get(store, job_id).state, get(store, job_id).reason) == (
        "running",
        "The worker stopped before it was done.",
    )


def test_a_stepwise_job_stops_at_the_step_after_its_lease_was_lost(store: Store) -> None:
    add(store)
    steps: list[int] = []

    def work(job: Job) -> Generator[Step, None, None]:
        take_over(store, job)
        deadline = clock.monotonic() + PATIENCE_SECONDS
        while clock.monotonic() < deadline:
            steps.append(1)
            yield Step("Working", len(steps))

    began = clock.monotonic()
    (outcome,) = run_due(store, {"work": work}, lease_seconds=0.3, slice_seconds=PATIENCE_SECONDS, limit=1)
    assert outcome.ending == "lost" and steps
    assert clock.monotonic() - began < PATIENCE_SECONDS / 2


def test_a_long_job_runs_in_slices_and_others_get_their_turn(store: Store) -> None:
    long_one, short_one = add(store, "long", max_attempts=2), add(store, "short")
    done: list[int] = []
    outcomes = list(run_due(store, {"long": counting(5, done), "short": lambda job: None}, slice_seconds=0))
    told = [(outcome.job.id, outcome.ending, outcome.progress) for outcome in outcomes]
    assert told[:3] == [
        (long_one, "paused", Progress(1, 5)),
        (short_one, "done", None),
        (long_one, "paused", Progress(2, 5)),
    ]
    assert told[-1] == (long_one, "done", None)
    assert done == [0, 1, 2, 3, 4]
    assert (get(store, long_one).progress, get(store, long_one).attempts) == (Progress(5, 5), 1)
    assert dict(get(store, long_one).payload) == {"said": "x"}


def test_a_job_that_is_done_has_nothing_left_to_do(store: Store) -> None:
    left = [Step("Counting", 3, 5)]  # two of them needed nothing

    def fewer(job: Job) -> Generator[Step, None, None]:
        while left:
            yield left.pop()

    job_id = add(store, "long")
    list(run_due(store, {"long": fewer}, slice_seconds=0))
    assert (get(store, job_id).state, get(store, job_id).progress) == ("done", Progress(5, 5))


def test_the_limit_counts_jobs_and_not_their_slices(store: Store) -> None:
    add(store, "long")
    endings = [outcome.ending for outcome in run_due(store, {"long": counting(3, [])}, 1, slice_seconds=0)]
    assert endings == ["paused", "paused", "paused", "done"]


def test_a_worker_that_is_to_stop_gives_a_stepwise_job_back(store: Store) -> None:
    job_id = add(store)
    done: list[int] = []
    outcomes = list(run_due(store, {"work": counting(9, done)}, is_over=lambda: len(done) == 3))
    assert [(outcome.ending, outcome.progress) for outcome in outcomes] == [("paused", Progress(3, 9))]
    left = get(store, job_id)
    assert (left.state, left.leased_by, left.attempts) == ("waiting", None, 0)
    assert left.due_at <= clock.now()


def test_getting_on_makes_up_for_a_death_before(store: Store) -> None:
    job_id = add(store, max_attempts=2)
    with store.write() as connection:
        first = jobs.claim(connection, "w", -1)
        assert first is not None
    (outcome,) = run_due(store, {"work": counting(9, [])}, slice_seconds=0, is_over=once())
    assert outcome.job.attempts == 2
    assert (get(store, job_id).attempts, get(store, job_id).reason) == (0, None)


def test_ctrl_c_gives_the_job_back(store: Store) -> None:
    def work(job: Job) -> None:
        raise KeyboardInterrupt

    job_id = add(store)
    with pytest.raises(KeyboardInterrupt):
        list(run_due(store, {"work": work}))
    assert (get(store, job_id).state, get(store, job_id).attempts) == ("waiting", 0)


def test_a_failed_job_is_superseded_by_the_one_that_waits(store: Store) -> None:
    newer: list[int] = []

    def fail(job: Job) -> None:
        newer.append(add(store))
        raise ValueError("the server is away")

    older = add(store, max_attempts=3)
    (outcome,) = run_due(store, {"work": fail})
    assert (outcome.ending, outcome.reason) == ("superseded", "ValueError: the server is away")
    closed, waiting = get(store, older), get(store, newer[0])
    assert (closed.state, closed.reason) == ("done", "A newer job with the same key stands for it.")
    # It takes over the count and the wait: what always fails is still given up, and not tried without a pause.
    assert (waiting.attempts, waiting.reason) == (1, "ValueError: the server is away")
    assert waiting.due_at > clock.now()


def test_a_paused_job_is_superseded_by_the_one_that_waits(store: Store) -> None:
    newer: list[int] = []

    def work(job: Job) -> Generator[Step, None, None]:
        newer.append(add(store))
        yield Step("Working", 1, 2)

    older = add(store)
    list(run_due(store, {"work": work}, slice_seconds=0, is_over=once()))
    assert get(store, older).state == "done"
    assert (get(store, newer[0]).state, get(store, newer[0]).attempts) == ("waiting", 0)


def test_a_job_that_fails_every_time_is_failed_and_journalled(store: Store) -> None:
    def fail(job: Job) -> None:
        raise ValueError

    job_id = add(store, max_attempts=1)
    (outcome,) = run_due(store, {"work": fail})
    assert (outcome.ending, outcome.reason) == ("failed", "ValueError")
    with store.read() as connection:
        (entry,) = journal.recent(connection, 5)
        assert (entry.kind, entry.subject) == ("job.failed", f"job:{job_id}")
        assert [job.id for job in jobs.unsolved(connection, 5)] == [job_id]
    add(store)
    list(run_due(store, {"work": lambda job: None}))
    with store.read() as connection:
        assert jobs.unsolved(connection, 5) == []


def test_a_job_of_an_unknown_kind_waits_for_somebody_who_knows_it(store: Store) -> None:
    job_id = add(store, "of tomorrow")
    assert list(run_due(store, {"work": lambda job: None})) == []
    assert get(store, job_id).state == "waiting"


def test_what_a_stopped_worker_held_is_given_back_without_counting(store: Store) -> None:
    job_id = add(store)
    with store.write() as connection:
        jobs.claim(connection, "gone", 600)
    assert [job.id for job in worker.release(store, "gone")] == [job_id]
    assert worker.release(store, "gone") == []
    assert (get(store, job_id).state, get(store, job_id).attempts) == ("waiting", 0)


def ended_worker() -> str:
    """Return the name of a worker whose process has ended."""
    program = "from hermes_agent.jobs.alive import worker_name; print(worker_name())"
    return subprocess.run(
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    ).stdout.strip()


def test_what_a_dead_worker_of_this_machine_held_is_taken_up_at_once(store: Store) -> None:
    job_id = add(store)
    with store.write() as connection:
        jobs.claim(connection, ended_worker(), 600)
    (outcome,) = run_due(store, {"work": lambda job: None})
    assert (outcome.job.id, outcome.ending, outcome.job.attempts) == (job_id, "done", 2)
    assert outcome.job.reason == "The worker stopped before it was done."


def test_a_process_that_has_the_number_of_a_dead_worker_does_not_hold_its_jobs(store: Store) -> None:
    add(store)
    machine, number, started, chance = worker_name().rsplit(":", 3)
    with store.write() as connection:
        jobs.claim(connection, f"{machine}:{number}:{int(started) - 1}:{chance}", 600)
    (outcome,) = run_due(store, {"work": lambda job: None})
    assert outcome.ending == "done"


@pytest.mark.parametrize("other", [None, "elsewhere:7:7:abcdef", "old:7:abcdef", "w", ":::", "a:b:c:d"])
def test_what_a_living_worker_or_one_of_another_machine_holds_stays_with_it(
    store: Store, other: str | None
) -> None:
    name = other or worker_name()
    job_id = add(store)
    with store.write() as connection:
        jobs.claim(connection, name, 600)
    assert list(run_due(store, {"work": lambda job: None})) == []
    assert get(store, job_id).leased_by == name


def test_the_worker_goes_on_after_an_error_of_its_own(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    job_id = add(store)
    stop = threading.Event()
    troubles = iter([StoreBusy("Somebody writes."), ValueError("INSERT … 'my secret words'")])

    def schedule() -> None:
        for trouble in troubles:
            raise trouble

    with caplog.at_level(logging.INFO, "hermes"):
        worker.serve(store, {"work": lambda job: stop.set()}, schedule, stop, worker="w", poll_seconds=0.001)
    assert get(store, job_id).state == "done"
    assert "StoreBusy: Somebody writes." in caplog.text and "in schedule" in caplog.text
    assert "ValueError" in caplog.text and "secret" not in caplog.text
    assert f"Job {job_id} (work): done" in caplog.text


@pytest.mark.parametrize(
    "trouble",
    [
        StoreFull("The disk is full.", hint="Make room."),
        LostStore("The file was moved.", hint="Put it back."),
        StoreReadOnly("The file may not be written to."),
        OSError(errno.ENOSPC, "No space left on device"),
    ],
)
def test_what_its_owner_mends_is_one_line_of_the_log_until_it_is_mended(
    store: Store, caplog: pytest.LogCaptureFixture, trouble: Exception
) -> None:
    stop = threading.Event()
    rounds = iter([True, True, False, True])

    def schedule() -> None:
        is_trouble = next(rounds, None)
        if is_trouble:
            raise trouble
        if is_trouble is None:
            stop.set()

    with caplog.at_level(logging.INFO, "hermes"):
        worker.serve(store, {}, schedule, stop, worker="w", poll_seconds=0.001)
    told = [record.getMessage() for record in caplog.records]
    assert len(told) == 2 and told[0] == told[1], "once before it was mended, and once after"
    assert "\n" not in told[0]


def test_the_log_does_not_quote_why_a_job_failed(store: Store, caplog: pytest.LogCaptureFixture) -> None:
    stop = threading.Event()

    def fail(job: Job) -> None:
        stop.set()
        raise ValueError("my secret words")

    job_id = add(store)
    with caplog.at_level(logging.INFO, "hermes"):
        worker.serve(store, {"work": fail}, lambda: None, stop, worker="w", poll_seconds=0.001)
    assert f"Job {job_id} (work): postponed (attempt 1 of 8)" in caplog.text
    assert "secret" not in caplog.text


def test_a_job_added_while_another_is_put_back_does_no_harm(store: Store) -> None:
    """On PostgreSQL both transactions are open at once; on SQLite the second begins when the first is over."""
    older = add(store)
    with store.write() as connection:
        claimed = jobs.claim(connection, "w", 60)
    assert claimed is not None
    states: list[str] = []

    def put_back() -> None:
        with store.write() as connection:
            states.append(jobs.postpone(connection, claimed, "later"))

    thread = threading.Thread(target=put_back)
    with store.write() as connection:
        newer = jobs.add(connection, "work", "work")
        thread.start()
        thread.join(0.3)  # on either engine it waits for us now
    thread.join()
    assert states == ["done"]
    assert (get(store, older).state, get(store, newer).state) == ("done", "waiting")


def void(value: object) -> None:
    """Let a lambda return nothing."""


def once() -> Callable[[], bool]:
    """Return something that is false once, and true from then on."""
    answers = iter([False])
    return lambda: next(answers, True)
