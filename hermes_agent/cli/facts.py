"""`hermes memory fact` and `hermes memory facts`: what is held to be true, as its owner says it."""

import sys

import click

from hermes_agent.cli.fact_changes import edit, expire, history, pin, split, unpin
from hermes_agent.cli.fact_lines import described, line, name_and_text, tell_changed
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import COUNT, as_json, opened
from hermes_agent.cli.output import examples, print_json, say
from hermes_agent.errors import UsageError
from hermes_agent.memory import facts as verbs
from hermes_agent.memory.shown.facts import fact_json, opened_fact_json
from hermes_agent.text.dates import last_moment_of

_RECENT = 20
_EVERY = sys.maxsize - 1


@click.group(
    epilog=examples(
        'hermes memory fact add "My timezone is Europe/London"',
        "hermes memory fact list",
        "hermes memory fact show fact:042",
        'hermes memory fact edit fact:042 "My timezone is Europe/Paris"',
        "hermes memory fact delete fact:044",
    )
)
def fact() -> None:
    """Add, show, change and delete facts: single sentences that are held to be true."""


@click.group(epilog=examples("hermes memory facts list --recent 20"))
def facts() -> None:
    """List facts; `hermes memory fact` changes them."""


for change in (edit, pin, unpin, expire, split, history):
    fact.add_command(change)


@fact.command(
    epilog=examples(
        'hermes memory fact add "User\'s timezone is Europe/London (UTC+1 in summer)"',
        'hermes memory fact add "Deadline for Q2 report: 2026-06-30" --json',
    )
)
@click.argument("text", nargs=-1, required=True)
@as_json
@pass_invocation
def add(invocation: Invocation, text: tuple[str, ...], is_json: bool) -> None:
    """Add a fact: one sentence of at most 2,000 characters. The same sentence twice is one fact."""
    with opened(invocation) as app:
        outcome = verbs.add(app.store, " ".join(text), cause="hermes memory fact add")
        (added,) = verbs.sourced(app.store, [outcome.fact])
    if isinstance(outcome, verbs.KnownAlready):
        say(f"{outcome.fact.name} says so already.", is_error=True)
    elif outcome.redacted:
        say(f"Taken out before it was kept: {', '.join(outcome.redacted)}.", is_error=True)
    if is_json:
        print_json(fact_json(added))
    else:
        say(name_and_text(outcome.fact))


@click.command(
    "list",
    epilog=examples(
        "hermes memory facts list --recent 20",
        "hermes memory facts list --about Ana --all",
        "hermes memory facts list --as-of 2026-03-01",
        'hermes memory facts list --believed "last monday" --json',
    ),
)
@click.option("-n", "--recent", type=COUNT, help=f"How many; {_RECENT} unless --all is given.")
@click.option("--all", "is_all", is_flag=True, help="Also those that are not held to be true any more.")
@click.option("--about", metavar="NAME", help="Only about somebody or something: me, us, Ana, Atlas.")
@click.option("--as-of", metavar="DATE", help="What was true then, by what is known today.")
@click.option("--believed", metavar="DATE", help="What memory held to be true then, whether it was or not.")
@as_json
@pass_invocation
def list_facts(
    invocation: Invocation,
    recent: int | None,
    is_all: bool,
    about: str | None,
    as_of: str | None,
    believed: str | None,
    is_json: bool,
) -> None:
    """List the latest facts, the newest last. One that is not certain is followed by how sure memory is of it.

    Two days can be asked for, and both at once. --as-of is the day in the world: since when and until when a fact
    was true, as far as is known today. --believed is the day in memory: what it had learned by then and not ended
    yet. Of a day given without an hour its end counts.
    """
    if is_all and (as_of is not None or believed is not None):
        raise UsageError("Of another day there is no list of all facts.", hint="Leave out --all.")
    with opened(invocation) as app:
        limit = recent or (_EVERY if is_all else _RECENT)
        every = verbs.recent(
            app.store,
            limit + 1,
            with_ended=is_all,
            about=about,
            as_of=last_moment_of(as_of, app.zone),
            believed=last_moment_of(believed, app.zone),
        )
        found = every[:limit][::-1]
        told = verbs.sourced(app.store, found) if is_json else []
    if is_json:
        print_json([fact_json(one) for one in told])
        return
    if len(every) > limit and recent is None:
        say(f"The latest {limit}; --recent lists more, --all every one.", is_error=True, is_dim=True)
    for one in found:
        say(line(one, invocation.settings))
    if not found:
        is_narrowed = any(value is not None for value in (about, as_of, believed))
        say("No fact matches." if is_narrowed else 'There are no facts. Add one: hermes memory fact add "…"')


fact.add_command(list_facts)
facts.add_command(list_facts)


@fact.command(epilog=examples("hermes memory fact show fact:042", "hermes memory fact show 42 --json"))
@click.argument("number")
@as_json
@pass_invocation
def show(invocation: Invocation, number: str, is_json: bool) -> None:
    """Show everything about a fact: where it came from, since when it holds, how sure memory is."""
    with opened(invocation) as app:
        found = verbs.get(app.store, number)
        (told,) = verbs.sourced(app.store, [found])
        source = verbs.source(app.store, found)
    if is_json:
        print_json(opened_fact_json(told, source))
        return
    say(name_and_text(found), is_bold=True)
    for name, value in described(told, source, invocation.settings):
        say(f"{name}: {value}")


@fact.command(epilog=examples("hermes memory fact delete fact:044", "hermes memory fact delete 44 --json"))
@click.argument("number")
@as_json
@pass_invocation
def delete(invocation: Invocation, number: str, is_json: bool) -> None:
    """Delete a fact: it was wrong, and is not held to be true any more. `fact list --all` still shows it.

    What was said before it was deleted does not bring it back; what is said from now on may.
    """
    with opened(invocation) as app:
        gone = verbs.delete(app.store, number, cause="hermes memory fact delete")
        (told,) = verbs.sourced(app.store, [gone])
    tell_changed(told, "Deleted", is_json=is_json)
