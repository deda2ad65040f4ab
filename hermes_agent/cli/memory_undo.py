"""`hermes memory undo`: take changes of notes and facts back."""

from collections.abc import Generator
from typing import TYPE_CHECKING

import click

from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import examples, print_json, say
from hermes_agent.cli.progress import follow
from hermes_agent.errors import HermesError, UsageError
from hermes_agent.handlers import stepwise_handlers
from hermes_agent.memory import undoing
from hermes_agent.memory.shown.journal import undone_json
from hermes_agent.memory.undo_choice import Latest, Named, OfTurn, Since, Wanted, choose
from hermes_agent.memory.undo_turns import is_learned as is_turn_learned
from hermes_agent.ops.steps import Step
from hermes_agent.records.changes import Undone
from hermes_agent.records.notes import Refused
from hermes_agent.text.dates import moment_of

if TYPE_CHECKING:
    from hermes_agent.app import App

_LATEST = "latest"


@click.command(
    epilog=examples(
        "hermes memory undo",
        "hermes memory undo 01a1e117-778a-7cbf-9231-fbc99d2b4915",
        "hermes memory undo 212",
        "hermes memory undo summary:007",
        "hermes memory undo --turn",
        'hermes memory undo --since "10 minutes ago"',
    )
)
@click.argument("id", required=False, metavar="[ID]")
@click.option(
    "--turn",
    is_flag=False,
    flag_value=_LATEST,
    metavar="[ID]",
    help="What a turn changed and what was learned of it: the latest, or the one of a message or of an entry.",
)
@click.option(
    "--since", metavar="DATE", help='Everything since then: yesterday, "10 minutes ago", 2026-04-14T09:30.'
)
@as_json
@pass_invocation
def undo(invocation: Invocation, id: str | None, turn: str | None, since: str | None, is_json: bool) -> None:
    """Take back the latest change of memory, or those that are named: all of them or none.

    Notes, facts, reflections, skills and summaries can be taken back.
    The latest change goes with whatever else its turn changed. ID is entry:212, 212 or the uid, as
    `hermes memory log` gives it, or that of a summary or of a compaction. Memory is then as it was before; undoing
    the undo makes the changes again. What a later change builds on is refused, and the later change named.
    """
    if sum(value is not None for value in (id, turn, since)) > 1:
        raise UsageError("Name one: an ID, --turn or --since.", hint="See: hermes memory undo --help")
    with opened(invocation) as app:
        for sentence in (*app.notebook.reconcile(), *app.sync_skills()):
            say(sentence, is_error=True)
        wanted = _learned(app, _wanted(id, turn, moment_of(since, app.zone, is_end=False)))
        outcome = undoing.undo(app.notebook, wanted)
        for sentence in app.sync_skills():
            say(sentence, is_error=True)
        is_learned = (
            isinstance(outcome, Refused) or outcome.turn is None or is_turn_learned(app.store, outcome.turn)
        )
    if isinstance(outcome, Refused):
        is_misnamed = outcome.reason == "no_match" and (id is not None or turn not in (None, _LATEST))
        raise UsageError(outcome.error) if is_misnamed else HermesError(outcome.error)
    if is_json:
        print_json(undone_json(outcome))
    else:
        _say(outcome)
        if not is_learned:
            say("Nothing was learned of its message yet: what will be must be undone then, too.", is_error=True)


def _learned(app: "App", wanted: Wanted) -> Wanted:
    """Learn first of the message of the turn that is meant: done later, it would undo the undo."""
    if isinstance(wanted, Named | Since):
        return wanted
    with app.store.read() as connection:
        choice = choose(connection, wanted)
    if isinstance(choice, Refused) or choice.turn is None or is_turn_learned(app.store, choice.turn):
        return wanted
    follow(_learn(app))
    # What was learned of others meanwhile is not meant.
    return OfTurn(choice.turn.name)


def _learn(app: "App") -> Generator[Step, None, None]:
    """Learn what rules can learn by now; a language model is not waited for."""
    from hermes_agent.jobs import learning, worker
    from hermes_agent.memory.learning import JOB

    learning.enqueue_due(app.memory)
    handlers = {kind: handler for kind, handler in stepwise_handlers(app).items() if kind == JOB}
    for done, _ in enumerate(worker.run_due(app.store, handlers)):
        yield Step("Learning", done)


def _say(outcome: Undone) -> None:
    say(outcome.message)
    for entry in outcome.skipped:
        say(f"Left as it is, nothing of it can be brought back: {entry.text}")
    if outcome.turn is not None and not outcome.also:
        say(f"The turn: {outcome.turn.text}", is_error=True)
    for entry in outcome.also:
        say(f"The same turn changed, and this stays: {entry.text}", is_error=True)
    if outcome.turn is not None and outcome.also:
        say(f"Take that back, too: hermes memory undo --turn {outcome.turn.name}", is_error=True)
    them = "them" if len(outcome.entries) > 1 else "it"
    say(f"To make {them} again: hermes memory undo {outcome.entry_uid}", is_error=True)


def _wanted(id: str | None, turn: str | None, since: int | None) -> Wanted:
    if id is not None:
        return Named(id)
    if turn is not None:
        return OfTurn(None if turn == _LATEST else turn)
    return Latest() if since is None else Since(since)
