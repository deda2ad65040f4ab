"""`hermes memory reset`: empty parts of memory, or all of it."""

import click

from hermes_agent.cli.backup_key import tell_key
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import confirm, examples, print_json, say
from hermes_agent.cli.progress import follow
from hermes_agent.config.settings import BACKUP_RECIPIENTS
from hermes_agent.memory.resetting import TARGETS, Target, also_lost
from hermes_agent.ops.forgetting import carrying_out, receipt_file, resetting


@click.command(
    epilog=examples(
        "hermes memory reset --dry-run",
        "hermes memory reset --target facts --target reflections",
        "hermes memory reset --backup --yes",
    )
)
@click.option("--target", "targets", multiple=True, type=click.Choice(TARGETS), help="What; all of it by default.")
@click.option("--backup/--no-backup", "makes_backup", default=None, help="Make a backup first; asked otherwise.")
@click.option("--dry-run", "is_dry", is_flag=True, help="Only say what would go.")
@click.option("-y", "--yes", is_flag=True, help="Do not ask, and make no backup unless --backup says so.")
@as_json
@pass_invocation
def reset(
    invocation: Invocation,
    targets: tuple[Target, ...],
    makes_backup: bool | None,
    is_dry: bool,
    yes: bool,
    is_json: bool,
) -> None:
    """Empty memory: all of it, or facts, reflections, skills, notes, sessions (with their episodes), the journal.

    SOUL.md, the workspace and settings stay. What is told again afterwards is learned again; to make sure that
    something is not, use `hermes memory forget`. It cannot be undone.
    """
    wanted = targets or ("all",)
    with opened(invocation) as app:
        place = app.forgetting
        for cut_short in follow(carrying_out.finish(place)) if not is_dry else ():
            say(f"{cut_short.name} was cut short, and is finished now.", is_error=True)
        seen = resetting.preview(place, wanted)
        if is_json and is_dry:
            print_json({"reset": False, "counts": dict(seen.counts)})
            return
        say("This would go for good:", is_error=not is_dry)
        for name, count in seen.counts.items():
            say(f"  {count:>6,}  {name}", is_error=not is_dry)
        if (lost := also_lost(wanted)) is not None:
            say(lost, is_error=not is_dry)
        if is_dry:
            return
        if not confirm("Reset memory? It cannot be undone.", yes=yes):
            say("Nothing was reset.")
            return
        if makes_backup is None and not yes:
            makes_backup = confirm("Make a backup first?", yes=False)
        is_compared = not yes or bool(makes_backup)  # what came meanwhile would be in no backup either
        if makes_backup:
            from hermes_agent.jobs import backing_up
            from hermes_agent.ops.backups import keys

            tell_key(app, keys.lock_of(app.home, app.settings[BACKUP_RECIPIENTS]))
            made = follow(backing_up.make(app.home, app.store, app.settings))
            say(f"The backup is {made.path}.", is_error=True)
        receipt = follow(resetting.carry_out(place, wanted, seen if is_compared else None))
    if is_json:
        print_json({"reset": True, **receipt_file.shown(receipt)})
    else:
        say(f"Memory was reset. The receipt is {receipt.name}.")
