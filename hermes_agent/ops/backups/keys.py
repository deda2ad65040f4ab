"""The keys of backups: whom they are encrypted to, and what opens them again. The format is that of age.

Without settings a backup is encrypted to a key of the home's own, made when it is first needed and kept in
`backup.key`. Whoever loses the disk loses that file too, so a copy belongs elsewhere: by hand, or protected by a
passphrase beside each backup (`….key`). With `backup.recipients` the owner's own keys are used, and none is made.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyrage import DecryptError, IdentityError, RecipientError, passphrase, ssh, x25519

from hermes_agent import clock
from hermes_agent.config.paths import Home, beside, ensure
from hermes_agent.config.replace import locked, replace_text
from hermes_agent.errors import HermesError, SettingError, UsageError

SEALED = ".key"
"""The ending of the file beside a backup that holds its key, protected by a passphrase."""
_ARMOR = b"-----BEGIN AGE ENCRYPTED FILE-----"
_SECRET = "AGE-SECRET-KEY-"

# Any: pyrage tells no types.
Recipient = Any
Identity = Any


@dataclass(frozen=True, slots=True)
class Lock:
    """Whom backups are encrypted to; `is_fresh` if the key was made just now."""

    recipients: Sequence[Recipient]
    shown: Sequence[str]
    is_own: bool
    """Whether it is the home's own key."""
    is_fresh: bool = False


def lock_of(home: Home, recipients: list[str]) -> Lock:
    """Return whom the backups of a home are encrypted to; make its own key if nobody is named and it has none."""
    if recipients:
        return Lock([_recipient(one) for one in recipients], list(recipients), is_own=False)
    is_fresh = _make(home)
    public = _own(home).to_public()
    return Lock([public], [str(public)], is_own=True, is_fresh=is_fresh)


def _make(home: Home) -> bool:
    """Make the home's own key unless it has one, also if two do it at once; tell whether it is new."""
    if home.backup_key.exists():
        return False
    ensure(home)
    with locked(home.backup_lock):
        if home.backup_key.exists():
            return False
        identity = x25519.Identity.generate()
        text = f"# made by hermes: {clock.iso(clock.now())}\n# public key: {identity.to_public()}\n{identity}\n"
        # Whole at once: who reads it meanwhile must not find half a key, and a kill leaves nothing under its name.
        replace_text(home.backup_key, text, mode=0o600)
    return True


def seal(home: Home, words: str) -> None:
    """Protect the home's own key by a passphrase, to be laid beside each backup from now on."""
    if not words:
        raise UsageError("The passphrase is empty.")
    sealed = passphrase.encrypt(str(_own(home)).encode("ascii") + b"\n", words, armored=True)
    replace_text(home.sealed_backup_key, sealed.decode("ascii"), mode=0o600)


def adopt(home: Home, opened_by: Sequence[Identity]) -> None:
    """Make the key that opened a backup the home's own; a key of ssh stays its owner's."""
    ours = [one for one in opened_by if isinstance(one, x25519.Identity)]
    if ours:
        replace_text(home.backup_key, f"# public key: {ours[0].to_public()}\n{ours[0]}\n", mode=0o600)


def sealed_beside(backup: Path) -> Path:
    """Return where the protected key of a backup lies."""
    return beside(backup, SEALED)


def is_sealed(file: Path) -> bool:
    """Tell whether a file holds a key that a passphrase protects."""
    try:
        return file.read_bytes()[: len(_ARMOR)] == _ARMOR
    except OSError:
        return False


def unseal(sealed: Path, words: str) -> list[Identity]:
    """Return the key that a passphrase opens."""
    try:
        opened = passphrase.decrypt(sealed.read_bytes(), words)
    except DecryptError as error:
        raise UsageError("The passphrase does not open the key of the backup.") from error
    except OSError as error:
        raise HermesError(f"{sealed} cannot be read: {error.strerror}.") from error
    return identities(opened.decode("ascii", "replace"), str(sealed))


def read(file: Path) -> list[Identity]:
    """Return the keys of a file: age's own, or one of ssh."""
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError as error:
        raise UsageError(f"There is no key {file}.") from error
    except OSError as error:
        raise HermesError(f"{file} cannot be read: {error.strerror}.") from error
    return identities(text, str(file))


def identities(text: str, place: str) -> list[Identity]:
    """Return the keys that a text holds."""
    try:
        found: list[Identity] = [
            x25519.Identity.from_str(line) for line in text.split() if line.startswith(_SECRET)
        ]
        return found or [ssh.Identity.from_buffer(text.encode())]
    except (IdentityError, ValueError) as error:
        raise UsageError(f"{place} holds no key that opens backups.") from error


def _own(home: Home) -> Identity:
    (first, *_) = read(home.backup_key)
    if not isinstance(first, x25519.Identity):
        raise HermesError(f"{home.backup_key} holds no key of ours.", hint="Move it away; another is made.")
    return first


def _recipient(text: str) -> Recipient:
    try:
        return ssh.Recipient.from_str(text) if text.startswith("ssh-") else x25519.Recipient.from_str(text)
    except RecipientError as error:
        raise SettingError(
            f"backup.recipients: {text!r} is no public key.", hint="It begins with age1 or ssh-."
        ) from error
