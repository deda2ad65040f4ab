"""`hermes memory undo`: take changes of notes and facts back."""

import click

from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import examples, print_json, say
from hermes_agent.cli.shown import entry_json
from hermes_agent.errors import HermesError, UsageError
from hermes_agent.memory import undoing
from hermes_agent.memory.undo_choice import Latest, Named, OfTurn, Since, Wanted
from hermes_agent.records.archive import Json
from hermes_agent.records.changes import Undone
from hermes_agent.records.notes import Refused
from hermes_agent.text.dates import moment_of

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
        outcome = undoing.undo(app.notebook, _wanted(id, turn, moment_of(since, app.zone, is_end=False)))
        for sentence in app.sync_skills():
            say(sentence, is_error=True)
    if isinstance(outcome, Refused):
        is_misnamed = outcome.reason == "no_match" and (id is not None or turn not in (None, _LATEST))
        raise UsageError(outcome.error) if is_misnamed else HermesError(outcome.error)
    if is_json:
        print_json(_json(outcome))
    else:
        _say(outcome)


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


def _json(outcome: Undone) -> dict[str, Json]:
    return {
        "uid": outcome.entry_uid,
        "undone": [entry_json(entry) for entry in outcome.entries],
        "turn": None if outcome.turn is None else entry_json(outcome.turn),
        "also_of_the_turn": [entry_json(entry) for entry in outcome.also],
        "skipped": [entry_json(entry) for entry in outcome.skipped],
    }


def _wanted(id: str | None, turn: str | None, since: int | None) -> Wanted:
    if id is not None:
        return Named(id)
    if turn is not None:
        return OfTurn(None if turn == _LATEST else turn)
    return Latest() if since is None else Since(since)
