"""The keys of an encrypted home: one random master key, and what is derived from it.

The master key never lies anywhere in plain. It is wrapped by a key that the owner holds (a passphrase, a key file,
the system's keyring), so another passphrase means wrapping it anew, not encrypting everything again.
"""

import os
from dataclasses import dataclass, field
from functools import cached_property

LENGTH = 32
DATABASE_LENGTH = LENGTH + 16
_ID_LENGTH = 8
_PURPOSE = "hermes-agent {} v1"


@dataclass(frozen=True)
class Keys:
    """The keys of one home; `id` tells the master key apart from others and gives nothing away of it."""

    id: bytes
    master: bytes = field(repr=False)

    @cached_property
    def database(self) -> bytes:
        """What the pages of the database are encrypted with: SQLCipher's key, and behind it the salt of the file.

        Processes that make a new file at once would each invent a salt, and could not read each other's pages.
        """
        return derived(self.master, "database", salt=self.id, length=DATABASE_LENGTH)

    @cached_property
    def files(self) -> bytes:
        """What files are sealed with."""
        return derived(self.master, "files", salt=self.id)


@dataclass(frozen=True, slots=True)
class Costs:
    """How much work a guess at a passphrase takes (argon2id): the second choice of RFC 9106."""

    iterations: int = 3
    lanes: int = 4
    memory_kib: int = 65_536


def new() -> Keys:
    """Make the keys of a home that is to be encrypted."""
    return Keys(os.urandom(_ID_LENGTH), os.urandom(LENGTH))


def derived(secret: bytes, purpose: str, *, salt: bytes, length: int = LENGTH) -> bytes:
    """Derive a key for one purpose from a secret that is random already."""
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(SHA256(), length, salt, _PURPOSE.format(purpose).encode("ascii")).derive(secret)


def stretched(passphrase: str, salt: bytes, costs: Costs) -> bytes:
    """Derive a key from what a person can remember; slow on purpose, a third of a second."""
    from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

    slow = Argon2id(
        salt=salt,
        length=LENGTH,
        iterations=costs.iterations,
        lanes=costs.lanes,
        memory_cost=costs.memory_kib,
    )
    return slow.derive(passphrase.encode("utf-8", "surrogatepass"))
