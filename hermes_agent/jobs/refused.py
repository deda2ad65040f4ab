"""What an embedder refused: which items, when they were asked for, and when they are asked for again.

A refused text has a vector of zeros, so that it does not keep the others from theirs; only words find it then.
A server may be mended, or change its mind, so it is asked again after a day.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from typing import TYPE_CHECKING

from hermes_agent import clock
from hermes_agent.store import meta, vectors
from hermes_agent.store.engine import Connection

if TYPE_CHECKING:
    from hermes_agent.embedders.embedder import Matrix

    Embedded = Mapping[int, Sequence[tuple[str, Matrix]]]
    """Of each item the texts, with their vectors."""

Item = tuple[str, int]
"""A kind, and a number."""

_KEY = "embedding.{}.refused_items"
_AGAIN = 86_400 * clock.MICROSECONDS


@dataclass(frozen=True, slots=True)
class Refusal:
    """So many texts of an item were refused; `is_whole` if nothing of it got a vector."""

    asked_at: int
    texts: int
    is_whole: bool
    is_told: bool = False


def refusals(embedded: "Embedded") -> dict[int, Refusal]:
    """Return the items with a text that holds something and has a vector of zeros."""
    now = clock.now()
    found = {}
    for item, texts in embedded.items():
        flags = [not vector.any() for text, vector in texts if text.strip()]
        if any(flags):
            found[item] = Refusal(now, sum(flags), is_whole=all(flags))
    return found


def get(connection: Connection, fingerprint_id: int) -> dict[Item, Refusal]:
    """Return what was refused."""
    rows = json.loads(meta.get(connection, _KEY.format(fingerprint_id)) or "[]")
    return {(kind, item): Refusal(*values) for kind, item, *values in rows}


def note(
    connection: Connection,
    fingerprint_id: int,
    kind: str,
    embedded: Collection[int],
    refused: Mapping[int, Refusal],
) -> None:
    """Keep what was refused of that which was embedded; what had been before and is not any more is forgotten."""
    before = get(connection, fingerprint_id)
    after = {item: refusal for item, refusal in before.items() if item[0] != kind or item[1] not in embedded}
    for item, refusal in refused.items():
        known = before.get((kind, item))
        after[kind, item] = replace(refusal, is_told=known is not None and known.is_told)
    if after != before:
        _put(connection, fingerprint_id, after)


def tell(connection: Connection, fingerprint_id: int) -> int:
    """Return how many texts were refused of which nobody was told yet."""
    every = get(connection, fingerprint_id)
    count = sum(refusal.texts for refusal in every.values() if not refusal.is_told)
    if count:
        _put(connection, fingerprint_id, {item: replace(one, is_told=True) for item, one in every.items()})
    return count


def due(connection: Connection, fingerprint_id: int) -> list[Item]:
    """Return what is to be asked for again."""
    since = clock.now() - _AGAIN
    return [item for item, refusal in get(connection, fingerprint_id).items() if refusal.asked_at <= since]


def take_due(connection: Connection, fingerprint_id: int, kind: str, limit: int) -> list[int]:
    """Return some items of a kind that are to be asked for again, for which they are not due any more then."""
    every = get(connection, fingerprint_id)
    some = [item for each, item in due(connection, fingerprint_id) if each == kind][:limit]
    if not some:
        return []
    wanted = vectors.wanted_of(connection, kind, some)
    now = clock.now()
    for item in some:
        refusal = every.pop((kind, item))
        if item in wanted:
            every[kind, item] = replace(refusal, asked_at=now)
    _put(connection, fingerprint_id, every)
    return sorted(wanted, reverse=True)


def make_due(connection: Connection, fingerprint_id: int) -> None:
    """Let everything that was refused be asked for again by the next attempt."""
    every = get(connection, fingerprint_id)
    _put(connection, fingerprint_id, {item: replace(refusal, asked_at=0) for item, refusal in every.items()})


def _put(connection: Connection, fingerprint_id: int, every: Mapping[Item, Refusal]) -> None:
    rows = [(*item, *astuple(refusal)) for item, refusal in every.items()]
    meta.put(connection, _KEY.format(fingerprint_id), json.dumps(rows))
