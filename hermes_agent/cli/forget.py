"""`hermes memory forget`, `receipts`, `verify-deletion`, `unblock`: forgetting for good, and the proof of it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import confirm, examples, print_json, print_table, say
from hermes_agent.cli.progress import follow
from hermes_agent.config import profiles
from hermes_agent.config.reader_time import local_time
from hermes_agent.memory.forget_asked import Asked, still_named
from hermes_agent.memory.forget_shown import Forgotten
from hermes_agent.ops.forgetting import carrying_out, receipt_file
from hermes_agent.ops.forgetting.carrying_out import Seek
from hermes_agent.records.archive import Json
from hermes_agent.records.receipts import Receipt
from hermes_agent.store import receipts as kept
from hermes_agent.text.clean import preview
from hermes_agent.text.dates import moment_of
from hermes_agent.text.quantities import counted

if TYPE_CHECKING:
    from hermes_agent.app import App
    from hermes_agent.ops.forgetting.in_backups import Anew

_SAMPLE = 70
_OTHERS = "Other profiles were not looked into: "
_SINGULARS = {"entries": "entry", "summaries": "summary", "copies": "copy", "entities": "entity"}
_SINGULARS |= {"aliases": "alias", "sketches": "sketch"}
_VERBS = {"say": "says", "lose": "loses", "quote": "quotes", "tell": "tells", "wait": "waits", "go": "goes"}


@dataclass(frozen=True, slots=True)
class _Flags:
    """How the command was called."""

    is_dry: bool
    yes: bool
    is_json: bool
    with_backups: bool


@click.command(
    epilog=examples(
        "hermes memory forget fact:042 --dry-run",
        "hermes memory forget --about Minka",
        "hermes memory forget --session 20260414_0912 --backups",
        "hermes memory forget --before 2025-01-01 --yes",
        "hermes memory forget --finish --backups",
    )
)
@click.argument("id", required=False)
@click.option("--about", metavar="NAME", help="Everything that names this person or thing.")
@click.option("--session", metavar="SESSION", help="A conversation, with what was learned of it.")
@click.option("--before", metavar="DATE", help="Everything that was said before this day.")
@click.option("--backups", is_flag=True, help="Make backups anew without it; else they are named.")
@click.option("--finish", "is_finishing", is_flag=True, help="Finish what was cut short, and forget nothing more.")
@click.option("--dry-run", "is_dry", is_flag=True, help="Only say what would go.")
@click.option("-y", "--yes", is_flag=True, help="Do not ask.")
@as_json
@pass_invocation
def forget(
    invocation: Invocation,
    id: str | None,
    about: str | None,
    session: str | None,
    before: str | None,
    backups: bool,
    is_finishing: bool,
    is_dry: bool,
    yes: bool,
    is_json: bool,
) -> None:
    """Forget for good: a fact, a message, a session, a thing, a time; with what was made of it and what quotes it.

    ID is fact:042, reflection:7, summary:3, message:123 (or its uid), entry:12 or a session. What would go is
    shown first. It cannot be undone, and is not learned again; a receipt proves it (`verify-deletion`).
    """
    with opened(invocation) as app:
        for receipt in follow(carrying_out.finish(app.forgetting)) if not is_dry else ():
            say(f"{receipt.name} was cut short, and is finished now.", is_error=True)
            _tell_backups(receipt)
        if is_finishing:
            if backups and not is_dry:
                anew = _make_anew(app)
                _tell_anew(anew, is_json=is_json)
                if anew.left:
                    raise SystemExit(1)
            return
        wanted = carrying_out.seek(Asked(id, about, session, moment_of(before, app.zone, is_end=False)))
        flags = _Flags(is_dry=is_dry, yes=yes, is_json=is_json, with_backups=backups)
        _forget_wanted(app, wanted, flags, about or "")


def _forget_wanted(app: "App", wanted: Seek, flags: "_Flags", about: str) -> None:
    """Show what would go, ask, forget, and tell what the receipt says."""
    is_dry, yes, is_json = flags.is_dry, flags.yes, flags.is_json
    found = carrying_out.preview(app.forgetting, wanted)
    is_empty = not any(found.counts.values())
    if is_json and (is_dry or is_empty):
        told: dict[str, Json] = {"counts": dict(found.counts), "samples": list(found.samples)}
        print_json({"forgotten": False, **told, "notices": list(found.notices)})
        return
    if is_empty:
        say("There is nothing to forget.", is_error=True)
        return
    _show(found, is_error=not is_dry, is_sure=yes and not is_dry)
    if is_dry:
        return
    if not confirm("Forget all of this for good? It cannot be undone.", yes=yes):
        say("Nothing was forgotten.")
        return
    receipt = follow(carrying_out.carry_out(app.forgetting, wanted, None if yes else found))
    anew = _make_anew(app) if flags.with_backups and receipt.backups else None
    receipt = carrying_out.require(app.store, receipt.name)
    if is_json:
        made: list[Json] = [] if anew is None else list(anew.made)
        print_json({"forgotten": True, **receipt_file.shown(receipt), "backups_made_anew": made})
    else:
        _tell(app, receipt, anew)
        _tell_parts(app, about)
    if receipt.found or (anew is not None and anew.left):
        raise SystemExit(1)


def _make_anew(app: "App") -> "Anew":
    # Imported here: age is loaded for it.
    from hermes_agent.ops.forgetting import in_backups

    return follow(in_backups.make_anew(app.forgetting))


def _show(found: Forgotten, *, is_error: bool, is_sure: bool) -> None:
    say("This goes for good:" if is_sure else "This would be forgotten for good:", is_error=is_error)
    for name, count in found.counts.items():
        if count:
            say(f"  {count:>6,}  {_one(name) if count == 1 else name}", is_error=is_error)
    for sample in found.samples:
        say(f"  “{preview(sample, _SAMPLE)}”", is_error=is_error, is_dim=True)
    for notice in found.notices:
        say(notice, is_error=is_error)


def _one(name: str) -> str:
    """Return what one of them is called: `fact`, `entry of the journal that tells it`."""
    words = name.split()
    plural = next((at for at, word in enumerate(words) if word.endswith("s")), 0)
    words[plural] = _SINGULARS.get(words[plural], words[plural].removesuffix("s"))
    told = [_VERBS.get(word, word) for word in words[plural + 1 :]]
    return " ".join([*words[: plural + 1], *told])


def _tell(app: "App", receipt: Receipt, anew: "Anew | None") -> None:
    say(f"Forgotten. The receipt is {receipt.name}: {app.home.receipt(receipt.uid)}")
    if receipt.found:
        say("Something is left; remove it by hand, then run: hermes memory verify-deletion " + receipt.name)
        for place in receipt.found:
            say(f"  {place}")
        if any("replaced-" in place for place in receipt.found):
            say("A folder backups/replaced-… may be deleted whole: it is what a restore put aside.")
    else:
        say("Nothing is left of it in the store, or in any file of the home.")
    if app.provider is not None:
        say(f"{app.provider} may still hold it, if it was told: forget it there, too.")
    if others := _others(app):
        say(_OTHERS + ", ".join(others))
    if anew is None:
        _tell_backups(receipt)
    else:
        _tell_anew(anew, is_json=False)


def _tell_parts(app: "App", about: str) -> None:
    """Name the parts of a name that are told of by themselves: who was called by one of them is."""
    with app.store.read() as connection:
        for part in still_named(connection, about):
            say(f"{part!r} alone is still named. To forget that, too: hermes memory forget --about {part}")


def _others(app: "App") -> list[str]:
    """Return the other profiles: each is a home of its own, and forgets by itself."""
    return [name for name in profiles.names() if name != app.home.profile]


def _tell_backups(receipt: Receipt) -> None:
    if receipt.backups:
        say(f"{counted(len(receipt.backups), 'backup')} may still hold it. To make them anew without it:")
        say("  hermes memory forget --finish --backups")
        for name in receipt.backups:
            say(f"  {name}")


def _tell_anew(anew: "Anew", *, is_json: bool) -> None:
    """Tell which backups were made anew, and which may still hold something that was forgotten."""
    if is_json:
        print_json({"made_anew": list(anew.made), "left": list(anew.left)})
        return
    if not anew.made and not anew.left:
        say("No backup holds anything that was forgotten.")
    for name in anew.made:
        say(f"Made anew without it: {name}")
    for name in anew.left:
        say(f"May still hold it, since it cannot be opened with the keys of this home, or be cleaned: {name}")


@click.command(epilog=examples("hermes memory receipts", "hermes memory receipts --json"))
@as_json
@pass_invocation
def receipts(invocation: Invocation, is_json: bool) -> None:
    """List what was forgotten, without its words."""
    with opened(invocation) as app, app.store.read() as connection:
        every = kept.every(connection)
    if is_json:
        print_json([receipt_file.shown(one) for one in every])
        return
    if not every:
        say("Nothing was forgotten yet.")
        return
    print_table(
        ["RECEIPT", "WHEN", "ASKED", "WENT", "LEFT", "STATE"],
        [
            (
                one.name,
                local_time(one.at, invocation.settings)[:16],
                one.asked,
                sum(one.counts.values()),
                len(one.found),
                one.state if one.lifted_at is None else f"{one.state}, may be learned again",
            )
            for one in every
        ],
    )


@click.command("verify-deletion", epilog=examples("hermes memory verify-deletion receipt:003"))
@click.argument("receipt")
@as_json
@pass_invocation
def verify_deletion(invocation: Invocation, receipt: str, is_json: bool) -> None:
    """Look through the store and every file of the home for anything that was forgotten.

    Every row is opened and unpacked. Exit code 1 if something is found.
    """
    with opened(invocation) as app:
        found = carrying_out.require(app.store, receipt)
        left = follow(carrying_out.verify(app.forgetting, found))
        others = _others(app)
    if is_json:
        told: dict[str, Json] = {
            "receipt": found.name,
            "uid": found.uid,
            "runs": len(found.runs),
            "found": list(left),
            "not_looked_into": list(others),
        }
        print_json(told)
    elif left:
        say(f"{found.name}: something of it is there again, or still:")
        for place in left:
            say(f"  {place}")
    else:
        say(f"{found.name}: nothing is left. Looked for: {counted(len(found.runs), 'run')} of its bytes, by hash.")
    if others and not is_json:
        say(_OTHERS + ", ".join(others))
    if left:
        raise SystemExit(1)


@click.command(epilog=examples("hermes memory unblock receipt:003"))
@click.argument("receipt")
@as_json
@pass_invocation
def unblock(invocation: Invocation, receipt: str, is_json: bool) -> None:
    """Let what was forgotten be learned again when it is said again; it does not come back by this."""
    with opened(invocation) as app:
        lifted = carrying_out.unblock(app.forgetting, receipt)
    if is_json:
        print_json(receipt_file.shown(lifted))
    else:
        say(f"{lifted.name}: it may be learned again when it is said again.")
