"""`hermes memory diff`: what differs in memory between two moments."""

from typing import TYPE_CHECKING

import click

from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import examples, print_json, say
from hermes_agent.config.reader_time import local_time
from hermes_agent.memory.difference import ChangedFact, differences, point
from hermes_agent.memory.shown.journal import differences_json, name_of
from hermes_agent.records.archive import Json
from hermes_agent.records.changes import Values
from hermes_agent.text.clean import printable

if TYPE_CHECKING:
    from hermes_agent.config.load import Settings

_MOMENTS = ("valid_from", "valid_to", "ended_at")
_BY_UID = "superseded_by"
"""Told to programs; people see that the state changed."""


@click.command(
    epilog=examples(
        "hermes memory diff yesterday",
        'hermes memory diff 2026-03-01 "last friday"',
        "hermes memory diff entry:212 entry:230 --json",
    )
)
@click.argument("a", metavar="A")
@click.argument("b", metavar="[B]", required=False)
@as_json
@pass_invocation
def diff(invocation: Invocation, a: str, b: str | None, is_json: bool) -> None:
    """Show what differs in memory between two moments: facts that came, ended or changed, and the notes.

    A and B are dates, or changes as `hermes memory log` names them: entry:212 or a uid is the moment after it.
    Without B memory is compared with how it is now. Of a day, A is its beginning and B its end.
    """
    with opened(invocation) as app:
        for sentence in app.notebook.reconcile():
            say(sentence, is_error=True)
        one, other = (point(app.store, typed, app.zone, is_end=is_b) for typed, is_b in ((a, False), (b, True)))
        found = differences(app.store, one, other)
    if is_json:
        print_json(differences_json(one, other, found))
        return
    for sign, facts in (("+", found.added), ("-", found.ended)):
        for fact in facts:
            state = "" if fact["state"] == "current" else f" ({fact['state']})"
            say(f"{sign} {_named(fact)}{state}")
    for changed in found.changed:
        say(f"~ {_named(changed.values)}: {_told(changed, invocation.settings)}")
    for note in found.notes:
        for line in note.lines():
            say(line)
    if not any((found.added, found.ended, found.changed, found.notes)):
        say("Nothing differs.")


def _named(values: Values) -> str:
    return f"[{name_of(values)}] {printable(str(values['text']))}"


def _told(changed: ChangedFact, settings: "Settings") -> str:
    """Write each field that is different: `corroborations 0 → 1`."""
    return ", ".join(
        f"{field} {_value(field, changed.before[field], settings)} → {_value(field, now, settings)}"
        for field, now in changed.after.items()
        if field != _BY_UID
    )


def _value(field: str, value: Json, settings: "Settings") -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case int() if field in _MOMENTS:
            return local_time(value, settings)
    return printable(str(value))
