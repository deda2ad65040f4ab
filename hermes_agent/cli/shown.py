"""Records as `--json` prints them, and quantities as people read them."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from hermes_agent import clock
from hermes_agent.records.archive import Json, Message, Session
from hermes_agent.records.jobs import Job, Progress
from hermes_agent.records.journal import Entry
from hermes_agent.records.notes import NoteVersion

if TYPE_CHECKING:
    from hermes_agent.memory.facts import Sourced
    from hermes_agent.recall.hit import Hit

_SIGNALS = 5

_MOMENTS = frozenset(
    {
        "started_at",
        "began_at",
        "made_at",
        "ended_at",
        "last_active_at",
        "said_at",
        "at",
        "happened_at",
        "due_at",
        "created_at",
        "lease_until",
        "finished_at",
        "learned_at",
        "valid_from",
        "valid_to",
    }
)


def session_json(session: Session) -> dict[str, Json]:
    """Write a session, its times in UTC."""
    return _json(asdict(session))


def message_json(message: Message) -> dict[str, Json]:
    """Write a message, its time in UTC."""
    return _json(asdict(message))


def job_json(job: Job) -> dict[str, Json]:
    """Write a job, its times in UTC."""
    return _json(asdict(job))


def entry_json(entry: Entry) -> dict[str, Json]:
    """Write a journal entry, its times in UTC."""
    return _json({**asdict(entry), "happened_at": entry.when})


def fact_json(told: "Sourced") -> dict[str, Json]:
    """Write a fact under the name people give it, whose word it is and where it came from, its times in UTC."""
    fact = told.fact
    names = {"id": fact.name, "name": fact.name}
    places: dict[str, Json] = {
        "supersedes": [one.name for one in told.former],
        "superseded_by": None if told.later is None else told.later.name,
    }
    return {**_json(asdict(fact)), **names, **places, "trust": fact.trust, "source": source_json(told)}


def source_json(told: "Sourced") -> dict[str, Json]:
    """Write where a fact came from: the words of a message, which may be gone, or an entry of the journal."""
    fact, message = told.fact, told.message
    if fact.source_message is None:
        return {"entry": fact.source_entry}
    words = None if message is None else message.content
    return {
        "message": fact.source_message,
        "session": None if message is None else message.session_id,
        "start": fact.span_start,
        "end": fact.span_end,
        "quote": None if words is None else words[fact.span_start : fact.span_end],
    }


def values_json(values: Mapping[str, Json]) -> dict[str, Json]:
    """Write fields of a record, their times in UTC."""
    return _json(dict(values))


def version_json(version: NoteVersion) -> dict[str, Json]:
    """Write a version of a note, its time in UTC."""
    return _json(asdict(version))


def progressed(progress: Progress) -> str:
    """Write how far a job is: `300 of 10,000`."""
    return f"{progress.done:,}" + ("" if progress.total is None else f" of {progress.total:,}")


def waiting_kinds(jobs: Sequence[Job]) -> str:
    """Say which jobs wait: `learn waits`, `learn and reflect wait`."""
    kinds = [job.kind for job in jobs]
    named = " and ".join([", ".join(kinds[:-1]), kinds[-1]] if len(kinds) > 1 else kinds)
    return f"{named} {'waits' if len(kinds) == 1 else 'wait'}"


def signals_of(hit: "Hit") -> list[str]:
    """Write what gave a hit its score, the most first."""
    return [f"{name} {value:+.2f}" for name, value in list(hit.contributions.items())[:_SIGNALS] if value]


def _json(values: dict[str, Json]) -> dict[str, Json]:
    return {
        name: clock.iso(value) if name in _MOMENTS and isinstance(value, int) else value
        for name, value in values.items()
    }
