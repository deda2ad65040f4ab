"""Make episodes of messages, and what finds them: sketches of what was said, links to what it names.

A turn makes its episode in its last commit. What no turn made (an import, an older store, a turn
that was killed) is made afterwards, block by block; either way the same messages make the same
episodes. Reading a text for its sketch takes a while, so for many of them that happens between
the transactions, not in them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, tzinfo

from hermes_agent import clock
from hermes_agent.memory.embedding import JOB as EMBED
from hermes_agent.memory.naming import named_in
from hermes_agent.records.memory import Episode, Exchange, NamedThings, NewEpisode, Origin, Said
from hermes_agent.store import entities, episodes, jobs, sketches
from hermes_agent.store.engine import Connection
from hermes_agent.store.sketches import SketchRow
from hermes_agent.store.store import Store
from hermes_agent.text.clean import preview
from hermes_agent.text.marks import Sketch
from hermes_agent.text.sketch import sketch

JOB = "episodes"
"""The job, and its key, that makes the episodes which are missing."""

_MOST_IN_A_TURN = 8
_BLOCK = 250
_TASK_CHARACTERS = 200
# Further out a day may have no yesterday.
_FIRST_DAY, _LAST_DAY = date(2, 1, 1), date(9997, 12, 31)


@dataclass(frozen=True, slots=True)
class Prepared:
    """An exchange, read: the sketch of each thing said in it, and what it names."""

    exchange: Exchange
    sketches: Sequence[Sketch]
    gists: Sequence[bytes | None]
    named: NamedThings


def record(
    connection: Connection, session_id: str, zone: tzinfo | None, *, has_vectors: bool = False
) -> list[Episode]:
    """Keep the exchanges of a session that have no episode yet, and let its last episode go on; return the new.

    Where many are missing, as in an imported session that is taken up again, only the latest is made
    here: a turn must not wait for the others, which the job makes.
    """
    known = episodes.last_of(connection, session_id)
    after = 0 if known is None else known.first_message
    requests = episodes.missing(connection, after, _MOST_IN_A_TURN + 1, session_id)
    if len(requests) > _MOST_IN_A_TURN:
        newest = episodes.newest_request(connection, session_id)
        requests = [request for request in [newest] if request is not None]
        jobs.add(connection, JOB, JOB)
    starts = requests if known is None else [known.first_message, *requests]
    found = {exchange.first_message: exchange for exchange in episodes.exchanges(connection, starts)}
    if known is not None and found[known.first_message].last_message != known.last_message:
        _go_on(connection, known, found[known.first_message], zone, has_vectors=has_vectors)
    return keep(connection, prepare([found[request] for request in requests], zone, has_vectors=has_vectors))


def prepare(exchanges: Sequence[Exchange], zone: tzinfo | None, *, has_vectors: bool = False) -> list[Prepared]:
    """Read exchanges; this is the slow part. Where there are vectors, each message gets its gist."""
    gists = _gists(exchanges) if has_vectors else {}
    return [
        Prepared(
            exchange,
            [sketch(said.text, said.role, _day(said.said_at, zone)) for said in exchange.said],
            [gists.get(said.message_id) for said in exchange.said],
            named_in(said.text for said in exchange.said),
        )
        for exchange in exchanges
    ]


def _gists(exchanges: Sequence[Exchange]) -> dict[int, bytes]:
    """Make a vector of each message with the model that is always there."""
    from hermes_agent.embedders.local import Local
    from hermes_agent.store.passages import pack

    said = [said for exchange in exchanges for said in exchange.said]
    if not said:
        return {}
    made = Local().embed([one.text for one in said])
    return {one.message_id: pack(row[None, :]) for one, row in zip(said, made, strict=True)}


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


def derive_next(store: Store, after: int, zone: tzinfo | None, *, has_vectors: bool = False) -> int | None:
    """Make sketches and links of the next episodes anew; return the last of them, None at the end."""
    with store.read() as connection:
        firsts = episodes.firsts(connection, after, _BLOCK)
        exchanges = episodes.exchanges(connection, list(firsts.values()))
    if not firsts:
        return None
    prepared = {one.exchange.first_message: one for one in prepare(exchanges, zone, has_vectors=has_vectors)}
    with store.write() as connection:
        there = episodes.held(connection, list(firsts))
        episodes.forget_reading(connection, list(there))
        _derive(
            connection,
            {
                episode.id: prepared[episode.first_message]
                for episode in there.values()
                if episode.first_message in prepared
            },
        )
    return max(firsts)


def task_of(origin: Origin) -> str | None:
    """Say what a session is about: the name of its folder, and its title or else its first request."""
    folder = (origin.folder or "").replace("\\", "/").rstrip("/").rpartition("/")[2]
    about = ": ".join(part for part in (folder, origin.title or origin.first_request) if part)
    return preview(about, _TASK_CHARACTERS) or None


def _go_on(
    connection: Connection, known: Episode, exchange: Exchange, zone: tzinfo | None, *, has_vectors: bool
) -> None:
    """Let an episode take in what was said since."""
    episodes.extend(connection, known.id, exchange.last_message, exchange.ended_at)
    (prepared,) = prepare([exchange], zone, has_vectors=has_vectors)
    _derive(connection, {known.id: prepared})


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
