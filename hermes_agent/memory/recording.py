"""Keep what a session has got as episodes, with their vectors if the embedder is at hand; else a job makes them.

Reading and embedding take a while, so they come first: `read_ahead` does both with no transaction open, and
`record` writes what they gave in a transaction of the caller's, with the answer of a turn. What changed in
between is kept as it is by then, without vectors; so is what the embedder failed at: that never costs an answer.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import TYPE_CHECKING

from hermes_agent.errors import EmbedderError, EmbedderMismatch
from hermes_agent.memory import embedding, episodes
from hermes_agent.memory.embedding import Kept
from hermes_agent.memory.episodes import Prepared
from hermes_agent.records.archive import NewMessage
from hermes_agent.records.memory import Exchange, Said
from hermes_agent.store import fingerprints, jobs, present
from hermes_agent.store.engine import Connection, Engine
from hermes_agent.store.store import Store

if TYPE_CHECKING:
    from hermes_agent.embedders.embedder import Embedder

_NO_NUMBER = 0


@dataclass(frozen=True, slots=True)
class Ahead:
    """What was read of a session's exchanges, by first message; `trouble` says why they have no vectors."""

    embedder: "Embedder | None"
    prepared: Mapping[int, Prepared]
    trouble: EmbedderError | None = None


def dated(store: Store, message: NewMessage) -> NewMessage:
    """Return the message with the moment it is said at: what it tells of depends on the day."""
    if message.said_at is not None:
        return message
    with store.read() as connection:
        return replace(message, said_at=present.now(connection))


def read_ahead(
    store: Store,
    embedder: "Embedder | None",
    session_id: str,
    zone: tzinfo | None,
    answer: NewMessage | None = None,
) -> Ahead:
    """Read what a session has no episode of, and embed it if that takes no time; `answer` is about to be kept."""
    with store.read() as connection:
        exchanges = episodes.unread(connection, session_id, None if answer is None else _said(answer)).exchanges
    prepared, trouble = _prepare(embedder, exchanges, zone)
    return Ahead(embedder, {one.exchange.first_message: one for one in prepared}, trouble)


def record(connection: Connection, engine: Engine, session_id: str, zone: tzinfo | None, ahead: Ahead) -> None:
    """Keep the episodes that a session has got, and those of their vectors that there are."""
    made = episodes.record(connection, engine, session_id, zone, ahead.prepared)
    embedder = ahead.embedder
    if embedder is None or not made:
        return
    kept = [
        Kept(number, [said.message_id for said in one.exchange.said], one.vectors)
        for number, one in made.items()
        if one.vectors is not None
    ]
    is_embedded = embedder.is_local and _keep_vectors(connection, embedder, kept, ahead.trouble)
    if not is_embedded or len(kept) < len(made):
        jobs.add(connection, embedding.JOB, embedding.JOB)


def _prepare(
    embedder: "Embedder | None", exchanges: Sequence[Exchange], zone: tzinfo | None
) -> tuple[list[Prepared], EmbedderError | None]:
    trouble = None
    if embedder is not None and embedder.is_local:
        try:
            return episodes.prepare_with(embedder, exchanges, zone), None
        except EmbedderError as error:
            trouble = error
    return episodes.prepare(exchanges, zone, has_vectors=embedder is not None), trouble


def _keep_vectors(
    connection: Connection, embedder: "Embedder", kept: Sequence[Kept], trouble: EmbedderError | None
) -> bool:
    """Keep vectors, or why there are none; tell whether they could be kept."""
    try:
        fingerprint = fingerprints.require(connection, embedder.fingerprint, embedder.dimensions)
    except EmbedderMismatch:
        return False  # the job meets it, too, and tells
    embedding.keep(connection, fingerprint.id, kept)
    if trouble is not None:
        embedding.keep_trouble(connection, fingerprint.id, trouble)
    return True


def _said(answer: NewMessage) -> Said:
    assert answer.said_at is not None, "an answer is dated before it is read"
    return Said(_NO_NUMBER, answer.role, answer.speaker, answer.said_at, answer.content or "")
