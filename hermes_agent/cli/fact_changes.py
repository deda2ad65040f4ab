"""`hermes memory fact edit`, `pin`, `expire`, `split` and `history`: how a fact changes, and how it did."""

import click

from hermes_agent.cli.fact_lines import last_day, line, name_and_text, tell_changed
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import examples, print_json, say
from hermes_agent.config.reader_time import local_time
from hermes_agent.memory import fact_changes, fact_history, fact_splitting
from hermes_agent.memory.facts import sourced
from hermes_agent.memory.shown.facts import chapter_json, fact_json
from hermes_agent.text.clean import printable
from hermes_agent.text.dates import moment_of

_NEVER = "never"


@click.command(
    epilog=examples(
        'hermes memory fact edit fact:042 "User lives in Oslo"',
        'hermes memory fact edit 42 "Deadline for Q2 report: 2026-07-15" --json',
    )
)
@click.argument("number")
@click.argument("text", nargs=-1, required=True)
@as_json
@pass_invocation
def edit(invocation: Invocation, number: str, text: tuple[str, ...], is_json: bool) -> None:
    """Correct a fact: a new one takes its place, as if it had been said in the first place.

    For what was wrong. What was right and has changed: `hermes memory fact expire`, and add what is so now.
    """
    with opened(invocation) as app:
        outcome = fact_changes.edit(app.store, number, " ".join(text), cause="hermes memory fact edit")
        (made,) = sourced(app.store, [outcome.fact])
    for former in made.former:
        say(f"In place of {name_and_text(former)}", is_error=True)
    if outcome.redacted:
        say(f"Taken out before it was kept: {', '.join(outcome.redacted)}.", is_error=True)
    if is_json:
        print_json(fact_json(made))
    else:
        say(name_and_text(made.fact))


@click.command(epilog=examples("hermes memory fact pin fact:042", "hermes memory fact pin 42 --json"))
@click.argument("number")
@as_json
@pass_invocation
def pin(invocation: Invocation, number: str, is_json: bool) -> None:
    """Pin a fact: nothing that is said replaces or ends it; what contradicts it is listed under conflicts."""
    with opened(invocation) as app:
        pinned = fact_changes.pin(app.store, number, cause="hermes memory fact pin")
        (told,) = sourced(app.store, [pinned])
    tell_changed(told, "Pinned", is_json=is_json)


@click.command(epilog=examples("hermes memory fact unpin fact:042", "hermes memory fact unpin 42 --json"))
@click.argument("number")
@as_json
@pass_invocation
def unpin(invocation: Invocation, number: str, is_json: bool) -> None:
    """Let a fact be replaced again by what is said."""
    with opened(invocation) as app:
        loose = fact_changes.pin(app.store, number, is_pinned=False, cause="hermes memory fact unpin")
        (told,) = sourced(app.store, [loose])
    tell_changed(told, "Not pinned", is_json=is_json)


@click.command(
    epilog=examples(
        "hermes memory fact expire fact:045 2026-06-30",
        'hermes memory fact expire 45 "last friday"',
        "hermes memory fact expire 45 never --json",
    )
)
@click.argument("number")
@click.argument("when")
@as_json
@pass_invocation
def expire(invocation: Invocation, number: str, when: str, is_json: bool) -> None:
    """Say until when a fact is true, the day itself included; a day that is past ends it now.

    WHEN is a day as people write it; `never` takes the end away again while it has not come.
    """
    with opened(invocation) as app:
        at = None if when.strip().lower() == _NEVER else moment_of(when, app.zone, is_end=True)
        changed = fact_changes.expire(app.store, number, at, cause="hermes memory fact expire")
        (told,) = sourced(app.store, [changed])
    if changed.valid_to is None:
        tell_changed(told, "True without an end", is_json=is_json)
        return
    day = last_day(changed.valid_to, invocation.settings)
    word = "True" if changed.state == "current" else "Ended, true"
    tell_changed(told, f"{word} until {day}", is_json=is_json)


@click.command(epilog=examples("hermes memory fact split fact:042", "hermes memory fact split 42 --json"))
@click.argument("number")
@as_json
@pass_invocation
def split(invocation: Invocation, number: str, is_json: bool) -> None:
    """Take a wrong merge apart: what was last taken for a repeat of this fact becomes a fact of its own."""
    with opened(invocation) as app:
        made = fact_splitting.split(app.store, number, cause="hermes memory fact split")
        (told,) = sourced(app.store, [made])
    tell_changed(told, "On its own", is_json=is_json)


@click.command(epilog=examples("hermes memory fact history fact:042", "hermes memory fact history 42 --json"))
@click.argument("number")
@as_json
@pass_invocation
def history(invocation: Invocation, number: str, is_json: bool) -> None:
    """Show how a fact came to be: what stood in its place before and after, and each change, the oldest first."""
    with opened(invocation) as app:
        chapters = fact_history.history(app.store, number)
        told = sourced(app.store, [chapter.fact for chapter in chapters])
    if is_json:
        print_json([chapter_json(one, chapter) for one, chapter in zip(told, chapters, strict=True)])
        return
    for chapter in chapters:
        say(line(chapter.fact, invocation.settings), is_bold=True)
        for entry in chapter.entries:
            cause = f" ({printable(entry.cause)})" if entry.cause else ""
            say(f"  {local_time(entry.at, invocation.settings)}  {entry.kind}  {printable(entry.text)}{cause}")
