"""Outlines: which way the gists of old episodes point, a bit for each dimension of our own model. Derived.

An episode that a summary stands for has one for each of its messages that has a gist; any other has none. They are
searched with every question, so that what is old is found by its meaning without its vectors.

Measured among 35,000 episodes: the right one is among the hundred best of those that 400 outlines of messages name
for 78 of 100 questions; with one outline for each episode, the sum of its messages, for 72, as with whole vectors.
"""

from collections.abc import Sequence

import numpy
from numpy.typing import NDArray
from sqlalchemy import Connection, delete, insert, select

from hermes_agent.store import gists
from hermes_agent.store.id_lists import is_in
from hermes_agent.store.tables import episodes, outlines, sketches

_OLD = (
    select(sketches.c.episode_id, sketches.c.gist)
    .join(episodes, episodes.c.id == sketches.c.episode_id)
    .where(is_in(episodes.c.id), episodes.c.state == "compressed", sketches.c.gist.is_not(None))
    .order_by(sketches.c.message_id)
)
_REMOVED = delete(outlines).where(is_in(outlines.c.episode_id))
_ANY = select(outlines.c.id).limit(1)


def renew(connection: Connection, episode_ids: Sequence[int]) -> None:
    """Make the outlines of episodes anew: of those that a summary stands for now, and of no others."""
    connection.execute(_REMOVED, {"ids": episode_ids})
    made = [(one, gists.outline(gist)) for one, gist in connection.execute(_OLD, {"ids": episode_ids})]
    # A gist of zeros says that there was nothing to embed: nothing is near it.
    rows = [{"episode_id": one, "bits": bits} for one, bits in made if any(bits)]
    if rows:
        connection.execute(insert(outlines), rows)


def bits_of(vector: NDArray[numpy.float32]) -> bytes | None:
    """Return which way a vector of our own model points; None if it has no direction."""
    return numpy.packbits(vector > 0).tobytes() if vector.any() else None


def are_there(connection: Connection) -> bool:
    """Tell whether any episode has outlines."""
    return connection.execute(_ANY).first() is not None
