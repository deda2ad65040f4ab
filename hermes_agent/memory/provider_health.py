"""How the external memory is, for every process of a home: what waits for it, and why it was last not reached."""

import json
from dataclasses import dataclass

from hermes_agent import clock
from hermes_agent.store import meta, outbox
from hermes_agent.store.store import Store

_KEY = "provider.trouble"


@dataclass(frozen=True, slots=True)
class ProviderHealth:
    """How much waits to be told, and what went wrong the last time."""

    waiting: int
    trouble: str | None = None
    trouble_at: int | None = None


def note(store: Store, provider: str, trouble: str | None) -> None:
    """Keep why the provider was not reached; None once it was."""
    with store.read() as connection:
        known = meta.get(connection, _KEY)
    if trouble is None and known is None:
        return
    with store.write() as connection:
        if trouble is None:
            meta.remove(connection, [_KEY])
        else:
            kept = {"provider": provider, "trouble": trouble, "at": clock.now()}
            meta.put(connection, _KEY, json.dumps(kept, ensure_ascii=False))


def read(store: Store, provider: str) -> ProviderHealth:
    """Tell how a provider is."""
    with store.read() as connection:
        waiting = outbox.count(connection, provider)
        kept = meta.get(connection, _KEY)
    told = {} if kept is None else json.loads(kept)
    if told.get("provider") != provider:
        return ProviderHealth(waiting)
    return ProviderHealth(waiting, told["trouble"], told["at"])
