"""Read the field: the sketches of what the passes brought, their neighbours, and their vectors."""

from collections import defaultdict
from collections.abc import Container, Sequence
from datetime import tzinfo
from functools import lru_cache

import numpy

from hermes_agent import clock
from hermes_agent.embedders.local import DIMENSIONS, Local
from hermes_agent.recall.asking import Asking
from hermes_agent.recall.field import Field, Floats, Passages, Row
from hermes_agent.recall.passes import Brought
from hermes_agent.store import episodes, messages, quarantine, sketches
from hermes_agent.store import gists as gist_records
from hermes_agent.store import passages as stored
from hermes_agent.store.engine import Connection
from hermes_agent.store.episodes import Place
from hermes_agent.store.sketches import SketchRow
from hermes_agent.text.sketch import sketch

_MOST_LOOSE = 50
_ALONE = Place()
_AT_EACH_END = 8
_WITH_NEIGHBOURS = 60
"""So many exchanges of chats are read with their neighbours: the next ones hold little of the same."""
_QUARTER = 15 * 60 * clock.MICROSECONDS
"""No zone's day begins within a quarter of an hour, so messages close to each other share the reckoning."""


def load(connection: Connection, asking: Asking, brought: Brought) -> list[Field]:
    """Read everything that is compared with the question: chats, and talk between people, which names them."""
    ids = list(brought.episodes) if brought.is_whole else _narrowed(connection, brought)
    found = sketches.of_messages(connection, _compared(sketches.owners(connection, ids), brought.found_messages))
    places = episodes.places(connection, ids)
    zone = asking.now.tzinfo
    own = [one.message_id for one in found if one.session_id == asking.without_session]
    before_eyes = messages.live_ids(connection, own)
    rows = [
        _row(one, places.get(one.episode_id, _ALONE), zone)
        for one in found
        if one.message_id not in before_eyes and _is_wanted(one, asking)
    ]
    rows += _loose_rows(connection, brought.loose_messages, asking)
    # What a tool returned is in no exchange: nobody said it. What the owner accepted is as good as said.
    rows += _loose_rows(connection, quarantine.accepted_results(connection, _MOST_LOOSE), asking)
    rows.sort(key=lambda row: (row.session_id, row.message_id))
    talks = {row.session_id for row in rows if row.speaker}
    kinds = (
        [row for row in rows if row.session_id not in talks],
        [row for row in rows if row.session_id in talks],
    )
    return [Field(kind, _passages(connection, brought, kind)) for kind in kinds if kind]


def _narrowed(connection: Connection, brought: Brought) -> list[int]:
    """Keep what is likeliest worth comparing, and bring what was said beside it: in talk that says much."""
    lone = episodes.lone_ids(connection, list(brought.episodes))
    brought.narrow(lone)
    kept = list(brought.episodes)
    leading = [one for place, one in enumerate(kept) if one in lone or place < _WITH_NEIGHBOURS]
    beside = [one for one in episodes.neighbour_ids(connection, leading) if one not in brought.episodes]
    brought.bring("neighbour", beside)
    return kept + beside


def _compared(owners: Sequence[tuple[int, int]], found: Container[int]) -> list[int]:
    """Return the messages that are compared: of a long stretch of work the ends, and what was found by its words.

    `owners` are messages with their episodes, in order.
    """
    of_episode: defaultdict[int, list[int]] = defaultdict(list)
    for message_id, episode_id in owners:
        of_episode[episode_id].append(message_id)
    chosen: list[int] = []
    for ids in of_episode.values():
        middle = ids[_AT_EACH_END:-_AT_EACH_END]
        ends = ids if not middle else [*ids[:_AT_EACH_END], *ids[-_AT_EACH_END:]]
        chosen += [*ends, *(one for one in middle if one in found)]
    return chosen


def gists_of(rows: Sequence[Row]) -> Floats | None:
    """Return the vectors of whole messages that sketches carry, NaN where one has none; None if none has."""
    packed = {place: row.gist for place, row in enumerate(rows) if row.gist is not None}
    if not packed:
        return None
    known = gist_records.read(list(packed.values()))
    gists: Floats = numpy.full((len(rows), known.shape[1]), numpy.nan, numpy.float32)
    gists[list(packed)] = known
    return gists


def _is_wanted(one: SketchRow, asking: Asking) -> bool:
    if asking.as_of is not None and one.said_at > asking.as_of:
        return False
    if asking.since is not None and one.said_at < asking.since:
        return False
    return asking.until is None or one.said_at < asking.until


def _row(one: SketchRow, place: Place, zone: tzinfo | None) -> Row:
    return Row(
        one.message_id,
        one.episode_id,
        one.session_id,
        *place,
        one.role,
        one.speaker,
        _day(one.said_at, zone),
        one.marks,
        one.stems,
        one.cuts,
        one.words,
        one.days,
        one.gist,
    )


def _loose_rows(connection: Connection, ids: Sequence[int], asking: Asking) -> list[Row]:
    """Sketch messages that have no sketch: each stands alone."""
    rows = []
    for message in messages.get_many(connection, ids[:_MOST_LOOSE]).values():
        said = clock.to_datetime(message.said_at, asking.now.tzinfo).date()
        made = sketch(message.content or "", message.role, said)
        one = SketchRow(
            message.id,
            -message.id,
            message.session_id,
            message.role,
            message.speaker,
            message.said_at,
            made.marks,
            made.stems,
            made.cuts,
            made.words,
            made.days,
        )
        is_said = message.state != "rewound" and not message.is_summary
        is_before_eyes = message.session_id == asking.without_session and message.state == "live"
        if is_said and not is_before_eyes and _is_wanted(one, asking):
            rows.append(_row(one, _ALONE, asking.now.tzinfo))
    return rows


def _passages(connection: Connection, brought: Brought, rows: Sequence[Row]) -> Passages | None:
    fingerprint = brought.fingerprint
    if fingerprint is None:
        return None
    place = {row.message_id: number for number, row in enumerate(rows)}
    found = stored.of_messages(connection, fingerprint.id, fingerprint.dimensions, list(place))
    owners = numpy.array([place[int(message_id)] for message_id in found.message_ids], numpy.int64)
    firsts = numpy.cumsum([0, *found.row_counts])[:-1]
    is_whole = numpy.zeros(len(found.scales), bool)
    is_whole[firsts] = True
    vectors = found.rows.astype(numpy.float32) * found.scales[:, None]
    passages = Passages(vectors, numpy.repeat(owners, found.row_counts), is_whole)
    return _with_gists(passages, rows) if fingerprint.name == Local.fingerprint else passages


def _with_gists(passages: Passages, rows: Sequence[Row]) -> Passages:
    """Let the gist of a message that is old stand for its passages."""
    known = set(passages.owners.tolist())
    old = {place: row.gist for place, row in enumerate(rows) if row.gist is not None and place not in known}
    if not old:
        return passages
    told = gist_records.read_shrunk(list(old.values()))
    return Passages(
        numpy.concatenate([passages.vectors.reshape(-1, DIMENSIONS), told.vectors]),
        numpy.concatenate([passages.owners, numpy.array(list(old), numpy.int64)[told.owners]]),
        numpy.concatenate([passages.is_whole, told.is_whole]),
    )


def _day(moment: int, zone: tzinfo | None) -> int:
    return _day_of_quarter(moment // _QUARTER, zone)


@lru_cache(maxsize=20_000)
def _day_of_quarter(quarter: int, zone: tzinfo | None) -> int:
    return clock.to_datetime(quarter * _QUARTER, zone).date().toordinal()
