"""Find what memory holds for a question: passes, one score, relevance, no duplicates."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

import numpy

from hermes_agent.embedders.embedder import Embedder
from hermes_agent.recall import events, passes
from hermes_agent.recall import facts as fact_finding
from hermes_agent.recall import summaries as summary_finding
from hermes_agent.recall.asking import Asking, Retrieval
from hermes_agent.recall.hit import Hit
from hermes_agent.recall.loading import load
from hermes_agent.recall.one_thread import on_one_thread
from hermes_agent.recall.passes import Brought
from hermes_agent.recall.ranking import Scored, score
from hermes_agent.recall.relevance import doubt, odds
from hermes_agent.recall.sifting import sifted
from hermes_agent.records.archive import Message
from hermes_agent.records.memory import ItemKind
from hermes_agent.store import messages
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store
from hermes_agent.text.questions import only_asks
from hermes_agent.text.stems import content_words, stem_numbers

_SAME_TEXT = 3
"""Of messages with the same words only one is a hit; so many more are read to fill up."""


@dataclass(frozen=True, slots=True)
class Found:
    """The hits, best first; `troubles` say which pass could not look, and why."""

    hits: Sequence[Hit]
    troubles: Sequence[str] = ()
    fingerprint: str | None = None
    compared: int = 0
    """How many messages the question was compared with."""
    is_reranked: bool = False
    """Whether a cross-encoder chose the order."""
    days: tuple[date, date] | None = None
    """The days the question asks for."""


def find(
    store: Store,
    embedder: Embedder | None,
    asking: Asking,
    limits: Retrieval,
    limit: int,
    kinds: Sequence[ItemKind] = ("episode", "fact"),
) -> Found:
    """Return the best of what memory holds for a question: so many messages, and every fact that was brought."""
    event = events.event_of(asking)
    # Products of finite numbers may raise the flag of an invalid one all the same: OpenBLAS reckons with whatever
    # stands behind the end of a row (seen: 0 and 1 times weights of 1.6 to 6.2).
    with on_one_thread(), numpy.errstate(invalid="ignore"):
        if event is not None:
            told = _find(store, embedder, events.about(asking, event), limits, 1, ("episode",)).hits
            if told and told[0].relevance >= limits.min_relevance:
                asking = events.with_event(asking, event, told[0])
        return _find(store, embedder, asking, limits, limit, kinds)


def _find(
    store: Store,
    embedder: Embedder | None,
    asking: Asking,
    limits: Retrieval,
    limit: int,
    kinds: Sequence[ItemKind],
) -> Found:
    brought = passes.run(store, embedder, asking, limits)
    with store.read() as connection:
        fields = load(connection, asking, brought) if "episode" in kinds else []
        facts = fact_finding.find(connection, asking, brought) if "fact" in kinds else []
        told = summary_finding.find(connection, asking, brought) if "episode" in kinds else []
    # With no transaction open: an embedder may be asked once more.
    scored = [score(field, asking, brought) for field in fields]
    with store.read() as connection:
        said = [one for each in scored for one in _message_hits(connection, each, asking, brought, limit)]
        said.sort(key=lambda one: -one[0])
        ranked = [*said[:limit], *((odds(hit.relevance), hit) for hit in (*facts, *told))]
        ranked.sort(key=lambda one: -one[0])
        hits = sifted(connection, [hit for _, hit in ranked])
    name = None if brought.fingerprint is None else brought.fingerprint.name
    compared = sum(map(len, fields))
    return Found(hits, brought.troubles, name, compared, days=asking.span)


def _message_hits(
    connection: Connection, scored: Scored, asking: Asking, brought: Brought, limit: int
) -> list[tuple[float, Hit]]:
    """Return the best messages with how sure each is; of one text only one."""
    order = numpy.argsort(-scored.scores, kind="stable")[: limit + _SAME_TEXT]
    rows = scored.field.rows
    texts = messages.get_many(connection, [rows[place].message_id for place in order])
    found: list[tuple[float, Hit]] = []
    seen: set[tuple[str, str]] = set()
    for place in order:
        row = rows[place]
        message = texts.get(row.message_id)
        if message is None or not message.content or (row.role, message.content) in seen:
            continue
        seen.add((row.role, message.content))
        less = doubt(message.source_class, is_asked_again=_asks_the_same(message.content, asking))
        found.append((scored.evidence(int(place), less), _hit(message, scored, int(place), less, brought)))
    return sorted(found, key=lambda one: -one[0])[:limit]


def _asks_the_same(text: str, asking: Asking) -> bool:
    """Tell whether a message only asks, and nothing beyond what is asked now: it answers nothing."""
    return only_asks(text) and set(stem_numbers(content_words(text))) <= set(asking.question.weights)


def _hit(message: Message, scored: Scored, place: int, less: float, brought: Brought) -> Hit:
    row = scored.field.rows[place]
    # A message that is in no episode yet was found by its words.
    found_by = brought.episodes.get(row.episode_id, {"keyword"})
    return Hit(
        kind="episode",
        id=row.episode_id,
        message_id=message.id,
        session_id=message.session_id,
        who=message.speaker or message.role,
        text=message.content or "",
        said_at=message.said_at,
        source_class=message.source_class,
        score=float(scored.scores[place]),
        relevance=scored.relevance(place, less, is_named="entity" in found_by),
        cosine=scored.cosine(place),
        passes=tuple(sorted(found_by)),
        contributions=scored.contributions(place),
    )
