"""`hermes memory log` and `history`: how memory changed, and the notes as they were."""

import click

from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import COUNT, as_json, opened, since_option, until_option
from hermes_agent.cli.output import examples, print_json, print_table, say
from hermes_agent.config.reader_time import local_time
from hermes_agent.memory.shown.journal import entry_json, sentence
from hermes_agent.memory.shown.notes import version_json
from hermes_agent.records.notes import Note
from hermes_agent.text.clean import printable
from hermes_agent.text.dates import moment_of


@click.command(epilog=examples("hermes memory log", 'hermes memory log --since "last monday" --json'))
@click.option("-n", "--limit", default=20, show_default=True, type=COUNT, help="How many.")
@click.option("--kind", help="Only changes of this kind, or whose kind begins so: session, session.renamed, …")
@click.option("--subject", help="Only changes of this thing: a session id, job:12, …")
@since_option
@until_option
@as_json
@pass_invocation
def log(
    invocation: Invocation,
    limit: int,
    kind: str | None,
    subject: str | None,
    since: str | None,
    until: str | None,
    is_json: bool,
) -> None:
    """List the changes of memory, the newest first; `entry:12` is what `undo` and `diff` take.

    `hermes memory undo` takes a change back, `hermes memory diff` compares two moments.
    """
    with opened(invocation) as app:
        entries = app.memory.log(
            limit,
            kind=kind,
            subject=subject,
            since=moment_of(since, app.zone, is_end=False),
            until=moment_of(until, app.zone, is_end=True),
        )
    if is_json:
        print_json([entry_json(entry) for entry in entries])
        return
    for entry in entries:
        cause = f" ({printable(entry.cause)})" if entry.cause else ""
        when = local_time(entry.at, invocation.settings)
        say(f"{when}  {entry.name}  {entry.kind}  {printable(sentence(entry))}{cause}")
    if not entries:
        is_filtered = any(value is not None for value in (kind, subject, since, until))
        say("No change matches." if is_filtered else "Nothing has changed yet.")


@click.command(
    epilog=examples(
        "hermes memory history", "hermes memory history -t user -n 50", "hermes memory history -t soul --json"
    )
)
@click.option(
    "-t", "--target", type=click.Choice(["soul", "user", "memory", "workspace"]), help="Only of this note."
)
@click.option("-n", "--limit", default=20, show_default=True, type=COUNT, help="How many.")
@as_json
@pass_invocation
def history(invocation: Invocation, target: Note | None, limit: int, is_json: bool) -> None:
    """List the versions of the notes, the newest first; the id is what `undo` takes."""
    with opened(invocation) as app:
        for sentence in app.notebook.reconcile():
            say(sentence, is_error=True)
        found = app.notebook.history(target, limit)
    if is_json:
        print_json([version_json(version) for version in found])
        return
    if not found:
        say("The notes have no history yet.")
        return
    rows = [
        (
            version.entry_uid or "",
            local_time(version.at, invocation.settings)[:16],
            version.actor,
            version.kind.removeprefix("note."),
            version.summary,
        )
        for version in found
    ]
    print_table(["ID", "WHEN", "WHO", "KIND", "WHAT"], rows)
