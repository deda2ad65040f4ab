"""`hermes jobs`: see the work that waits in the background, and let it run."""

from collections.abc import Sequence

import click

from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import COUNT, NUMBER, as_json, opened
from hermes_agent.cli.output import examples, print_json, print_table, say
from hermes_agent.config.reader_time import local_time
from hermes_agent.handlers import every_handler
from hermes_agent.jobs import alive, retrying, upkeep, worker
from hermes_agent.jobs.shown import outcome_json
from hermes_agent.jobs.worker import Outcome
from hermes_agent.memory.shown.jobs import job_json, progressed
from hermes_agent.records.jobs import Job, JobState
from hermes_agent.store import jobs as rows
from hermes_agent.text.clean import preview, printable


@click.group(epilog=examples("hermes jobs list", "hermes jobs run", "hermes jobs retry 12"))
def jobs() -> None:
    """See and run the work that waits in the background."""


@jobs.command("list", epilog=examples("hermes jobs list --state failed", "hermes jobs list --json"))
@click.option("-n", "--limit", default=20, show_default=True, type=COUNT, help="How many.")
@click.option("--state", type=click.Choice(["waiting", "running", "done", "failed"]), help="Only these.")
@as_json
@pass_invocation
def list_jobs(invocation: Invocation, limit: int, state: JobState | None, is_json: bool) -> None:
    """List jobs, the newest first."""
    with opened(invocation) as app, app.store.read() as connection:
        found = rows.recent(connection, limit, state=state)
    if is_json:
        print_json([job_json(job) for job in found])
        return
    if not found:
        say("No jobs.")
        return
    print_table(
        ["ID", "KIND", "STATE", "PROGRESS", "ATTEMPTS", "DUE", "REASON"],
        [
            (
                job.id,
                job.kind,
                job.state,
                "" if job.progress is None else progressed(job.progress),
                f"{job.attempts}/{job.max_attempts}",
                local_time(job.due_at, invocation.settings),
                preview(job.reason or "", 80),
            )
            for job in found
        ],
    )


@jobs.command(epilog=examples("hermes jobs show 12", "hermes jobs show 12 --json"))
@click.argument("job_id", metavar="ID", type=NUMBER)
@as_json
@pass_invocation
def show(invocation: Invocation, job_id: int, is_json: bool) -> None:
    """Show one job with everything known about it."""
    with opened(invocation) as app:
        job = retrying.get(app.store, job_id)
    if is_json:
        print_json(job_json(job))
        return
    for name, value in job_json(job).items():
        say(f"{name}: {printable(str(value)) if value is not None else '-'}")


@jobs.command(epilog=examples("hermes jobs retry 12"))
@click.argument("job_id", metavar="ID", type=NUMBER)
@pass_invocation
def retry(invocation: Invocation, job_id: int) -> None:
    """Let a failed or postponed job run again at once."""
    with opened(invocation) as app:
        job, became = retrying.get(app.store, job_id), retrying.retry(app.store, job_id)
    if became == "waiting":
        say(f"Another job with the key {printable(job.key)} waits already; job {job_id} stays as it is.")
    else:
        say(f"Job {job_id} is running." if became == "running" else f"Job {job_id} is due now.")


@jobs.command(epilog=examples("hermes jobs run", "hermes jobs run --limit 1", "hermes jobs run --json"))
@click.option("-n", "--limit", type=COUNT, help="At most so many.")
@as_json
@pass_invocation
def run(invocation: Invocation, limit: int | None, is_json: bool) -> None:
    """Run the jobs that are due, here and now."""
    ended: list[Outcome] = []
    with opened(invocation) as app:
        upkeep.enqueue_due(app.memory, app.settings, app.home.reflections)
        for outcome in worker.run_due(app.store, every_handler(app), limit):
            ended += [outcome] if outcome.progress is None or outcome.reason is not None else []
            _tell(outcome, is_json=is_json)
        with app.store.read() as connection:
            held = rows.held(connection)
    if is_json:
        print_json({"jobs": [outcome_json(one) for one in ended], "held": [job_json(job) for job in held]})
    else:
        _tell_held(held, invocation, has_run=bool(ended))
    if any(one.is_trouble for one in ended):
        raise SystemExit(1)


def _tell(outcome: Outcome, *, is_json: bool) -> None:
    """Say how a job went or goes on; beside JSON only what goes to stderr."""
    name = f"Job {outcome.job.id} ({outcome.job.kind})"
    if outcome.reason is not None:
        say(f"{name}: {printable(outcome.reason)}", is_error=True)
    elif outcome.progress is not None:
        say(f"{name}: {progressed(outcome.progress)}", is_error=True)
    elif not is_json:
        say(f"{name}: done")


def _tell_held(held: Sequence[Job], invocation: Invocation, *, has_run: bool) -> None:
    if not has_run:
        say("Nothing is due.")
    for job in held:
        until = local_time(job.lease_until or 0, invocation.settings)
        say(f"Job {job.id} ({job.kind}) is being worked on by {_holder(job)}; its lease ends at {until}.")


def _holder(job: Job) -> str:
    """Name the worker that holds a job, as a person would look for it."""
    process = alive.process_of(job.leased_by or "")
    if process is None:
        return printable(job.leased_by or "somebody")
    return f"process {process.number} on {printable(process.machine)}"
