"""The pass by meaning: episodes, facts and summaries whose vectors are near the question's."""

from collections.abc import Sequence
from dataclasses import dataclass

from hermes_agent.embedders import former
from hermes_agent.embedders.embedder import Embedder, Vector
from hermes_agent.errors import HermesError
from hermes_agent.recall.asking import Asking
from hermes_agent.recall.shown import shown
from hermes_agent.records.vectors import Fingerprint, Near
from hermes_agent.store import compressed, fingerprints
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store

_NEAR_EPISODES = 100
_NEAR_FACTS = 100
_NEAR_SUMMARIES = 150
_TOLD_EPISODES = 100
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
    told: Sequence[int] = ()
    """The episodes that those summaries stand for."""
    unrelated: float | None = None
    trouble: str | None = None


def by_meaning(store: Store, embedder: Embedder, asking: Asking) -> Meant:
    """Look for what is near the question."""
    try:
        with store.read() as connection:
            fingerprint = fingerprints.current(connection, embedder.fingerprint)
        if fingerprint is None:
            return Meant()
        reader = embedder if embedder.fingerprint == fingerprint.name else former.of(fingerprint.name)
        if reader is None:
            return Meant(
                trouble=f"Vectors of {embedder.name} are still being made; those there are cannot be read."
            )
        topic = reader.embed_query(asking.question.topic)
        with store.read() as connection:
            near = _near_episodes(connection, store, fingerprint, topic, asking)
            alike = store.engine.match_vectors(connection, fingerprint, topic, _NEAR_FACTS, kinds=("fact",)).items
            near_ones = store.engine.match_vectors(
                connection, fingerprint, topic, _NEAR_SUMMARIES, kinds=("summary",)
            ).items
            told = _told(connection, asking, near_ones, topic if reader.is_local else None)
            unrelated = fingerprints.unrelated(connection, fingerprint.id)
        return Meant(fingerprint, reader, topic, near, alike, near_ones, told, unrelated)
    except HermesError as error:  # what is wrong is shown; words still find
        return Meant(trouble=error.message)


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


def _told(connection: Connection, asking: Asking, near: Sequence[Near], topic: "Vector | None") -> list[int]:
    """Return the episodes that summaries stand for, the nearest first; without a topic by their summaries."""
    if not near:
        return []
    behind = compressed.of_summaries(connection, [one.item for one in near])
    told = [one for each in near for one in behind[each.item]]
    if topic is not None:
        from hermes_agent.store import gists

        nearness = gists.nearness(connection, told, topic)
        told.sort(key=lambda one: -nearness.get(one, -1.0))
    return shown(connection, asking, told)[:_TOLD_EPISODES]
