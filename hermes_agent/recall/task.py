"""What memory holds for a task: look for it, and read what must be there; `context.choose` takes from it."""

from collections.abc import Collection
from dataclasses import dataclass

from hermes_agent.embedders.embedder import Embedder
from hermes_agent.recall import passes, procedure
from hermes_agent.recall.asking import NO_RERANKING, Asking, Reranking, Retrieval
from hermes_agent.recall.context import Shelf
from hermes_agent.recall.finding import Found, find
from hermes_agent.recall.hit import Hit
from hermes_agent.recall.rerank import reranked
from hermes_agent.recall.sifting import sifted
from hermes_agent.records.memory import Said
from hermes_agent.store import episodes, facts, messages
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store

_LOOKED_AT = 60


@dataclass(frozen=True, slots=True)
class Looked:
    """What can be chosen from, and how it was found."""

    shelf: Shelf
    found: Found


def look(
    store: Store,
    embedder: Embedder | None,
    asking: Asking,
    limits: Retrieval,
    sent: Collection[str] = (),
    reranking: Reranking = NO_RERANKING,
) -> Looked:
    """Look for what may go in front of a task; `sent` are the places that were sent before."""
    found = find(store, embedder, asking, limits, _LOOKED_AT)
    found = reranked(store, found, asking.question.text, reranking)
    with store.read() as connection:
        hits = [*found.hits, *sifted(connection, procedure.find(connection, asking))]
        shelf = Shelf(hits, _recent(connection, hits, asking, limits), _sources(connection, hits), sent)
    return Looked(shelf, found)


def _recent(connection: Connection, hits: Collection[Hit], asking: Asking, limits: Retrieval) -> list[Hit]:
    """Return what was said in the latest episodes: what each began with, and its last answer."""
    latest = passes.latest(connection, asking, limits)
    said = episodes.texts(connection, [episode.id for episode in latest])
    ends = {episode.id: _ends(said.get(episode.id, [])) for episode in latest}
    known = messages.get_many(connection, [one.message_id for pair in ends.values() for one in pair])
    found = {hit.message_id: hit for hit in hits if hit.kind == "episode"}
    recent = []
    for episode in latest:
        for one in ends[episode.id]:
            if one.message_id in known and (asking.as_of is None or one.said_at <= asking.as_of):
                hit = Hit(
                    kind="episode",
                    id=episode.id,
                    message_id=one.message_id,
                    session_id=episode.session_id,
                    who=one.speaker or one.role,
                    text=one.text,
                    said_at=one.said_at,
                    source_class=known[one.message_id].source_class,
                    score=0.0,
                    relevance=0.0,
                    passes=("recency",),
                )
                recent.append(found.get(one.message_id, hit))
    return sifted(connection, recent)


def _ends(said: list[Said]) -> list[Said]:
    return said if len(said) < 2 else [said[0], said[-1]]


def _sources(connection: Connection, hits: Collection[Hit]) -> dict[int, int]:
    """Return for each fact the message it was said in, as far as it is known."""
    known = facts.get_many(connection, [hit.id for hit in hits if hit.kind == "fact"])
    sources: dict[int, int] = {}
    for fact in known.values():
        message = None if fact.source_message is None else messages.by_uid(connection, fact.source_message)
        if message is not None:
            sources[fact.id] = message.id
    return sources
