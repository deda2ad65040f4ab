"""How memory is: what it holds, what finds it, and what is behind. Only reads, and takes a moment at any size."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hermes_agent.memory import embedding
from hermes_agent.memory import episodes as making
from hermes_agent.memory.embedding import Health
from hermes_agent.memory.episodes import JOB as EPISODES
from hermes_agent.recall.asking import Reranking
from hermes_agent.records.archive import Message
from hermes_agent.records.vectors import Fingerprint
from hermes_agent.store import (
    entities,
    episodes,
    facts,
    fingerprints,
    jobs,
    messages,
    meta,
    quarantine,
    reflections,
    selftests,
    summaries,
    vectors,
)
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store
from hermes_agent.text.query import Group, Query, Term
from hermes_agent.text.words import words

if TYPE_CHECKING:
    from hermes_agent.embedders.embedder import Embedder

MOST_MISSING = 1_000
"""So many episodes are counted that are missing; more are as many."""

_LAST_MESSAGES = 20
_PROBED_CHARACTERS = 1_000
_PROBED_WORDS = 8
_PROBED_MATCHES = 50
_MOST_FAILED = 1_000


@dataclass(frozen=True, slots=True)
class Counts:
    """What memory holds. Moments are None for what never happened."""

    raw: int
    compressed: int
    facts: int
    quarantined: int
    """What waits for the owner's review."""
    reflections: int
    episode_vectors: int
    fact_vectors: int
    """Both of the fingerprint that reads use."""
    size_bytes: int
    last_vacuum: int | None
    last_compression: int | None
    """When the latest summary that stands was made."""

    @property
    def episodes(self) -> int:
        return self.raw + self.compressed


@dataclass(frozen=True, slots=True)
class Indexes:
    """What finds memory by its words: whether the text index lacks messages, and exchanges without an episode."""

    is_behind: bool
    missing_episodes: int
    """At most `MOST_MISSING`."""


@dataclass(frozen=True, slots=True)
class Details:
    """What the owner of a memory that is not well wants to know."""

    engine: str
    place: str
    entities: int
    summaries: int
    waiting_jobs: int
    failed_jobs: int
    indexes: Indexes
    vectors: Health | None
    """None without an embedder."""
    last_selftest: int | None


def count(store: Store, embedder: "Embedder | None") -> Counts:
    """Count what memory holds."""
    with store.read() as connection:
        by_state = episodes.count_by_state(connection)
        used = _used(connection, embedder)
        made = {kind: vectors.done(connection, used.id, kind) if used else 0 for kind in vectors.KINDS}
        return Counts(
            raw=by_state.get("raw", 0),
            compressed=by_state.get("compressed", 0),
            facts=facts.count(connection),
            quarantined=quarantine.count_waiting(connection),
            reflections=reflections.count(connection),
            episode_vectors=made[vectors.EPISODE],
            fact_vectors=made[vectors.FACT],
            size_bytes=store.engine.inspect(connection, is_thorough=False).size_bytes,
            last_vacuum=_moment(connection, meta.LAST_VACUUM),
            last_compression=summaries.last_made(connection),
        )


def details(store: Store, embedder: "Embedder | None") -> Details:
    """Tell what stands behind the counts."""
    with store.read() as connection:
        condition = store.engine.inspect(connection, is_thorough=False)
        named = entities.count(connection)
        told = summaries.count(connection)
        waiting = jobs.counts(connection).get("waiting", 0)
        failed = len(jobs.unsolved(connection, _MOST_FAILED))
        tests = selftests.recent(connection, 1)
    return Details(
        engine=condition.version,
        place=store.engine.place,
        entities=named,
        summaries=told,
        waiting_jobs=waiting,
        failed_jobs=failed,
        indexes=indexes(store),
        vectors=None if embedder is None else embedding.health(store, embedder),
        last_selftest=tests[0].at if tests else None,
    )


def indexes(store: Store) -> Indexes:
    """Tell whether what finds memory by its words is up to date.

    The text index is asked for the newest message that has words; whether it is whole, `hermes db check` tells.
    Looking for an episode of every message takes longer the more there are: where no job is about to make some,
    only the newest messages can be without.
    """
    with store.read() as connection:
        is_waiting = bool(jobs.open_keys(connection, [EPISODES]))
        newest = _newest(connection)
        is_behind = newest is not None and not _is_found(store, connection, newest)
        if is_waiting:
            missing = episodes.missing(connection, 0, MOST_MISSING)
        else:
            missing = making.lately_missing(connection, MOST_MISSING)
        return Indexes(is_behind, len(missing))


def reranker_trouble(store: Store, reranking: Reranking) -> str | None:
    """Say why what is found stands in the order it was found in; None where nobody is asked for a better one."""
    if reranking.provider == "none":
        return None
    # Imported here: it loads numpy.
    from hermes_agent.recall import rerank

    return rerank.trouble(store)


def _used(connection: Connection, embedder: "Embedder | None") -> Fingerprint | None:
    if embedder is None:
        return fingerprints.complete(connection)
    return fingerprints.current(connection, embedder.fingerprint)


def _moment(connection: Connection, key: str) -> int | None:
    kept = meta.get(connection, key)
    return None if kept is None else int(kept)


def _newest(connection: Connection) -> Message | None:
    last = messages.searchable(connection, messages.last_id(connection) - _LAST_MESSAGES, _LAST_MESSAGES)
    talk = (one for one in reversed(last) if messages.scope_of(one.role) == "talk")
    return next((one for one in talk if _first_words(one)), None)


def _is_found(store: Store, connection: Connection, message: Message) -> bool:
    """Tell whether the index finds a message; where too many others say the same, that is believed."""
    query = Query("", (Group((Term(_first_words(message)),)),), is_plain=False)
    found = store.engine.text.match(connection, "talk", query, _PROBED_MATCHES, "newest")
    return message.id in {match.id for match in found.best} or not found.is_last


def _first_words(message: Message) -> tuple[str, ...]:
    return tuple(words((message.content or "")[:_PROBED_CHARACTERS], _PROBED_WORDS))
