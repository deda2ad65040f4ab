"""The pass by meaning: what is near the question, by vectors; of what is old by outlines.

Outlines are made by our own model, whoever embeds: then the question is embedded by it, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hermes_agent.embedders import former
from hermes_agent.embedders.embedder import Embedder, Vector
from hermes_agent.errors import HermesError
from hermes_agent.recall.asking import Asking
from hermes_agent.recall.shown import shown
from hermes_agent.records.vectors import Fingerprint, Near
from hermes_agent.store import fingerprints, summaries
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store

_NEAR_EPISODES = 100
_NEAR_FACTS = 100
_NEAR_SUMMARIES = 50
_NEAR_OUTLINES = 400
"""So many outlines are near: the gists of the episodes they name are compared."""
_OLD_EPISODES = 100
_FURTHER = 4
"""How many times as many are looked at where episodes may have to be left out."""


@dataclass(frozen=True, slots=True)
class Meant:
    """What was found by meaning, and with what."""

    fingerprint: Fingerprint | None = None
    reader: Embedder | None = None
    topic: "Vector | None" = None
    near: Sequence[int] = ()
    """The episodes whose meaning is near."""
    alike: Sequence[Near] = ()
    """The facts."""
    summaries: Sequence[Near] = ()
    old: Sequence[int] = ()
    """The episodes that summaries stand for."""
    unrelated: float | None = None
    troubles: Sequence[str] = ()


def by_meaning(store: Store, embedder: Embedder, asking: Asking) -> Meant:
    """Look for what is near the question; what cannot look says why, the rest goes on without it."""
    try:
        found = _by_vectors(store, embedder, asking)
    except HermesError as error:
        found = Meant(troubles=(error.message,))
    try:
        return replace(found, old=_old_episodes(store, asking, found))
    except HermesError as error:
        return replace(found, troubles=tuple(dict.fromkeys([*found.troubles, error.message])))


def _by_vectors(store: Store, embedder: Embedder, asking: Asking) -> Meant:
    with store.read() as connection:
        fingerprint = fingerprints.current(connection, embedder.fingerprint)
    if fingerprint is None:
        return Meant()
    reader = embedder if embedder.fingerprint == fingerprint.name else former.of(fingerprint.name)
    if reader is None:
        trouble = f"Vectors of {embedder.name} are still being made; those there are cannot be read."
        return Meant(troubles=(trouble,))
    topic = reader.embed_query(asking.question.topic)
    match = store.engine.match_vectors
    with store.read() as connection:
        near = _near_episodes(connection, store, fingerprint, topic, asking)
        alike = match(connection, fingerprint, topic, _NEAR_FACTS, kinds=("fact",)).items
        # A summary whose messages are there is never shown.
        kinds = ("summary",) if summaries.stand_alone(connection) else ()
        told = match(connection, fingerprint, topic, _NEAR_SUMMARIES, kinds=kinds).items
        unrelated = fingerprints.unrelated(connection, fingerprint.id)
    return Meant(fingerprint, reader, topic, near, alike, told, unrelated=unrelated)


def _near_episodes(
    connection: Connection, store: Store, fingerprint: Fingerprint, topic: "Vector", asking: Asking
) -> list[int]:
    """Return the nearest episodes that may be shown; where most may not, look further."""
    found: list[int] = []
    for limit in (_NEAR_EPISODES, _NEAR_EPISODES * _FURTHER):
        near = store.engine.match_vectors(connection, fingerprint, topic, limit, kinds=("episode",)).items
        found = shown(connection, asking, [one.item for one in near])
        if len(near) < limit or len(found) > _NEAR_EPISODES // 2:
            break
    return found[:_NEAR_EPISODES]


def _old_episodes(store: Store, asking: Asking, found: Meant) -> list[int]:
    """Return the nearest episodes that summaries stand for, by the gists of those whose outlines are near."""
    from hermes_agent.embedders.local import Local
    from hermes_agent.store import gists, outlines

    with store.read() as connection:
        if not outlines.are_there(connection):
            return []
    is_own = found.reader is not None and found.reader.fingerprint == Local.fingerprint
    topic = found.topic if is_own else Local().embed_query(asking.question.topic)
    bits = None if topic is None else outlines.bits_of(topic)
    if topic is None or bits is None:
        return []
    with store.read() as connection:
        near: list[int] = []
        for limit in (_NEAR_OUTLINES, _NEAR_OUTLINES * _FURTHER):
            known = store.engine.match_outlines(connection, bits, limit)
            near = shown(connection, asking, known)
            if len(near) > len(known) // 2:
                break
        nearness = gists.nearness(connection, near, topic)
    return sorted(near, key=lambda one: -nearness.get(one, -1.0))[:_OLD_EPISODES]
