"""`hermes profile handover` and `handovers`: give something to another profile, and take it back."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click

from hermes_agent.app import App
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import confirm, examples, print_json, say
from hermes_agent.config import profiles
from hermes_agent.config.reader_time import local_time
from hermes_agent.errors import HermesError, NotFound, UsageError
from hermes_agent.memory import handing_over, handovers
from hermes_agent.memory.shown.handovers import handover_json
from hermes_agent.records.handover import Handover, Item
from hermes_agent.text.clean import preview
from hermes_agent.text.quantities import counted

_LINE = 100
_CAUSE = "hermes profile handover"
_STATES = {
    "begun": "begun, not known to have arrived",
    "arrived": "arrived",
    "revoked": "revoked",
}


@click.command(
    epilog=examples(
        'hermes profile handover work home --summary "The trip to Lisbon is booked for 3 May."',
        "hermes profile handover work home --facts fact:12,fact:14 --dry-run",
        "hermes profile handover work home --about Lisbon --yes",
        "hermes profile handover --revoke 0192f0c1a4b07c3d8e5f60718293a4b5",
    )
)
@click.argument("giver", metavar="[FROM]", required=False)
@click.argument("receiver", metavar="[TO]", required=False)
@click.option("--summary", metavar="TEXT", help="Hand over this text.")
@click.option("--facts", "fact_names", metavar="NUMBERS", help="Hand over these facts: fact:1,fact:2.")
@click.option("--about", metavar="X", help="Hand over every fact about somebody or something.")
@click.option("--revoke", metavar="ID", help="Take a hand-over back from the receiver, with what was made of it.")
@click.option("--dry-run", is_flag=True, help="Only show what would be handed over.")
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
@as_json
@pass_invocation
def handover(
    invocation: Invocation,
    giver: str | None,
    receiver: str | None,
    summary: str | None,
    fact_names: str | None,
    about: str | None,
    revoke: str | None,
    dry_run: bool,
    yes: bool,
    is_json: bool,
) -> None:
    """Hand something over to another profile: a summary, or facts. Nothing else ever crosses.

    Both journals tell it under one id. There it is another profile's word: not trusted, marked when it is
    recalled, never in the prompt's header; what speaks to the assistant waits for review. `hermes memory review
    accept handover:ID` lets it count like your own word.
    """
    wanted = [one for one in (summary, fact_names, about) if one is not None]
    if revoke is not None:
        if wanted or giver is not None or dry_run:
            raise UsageError("--revoke takes an id and nothing else.")
        _revoke(invocation, revoke, yes=yes, is_json=is_json)
        return
    if giver is None or receiver is None:
        raise UsageError(
            "Say from which profile to which.", hint='hermes profile handover work home --summary "…"'
        )
    if not wanted:
        raise UsageError("Say what.", hint="--summary TEXT, --facts fact:1,fact:2 or --about X")
    numbers = [] if fact_names is None else [one for one in fact_names.split(",") if one.strip()]
    if fact_names is not None and not numbers:
        raise UsageError("--facts names no fact.", hint="It looks like: --facts fact:1,fact:2")
    with _both(giver, receiver) as (source, target):
        items = handing_over.chosen(source.store, summary, numbers, about)
        if dry_run:
            _tell(items, giver, receiver, is_json=is_json)
            return
        if not is_json:
            _tell(items, giver, receiver, is_json=False)
        if not confirm(f"Hand this over from {giver} to {receiver}?", yes=yes):
            say("Nothing was handed over.")
            return
        given = handing_over.hand_over(source.store, target.memory, items, cause=_CAUSE)
    _tell_given(given, receiver, is_json=is_json)
    if source.keys is not None and target.keys is None:
        say(f"{giver} is encrypted, {receiver} is not. Encrypt it: hermes -p {receiver} encrypt", is_error=True)


@click.command(epilog=examples("hermes profile handovers", "hermes -p home profile handovers --json"))
@as_json
@pass_invocation
def list_handovers(invocation: Invocation, is_json: bool) -> None:
    """List what this profile handed over and was handed, the newest first."""
    with opened(invocation) as app:
        found = handovers.listed(app.store)
    if is_json:
        print_json([handover_json(one) for one in found])
        return
    for one in found:
        when = local_time(one.at, invocation.settings)[:16]
        say(f"{one.uid}  {when}  {one.sender} -> {one.receiver}  {_STATES[one.state]}", is_bold=True)
        for item in one.items:
            say(f"  {_line(item)}")
    if not found:
        say("Nothing was handed over, and nothing was handed to this profile.")
    elif any(one.state == "begun" for one in found):
        say("What only begun was cut off: hand the same over again to finish it, or --revoke it.")


@contextmanager
def _both(giver: str, receiver: str) -> Iterator[tuple[App, App]]:
    """Open two profiles that are not the same."""
    source, target = profiles.find(giver), profiles.find(receiver)
    if source.profile == target.profile:
        raise UsageError("A profile hands nothing over to itself.", hint="Name another one.")
    with opened(Invocation(source.profile)) as one, opened(Invocation(target.profile)) as other:
        yield one, other


def _tell(items: Sequence[Item], giver: str, receiver: str, *, is_json: bool) -> None:
    if is_json:
        print_json({"dry_run": True, "from": giver, "to": receiver, "items": [item.told for item in items]})
        return
    say(f"From {giver} to {receiver}, {handing_over.told(items)}:")
    for item in items:
        say(f"  {_line(item)}")


def _tell_given(given: handing_over.Given, receiver: str, *, is_json: bool) -> None:
    if is_json:
        print_json(
            {
                "id": given.uid,
                "items": [item.told for item in given.items],
                "known": given.known,
                "quarantined": given.quarantined,
                "refused": given.refused,
            }
        )
        return
    if given.refused:
        what = "1 thing was" if given.refused == 1 else f"{given.refused} things were"
        say(f"{what} left out: {receiver} forgot it for good.")
    if given.uid is None:
        say(f"{receiver} has it already: nothing new was handed over.")
        return
    say(f"Handed over as {given.uid}.")
    if given.known:
        say(f"{counted(given.known, 'thing')} of it had been handed over before.")
    if given.quarantined:
        say(
            f"{counted(given.quarantined, 'thing')} of it speaks to the assistant and waits there: "
            f"hermes -p {receiver} memory review"
        )


def _revoke(invocation: Invocation, typed: str, *, yes: bool, is_json: bool) -> None:
    one, sides = _sides(invocation, typed)
    if not is_json:
        say(f"{one.uid}: {one.sender} -> {one.receiver}, {handing_over.told(one.items)}.")
    if not confirm(f"Take it back from {one.receiver}, with what was made of it?", yes=yes):
        say("Nothing was taken back.")
        return
    receiver = sides.get("received") or (one.receiver if one.receiver in profiles.names() else None)
    was_taken = False
    if receiver is not None:
        with opened(Invocation(receiver)) as app:
            was_taken = handing_over.take_back(app.memory, one, cause=_CAUSE)
    giver = sides.get("sent")
    if giver is not None:
        with opened(Invocation(giver)) as app, app.store.write() as connection:
            handing_over.tell_revoked(connection, one, _CAUSE)
    missing = [name for side, name in (("sent", one.sender), ("received", one.receiver)) if side not in sides]
    if is_json:
        print_json({"id": one.uid, "revoked": was_taken, "not_found": missing})
        return
    say(f"Revoked {one.uid}." if was_taken else f"{one.uid} had been revoked before.")
    for name in missing:
        say(f"No journal of a profile {name} tells of it.", is_error=True)


def _sides(invocation: Invocation, typed: str) -> tuple[Handover, dict[str, str]]:
    """Find a hand-over in the journals; return it with the names that its two profiles have now."""
    handovers.uid_beginning(typed)
    own = invocation.home.profile
    found: dict[str, Handover] = {}
    sides: dict[str, str] = {}
    for name in (own, *(other for other in profiles.names() if other != own)):
        try:
            with opened(Invocation(name)) as app:
                one = handovers.named(handovers.listed(app.store), typed)
        except UsageError:
            raise
        except HermesError as error:
            say(f"The journal of {name} cannot be read: {error.message}", is_error=True)
            continue
        if one is not None:
            found.setdefault(one.uid, one)
            sides[one.direction] = name
        if len(found) > 1:
            raise UsageError(f"{preview(typed)!r} is the beginning of several hand-overs.", hint="Write it whole.")
        if len(sides) == 2:  # both journals tell of it
            break
    if not found:
        raise NotFound(f"There is no hand-over {preview(typed)!r}.", hint="List them: hermes profile handovers")
    return next(iter(found.values())), sides


def _line(item: Item) -> str:
    if not item.text:
        return f"[{item.fact_name or 'summary'}] (taken back)"
    return f"[{item.fact_name or 'summary'}] {preview(item.text, _LINE)}"
