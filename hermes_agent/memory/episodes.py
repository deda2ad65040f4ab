"""Make episodes of messages, and what finds them: sketches of what was said, links to what it names.

A turn makes its episode in its last commit. What no turn made (an import, an older store, a turn
that was killed) is made afterwards, block by block; either way the same messages make the same
episodes. Reading a text for its sketch takes a while, so that happens between the transactions, not
in them; for a turn `recording.py` does it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, tzinfo
from itertools import islice
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from hermes_agent import clock
from hermes_agent.memory import embedding
from hermes_agent.memory.embedding import JOB as EMBED
from hermes_agent.memory.naming import named_in
from hermes_agent.recall.canned import without_boilerplate
from hermes_agent.records.memory import Episode, Exchange, NamedThings, NewEpisode, Origin, Said
from hermes_agent.store import entities, episodes, jobs, messages, sketches, summaries
from hermes_agent.store.engine import Connection, Engine
from hermes_agent.store.sketches import SketchRow
from hermes_agent.store.store import Store
from hermes_agent.text.clean import preview
from hermes_agent.text.marks import Sketch
from hermes_agent.text.sketch import sketch

if TYPE_CHECKING:
    from hermes_agent.embedders.embedder import Embedder

JOB = "episodes"
"""The job, and its key, that makes the episodes which are missing."""

_MOST_IN_A_TURN = 8
_BLOCK = 250
_COUNTED = 10_000
_LATELY_MESSAGES = 10_000
_TASK_CHARACTERS = 200
# Further out a day may have no yesterday.
_FIRST_DAY, _LAST_DAY = date(2, 1, 1), date(9997, 12, 31)
_NOTHING: "Mapping[int, Prepared]" = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Prepared:
    """An exchange, read: the sketch of each thing said in it, what it names, and its vectors if it has some."""

    exchange: Exchange
    sketches: Sequence[Sketch]
    gists: Sequence[bytes | None]
    named: NamedThings
    vectors: embedding.Prepared | None = None


class Unread(NamedTuple):
    """What a session said that no episode holds: the exchanges, first that of an episode which goes on."""

    exchanges: Sequence[Exchange]
    going_on: Episode | None
    is_more: bool
    """Whether so many are missing that only the latest is here."""


def unread(connection: Connection, session_id: str, answer: Said | None = None) -> Unread:
    """Return what a session has no episode of; `answer` is one that is about to be kept and has no number yet.

    Where many are missing, as in an imported session that is taken up again, it is only the latest:
    a turn must not wait for the others.
    """
    known = episodes.last_of(connection, session_id)
    after = 0 if known is None else known.first_message
    requests = episodes.missing(connection, after, _MOST_IN_A_TURN + 1, session_id)
    is_more = len(requests) > _MOST_IN_A_TURN
    if is_more:
        newest = episodes.newest_request(connection, session_id)
        requests = [request for request in [newest] if request is not None]
    starts = requests if known is None else [known.first_message, *requests]
    found = episodes.exchanges(connection, starts)
    if answer is not None and found:
        found[-1] = _answered(found[-1], answer)
    # The messages of an old one may be discarded: what is said then is an exchange of its own.
    if known is None or not found or found[0].first_message != known.first_message:
        return Unread(found, None, is_more)
    if found[0].last_message == known.last_message:
        return Unread(found[1:], None, is_more)
    return Unread(found, known, is_more)


def record(
    connection: Connection,
    engine: Engine,
    session_id: str,
    zone: tzinfo | None,
    ahead: Mapping[int, Prepared] = _NOTHING,
) -> dict[int, Prepared]:
    """Keep the exchanges of a session that have no episode yet, and let its last episode go on; return both.

    `ahead` is what was read of them before the transaction began, by first message. What is not in it, or has
    changed since, is read here, without vectors. The many that a turn leaves alone are the job's.
    """
    found = unread(connection, session_id)
    if found.is_more:
        jobs.add(connection, JOB, JOB)
    prepared = [_as_read(exchange, ahead.get(exchange.first_message), zone) for exchange in found.exchanges]
    made: dict[int, Prepared] = {}
    if found.going_on is not None:
        longer, *prepared = prepared
        episodes.extend(connection, found.going_on.id, longer.exchange.last_message, longer.exchange.ended_at)
        if found.going_on.summary_id is not None:
            summaries.recount(connection, engine, found.going_on.summary_id)
        made[found.going_on.id] = longer
        _derive(connection, made)
    by_first = {one.exchange.first_message: one for one in prepared}
    return made | {episode.id: by_first[episode.first_message] for episode in keep(connection, prepared)}


def prepare(exchanges: Sequence[Exchange], zone: tzinfo | None, *, has_vectors: bool = False) -> list[Prepared]:
    """Read exchanges; this is the slow part. Where there are vectors, each message gets its gist."""
    texts = [said.text for exchange in exchanges for said in exchange.said]
    gists = iter(embedding.gists_of(texts) if has_vectors else [None] * len(texts))
    return [_read(exchange, zone, list(islice(gists, len(exchange.said)))) for exchange in exchanges]


def prepare_with(embedder: "Embedder", exchanges: Sequence[Exchange], zone: tzinfo | None) -> list[Prepared]:
    """Read exchanges and make their vectors. EmbedderError when there are none."""
    made = embedding.prepare(
        embedder, [[embedding.Spoken(said.role, said.text) for said in exchange.said] for exchange in exchanges]
    )
    return [
        replace(_read(exchange, zone, vectors.gists), vectors=vectors)
        for exchange, vectors in zip(exchanges, made, strict=True)
    ]


def keep(connection: Connection, prepared: Sequence[Prepared]) -> list[Episode]:
    """Keep an episode for each exchange that has none, with its sketches and links; return the new ones."""
    if not prepared:
        return []
    origins = episodes.origins(connection, sorted({one.exchange.session_id for one in prepared}))
    tasks = {session_id: task_of(origin) for session_id, origin in origins.items()}
    new = [
        NewEpisode(
            session_id=exchange.session_id,
            first_message=exchange.first_message,
            last_message=exchange.last_message,
            said_at=exchange.said_at,
            ended_at=exchange.ended_at,
            source=origins[exchange.session_id].source,
            task=tasks[exchange.session_id],
        )
        for exchange in (one.exchange for one in prepared)
    ]
    made = episodes.add(connection, new)
    by_first = {one.exchange.first_message: one for one in prepared}
    _derive(connection, {episode.id: by_first[episode.first_message] for episode in made})
    return made


def make_next(store: Store, after: int, zone: tzinfo | None, *, has_vectors: bool = False) -> int | None:
    """Make the next episodes that are missing; return the message up to which none is, None at the end."""
    with store.read() as connection:
        requests = episodes.missing(connection, after, _BLOCK)
        exchanges = episodes.exchanges(connection, requests)
    if not requests:
        return None
    prepared = prepare(exchanges, zone, has_vectors=has_vectors)
    with store.write() as connection:
        # What has changed meanwhile is somebody's present conversation, whose turns make it anew.
        present = {exchange.first_message: exchange for exchange in episodes.exchanges(connection, requests)}
        unchanged = [one for one in prepared if present.get(one.exchange.first_message) == one.exchange]
        if keep(connection, unchanged):
            jobs.add(connection, EMBED, EMBED)
    return requests[-1]


def count_missing(store: Store) -> int:
    """Count the exchanges that have no episode yet."""
    counted = reached = 0
    with store.read() as connection:
        while some := episodes.missing(connection, reached, _COUNTED):
            counted, reached = counted + len(some), some[-1]
    return counted


def lately_missing(connection: Connection, limit: int) -> list[int]:
    """Return messages that begin an exchange without an episode, among the newest: looking at all takes long."""
    return episodes.missing(connection, max(messages.last_id(connection) - _LATELY_MESSAGES, 0), limit)


def derive_next(store: Store, after: int, zone: tzinfo | None, *, has_vectors: bool = False) -> int | None:
    """Make sketches and links of the next episodes anew; return the last of them, None at the end."""
    with store.read() as connection:
        firsts = episodes.firsts(connection, after, _BLOCK)
        exchanges = episodes.exchanges(connection, list(firsts.values()))
    if not firsts:
        return None
    prepared = {one.exchange.first_message: one for one in prepare(exchanges, zone, has_vectors=has_vectors)}
    with store.write() as connection:
        # One whose messages were discarded cannot be read anew.
        there = [one for one in episodes.held(connection, list(firsts)).values() if one.first_message in prepared]
        episodes.forget_reading(connection, [one.id for one in there])
        _derive(connection, {episode.id: prepared[episode.first_message] for episode in there})
        _outline(connection, there)
    return max(firsts)


def _outline(connection: Connection, found: Sequence[Episode]) -> None:
    """Shrink the gists of old episodes, and make the outlines of them."""
    from hermes_agent.store import gists, outlines  # here: they load numpy

    old = [one.id for one in found if one.state == "compressed"]
    sketches.set_gists(connection, gists.shrink(connection, old, None))
    outlines.renew(connection, [one.id for one in found])


def task_of(origin: Origin) -> str | None:
    """Say what a session is about: the name of its folder, and its title or else its first request."""
    folder = (origin.folder or "").replace("\\", "/").rstrip("/").rpartition("/")[2]
    about = ": ".join(part for part in (folder, origin.title or origin.first_request) if part)
    return preview(about, _TASK_CHARACTERS) or None


def _answered(exchange: Exchange, answer: Said) -> Exchange:
    """Return the exchange as it will be with an answer; what holds no talk is not read."""
    said = [*exchange.said, answer] if answer.text.strip() else exchange.said
    return replace(exchange, last_message=answer.message_id, said=said)


def _as_read(exchange: Exchange, read: Prepared | None, zone: tzinfo | None) -> Prepared:
    """Return what was read of an exchange, if it is still what was said; else read it now."""
    if read is not None and _words(read.exchange) == _words(exchange):
        return replace(read, exchange=exchange)
    return _read(exchange, zone, [None] * len(exchange.said))


def _words(exchange: Exchange) -> list[Said]:
    """Return what was said without the numbers of the messages: an answer had none when it was read."""
    return [replace(said, message_id=0) for said in exchange.said]


def _read(exchange: Exchange, zone: tzinfo | None, gists: Sequence[bytes | None]) -> Prepared:
    return Prepared(
        exchange,
        [sketch(said.text, said.role, _day(said.said_at, zone)) for said in exchange.said],
        gists,
        named_in(_told(said) for said in exchange.said),
    )


def _told(said: Said) -> str:
    """Return what was said in which things may be named: what an answer says of the program names nothing."""
    return without_boilerplate(said.text) if said.role == "assistant" else said.text


def _derive(connection: Connection, made: dict[int, Prepared]) -> None:
    rows = [
        _row(episode_id, one.exchange.session_id, said, drawn, gist)
        for episode_id, one in made.items()
        for said, drawn, gist in zip(one.exchange.said, one.sketches, one.gists, strict=True)
    ]
    sketches.put(connection, rows)
    entities.link(connection, "episode", {episode_id: one.named for episode_id, one in made.items()})


def _row(episode_id: int, session_id: str, said: Said, drawn: Sketch, gist: bytes | None) -> SketchRow:
    return SketchRow(
        message_id=said.message_id,
        episode_id=episode_id,
        session_id=session_id,
        role=said.role,
        speaker=said.speaker,
        said_at=said.said_at,
        marks=drawn.marks,
        stems=drawn.stems,
        cuts=drawn.cuts,
        words=drawn.words,
        days=drawn.days,
        gist=gist,
    )


def _day(moment: int, zone: tzinfo | None) -> date:
    return min(max(clock.to_datetime(moment, zone).date(), _FIRST_DAY), _LAST_DAY)
