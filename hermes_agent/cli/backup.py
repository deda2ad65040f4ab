"""`hermes backup`: encrypted copies of the home, made, checked by restoring them, and put in its place."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hermes_agent import clock
from hermes_agent.cli.backup_forgotten import forget_again, receipts_here
from hermes_agent.cli.backup_key import tell_key
from hermes_agent.cli.backup_opening import (
    found_file,
    identities,
    key_inside,
    missing,
    new_passphrase,
    restored,
)
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json, opened
from hermes_agent.cli.output import confirm, examples, print_json, say
from hermes_agent.cli.progress import follow
from hermes_agent.config import paths, pid_file, presence, variables
from hermes_agent.config import settings as names
from hermes_agent.config.reader_time import local_time
from hermes_agent.config.store_path import store_path
from hermes_agent.errors import HermesError, UsageError
from hermes_agent.jobs import backing_up
from hermes_agent.ops.backups.checking import PASSPHRASE
from hermes_agent.text.quantities import counted, size

if TYPE_CHECKING:
    from hermes_agent.ops.backups.keeping import Kept
    from hermes_agent.ops.backups.opening import Opened

_IDENTITY = click.option("--identity", metavar="FILE", help="The key that opens it, instead of the home's own.")


@click.group(
    epilog=examples(
        "hermes backup create",
        "hermes backup list",
        "hermes backup verify ~/.hermes/backups/default-20261117T184700Z-9b1f03c2.hermes.age",
        "hermes backup restore default-20261117T184700Z-9b1f03c2.hermes.age",
    )
)
def backup() -> None:
    """Make encrypted copies of the home, and bring them back; the daemon makes one every day."""


@backup.command(epilog=examples("hermes backup create", "hermes backup create --output /media/usb/hermes.age"))
@click.option("-o", "--output", metavar="FILE", help="Where to, instead of a new file in backup.directory.")
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
@as_json
@pass_invocation
def create(invocation: Invocation, output: str | None, force: bool, is_json: bool) -> None:
    """Copy the home into one encrypted file, while the agent goes on.

    In it are the memory, the notes, the skills, the settings with their keys, and the checkpoints. It is an age
    file: without hermes it is opened by `age -d -i backup.key FILE | zstd -d | tar x`. The key is made when the
    first backup is; with $HERMES_BACKUP_PASSPHRASE, or after `hermes backup key --passphrase`, it lies beside each
    backup, protected by that passphrase.
    """
    from hermes_agent.ops.backups import keys

    with opened(invocation) as app:
        lock = keys.lock_of(app.home, app.settings[names.BACKUP_RECIPIENTS])
        words = variables.read(app.home).get(PASSPHRASE)
        if words and lock.is_own:
            keys.seal(app.home, words)
        tell_key(app, lock)
        target = None if output is None else paths.expand(output)
        if target is not None and target.exists() and not force:
            raise UsageError(f"{target} exists already.", hint="Add --force to replace it.")
        made = follow(backing_up.make(app.home, app.store, app.settings, target))
    if is_json:
        told_rows = {"rows": dict(made.manifest.rows), "left_out": list(made.manifest.left_out)}
        print_json({"file": str(made.path), "size_bytes": made.size_bytes, **told_rows})
    else:
        told = [counted(made.manifest.rows[name], name[:-1]) for name in ("sessions", "messages", "facts")]
        say(f"{made.path}: {size(made.size_bytes)}; {', '.join(told)}.")
        for one in made.manifest.left_out:
            say(f"Left out, since it is a link that nobody reads through: {one}", is_error=True)
    for one in made.trouble:
        say(one, is_error=True)


@backup.command(
    "list", epilog=examples("hermes backup list", "hermes backup list --all", "hermes backup list --json")
)
@click.option("--all", "is_all", is_flag=True, help="Those of other homes and profiles in the same folder, too.")
@as_json
@pass_invocation
def list_backups(invocation: Invocation, is_all: bool, is_json: bool) -> None:
    """List the backups of this home, the newest first."""
    folder, every = _listed(invocation)
    found = [one for one in every if is_all or one.is_ours]
    if is_json:
        from hermes_agent.ops.backups.keeping import backup_json

        print_json([backup_json(one) for one in found])
        return
    for one in found:
        when = local_time(clock.from_datetime(one.made_at), invocation.settings)
        whose = "" if one.is_ours else "  (of another home)"
        say(f"{when}  {size(one.size_bytes):>9}  {one.path}{whose}")
    if not found:
        say(f"There are no backups of this home in {folder}. Make one: hermes backup create", is_error=True)
    if others := len(every) - len(found):
        say(f"{counted(others, 'backup')} of other homes: hermes backup list --all", is_error=True)


def _listed(invocation: Invocation) -> "tuple[Path, list[Kept]]":
    """Return the folder of backups and all that lie in it."""
    from hermes_agent.ops.backups import keeping

    home = invocation.home
    folder = backing_up.folder_of(home, invocation.settings)
    return folder, keeping.listed(folder, keeping.Owner(home.profile, _mark(invocation), home.backups))


def _mark(invocation: Invocation) -> str | None:
    """Return the mark of this home; None while it has no memory."""
    from hermes_agent.ops.backups import form

    settings = invocation.settings
    # A home without a memory has made none, and looking must not make one.
    if settings[names.MEMORY_BACKEND] != "postgres" and not store_path(settings, invocation.home).exists():
        return None
    with opened(invocation) as app:
        return form.mark_of(app.store.uid)


@backup.command(epilog=examples("hermes backup verify default-20261117T184700Z-9b1f03c2.hermes.age"))
@click.argument("file")
@_IDENTITY
@as_json
@pass_invocation
def verify(invocation: Invocation, file: str, identity: str | None, is_json: bool) -> None:
    """Restore a backup into a folder of its own, open it, and compare. Exit code 1 if something is wrong."""
    path = found_file(invocation, file)
    with restored(invocation, path, identity) as (found, damage):
        files, profile = len(found.names), None if found.manifest is None else found.manifest.profile
        left_out = [] if found.manifest is None else list(found.manifest.left_out)
        problems = damage or missing(found, invocation.home.profile)
    if is_json:
        told = {"file": str(path), "profile": profile, "files": files, "left_out": left_out}
        print_json({**told, "problems": problems})
    elif problems:
        for one in problems:
            say(f"{path}: {one}")
    else:
        say(f"{path}: {counted(files, 'file')}, all as they were; the memory opens and nothing is wrong.")
        for one in left_out:
            say(f"Left out, since it is a link that nobody reads through: {one}")
    if problems:
        raise SystemExit(1)


@backup.command(
    epilog=examples(
        "hermes backup restore default-20261117T184700Z-9b1f03c2.hermes.age",
        "hermes backup restore hermes-backup-20261117.tgz",
    )
)
@click.argument("file")
@_IDENTITY
@click.option("--yes", is_flag=True, help="Do not ask before a home that is here is replaced.")
@as_json
@pass_invocation
def restore(invocation: Invocation, file: str, identity: str | None, yes: bool, is_json: bool) -> None:
    """Put a backup in the place of this home; what is here now is kept aside in `backups`.

    FILE is a backup, or the plain .tgz of a home. It is checked as by `verify` before anything is touched. On a
    new machine this is all there is to do: the key is asked for where it lies beside the backup, protected by a
    passphrase; else name it with --identity.
    """
    from hermes_agent.ops.backups import destination, opening, restoring

    home = invocation.home
    if pid_file.running(home) is not None:
        raise UsageError("The daemon runs.", hint="Stop it first: hermes stop")
    path = found_file(invocation, file)
    paths.ensure(home)
    with presence.alone(home):
        pass  # before the passphrase is asked for, and everything checked
    with restored(invocation, path, identity) as (found, problems):
        _refuse_other(invocation, found, path)
        _refuse_filled(invocation, found)
        if problems:
            raise HermesError(f"{path} was not restored: {problems[0]}.", hint="Try another: hermes backup list")
        for one in missing(found, home.profile):
            say(f"{path}: {one}.", is_error=True)
        place = destination.of(home, found)
        destination.refuse_others(place, home, found, key_inside(found))
        if place.left_out is not None:
            say(f"memory.path ({place.left_out}) was left out: it leads out of the home.", is_error=True)
        what = f"{home.root}, and {place.path}" if place.is_elsewhere and place.path.exists() else home.root
        question = f"Replace what is in {what}? It is kept in {home.backups}."
        is_opening = home.encryption.exists() and "encryption.json" not in found.names
        if is_opening:
            say("This home is encrypted and the backup is not: the restored one will be plain.", is_error=True)
        if restoring.is_used(home, place.path) and not confirm(question, yes=yes):
            say("Nothing was changed.")
            return
        forgotten = receipts_here(invocation, is_there=place.path is not None and place.path.exists())
        with presence.alone(home, place.path):
            opening.give_to(found, home.profile, key_inside(found))
            done = follow(restoring.restore(home, found, place.path))
            _keep_key(invocation, path, identity)
        _bring_memory(invocation, found)
    forget_again(invocation, forgotten)
    if is_json:
        print_json({"files": done.files, "aside": None if done.aside is None else str(done.aside)})
        return
    say(f"Restored {counted(done.files, 'file')} to {home.root}.")
    if done.aside is not None:
        say(f"What was here is in {done.aside}.")
    if home.encryption.exists():
        say("It is encrypted, and opened by the key it had when the backup was made.")
    elif is_opening:
        say("It is not encrypted. Encrypt it: hermes encrypt")


@backup.command(
    epilog=examples("hermes backup prune --dry-run", "hermes backup prune", "hermes backup prune --yes")
)
@click.option("--dry-run", is_flag=True, help="Only tell which would go.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@as_json
@pass_invocation
def prune(invocation: Invocation, dry_run: bool, yes: bool, is_json: bool) -> None:
    """Remove old backups of this home: those of the last 7 days, 4 weeks and 12 months stay.

    The daemon does it too, but spares what was made in the last 7 days. What other homes keep in the same folder
    is left alone.
    """
    from hermes_agent.ops.backups import keeping

    _, every = _listed(invocation)
    found = [one for one in every if one.is_ours]
    going = keeping.superfluous(found)
    if going and not dry_run:
        if not yes:
            for one in going:
                say(f"Would remove {one.path}.", is_error=True)
        if not confirm(f"Remove {counted(len(going), 'backup')}?", yes=yes):
            say("Nothing was changed.")
            return
        keeping.remove(going)
    if is_json:
        print_json({"removed": [str(one.path) for one in going], "is_dry_run": dry_run})
        return
    for one in going:
        say(f"{'Would remove' if dry_run else 'Removed'} {one.path}.")
    say(f"Kept: {counted(len(found) - len(going), 'backup')}.")


@backup.command(
    epilog=examples("hermes backup key", "hermes backup key --passphrase", "hermes backup key --confirm")
)
@click.option("--passphrase", "is_sealing", is_flag=True, help="Lay the key beside each backup, protected by one.")
@click.option("--confirm", "is_confirming", is_flag=True, help="Say that a copy of the key is in another place.")
@pass_invocation
def key(invocation: Invocation, is_sealing: bool, is_confirming: bool) -> None:
    """Tell where the key of the backups is, protect it, or say that there is a copy elsewhere."""
    from hermes_agent.ops.backups import confirming, keys

    with opened(invocation) as app:
        lock = keys.lock_of(app.home, app.settings[names.BACKUP_RECIPIENTS])
        if not lock.is_own:
            say(f"Backups are encrypted to {', '.join(lock.shown)} (backup.recipients).")
            return
        if is_sealing:
            keys.seal(app.home, new_passphrase(app.home))
            say("From now on the key lies beside each backup, protected by the passphrase.")
        if is_confirming:
            confirming.confirm(app.store, lock.shown[0])
            say("Noted: a copy of the key is in another place.")
        tell_key(app, lock)
        if not is_sealing and not is_confirming:
            say(f"Key: {app.home.backup_key}")
            say(f"Public key: {lock.shown[0]}")
            if not app.home.sealed_backup_key.exists():
                say("Beside backups: no. Protect a copy by a passphrase: hermes backup key --passphrase")
            else:
                say("Beside backups: yes, protected by a passphrase.")
            is_elsewhere = confirming.is_confirmed(app.store, lock.shown[0])
            told = "yes, you said so." if is_elsewhere else "no. If it is: hermes backup key --confirm"
            say(f"In another place: {told}")


def _refuse_other(invocation: Invocation, found: "Opened", path: Path) -> None:
    """Refuse the backup of another profile; one of ours that bears the name it had before is ours."""
    from hermes_agent.ops.backups import opening

    profile = None if found.manifest is None else found.manifest.profile
    if profile is None or profile == invocation.home.profile:
        return
    mark = opening.mark_of(found, path)
    if mark is None or mark != _mark(invocation):
        raise UsageError(
            f"It is a backup of profile {profile!r}, not of {invocation.home.profile!r}.",
            hint=f"Run: hermes profile create {profile}, then: hermes -p {profile} backup restore FILE",
        )


def _refuse_filled(invocation: Invocation, found: "Opened") -> None:
    """Refuse to put a memory beside another one in a server's database, by the settings that come with it."""
    from hermes_agent.app import App
    from hermes_agent.config.load import load
    from hermes_agent.ops.backups import form
    from hermes_agent.store import canonical

    if form.MEMORY not in found.names:
        return
    home = paths.Home(found.folder, invocation.home.profile)
    app = App(home, load(home))
    try:
        with app.store.read() as connection:
            is_empty = canonical.is_empty(connection)
    finally:
        app.close()
    if not is_empty:
        raise UsageError(
            f"The memory in {app.store.engine.place} is not empty. Nothing was changed.",
            hint="Restore into another schema (memory.schema), or drop that one after: hermes backup create",
        )


def _keep_key(invocation: Invocation, path: Path, identity: str | None) -> None:
    """Go on with the key that opened the backup, so that one key opens the next ones too."""
    from hermes_agent.ops.backups import keys, opening

    home = invocation.home
    if opening.is_encrypted(path) and not home.backup_key.exists():
        keys.adopt(home, identities(invocation, path, identity))


def _bring_memory(invocation: Invocation, found: "Opened") -> None:
    """Bring the memory of a backup in that was made of a server's database; there it must be empty."""
    from hermes_agent.ops.backups import form
    from hermes_agent.ops.whole import merging, reading

    if form.MEMORY not in found.names:
        return
    memory = found.folder / form.MEMORY
    with opened(Invocation(invocation.profile)) as app:
        follow(merging.bring_in(app.store, memory, follow(reading.check(memory)), is_own=True))
