"""The passes: each brings episodes and facts its own way, cheaply; all of them are compared afterwards.

recency   what was said last
keyword   messages that share words with the question, by the text index
meaning   episodes and facts whose vectors are near the question's
summary   old episodes, which summaries stand for, whose outlines are near it
entity    what names the things the question names
time      what was said in the days it speaks of

A pass that cannot look says why; the others go on without it.
"""

from collections.abc import Container, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from itertools import accumulate
from os.path import commonprefix
from typing import Literal

from hermes_agent import clock
from hermes_agent.embedders.embedder import Embedder, Vector
from hermes_agent.recall.asking import Asking, Retrieval
from hermes_agent.recall.meaning import Meant, by_meaning
from hermes_agent.recall.past import asked_past
from hermes_agent.recall.shown import shown
from hermes_agent.records.memory import Episode
from hermes_agent.records.vectors import Fingerprint
from hermes_agent.store import entities, episode_pages, episodes, facts, search, sketches, summaries
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store
from hermes_agent.store.text_index import Candidates
from hermes_agent.text.entities import candidate_keys
from hermes_agent.text.query import Group, Query, Term
from hermes_agent.text.stems import stem, stem_numbers

Pass = Literal["recency", "keyword", "meaning", "summary", "entity", "time", "neighbour", "whole"]

WHOLE = 1_000
"""A memory of no more episodes is compared whole, if it has no more messages than the next number says."""
_WHOLE_MESSAGES = 3_000
_KEYWORD_MESSAGES = 100
_KEYWORD_FACTS = 100
_KEYWORD_SUMMARIES = 20
_ENTITY_ITEMS = 40
_TIME_EPISODES = 120
_FURTHER = 4
"""How many times as many are looked at where episodes may have to be left out."""
_MOST_MESSAGES = 240
"""About so many are compared, and their neighbours: the more passes bring one, and the sooner, the better."""
_EXCHANGE = 2
"""How many messages an episode of a chat has, mostly."""
_FIRST = 60
"""How little the first places of a pass differ: the sum of 1 / (60 + place) over all passes is the order."""
_MOST_TERMS = 24
_END = 2**63 - 1
_SHORTEST_PREFIX = 4


@dataclass(slots=True)
class Brought:
    """What the passes brought: by id the names of the passes, and how near the vectors were."""

    episodes: dict[int, set[Pass]] = field(default_factory=dict)
    standing: dict[int, float] = field(default_factory=dict)
    """How likely each episode is worth comparing, by its places in the passes."""
    facts: dict[int, set[Pass]] = field(default_factory=dict)
    summaries: dict[int, set[Pass]] = field(default_factory=dict)
    summary_cosines: dict[int, float] = field(default_factory=dict)
    found_messages: set[int] = field(default_factory=set)
    """Messages found by their words."""
    loose_messages: list[int] = field(default_factory=list)
    """Those of them that are in no episode yet."""
    fact_cosines: dict[int, float] = field(default_factory=dict)
    frequency: dict[int, int] = field(default_factory=dict)
    """In how many messages the words of the question are, by the number of their stem."""
    messages: int = 0
    """How many messages memory holds, about."""
    is_whole: bool = False
    fingerprint: Fingerprint | None = None
    reader: Embedder | None = None
    """Who made the vectors that are compared, and makes those of the question."""
    topic: "Vector | None" = None
    """The vector of what the question is about."""
    unrelated: float | None = None
    """The cosine that any two texts have with that embedder, if it is not ours."""
    troubles: list[str] = field(default_factory=list)

    def bring(self, name: Pass, ids: Sequence[int]) -> None:
        """Add episodes that a pass found, the best first."""
        for place, episode_id in enumerate(dict.fromkeys(ids)):
            self.episodes.setdefault(episode_id, set()).add(name)
            self.standing[episode_id] = self.standing.get(episode_id, 0.0) + 1 / (_FIRST + place)

    def narrow(self, lone: Container[int]) -> None:
        """Keep what is likeliest worth comparing; what was said last is. `lone` episodes are one message."""
        order = sorted(self.episodes, key=lambda one: ("recency" not in self.episodes[one], -self.standing[one]))
        sizes = accumulate(1 if one in lone else _EXCHANGE for one in order)
        kept = [one for one, size in zip(order, sizes, strict=True) if size <= _MOST_MESSAGES]
        self.episodes = {one: self.episodes[one] for one in kept}

    def bring_facts(self, name: Pass, ids: Sequence[int]) -> None:
        """Add facts that a pass found."""
        for fact_id in ids:
            self.facts.setdefault(fact_id, set()).add(name)

    def bring_summaries(self, name: Pass, ids: Sequence[int]) -> None:
        """Add summaries that a pass found."""
        for summary_id in ids:
            self.summaries.setdefault(summary_id, set()).add(name)


def run(store: Store, embedder: Embedder | None, asking: Asking, limits: Retrieval) -> Brought:
    """Let every pass look, the one by meaning beside the others."""
    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="recall") as beside:
        meaning = None if embedder is None else beside.submit(by_meaning, store, embedder, asking)
        brought = Brought()
        with store.read() as connection:
            everything = episodes.every_id(connection, WHOLE)
            if everything is not None and not sketches.is_more_than(connection, _WHOLE_MESSAGES):
                brought.is_whole = True
                brought.bring("whole", shown(connection, asking, everything))
            _by_recency(connection, asking, limits, brought)
            _by_keyword(connection, store, asking, brought)
            _by_entity(connection, asking, brought)
            _by_time(connection, asking, brought)
        if meaning is not None:
            _add_meaning(meaning.result(), brought)
    return brought


def latest(connection: Connection, asking: Asking, limits: Retrieval) -> list[Episode]:
    """Return the episodes that were said last and may be shown, the latest first."""
    if not limits.recency_episodes:
        return []
    return episodes.latest(
        connection,
        limits.recency_episodes,
        before=asking.as_of,
        without_session=asking.without_session,
        hidden_sources=asking.hidden_sources,
    )


def _by_recency(connection: Connection, asking: Asking, limits: Retrieval, brought: Brought) -> None:
    brought.bring("recency", [episode.id for episode in latest(connection, asking, limits)])


def _by_keyword(connection: Connection, store: Store, asking: Asking, brought: Brought) -> None:
    terms = terms_of(asking.question.words)
    if not terms:
        return
    wanted = list(terms.values())
    found = store.engine.text.candidates(connection, "talk", wanted, _KEYWORD_MESSAGES)
    brought.frequency = dict(zip(terms, found.frequencies, strict=True))
    brought.messages = found.total
    hits = _passing(connection, store, asking, wanted, found)
    owners = episodes.owner_ids(connection, [hit.message_id for hit in hits])
    brought.bring("keyword", [owners[hit.message_id] for hit in hits if hit.message_id in owners])
    brought.found_messages = {hit.message_id for hit in hits}
    brought.loose_messages = [hit.message_id for hit in hits if hit.message_id not in owners]
    alike = store.engine.text.candidates(connection, "facts", wanted, _KEYWORD_FACTS).best
    brought.bring_facts("keyword", [match.id for match in alike])
    # A summary is found by its words only where its messages are not.
    if summaries.stand_alone(connection):
        told = store.engine.text.candidates(connection, "summaries", wanted, _KEYWORD_SUMMARIES).best
        brought.bring_summaries("keyword", [match.id for match in told])


def _passing(
    connection: Connection, store: Store, asking: Asking, terms: Sequence[Term], found: Candidates
) -> Sequence[search.Hit]:
    """Return the candidates that may be shown; where most may not, look further."""
    filters = search.Filters(hidden_sources=asking.hidden_sources, since=asking.since, until=_until(asking))
    hits = search.among(connection, {match.id: match.score for match in found.best}, filters, "best")
    if len(found.best) < _KEYWORD_MESSAGES or len(hits) > _KEYWORD_MESSAGES // 2:
        return hits
    query = Query(asking.question.text, tuple(Group((term,)) for term in terms), is_plain=True)
    return search.find(connection, store.engine, query, filters, _KEYWORD_MESSAGES, "best").best


def terms_of(words: Sequence[str]) -> Mapping[int, Term]:
    """Return a term for each stem: whatever begins as the word and its stem both do."""
    terms: dict[int, Term] = {}
    for word, number in zip(words, stem_numbers(words), strict=True):
        start = commonprefix([word, stem(word)])
        is_prefix = len(start) >= _SHORTEST_PREFIX
        terms.setdefault(number, Term((start if is_prefix else word,), is_prefix))
        if len(terms) == _MOST_TERMS:
            break
    return terms


def _by_entity(connection: Connection, asking: Asking, brought: Brought) -> None:
    known = entities.resolve(connection, candidate_keys(asking.question.text))
    ids = sorted({entity_id for found in known.values() for entity_id in found})
    if not ids:
        return
    with_ended = asking.as_of is None and asked_past(asking) is not None
    brought.bring_facts("entity", facts.naming(connection, ids, asking.as_of, with_ended=with_ended))
    named = entities.items_of(connection, ids, "episode", _ENTITY_ITEMS * _FURTHER)
    brought.bring("entity", shown(connection, asking, named)[:_ENTITY_ITEMS])


def _by_time(connection: Connection, asking: Asking, brought: Brought) -> None:
    if asking.span is not None:
        start, end = asking.span
        since, until = _moment(start, asking.now), _moment(end + timedelta(days=1), asking.now)
    elif asking.since is not None or asking.until is not None:
        # The other passes look everywhere: of a short time they may bring nothing.
        since, until = asking.since or 0, asking.until or _END
    else:
        return
    said = episode_pages.page(
        connection, _TIME_EPISODES, since=since, until=until, hidden_sources=asking.hidden_sources
    )
    brought.bring("time", [episode.id for episode in said])


def _add_meaning(meant: Meant, brought: Brought) -> None:
    brought.fingerprint, brought.reader, brought.topic = meant.fingerprint, meant.reader, meant.topic
    brought.unrelated = meant.unrelated
    brought.troubles += meant.troubles
    brought.bring("meaning", meant.near)
    brought.bring_facts("meaning", [near.item for near in meant.alike])
    brought.fact_cosines = {near.item: near.cosine for near in meant.alike}
    brought.bring("summary", meant.old)
    brought.bring_summaries("meaning", [near.item for near in meant.summaries])
    brought.summary_cosines = {near.item: near.cosine for near in meant.summaries}


def _until(asking: Asking) -> int | None:
    limits = [moment for moment in (asking.until, asking.as_of) if moment is not None]
    return min(limits) if limits else None


def _moment(day: date, now: datetime) -> int:
    return clock.from_datetime(datetime.combine(day, time.min, tzinfo=now.tzinfo))
