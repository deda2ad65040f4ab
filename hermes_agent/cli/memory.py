"""`hermes memory`: see what is remembered and how it changed."""

import click

from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened, since_option, until_option
from hermes_agent.cli.output import examples, local_time, print_json, say
from hermes_agent.cli.shown import entry_json, moment_of
from hermes_agent.text.clean import printable


@click.group(epilog=examples("hermes memory log", "hermes memory log --kind session"))
def memory() -> None:
    """See what is remembered and how it changed."""


@memory.command(epilog=examples("hermes memory log", 'hermes memory log --since "last monday" --json'))
@click.option("-n", "--limit", default=20, show_default=True, type=click.IntRange(1), help="How many.")
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
    """List the changes of memory, the newest first."""
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
        say(f"{when}  {entry.kind}  {printable(entry.text)}{cause}")
    if not entries:
        is_filtered = any(value is not None for value in (kind, subject, since, until))
        say("No change matches." if is_filtered else "Nothing has changed yet.")
