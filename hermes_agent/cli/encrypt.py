"""`hermes encrypt` and `hermes decrypt`: the memory of a home so that only its owner can read the disk."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hermes_agent.cli import passphrases
from hermes_agent.cli.invocation import Invocation, pass_invocation
from hermes_agent.cli.options import as_json
from hermes_agent.cli.output import confirm, examples, print_json, say
from hermes_agent.cli.progress import follow
from hermes_agent.config import encryption, owner_key, paths, pid_file, presence
from hermes_agent.config.encryption import Encryption
from hermes_agent.config.owner_key import Source
from hermes_agent.config.settings import MEMORY_BACKEND
from hermes_agent.config.store_path import store_path
from hermes_agent.crypto import keys as fresh_keys
from hermes_agent.crypto import wrapping
from hermes_agent.crypto.keys import Keys
from hermes_agent.errors import ChangedMeanwhile, HermesError, UsageError
from hermes_agent.ops.encryption import converting
from hermes_agent.ops.encryption.plain import plain
from hermes_agent.text.quantities import counted, size

if TYPE_CHECKING:
    from hermes_agent.config.paths import Home
    from hermes_agent.ops.encryption.converting import Converted

_key_file = click.option(
    "--key-file", metavar="FILE", help="Let a file outside of the home be the key; made if it is not there."
)
_keyring = click.option("--keyring", "is_keyring", is_flag=True, help="Keep the key in the system's keyring.")
_BACKUPS = "Backups that were made before are opened by the key they were made with: keep it."
_yes = click.option("-y", "--yes", is_flag=True, help="Do not ask.")
_drop_key = click.option(
    "--drop-key", "drops_key", is_flag=True, help="Remove the former secret from the keyring: no backup needs it."
)


@click.command(
    epilog=examples(
        "hermes encrypt --dry-run",
        "hermes encrypt",
        "hermes encrypt --key-file /media/usb/hermes.key",
        "hermes encrypt --rekey",
        "hermes encrypt --rotate",
    )
)
@_key_file
@_keyring
@click.option("--rekey", "is_rekey", is_flag=True, help="From now on open it with another key.")
@click.option("--rotate", "is_rotation", is_flag=True, help="Encrypt everything anew with a new key underneath.")
@_drop_key
@click.option("--dry-run", is_flag=True, help="Only tell what would be encrypted, and what would not.")
@_yes
@as_json
@pass_invocation
def encrypt(
    invocation: Invocation,
    key_file: str | None,
    is_keyring: bool,
    is_rekey: bool,
    is_rotation: bool,
    drops_key: bool,
    dry_run: bool,
    yes: bool,
    is_json: bool,
) -> None:
    """Encrypt this home: its database, its notes, its skills. Without the key nobody reads them, you included.

    The key is a passphrase ($HERMES_PASSPHRASE, or asked for), a file, or a secret in the system's keyring. Every
    command needs it from then on. A passphrase that is lost cannot be found again, and neither can the memory.

    Killed on the way, nothing is lost: run it again. What cannot be encrypted is named.
    """
    if key_file is not None and is_keyring or is_rekey and is_rotation:
        raise UsageError("Choose one: --key-file or --keyring, --rekey or --rotate.")
    has_new_key = key_file is not None or is_keyring
    if is_rotation and has_new_key:
        raise UsageError("--rotate goes on with the key you hold.", hint="For another one: hermes encrypt --rekey")
    home, database = invocation.home, _database(invocation)
    found = encryption.read(home)
    if dry_run:
        _preview(home, database, is_json=is_json)
        return
    if is_rekey or is_rotation:
        if found is None:
            raise UsageError(f"{home.root} is not encrypted.", hint="Encrypt it: hermes encrypt")
        if is_rekey or found.state == "decrypting":
            encryption.refuse_unfinished(home, found)
        if is_rekey:
            _rekey(home, found, key_file, is_keyring=is_keyring, drops_key=drops_key)
            return
        if found.state == "encrypted":
            _rotate(home, database, found, yes=yes)
            return
    elif found is not None and found.state == "encrypted":
        raise UsageError(
            f"{home.root} is encrypted already.", hint="Another key: hermes encrypt --rekey, or --rotate"
        )
    elif found is not None and has_new_key and not _is_key_of(found.source, key_file):
        raise UsageError(
            "An encryption was interrupted, which has a key already.",
            hint="Finish it: hermes encrypt. For another key then: hermes encrypt --rekey",
        )
    paths.ensure(home)
    if found is None:
        if not is_json:
            _preview(home, database, is_json=False)
        if not confirm(f"Encrypt {home.root}?", yes=yes):
            say("Nothing was changed.")
            return
    with _alone(home, found, database):
        converting.refuse_unready(database)
        made = _begun(home, key_file, is_keyring=is_keyring) if found is None else (found, *_both(home, found))
        _tell(home, database, follow(converting.encrypt(home, database, *made)), is_json=is_json)


@click.command(epilog=examples("hermes decrypt", "hermes decrypt --yes"))
@_drop_key
@_yes
@pass_invocation
def decrypt(invocation: Invocation, drops_key: bool, yes: bool) -> None:
    """Make an encrypted home plain again; the key is needed once more.

    Killed on the way, nothing is lost: run it again.
    """
    home, database = invocation.home, _database(invocation)
    found = encryption.read(home)
    if found is None:
        raise UsageError(f"{home.root} is not encrypted.")
    keys, former = _both(home, found)
    if found.state != "decrypting" and not confirm(
        f"Decrypt {home.root}? Whoever reads the disk can then read the memory.", yes=yes
    ):
        say("Nothing was changed.")
        return
    with _alone(home, found, database):
        known = [one for one in (keys, former) if one is not None]
        done = follow(converting.decrypt(home, database, found, known))
    say(f"{home.root} is plain: its database and {counted(done.files, 'file')}.")
    _let_go(found.source, drops_key=drops_key)
    _tell_unopened(done)


def _database(invocation: Invocation) -> Path:
    if invocation.settings[MEMORY_BACKEND] == "postgres":
        raise UsageError(
            "The memory of this profile is in PostgreSQL, which hermes cannot encrypt.",
            hint="Encrypt the disk of the server (LUKS, or what its provider offers), and connect with TLS.",
        )
    return store_path(invocation.settings, invocation.home)


def _is_key_of(source: Source, key_file: str | None) -> bool:
    """Tell whether somebody who runs it again names the key that it was begun with."""
    if key_file is None:
        return source.kind == "keyring"
    return source.kind == "key file" and Path(key_file).expanduser().absolute() == Path(source.place)


@contextmanager
def _alone(home: "Home", found: Encryption | None, database: Path | None = None) -> Iterator[None]:
    """Hold the home alone, as it was found."""
    running = pid_file.running(home)
    if running is not None:
        raise UsageError(f"The daemon runs (pid {running.pid}).", hint="Stop it first: hermes stop")
    with presence.alone(home, database):
        if encryption.read(home) != found:
            raise ChangedMeanwhile(
                "Another process has just encrypted or decrypted this home.", hint="Look again."
            )
        yield


def _begun(home: "Home", key_file: str | None, *, is_keyring: bool) -> tuple[Encryption, Keys, None]:
    keys = fresh_keys.new()
    source, holder = _chosen(home, keys, key_file, is_keyring=is_keyring, variable=owner_key.PASSPHRASE)
    return encryption.wrapped_with(keys, source, holder), keys, None


def _chosen(
    home: "Home", keys: Keys, key_file: str | None, *, is_keyring: bool, variable: str
) -> tuple[Source, bytes]:
    """Return the key that the owner is to hold."""
    if key_file is not None:
        return owner_key.of_file(home, Path(key_file))
    if is_keyring:
        # A name of its own: the former secret stays until the new one is in use.
        return owner_key.of_new_secret(f"{keys.id.hex()}-{os.urandom(4).hex()}")
    return owner_key.of_passphrase(owner_key.passphrase_in(variable) or passphrases.new(variable))


def _both(home: "Home", found: Encryption) -> tuple[Keys, Keys | None]:
    """Return the keys of a home, and those it had before where they are just being exchanged."""
    holder = owner_key.of(home, found.source, passphrases.asking(home))
    keys = encryption.opened(home, found.wrapped, holder, found.source.kind)
    former = found.former
    return keys, None if former is None else encryption.opened(home, former, holder, found.source.kind)


def _rekey(home: "Home", found: Encryption, key_file: str | None, *, is_keyring: bool, drops_key: bool) -> None:
    """Wrap the key that everything is encrypted with anew."""
    keys, _ = _both(home, found)
    with _alone(home, found):
        pass  # whoever is refused is so before a new key is asked for
    source, holder = _chosen(home, keys, key_file, is_keyring=is_keyring, variable=owner_key.NEW_PASSPHRASE)
    try:
        # Once more: nobody has to wait for a person who types, and meanwhile the key may have been exchanged.
        with _alone(home, found):
            encryption.write(home, encryption.wrapped_with(keys, source, holder))
    except HermesError:
        owner_key.drop(source)
        raise
    say(f"{home.root} is opened by {owner_key.named(source)} from now on.")
    _let_go(found.source, drops_key=drops_key)


def _let_go(former: Source, *, drops_key: bool) -> None:
    """Keep the key that a home had, unless its owner says that no backup needs it; a keyring's would be lost."""
    if former.kind != "keyring":
        say(_BACKUPS, is_error=True)
    elif drops_key:
        owner_key.drop(former)
    else:
        place = f"({owner_key.SERVICE}, {former.place})"
        say(f"The former secret stays in the keyring {place}: backups made before need it.", is_error=True)
        say("If there are none, --drop-key removes it with the command; later, do it by hand.", is_error=True)


def _rotate(home: "Home", database: Path, found: Encryption, *, yes: bool) -> None:
    holder = owner_key.of(home, found.source, passphrases.asking(home))
    former = encryption.opened(home, found.wrapped, holder, found.source.kind)
    if not confirm(f"Encrypt everything in {home.root} anew?", yes=yes):
        say("Nothing was changed.")
        return
    with _alone(home, found, database):
        keys = fresh_keys.new()
        wrapped = wrapping.wrap(keys, holder)
        begun = Encryption(found.source, wrapped, former=found.wrapped)
        done = follow(converting.encrypt(home, database, begun, keys, former))
    say(f"{home.root} is encrypted with a new key: its database and {counted(done.files, 'file')}.")
    say(_BACKUPS, is_error=True)
    _tell_unopened(done)


def _preview(home: "Home", database: Path, *, is_json: bool) -> None:
    files, left = list(converting.sealable(home)), plain(home, database)
    size_bytes = database.stat().st_size if database.exists() else 0
    if is_json:
        told = [asdict(one) for one in left]
        print_json({"database": str(database), "size_bytes": size_bytes, "files": len(files), "plain": told})
        return
    say(f"Encrypted: {database} ({size(size_bytes)}), {counted(len(files), 'file')} of notes and skills.")
    say("Removed: caches and what was typed into the chat; from then on they are kept in memory only.")
    say("Not encrypted:")
    for one in left:
        say(f"  {one.place}: {one.reason}" + (f" ({one.files:,} files)" if one.files > 1 else ""))
    if not left:
        say("  nothing that is here now")


def _tell(home: "Home", database: Path, done: "Converted", *, is_json: bool) -> None:
    found = encryption.read(home)
    assert found is not None, "it was just written"
    left = plain(home, database)
    if is_json:
        told = [asdict(one) for one in left]
        print_json({"files": done.files, "key": found.source.kind, "plain": told})
        return
    say(f"{home.root} is encrypted: its database and {counted(done.files, 'file')}.")
    say(f"It is opened by {owner_key.named(found.source)}. If that is lost, so is the memory.")
    if left:
        say(f"Not encrypted: {', '.join(one.place for one in left)}. See: hermes encrypt --dry-run")
    say("The plain bytes may linger on the disk until it writes over them; only an encrypted disk prevents that.")
    _tell_unopened(done)


def _tell_unopened(done: "Converted") -> None:
    for file in done.unopened:
        say(f"Left as it is, since it cannot be opened: {file}", is_error=True)
