"""Which episodes may be shown to whoever asks."""

from collections.abc import Sequence

from hermes_agent.recall.asking import Asking
from hermes_agent.store import episodes
from hermes_agent.store.engine import Connection


def shown(connection: Connection, asking: Asking, ids: Sequence[int]) -> list[int]:
    """Leave out the episodes of sources that are hidden, before they take the place of others."""
    hidden = episodes.from_sources(connection, ids, asking.hidden_sources) if asking.hidden_sources else ()
    return [one for one in ids if one not in hidden]
