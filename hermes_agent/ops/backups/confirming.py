"""Whether the owner knows of the key of the backups, and has a copy of it in another place: of each key anew."""

from pathlib import Path
from typing import Literal

from hermes_agent.config.paths import Home
from hermes_agent.ops.backups import keys
from hermes_agent.store import meta
from hermes_agent.store.store import Store

Copy = Literal["elsewhere", "near", "none"]

_CONFIRMED, _TOLD = "backup.key_confirmed", "backup.key_told"


def confirm(store: Store, public: str) -> None:
    """Keep that there is a copy of the key with this public part."""
    with store.write() as connection:
        meta.put(connection, _CONFIRMED, public)


def is_confirmed(store: Store, public: str) -> bool:
    """Tell whether the owner said that there is a copy."""
    with store.read() as connection:
        return meta.get(connection, _CONFIRMED) == public


def note_told(store: Store, public: str) -> None:
    """Keep that the owner was told of the key: the daemon, which may have made it, tells nobody."""
    with store.write() as connection:
        meta.put(connection, _TOLD, public)


def is_told(store: Store, public: str) -> bool:
    """Tell whether the owner knows of the key."""
    with store.read() as connection:
        return public in (meta.get(connection, _TOLD), meta.get(connection, _CONFIRMED))


def copy_of_key(home: Home, store: Store, backup: Path | None) -> Copy:
    """Tell where there is a copy of the home's own key: elsewhere, on the home's own disk only, or nowhere.

    That beside the last backup is one, too: a passphrase opens it.
    """
    if is_confirmed(store, keys.lock_of(home, []).shown[0]):
        return "elsewhere"
    if backup is None or not keys.sealed_beside(backup).exists():
        return "none"
    return "near" if backup.stat().st_dev == home.root.stat().st_dev else "elsewhere"
