"""`encryption.json`: that a home is encrypted, and its master key, wrapped by a key that its owner holds.

The owner's key is a passphrase ($HERMES_PASSPHRASE, or asked on the terminal), a file outside of the home
($HERMES_KEY_FILE where it lies elsewhere now), or a secret in the system's keyring. None of them stands in it.

While a home is being converted the file says so, and nothing else opens the home: whoever runs the same command
again finishes it.
"""

import json
from base64 import b64decode, b64encode
from dataclasses import asdict, dataclass
from typing import Literal, get_args

from hermes_agent.config import owner_key
from hermes_agent.config.owner_key import Ask, Kind, Source
from hermes_agent.config.paths import Home
from hermes_agent.config.replace import replace_text
from hermes_agent.crypto import unlocked
from hermes_agent.crypto.keys import Costs, Keys
from hermes_agent.crypto.sealing import MAGIC, key_id
from hermes_agent.crypto.wrapping import WrongKey, unwrap, wrap
from hermes_agent.errors import LockedHome

FORMAT, VERSION = "hermes-agent encryption", 1

State = Literal["encrypted", "encrypting", "decrypting"]


@dataclass(frozen=True, slots=True)
class Encryption:
    """What `encryption.json` says. While the master key is exchanged, the former one is wrapped there too."""

    source: Source
    wrapped: bytes
    state: State = "encrypted"
    former: bytes | None = None

    @property
    def id(self) -> bytes:
        """Tell the master key apart from others."""
        return key_id(self.wrapped)


def read(home: Home) -> Encryption | None:
    """Read whether and how a home is encrypted; LockedHome if the file is damaged."""
    try:
        found = json.loads(home.encryption.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise _damaged(home, "it cannot be read") from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise _damaged(home, "it is another file")
    if found.get("version") != VERSION:
        raise LockedHome(f"{home.encryption} was made by a newer hermes.", hint="Update hermes here first.")
    try:
        source = found["source"]
        costs = Costs(**source["costs"]) if "costs" in source else Costs()
        told = Source(source["kind"], b64decode(source.get("salt", "")), costs, str(source.get("place", "")))
        former = found.get("former")
        made = Encryption(told, b64decode(found["wrapped"]), found["state"], former and b64decode(former))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _damaged(home, "something is missing in it") from error
    is_known = told.kind in get_args(Kind) and made.state in get_args(State) and told.is_sane
    if not is_known or not made.wrapped.startswith(MAGIC):
        raise _damaged(home, "it says what nobody could have written")
    return made


def write(home: Home, encryption: Encryption) -> None:
    """Write the file in one step."""
    source = encryption.source
    told: dict[str, object] = {"kind": source.kind}
    if source.kind == "passphrase":
        told |= {"salt": b64encode(source.salt).decode(), "kdf": "argon2id", "costs": asdict(source.costs)}
    else:
        told |= {"place": source.place}
    whole = {
        "format": FORMAT,
        "version": VERSION,
        "state": encryption.state,
        "source": told,
        "wrapped": b64encode(encryption.wrapped).decode(),
    }
    if encryption.former is not None:
        whole["former"] = b64encode(encryption.former).decode()
    replace_text(home.encryption, json.dumps(whole, indent=1) + "\n", mode=0o600)


def unlock(home: Home, ask: Ask | None = None) -> Keys | None:
    """Find the keys of a home and seal what is written to it from now on; None if it is not encrypted.

    A key is derived once in a process. `ask` asks a person for the passphrase where the environment has none.
    """
    found = read(home)
    if found is None:
        return None
    refuse_unfinished(home, found)
    keys = keys_of(home, found, ask)
    unlocked.unlock(home.sealed, keys)
    return keys


def keys_of(home: Home, found: Encryption, ask: Ask | None = None) -> Keys:
    """Return the keys of a home; LockedHome if the owner's key is not at hand, or is another one."""
    known = unlocked.of_id(found.id)
    if known is not None:
        return known
    keys = opened(home, found.wrapped, owner_key.of(home, found.source, ask), found.source.kind)
    unlocked.unlock((), keys)
    return keys


def opened(home: Home, wrapped: bytes, holder: bytes, kind: Kind) -> Keys:
    """Unwrap a master key."""
    try:
        return unwrap(wrapped, holder)
    except WrongKey as error:
        what = "The keyring's key" if kind == "keyring" else f"The {kind}"
        raise LockedHome(
            f"{what} is not the one that {home.root} is encrypted with.", hint="Nothing was touched. Try again."
        ) from error


def wrapped_with(keys: Keys, source: Source, holder: bytes, state: State = "encrypted") -> Encryption:
    """Return what the file is to say when a key of the owner holds the master key."""
    return Encryption(source, wrap(keys, holder), state)


def refuse_unfinished(home: Home, found: Encryption) -> None:
    """LockedHome while a home is half converted: a killed command left it so."""
    if found.state != "encrypted":
        command = "encrypt" if found.state == "encrypting" else "decrypt"
        raise LockedHome(
            f"`hermes {command}` was interrupted in {home.root}. Nothing is lost.",
            hint=f"Run it again to finish it: hermes {command}",
        )


def _damaged(home: Home, reason: str) -> LockedHome:
    return LockedHome(
        f"{home.encryption} is damaged: {reason}. Without it nobody can open this home.",
        hint="It was left as it is. Take it from a backup: hermes backup restore FILE",
    )
