"""Wrap the master key of a home with a key that its owner holds, and unwrap it again."""

from hermes_agent.crypto import sealing
from hermes_agent.crypto.keys import LENGTH, Keys

_NAME = "master key"


class WrongKey(Exception):
    """The key does not unwrap it: another passphrase, another file, or somebody changed what was wrapped."""


def wrap(keys: Keys, holder: bytes) -> bytes:
    """Return the master key as only the holder's key opens it."""
    return sealing.seal(keys.master, holder, keys.id, _NAME)


def unwrap(wrapped: bytes, holder: bytes) -> Keys:
    """Return the keys that were wrapped; WrongKey if another key wrapped them."""
    try:
        master = sealing.open_sealed(wrapped, holder, _NAME)
    except sealing.NotOpened as error:
        raise WrongKey from error
    if len(master) != LENGTH:
        raise WrongKey
    return Keys(sealing.key_id(wrapped), master)
