"""Jobs as JSON, and in the words of people."""

from collections.abc import Sequence
from dataclasses import asdict

from hermes_agent.memory.shown.values import values_json
from hermes_agent.records.archive import Json
from hermes_agent.records.jobs import Job, Progress


def job_json(job: Job) -> dict[str, Json]:
    """Write a job, its times in UTC."""
    return values_json(asdict(job))


def progressed(progress: Progress) -> str:
    """Write how far a job is: `300 of 10,000`."""
    return f"{progress.done:,}" + ("" if progress.total is None else f" of {progress.total:,}")


def waiting_kinds(jobs: Sequence[Job]) -> str:
    """Say which jobs wait: `learn waits`, `learn and reflect wait`."""
    kinds = [job.kind for job in jobs]
    named = " and ".join([", ".join(kinds[:-1]), kinds[-1]] if len(kinds) > 1 else kinds)
    return f"{named} {'waits' if len(kinds) == 1 else 'wait'}"
