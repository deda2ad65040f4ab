"""The key that the owner of an encrypted home holds: a passphrase, a file, or a secret in the system's keyring."""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import astuple, dataclass
from pathlib import Path
from types import ModuleType
from typing import Literal

from hermes_agent.config.paths import Home
from hermes_agent.config.replace import put_in_place
from hermes_agent.crypto.keys import LENGTH, Costs, derived, stretched
from hermes_agent.errors import HermesError, LockedHome, UsageError

PASSPHRASE = "HERMES_PASSPHRASE"
NEW_PASSPHRASE = "HERMES_NEW_PASSPHRASE"
KEY_FILE = "HERMES_KEY_FILE"
SERVICE = "hermes-agent"
SHORTEST_PASSPHRASE = 8
_SHORTEST_FILE, _LONGEST_FILE = 16, 1_000_000
_SALT_LENGTH = 16
_MOST_TIMES = 4
"""How many times our own costs somebody may ask for: the file may come with an archive, to fill the memory."""

Kind = Literal["passphrase", "key file", "keyring"]
Ask = Callable[[], str]


@dataclass(frozen=True, slots=True)
class Source:
    """Where the owner's key comes from; `salt` and `costs` are a passphrase's, `place` the others'."""

    kind: Kind
    salt: bytes = b""
    costs: Costs = Costs()
    place: str = ""

    @property
    def is_sane(self) -> bool:
        """Whether a passphrase can be stretched in this way at all: somebody may have changed the file."""
        costs = self.costs
        if self.kind != "passphrase":
            return True
        is_bounded = all(
            type(one) is int and 0 < one <= _MOST_TIMES * ours
            for one, ours in zip(astuple(costs), astuple(Costs()), strict=True)
        )
        return is_bounded and costs.memory_kib >= 8 * costs.lanes and len(self.salt) >= _SALT_LENGTH


def named(source: Source) -> str:
    """Name the key for a sentence: `opened by its passphrase`."""
    if source.kind == "key file":
        return f"the key file {source.place}"
    return "a secret in the system's keyring" if source.kind == "keyring" else "its passphrase"


def passphrase_in(variable: str = PASSPHRASE) -> str | None:
    """Return the passphrase of the environment; None if it has none. A home's `.env` is never asked."""
    return os.environ.get(variable) or None


def key_file_given() -> Path | None:
    """Return the key file that the environment names, None if it names none."""
    given = os.environ.get(KEY_FILE)
    return Path(given).expanduser() if given else None


def of(home: Home, source: Source, ask: Ask | None = None) -> bytes:
    """Return the key that wraps the master key of a home; LockedHome if it is not at hand."""
    if source.kind == "passphrase":
        words = passphrase_in() or (ask and ask())
        if not words:
            raise LockedHome(
                f"{home.root} is encrypted, and no passphrase was given.",
                hint=f"Run it on a terminal, or set {PASSPHRASE}.",
            )
        return stretched(words, source.salt, source.costs)
    if source.kind == "key file":
        return _of_file(key_file_given() or Path(source.place))
    return _of_keyring(source.place)


def of_passphrase(words: str) -> tuple[Source, bytes]:
    """Return a new key made of a passphrase, and how it is made again."""
    if len(words) < SHORTEST_PASSPHRASE:
        raise UsageError(
            f"A passphrase has at least {SHORTEST_PASSPHRASE} characters.", hint="Several words are best."
        )
    source = Source("passphrase", os.urandom(_SALT_LENGTH), Costs())
    return source, stretched(words, source.salt, source.costs)


def of_file(home: Home, file: Path) -> tuple[Source, bytes]:
    """Return the key in a file; one that is not there is made, for its owner alone."""
    place = file.expanduser().absolute()
    if place.resolve().is_relative_to(home.root.resolve()):
        raise UsageError(
            "The key file may not lie in the home: whoever has the one would have the other.",
            hint="Put it on another disk, a USB stick for instance.",
        )
    if not place.exists():
        try:
            place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with put_in_place(place, 0o600) as out:
                out.write(os.urandom(LENGTH).hex().encode("ascii") + b"\n")
        except OSError as error:
            raise UsageError(f"{place} cannot be made: {error.strerror}.") from error
    return Source("key file", place=str(place)), _of_file(place)


def of_new_secret(name: str) -> tuple[Source, bytes]:
    """Put a new secret into the system's keyring under a name; return its key."""
    keyring, trouble = _keyring()
    secret = os.urandom(LENGTH).hex()
    try:
        keyring.set_password(SERVICE, name, secret)
    except trouble as error:
        raise HermesError(
            f"The system's keyring cannot be used: {error}.", hint="Use a passphrase, or --key-file FILE."
        ) from error
    return Source("keyring", place=name), _of_keyring(name)


def drop(source: Source) -> None:
    """Remove a secret that is no longer used from the keyring; what else there is stays with its owner."""
    if source.kind != "keyring":
        return
    keyring, trouble = _keyring()
    with suppress(trouble):
        keyring.delete_password(SERVICE, source.place)


def _of_file(place: Path) -> bytes:
    try:
        with place.open("rb") as file:
            secret = file.read(_LONGEST_FILE)
    except OSError as error:
        raise LockedHome(
            f"The key file {place} cannot be read: {error.strerror}.",
            hint=f"If it lies elsewhere, set {KEY_FILE}.",
        ) from error
    if len(secret) < _SHORTEST_FILE:
        raise LockedHome(f"{place} is no key file: it has fewer than {_SHORTEST_FILE} bytes.")
    return derived(secret, "key file", salt=b"")


def _of_keyring(name: str) -> bytes:
    keyring, trouble = _keyring()
    try:
        secret = keyring.get_password(SERVICE, name)
    except trouble as error:
        raise LockedHome(
            f"The system's keyring does not answer: {error}.", hint="Unlock it, then try again."
        ) from error
    if secret is None:
        raise LockedHome(
            f"The system's keyring has no key of this home ({SERVICE}, {name}).",
            hint="Log in as the user who encrypted it.",
        )
    return derived(secret.encode("utf-8"), "keyring", salt=b"")


def _keyring() -> tuple[ModuleType, type[Exception]]:
    """Return the library that asks the system's keyring, and what it raises."""
    try:
        import keyring
        from keyring.errors import KeyringError
    except ImportError as error:
        raise LockedHome(
            "The package that asks the system's keyring is not installed.",
            hint="Run: pip install 'hermes-agent[encryption]'",
        ) from error
    return keyring, KeyringError
