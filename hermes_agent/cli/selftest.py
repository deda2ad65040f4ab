"""`hermes memory selftest`: how well memory finds what it was told, measured on the owner's own history."""

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, TypeVar

import click

from hermes_agent import clock
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import COUNT, as_json, opened
from hermes_agent.cli.output import examples, print_json, print_table, say
from hermes_agent.cli.progress import follow
from hermes_agent.config.reader_time import local_time
from hermes_agent.memory.shown.selftest import question_json, result_json, run_json, too_few_json
from hermes_agent.ops.steps import Step
from hermes_agent.records.selftests import AGES, Run, Score
from hermes_agent.text.clean import preview
from hermes_agent.text.quantities import counted

if TYPE_CHECKING:
    from hermes_agent.memory.selftest import Question
    from hermes_agent.recall.grading import Verdict

T = TypeVar("T")

_QUOTED = 100
_AGE_NAMES = {"week": "last 7 days", "month": "last 31 days", "older": "older"}


@click.group(
    invoke_without_command=True,
    epilog=examples(
        "hermes memory selftest",
        "hermes memory selftest --questions 100 --show-misses",
        "hermes memory selftest history",
    ),
)
@click.option("--questions", default=50, show_default=True, type=click.IntRange(5, 1_000), help="Most questions.")
@click.option("--show-misses", is_flag=True, help="List the questions that were not answered, and their source.")
@as_json
@click.pass_context
def selftest(context: click.Context, questions: int, show_misses: bool, is_json: bool) -> None:
    """Test how well memory finds what you told it.

    Questions are made of your own messages, without a model, and asked as you would ask them. Exit code 1 when
    recall@10 fell by more than 2 points since the last test with 20 questions or more, else 0.
    """
    if context.invoked_subcommand is not None:
        return
    invocation = context.ensure_object(Invocation)
    from hermes_agent.memory import selftest as testing
    from hermes_agent.recall.grading import FEWEST_JUDGED, compare

    with opened(invocation) as app:
        now = clock.to_datetime(clock.now(), app.zone)
        tested = follow(_steps(testing.run(app.store, app.embedder, now, "by hand", questions), questions))
        if isinstance(tested, testing.TooFew):
            _say_too_few(tested.questions, testing.FEWEST, is_json=is_json)
            return
        last = testing.previous(app.store, tested.run, FEWEST_JUDGED)
    verdict = None if last is None else compare(last, tested.run)
    if is_json:
        missed = [question_json(question) for question in tested.missed] if show_misses else None
        print_json(result_json(tested.run, last, verdict, missed))
    else:
        _print(tested.run, last, verdict, invocation)
        if show_misses:
            _print_misses(tested.missed, invocation)
    if verdict is not None and verdict.is_drop:
        raise SystemExit(1)


@selftest.command(epilog=examples("hermes memory selftest history", "hermes memory selftest history --json"))
@click.option("-n", "--limit", default=20, show_default=True, type=COUNT, help="How many.")
@as_json
@pass_invocation
def history(invocation: Invocation, limit: int, is_json: bool) -> None:
    """List the tests that were made, the newest first."""
    from hermes_agent.memory.selftest import history as made
    from hermes_agent.recall.grading import score

    with opened(invocation) as app:
        runs = made(app.store, limit)
    if is_json:
        print_json([run_json(run) for run in runs])
        return
    if not runs:
        say("There was no self-test yet. Make one: hermes memory selftest")
        return
    rows = []
    for run in runs:
        found = score(run.answers)
        when = local_time(run.at, invocation.settings)[:16]
        shares = (_percent(found.recall_1), _percent(found.recall_10), f"{found.mrr:.3f}")
        rows.append((when, run.cause, found.questions, *shares, run.fingerprint or "words alone"))
    print_table(["WHEN", "CAUSE", "QUESTIONS", "RECALL@1", "RECALL@10", "MRR", "VECTORS"], rows)


@selftest.command(epilog=examples("hermes memory selftest accept"))
@pass_invocation
def accept(invocation: Invocation) -> None:
    """Accept that recall fell with a new embedder; until then no old vectors are removed."""
    from hermes_agent.memory import reembedding

    with opened(invocation) as app:
        accepted = reembedding.accept(app.store, cause="hermes memory selftest accept")
    say("There is nothing to accept." if accepted is None else f"Accepted: {accepted}")


def _steps(work: Generator[int, None, T], total: int) -> Generator[Step, None, T]:
    while True:
        try:
            done = next(work)
        except StopIteration as end:
            result: T = end.value
            return result
        yield Step("Asking", done, total)


def _say_too_few(found: int, fewest: int, *, is_json: bool) -> None:
    if is_json:
        print_json(too_few_json(found, fewest))
        return
    say(
        f"Your history gives {counted(found, 'question')} so far; a test needs {fewest}. Talk a little more first."
    )


def _print(run: Run, last: Run | None, verdict: "Verdict | None", invocation: Invocation) -> None:
    from hermes_agent.recall.grading import score

    now, then = score(run.answers), None if last is None else score(last.answers)
    rows: list[tuple[str, str, str, str]] = [
        ("questions", str(now.questions), "" if then is None else str(then.questions), ""),
        *(_row(name, field, now, then) for name, field in _MEASURES),
    ]
    for age in AGES:
        part = score([answer for answer in run.answers if answer.age == age])
        past = None if last is None else score([answer for answer in last.answers if answer.age == age])
        if part.questions:
            past = past if past is not None and past.questions else None
            rows.append(_row(f"recall@10, {_AGE_NAMES[age]} ({part.questions})", "recall_10", part, past))
    for name, took, before in (
        ("p50", run.p50_ms, None if last is None else last.p50_ms),
        ("p95", run.p95_ms, None if last is None else last.p95_ms),
    ):
        rows.append((name, f"{took:.0f} ms", "" if before is None else f"{before:.0f} ms", ""))
    before_then = "LAST" if last is None else local_time(last.at, invocation.settings)[:16]
    print_table(["MEASURE", "NOW", before_then, "CHANGE"], rows)
    for trouble in run.troubles:
        say(f"Not everything could be looked at: {trouble}", is_error=True)
    if verdict is not None and verdict.is_drop:
        asked = counted(verdict.questions, "question")
        say(f"Recall got worse: recall@10 changed by {verdict.points:+.1f} points over {asked}.", is_error=True)


_MEASURES = (("recall@1", "recall_1"), ("recall@5", "recall_5"), ("recall@10", "recall_10"), ("MRR", "mrr"))


def _row(name: str, field: str, now: Score, then: Score | None) -> tuple[str, str, str, str]:
    """Write one measure: now, then, and the change; in points of a hundred, except MRR."""
    value = getattr(now, field)
    before = None if then is None else getattr(then, field)
    if field == "mrr":
        return (
            name,
            f"{value:.3f}",
            *(("", "") if before is None else (f"{before:.3f}", f"{value - before:+.3f}")),
        )
    change = ("", "") if before is None else (_percent(before), f"{100 * (value - before):+.1f}")
    return (name, _percent(value), *change)


def _print_misses(missed: "Sequence[Question]", invocation: Invocation) -> None:
    for question in missed:
        message = question.message
        when = local_time(message.said_at, invocation.settings)[:16]
        say(f"{question.masked.question}  ({question.masked.value})", is_bold=True)
        say(f"  {when}, session {message.session_id}: {preview(message.content or '', _QUOTED)}")
    if not missed:
        say("Every question was answered.")


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%"
