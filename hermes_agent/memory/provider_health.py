"""How the external memory is, for every process of a home: what waits for it, and why it was last not reached."""

import json
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

from hermes_agent import clock
from hermes_agent.errors import StoreError
from hermes_agent.store import meta, outbox
from hermes_agent.store.store import Store

Deed = Literal["telling", "asking"]
_KEYS: dict[Deed, str] = {"telling": "provider.trouble", "asking": "provider.silence"}
_LASTING_MICROSECONDS = 600 * clock.MICROSECONDS
"""The same trouble is not written again at every turn."""


@dataclass(frozen=True, slots=True)
class ProviderHealth:
    """How much waits to be told, and what went wrong the last time."""

    waiting: int
    trouble: str | None = None
    trouble_at: int | None = None


def note(
    store: Store, provider: str, trouble: str | None, deed: Deed = "telling", *, is_slow: bool = False
) -> None:
    """Keep why the provider could not be told or asked; None once it was. `is_slow`: it had too little time."""
    key, now = _KEYS[deed], clock.now()
    with store.read() as connection:
        known = meta.get(connection, key)
    told = {} if known is None else json.loads(known)
    is_new = (told.get("provider"), told.get("trouble")) != (provider, trouble)
    if trouble is None:
        if known is not None:
            with store.write() as connection:
                meta.remove(connection, [key])
    elif is_new or now - told["at"] > _LASTING_MICROSECONDS:
        kept = {"provider": provider, "trouble": trouble, "at": now, "is_slow": is_slow}
        with store.write() as connection:
            meta.put(connection, key, json.dumps(kept, ensure_ascii=False))


def note_asked(store: Store, provider: str, trouble: str | None) -> None:
    """Keep whether it answered before a task; a store that cannot be written now keeps nothing."""
    with suppress(StoreError):
        note(store, provider, trouble, "asking")


def is_slow(store: Store, provider: str) -> bool:
    """Tell whether what it was told last took longer than anybody waits after a command."""
    with store.read() as connection:
        kept = meta.get(connection, _KEYS["telling"])
    told = {} if kept is None else json.loads(kept)
    return told.get("provider") == provider and bool(told.get("is_slow"))


def clear(store: Store) -> None:
    """Let go of what went wrong: it goes well now, or nobody is asked any more."""
    with store.write() as connection:
        meta.remove(connection, [*_KEYS.values()])


def read(store: Store, provider: str) -> ProviderHealth:
    """Tell how a provider is."""
    with store.read() as connection:
        waiting = outbox.count(connection, provider)
        kept = [meta.get(connection, key) for key in _KEYS.values()]
    told = [one for one in (json.loads(text) for text in kept if text is not None) if one["provider"] == provider]
    if not told:
        return ProviderHealth(waiting)
    last = max(told, key=lambda one: int(one["at"]))
    return ProviderHealth(waiting, last["trouble"], last["at"])
