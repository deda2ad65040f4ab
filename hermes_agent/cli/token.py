"""`hermes token`: who may ask over HTTP, and what they may do."""

from typing import get_args

import click

from hermes_agent import clock
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import confirm, examples, print_json, print_table, say
from hermes_agent.config.reader_time import local_time
from hermes_agent.errors import UsageError
from hermes_agent.memory import tokens
from hermes_agent.memory.shown.tokens import token_json
from hermes_agent.records.tokens import MAY, Scope
from hermes_agent.text.dates import expiry_of

_REVOKE = "hermes token revoke"


@click.group(
    epilog=examples(
        "hermes token create laptop",
        "hermes token create reader --scope read --expires 2027-01-01",
        "hermes token list",
        "hermes token revoke laptop",
    )
)
def token() -> None:
    """Make, list and revoke tokens: what programs show that use this memory over HTTP."""


@token.command(
    epilog=examples(
        "hermes token create laptop",
        "hermes token create reader --scope read --expires 2027-01-01",
        'hermes token create ci --expires "in 30 days" --json',
    )
)
@click.argument("name")
@click.option(
    "--scope",
    type=click.Choice(get_args(Scope)),
    default="write",
    show_default=True,
    help=(
        "What may be done: look (read), also talk, and add facts as a program's word, never in the place of yours "
        "(write), everything in your name, also what concerns the home (admin)."
    ),
)
@click.option("--expires", metavar="DATE", help='The last day it is good for: 2027-01-01, "in 30 days".')
@as_json
@pass_invocation
def create(invocation: Invocation, name: str, scope: Scope, expires: str | None, is_json: bool) -> None:
    """Make a token and print it, once: only its hash is kept. It is for this profile and no other."""
    with opened(invocation) as app:
        made = tokens.create(app.store, name, scope, expiry_of(expires, app.zone), cause="hermes token create")
    if is_json:
        print_json({**token_json(made.token), "token": made.shown})
        return
    say(f"The token {made.token.name} may {MAY[scope]}. It is shown this once:", is_error=True)
    say(made.shown)


@token.command("list", epilog=examples("hermes token list", "hermes token list --all --json"))
@click.option("--all", "is_all", is_flag=True, help="Also those that are revoked or expired.")
@as_json
@pass_invocation
def list_tokens(invocation: Invocation, is_all: bool, is_json: bool) -> None:
    """List the tokens of programs and of browsers that are logged in."""
    now = clock.now()
    with opened(invocation) as app:
        found = [one for one in tokens.every(app.store) if is_all or one.is_valid(now)]
    if is_json:
        print_json([token_json(one) for one in found])
        return
    if not found:
        say("There are no tokens. Make one: hermes token create NAME")
        return

    def when(moment: int | None) -> str:
        return "never" if moment is None else local_time(moment, invocation.settings)

    rows = [
        (one.id, one.name, one.kind, one.scope, when(one.used_at), when(one.expires_at), one.state(clock.now()))
        for one in found
    ]
    print_table(("number", "name", "kind", "scope", "last used", "expires", "state"), rows)


@token.command(
    epilog=examples("hermes token revoke laptop", "hermes token revoke 3", "hermes token revoke --all --yes")
)
@click.argument("name", required=False)
@click.option("--all", "is_all", is_flag=True, help="Revoke every token; browsers must log in again.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@as_json
@pass_invocation
def revoke(invocation: Invocation, name: str | None, is_all: bool, yes: bool, is_json: bool) -> None:
    """Let a token, by name or number, open nothing any more, at once."""
    if (name is None) != is_all:
        raise UsageError("Name one token, or use --all.", hint="List them: hermes token list")
    with opened(invocation) as app:
        if name is not None:
            gone = [tokens.revoke(app.store, name, cause=_REVOKE)]
        else:
            now = clock.now()
            chosen = {one.id for one in tokens.every(app.store) if one.is_valid(now)}
            if chosen and not confirm(f"Revoke {len(chosen)} tokens?", yes=yes):
                return
            gone = tokens.revoke_all(app.store, chosen, cause=_REVOKE)
    if is_json:
        print_json([token_json(one) for one in gone])
        return
    for one in gone:
        say(f"Revoked: {one.name}.")
    if not gone:
        say("There are no tokens.")
