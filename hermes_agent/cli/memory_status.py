"""`hermes memory status`: what memory holds, as 002 prints it, and what stands behind it."""

from typing import TYPE_CHECKING

import click

from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import examples, print_json, say
from hermes_agent.config.reader_time import local_time
from hermes_agent.memory import reembedding, spending
from hermes_agent.memory.embedding import Health
from hermes_agent.memory.full_notes import FullNote, full_notes, proposed
from hermes_agent.memory.shown.jobs import waiting_kinds
from hermes_agent.memory.shown.status import counts_json, troubles_json
from hermes_agent.memory.status import MOST_MISSING, Counts, Details, count, details, reranker_trouble
from hermes_agent.status import external
from hermes_agent.text.quantities import size

if TYPE_CHECKING:
    from hermes_agent.app import App
    from hermes_agent.config.load import Settings
    from hermes_agent.records.archive import Json


@click.command(
    epilog=examples("hermes memory status", "hermes memory status --verbose", "hermes memory status --json")
)
@click.option("-v", "--verbose", is_flag=True, help="Also the database, the vectors, the indexes and the jobs.")
@as_json
@pass_invocation
def status(invocation: Invocation, verbose: bool, is_json: bool) -> None:
    """Count what memory holds. `hermes status` tells what is not well."""
    with opened(invocation) as app:
        counts = count(app.store, app.embedder)
        more = details(app.store, app.embedder) if verbose or is_json else None
        unordered = reranker_trouble(app.store, app.reranking)
        dropped = reembedding.trouble(app.store)
        lines = _counted(counts, app.settings)
        lines += [] if dropped is None else [("Recall", f"{dropped} To keep it: hermes memory selftest accept")]
        if counts.quarantined:
            lines.append(("In quarantine", f"{counts.quarantined:,}; decide about it: hermes memory review"))
        lines += [] if unordered is None else [("Reranker trouble", unordered)]
        notes = full_notes(app.notebook)
        lines += [("Nearly full" if isinstance(one, FullNote) else "Unreadable", proposed(one)) for one in notes]
        lines += provider_lines(app)
        lines += [] if more is None else _described(more, app)
        if is_json and more is not None:
            today, problem = app.cap.today(app.store), app.embedder_choice.problem
            known = counts_json(counts, more, app.home, today, problem)
            print_json(known | troubles_json(unordered, dropped, notes) | {"provider": provider_json(app)})
            return
    for name, value in lines:
        say(f"{name}: {value}")


def provider_lines(app: "App") -> list[tuple[str, str]]:
    """Tell how the external memory is; nothing if there is none."""
    line = next(iter(external(app)), None)
    return [] if line is None else [(line.name, line.text)]


def provider_json(app: "App") -> "Json":
    """Tell the same for programs."""
    line = next(iter(external(app)), None)
    return None if line is None else line.value


def _counted(counts: Counts, settings: "Settings") -> list[tuple[str, str]]:
    return [
        ("Episodes", f"{counts.episodes:,} (raw: {counts.raw:,}, compressed: {counts.compressed:,})"),
        ("Facts", f"{counts.facts:,}"),
        ("Reflections", f"{counts.reflections:,}"),
        ("Embeddings", f"{counts.episode_vectors:,} episode + {counts.fact_vectors:,} fact vectors"),
        ("DB size", size(counts.size_bytes)),
        ("Last vacuum", _day(counts.last_vacuum, settings)),
        ("Last compression", _day(counts.last_compression, settings)),
    ]


def _day(moment: int | None, settings: "Settings") -> str:
    return "never" if moment is None else local_time(moment, settings)[:10]


def _described(more: Details, app: "App") -> list[tuple[str, str]]:
    vectors, indexes = more.vectors, more.indexes
    missing = f"{indexes.missing_episodes:,}" + (" or more" if indexes.missing_episodes == MOST_MISSING else "")
    problem = app.embedder_choice.problem
    return [
        ("Database", f"{more.engine}, {more.place}"),
        ("Embedder", "none" if vectors is None else vectors.wanted),
        ("Vectors used", "none" if vectors is None or vectors.used is None else vectors.used),
        ("Vectors made", "none wanted" if vectors is None else f"{vectors.done:,} of {vectors.total:,}"),
        ("Embedder trouble", _trouble(vectors, app.settings) if problem is None else problem.message),
        ("Text index", "lacks the newest messages" if indexes.is_behind else "up to date"),
        ("Exchanges without an episode", missing),
        ("Summaries", f"{more.summaries:,}"),
        ("Entities", f"{more.entities:,}"),
        ("Jobs", f"{more.waiting_jobs:,} waiting, {more.failed_jobs:,} failed"),
        ("Cost today", _cost(app)),
        ("Last self-test", _day(more.last_selftest, app.settings)),
        ("Profile", f"{app.home.profile} ({app.home.root})"),
    ]


def _cost(app: "App") -> str:
    today, capped = app.cap.today(app.store), spending.waiting(app.store)
    told = f"{today.used:,} tokens for background work, " + (f"cap {today.cap:,}" if today.cap else "no cap")
    if not capped:
        return told
    until = local_time(capped[0].due_at, app.settings)
    return f"{told}; reached, {waiting_kinds(capped)} until {until}"


def _trouble(vectors: Health | None, settings: "Settings") -> str:
    if vectors is None or vectors.trouble is None:
        return "none"
    return (
        vectors.trouble
        if vectors.trouble_at is None
        else (f"{local_time(vectors.trouble_at, settings)}: {vectors.trouble}")
    )
