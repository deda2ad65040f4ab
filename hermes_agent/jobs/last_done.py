"""When work was last done, as the store notes it: a stamp that lies in the future was made by a wrong clock."""

from hermes_agent import clock
from hermes_agent.store import meta
from hermes_agent.store.engine import Connection


def age(connection: Connection, key: str) -> int:
    """Return how long ago the work of a stamp was done; without one, or with one of the future, very long."""
    return since(int(meta.get(connection, key) or 0))


def since(moment: int) -> int:
    """Return how long ago a moment was; one that is yet to come counts as none."""
    now = clock.now()
    return now - moment if moment <= now else now
