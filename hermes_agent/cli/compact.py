"""`hermes memory compact`: let summaries stand for what is old, and give the room back."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from hermes_agent import clock
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import confirm, examples, print_json, say
from hermes_agent.cli.progress import follow
from hermes_agent.errors import CapReached, HermesError, StoreError, UsageError
from hermes_agent.handlers import every_handler
from hermes_agent.ops import doctor
from hermes_agent.ops.steps import Step
from hermes_agent.records.archive import Json
from hermes_agent.records.selftests import Cause, Score
from hermes_agent.store import statistics
from hermes_agent.text.quantities import counted, size

if TYPE_CHECKING:
    from hermes_agent.app import App
    from hermes_agent.memory.compressing import Compressed, Wanted
    from hermes_agent.memory.selftest import Question


_NOTICED = 0.01
"""A drop of recall by more than this is said."""


@dataclass(frozen=True, slots=True)
class _Measured:
    """How large the store is, and how well recall finds; None where the history holds too little to ask about."""

    size_bytes: int
    vectors: Mapping[str, int]
    """By what they are of."""
    recall: Score | None
    questions: "Sequence[Question] | None" = None

    @property
    def vector_count(self) -> int:
        return sum(self.vectors.values())


@click.command(
    epilog=examples(
        "hermes memory compact --dry-run",
        "hermes memory compact",
        "hermes memory compact --older-than 90 --json",
    )
)
@click.option("--dry-run", is_flag=True, help="Only tell what would be compressed.")
@click.option(
    "--older-than",
    "after_days",
    metavar="DAYS",
    type=click.IntRange(0, 36_500),
    help="Instead of memory.compression.afterDays.",
)
@click.option("--yes", is_flag=True, help="Do not ask before messages are discarded.")
@as_json
@pass_invocation
def compact(invocation: Invocation, dry_run: bool, after_days: int | None, yes: bool, is_json: bool) -> None:
    """Let summaries stand for episodes that are old.

    Their vectors go, their messages are packed: nothing is lost, everything is still found, and
    `hermes memory undo summary:007` takes one back, with the uid that is printed at the end all that was made.
    Facts, notes and pinned conversations are left alone. With memory.compression.discardRaw the messages
    themselves are deleted, which cannot be undone. The daemon does the same once a day.
    """
    from hermes_agent.memory import compressing

    with opened(invocation) as app:
        wanted = _wanted(app, after_days)
        if not dry_run:
            follow(_make_episodes(app))
        due = compressing.count_due(app.store, wanted)
        if dry_run or not due:
            _say_due(due, wanted, _waiting(app, wanted), is_dry=dry_run, is_json=is_json)
            return
        if wanted.is_discarding and not confirm(
            f"The messages of up to {counted(due, 'episode')} are deleted for good, only summaries stay. Go on?",
            yes=yes,
        ):
            say("Nothing was changed.")
            return
        before = follow(_measure(app, "before compaction"))
        made: list[Compressed] = []
        try:
            capped = follow(_compress(app, wanted, due, made))
            follow(_embed(app))
            _give_room_back(app)
            # The same questions, also where their messages are gone: others would say nothing of the difference.
            after = follow(_measure(app, "after compaction", before.questions))
        except StoreError as error:
            raise _with_what_was_kept(error, made) from error
        waiting = _waiting(app, wanted)
    if is_json:
        print_json(_json(made, before, after, waiting))
    else:
        _print(made, before, after, is_discarding=wanted.is_discarding)
        for sentence in waiting:
            say(sentence)
    if capped is not None:
        raise capped


def _wanted(app: "App", after_days: int | None) -> "Wanted":
    from hermes_agent.jobs import compressing as job

    if after_days is not None:
        wanted = job.older_than(app.settings, after_days)
    else:
        by_settings = job.wanted(app.settings)
        if by_settings is None:
            raise UsageError(
                "memory.compression.afterDays is 0: nothing is ever old enough to be compressed.",
                hint="Say how old it must be: hermes memory compact --older-than 30",
            )
        wanted = by_settings
    return replace(wanted, actor="owner")


def _make_episodes(app: "App") -> Generator[Step, None, None]:
    """Make the episodes that are missing: of an import nothing may be left out."""
    from hermes_agent.memory import episodes

    reached: int | None = 0
    while reached is not None:
        reached = episodes.make_next(app.store, reached, app.zone, has_vectors=app.memory.embedder is not None)
        yield Step("Making episodes", reached or 0)


def _waiting(app: "App", wanted: "Wanted") -> list[str]:
    """Say what is left out because other work has not come to it yet."""
    from hermes_agent.memory import compressing, episodes

    unread = episodes.count_missing(app.store)
    unlearned = compressing.count_unlearned(app.store, wanted)
    told = []
    if unread:
        are = "is" if unread == 1 else "are"
        told.append(f"{counted(unread, 'exchange')} {are} not read yet: hermes jobs run")
    if unlearned:
        told.append(
            f"{counted(unlearned, 'episode')} {'waits' if unlearned == 1 else 'wait'} until facts and lessons are"
            " taken from what was said: hermes jobs run"
        )
    return told


def _give_room_back(app: "App") -> None:
    """Make the file smaller; somebody else may be at it, then that is left for another time."""
    try:
        doctor.vacuum(app.store)
    except HermesError as error:
        say(f"The room could not be given back yet: {error.message} Later: hermes db vacuum", is_error=True)


def _say_due(due: int, wanted: "Wanted", waiting: list[str], *, is_dry: bool, is_json: bool) -> None:
    if is_json:
        print_json(
            {
                "dry_run": is_dry,
                "episodes": due,
                "older_than": clock.iso(wanted.before),
                "discards_messages": wanted.is_discarding,
                "waiting": waiting,
            }
        )
        return
    if due:
        lost = " and their messages deleted for good" if wanted.is_discarding else ""
        say(f"{counted(due, 'episode')} would be compressed{lost}. Nothing was changed.")
    elif not waiting:
        say("Nothing is old enough to be compressed.")
    for sentence in waiting:
        say(sentence)


def _compress(
    app: "App", wanted: "Wanted", due: int, made: "list[Compressed]"
) -> "Generator[Step, None, CapReached | None]":
    """Compress and add each summary to what was made; return why the rest must wait."""
    from hermes_agent.memory import compressing

    done = 0
    try:
        for one in compressing.compress(app.store, wanted, app.writer, app.cap):
            if one is not None:
                made.append(one)
                done += one.episodes
            yield Step("Compressing", done, max(done, due))
    except CapReached as error:
        return error
    return None


def _with_what_was_kept(error: StoreError, made: "list[Compressed]") -> StoreError:
    """Return an error that says what stays done: every summary is kept for itself."""
    if not made:
        return error
    episodes = counted(sum(one.episodes for one in made), "episode")
    kept = (
        f"{counted(len(made), 'summary', 'summaries')} for {episodes} {'was' if len(made) == 1 else 'were'} kept"
    )
    hint = f"{kept}, the rest is as it was. When the store is well again: hermes memory compact"
    return type(error)(error.message, hint=hint)


def _embed(app: "App") -> Generator[Step, None, None]:
    """Make the vectors of the summaries, so that they lead to their episodes at once."""
    from hermes_agent.jobs import embedding, worker

    for outcome in worker.run_due(app.store, {embedding.JOB: every_handler(app)[embedding.JOB]}):
        if outcome.progress is not None:
            yield Step("Embedding", outcome.progress.done, outcome.progress.total)


def _measure(
    app: "App", cause: Cause, asked: "Sequence[Question] | None" = None
) -> Generator[Step, None, _Measured]:
    from hermes_agent.memory import selftest, status
    from hermes_agent.recall.grading import score

    now = clock.to_datetime(clock.now(), app.zone)
    asking = selftest.run(app.store, app.embedder, now, cause, asked_before=asked)
    while True:
        try:
            yield Step("Testing recall", next(asking), selftest.QUESTIONS)
        except StopIteration as end:
            tested = end.value
            break
    # Counted as `hermes memory status` does, which tells of episodes and facts.
    counts = status.count(app.store, app.embedder)
    with app.store.read() as connection:
        of_summaries, of_messages = statistics.vectors_behind(connection)
    vectors = {
        "episodes": counts.episode_vectors,
        "messages": of_messages,
        "facts": counts.fact_vectors,
        "summaries": of_summaries,
    }
    if not isinstance(tested, selftest.Tested):
        return _Measured(counts.size_bytes, vectors, None)
    return _Measured(counts.size_bytes, vectors, score(tested.run.answers), tested.questions)


def _print(made: "list[Compressed]", before: _Measured, after: _Measured, *, is_discarding: bool) -> None:
    episodes = sum(one.episodes for one in made)
    told = counted(len(made), "summary", "summaries")
    packed = sum(one.messages for one in made if not one.summary.is_discarded)
    discarded = sum(one.messages for one in made if one.summary.is_discarded)
    became = [f"{discarded:,} messages discarded"] if is_discarding else []
    became += [f"{packed:,} messages packed"] if packed or not is_discarding else []
    say(f"{told} for {counted(episodes, 'episode')}; {', '.join(became)}.")
    sizes = f"{size(before.size_bytes)} → {size(after.size_bytes)}"
    say(f"Store: {sizes}{_change(before.size_bytes, after.size_bytes)}")
    said = f"{before.vector_count:,} → {after.vector_count:,}{_change(before.vector_count, after.vector_count)}"
    parts = [f"of {what} {count:,} → {after.vectors[what]:,}" for what, count in before.vectors.items()]
    say(f"Vectors: {said}; {', '.join(parts)}")
    if before.recall is not None and after.recall is not None:
        questions = counted(after.recall.questions, "question")
        share = f"{before.recall.recall_10:.0%} → {after.recall.recall_10:.0%}"
        say(f"Recall@10: {share} (self-test, the same {questions})")
        if before.recall.recall_10 - after.recall.recall_10 > _NOTICED:
            back = "" if is_discarding or not made else f" Take it all back: hermes memory undo {made[0].run}"
            say(f"Recall finds less than before the compaction.{back}")
    if not made:
        return
    say("See them: hermes memory summaries list", is_dim=True)
    if not is_discarding:
        one, every = made[-1].summary.name, made[0].run
        say(f"Take one back: hermes memory undo {one}; all: hermes memory undo {every}", is_dim=True)


def _change(before: int, after: int) -> str:
    """Say by how much a number changed; nothing where there was none."""
    return f" ({(after - before) / before:+.0%})" if before else ""


def _json(made: "list[Compressed]", before: _Measured, after: _Measured, waiting: "list[str]") -> dict[str, Json]:
    return {
        "uid": made[0].run if made else None,
        "waiting": waiting,
        "summaries": [one.summary.name for one in made],
        "episodes": sum(one.episodes for one in made),
        "messages": sum(one.messages for one in made),
        "before": _measured_json(before),
        "after": _measured_json(after),
    }


def _measured_json(one: _Measured) -> dict[str, Json]:
    recall = None if one.recall is None else {"questions": one.recall.questions, "recall_10": one.recall.recall_10}
    return {
        "size_bytes": one.size_bytes,
        "vectors": one.vector_count,
        "vectors_of": dict(one.vectors),
        "selftest": recall,
    }
