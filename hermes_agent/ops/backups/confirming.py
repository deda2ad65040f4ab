"""Whether the owner has a copy of the key in another place: asked until they said so, of each key anew."""

from hermes_agent.store import meta
from hermes_agent.store.store import Store

_CONFIRMED = "backup.key_confirmed"


def confirm(store: Store, public: str) -> None:
    """Keep that there is a copy of the key with this public part."""
    with store.write() as connection:
        meta.put(connection, _CONFIRMED, public)


def is_confirmed(store: Store, public: str) -> bool:
    """Tell whether the owner said that there is a copy."""
    with store.read() as connection:
        return meta.get(connection, _CONFIRMED) == public
