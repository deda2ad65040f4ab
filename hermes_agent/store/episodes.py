"""Episodes: which messages are one exchange, found by message, by time and by neighbourhood.

An exchange begins with a message that is neither an assistant's nor a tool's, and goes on until the
next such message of its session. Summaries and system messages belong to none, and what was taken
back neither begins one nor belongs to one. In talk between people each message is an episode.

What hangs on an episode (sketches, links, vectors, passages) goes with it: `remove` is the one way.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    ScalarSelect,
    Select,
    and_,
    bindparam,
    case,
    delete,
    func,
    not_,
    select,
    union_all,
    update,
)

from hermes_agent.ids import new_uid
from hermes_agent.records.archive import ANSWERING
from hermes_agent.records.memory import Episode, Exchange, NewEpisode, Origin, Said
from hermes_agent.store import entities, vectors
from hermes_agent.store.fresh import insert_fresh
from hermes_agent.store.id_lists import is_in
from hermes_agent.store.rows import to_record
from hermes_agent.store.tables import episodes, messages, outlines, passages, sessions, sketches

_REQUEST_CHARACTERS = 300
_END = 2**63 - 1
_COUNTED = 200


class Place(NamedTuple):
    """Where an episode stands in its session: how many came before it, of how many, and which just before."""

    number: int = 0
    size: int = 1
    follows: int | None = None


def _belongs(said: FromClause) -> ColumnElement[bool]:
    """Tell whether a message can be part of an exchange."""
    return and_(said.c.role != "system", not_(said.c.is_summary), said.c.state != "rewound")


def _opens(said: FromClause) -> ColumnElement[bool]:
    """Tell whether a message begins an exchange."""
    return and_(_belongs(said), said.c.role.not_in(ANSWERING))


def _began_last() -> ColumnElement[bool]:
    """Tell whether an episode is the last of a message's session that begins at or before the message."""
    near = episodes.alias("near")
    start = select(func.max(near.c.first_message)).where(
        near.c.session_id == messages.c.session_id, near.c.first_message <= messages.c.id
    )
    return episodes.c.first_message == start.scalar_subquery()


def _exchanges() -> "Select[int, str, int, str, str | None, int, str | None]":
    """Ask for the messages from each request to the next, in order."""
    first, later = messages.alias("first"), messages.alias("later")
    following = (
        select(later.c.id)
        .where(later.c.session_id == first.c.session_id, later.c.id > first.c.id, _opens(later))
        .order_by(later.c.id)
        .limit(1)
        .scalar_subquery()
    )
    is_within = and_(
        messages.c.session_id == first.c.session_id,
        messages.c.id >= first.c.id,
        messages.c.id < func.coalesce(following, _END),
    )
    return (
        select(first.c.id, first.c.session_id, *_SAID)
        .select_from(first)
        .join(messages, is_within)
        .where(is_in(first.c.id), _belongs(messages))
        .order_by(first.c.id, messages.c.id)
    )


def _next_to() -> "Select[int]":
    """Ask for the episodes next to some, by two looks into the index of sessions for each."""
    near, following = episodes.alias("near"), episodes.alias("following")
    same = near.c.session_id == episodes.c.session_id
    earlier = select(func.max(near.c.first_message)).where(same, near.c.first_message < episodes.c.first_message)
    later = select(func.min(near.c.first_message)).where(same, near.c.first_message > episodes.c.first_message)
    ends = union_all(
        select(earlier.scalar_subquery().label("first_message")).where(is_in(episodes.c.id)),
        select(later.scalar_subquery()).where(is_in(episodes.c.id)),
    ).subquery("ends")
    found = select(following.c.id).join(ends, following.c.first_message == ends.c.first_message)
    return found.distinct()


def _places() -> "Select[int, int, int, int | None]":
    """Ask how many episodes of its session came before an episode, of how many, and which just before."""
    near = episodes.alias("near")
    same = select(near.c.id).where(near.c.session_id == episodes.c.session_id)
    earlier = same.where(near.c.first_message < episodes.c.first_message)
    before = earlier.order_by(near.c.first_message.desc()).limit(1).correlate(episodes).scalar_subquery()
    return select(episodes.c.id, _counted(earlier), _counted(same), before).where(is_in(episodes.c.id))


def _counted(some: "Select[int]") -> "ScalarSelect[int]":
    """Count episodes up to a number: a session may have any number of them, and this is asked for each."""
    few = some.limit(_COUNTED).correlate(episodes).subquery()
    return select(func.count()).select_from(few).correlate(episodes).scalar_subquery()


# Built once: some of these run in every turn, and building one takes longer than running it.
# What a tool returned is not read: nobody said it.
_SAID = (
    messages.c.id,
    messages.c.role,
    messages.c.speaker,
    messages.c.said_at,
    case((messages.c.role != "tool", messages.c.content)),
)
IS_WITHIN = and_(
    messages.c.session_id == episodes.c.session_id,
    messages.c.id >= episodes.c.first_message,
    messages.c.id <= episodes.c.last_message,
)
_EXCHANGES = _exchanges()
_NEXT_TO = _next_to()
_PLACES = _places()
_NEWEST = select(episodes.c.id).order_by(episodes.c.id.desc()).limit(bindparam("most"))
_FURTHER = select(episodes.c.id).limit(1).offset(bindparam("most"))
_LONE = select(episodes.c.id).where(is_in(episodes.c.id), episodes.c.first_message == episodes.c.last_message)
_GET = select(episodes).where(is_in(episodes.c.id))
_LAST_OF = (
    select(episodes)
    .where(episodes.c.session_id == bindparam("session"))
    .order_by(episodes.c.first_message.desc())
    .limit(1)
)
_MISSING = (
    select(messages.c.id)
    .outerjoin(episodes, episodes.c.first_message == messages.c.id)
    .where(messages.c.id > bindparam("after"), _opens(messages), episodes.c.id.is_(None))
    .order_by(messages.c.id)
    .limit(bindparam("most"))
)
_MISSING_IN_SESSION = _MISSING.where(messages.c.session_id == bindparam("session"))
_OF_MESSAGES = (
    select(messages.c.id, episodes.c.id.label("episode"))
    .select_from(messages)
    .join(episodes, _began_last())
    .where(is_in(messages.c.id), _belongs(messages), messages.c.id <= episodes.c.last_message)
)
_FIRST_REQUEST = (
    select(messages.c.content)
    .where(messages.c.session_id == sessions.c.id, _opens(messages))
    .order_by(messages.c.id)
    .limit(1)
    .scalar_subquery()
)
_ORIGINS = select(sessions.c.id, sessions.c.source, sessions.c.folder, sessions.c.title, _FIRST_REQUEST).where(
    sessions.c.id.in_(bindparam("sessions", expanding=True))
)
_AT_MESSAGES = (
    select(episodes.c.id)
    .select_from(messages)
    .join(episodes, _began_last())
    .where(is_in(messages.c.id))
    .distinct()
)
_TEXTS = (
    select(episodes.c.id, *_SAID)
    .select_from(episodes)
    .join(messages, IS_WITHIN)
    .where(is_in(episodes.c.id), _belongs(messages), messages.c.role != "tool")
    .order_by(episodes.c.id, messages.c.id)
)


def add(connection: Connection, new: Sequence[NewEpisode]) -> list[Episode]:
    """Keep episodes and return them; one whose first message begins an episode already is left out."""
    fresh = insert_fresh(connection, episodes, "first_message").returning(episodes)
    added = []
    for episode in new:
        values = {name: getattr(episode, name) for name in NewEpisode.__dataclass_fields__}
        values |= {"uid": new_uid(episode.said_at), "state": "raw"}
        row = connection.execute(fresh, values).mappings().one_or_none()
        added += [] if row is None else [to_record(Episode, row)]
    return added


def extend(connection: Connection, episode_id: int, last_message: int, ended_at: int) -> None:
    """Let an episode go on to a later message, and forget what was derived of it as it was.

    One that a summary stood for is told by its messages again.
    """
    longer = {"last_message": last_message, "ended_at": ended_at, "state": "raw", "summary_id": None}
    connection.execute(update(episodes).where(episodes.c.id == episode_id).values(longer))
    forget_reading(connection, [episode_id])
    forget_vectors(connection, [episode_id])


def get(connection: Connection, episode_id: int) -> Episode | None:
    """Return one episode."""
    return get_many(connection, [episode_id]).get(episode_id)


def get_many(connection: Connection, ids: Sequence[int]) -> dict[int, Episode]:
    """Return the episodes with these ids."""
    rows = connection.execute(_GET, {"ids": ids}).mappings()
    return {row["id"]: to_record(Episode, row) for row in rows}


def held(connection: Connection, ids: Sequence[int]) -> dict[int, Episode]:
    """Return those of the episodes that are there, and let nobody change them until the transaction ends."""
    rows = connection.execute(_GET.order_by(episodes.c.id).with_for_update(), {"ids": ids}).mappings()
    return {row["id"]: to_record(Episode, row) for row in rows}


def owner_ids(connection: Connection, message_ids: Sequence[int]) -> dict[int, int]:
    """Return the id of the episode that each of the messages belongs to; some belong to none."""
    return dict(connection.execute(_OF_MESSAGES, {"ids": message_ids}).all())


def latest(
    connection: Connection,
    n: int,
    *,
    before: int | None = None,
    without_session: str | None = None,
    hidden_sources: Sequence[str] = (),
) -> list[Episode]:
    """Return the episodes that were said last, the latest first; `before` is a moment."""
    query = select(episodes).order_by(episodes.c.said_at.desc(), episodes.c.id.desc()).limit(n)
    if before is not None:
        query = query.where(episodes.c.said_at < before)
    if without_session is not None:
        query = query.where(episodes.c.session_id != without_session)
    if hidden_sources:
        query = query.where(episodes.c.source.not_in(hidden_sources))
    return [to_record(Episode, row) for row in connection.execute(query).mappings()]


def last_of(connection: Connection, session_id: str) -> Episode | None:
    """Return the last episode of a session."""
    row = connection.execute(_LAST_OF, {"session": session_id}).mappings().one_or_none()
    return None if row is None else to_record(Episode, row)


def places(connection: Connection, episode_ids: Sequence[int]) -> dict[int, Place]:
    """Return where each stands in its session."""
    rows = connection.execute(_PLACES, {"ids": episode_ids}).all()
    return {one: Place(number, size, follows) for one, number, size, follows in rows}


def every_id(connection: Connection, most: int) -> list[int] | None:
    """Return all episodes, the newest first; None if there are more than so many."""
    if connection.execute(_FURTHER, {"most": most}).first() is not None:
        return None
    return list(connection.execute(_NEWEST, {"most": most}).scalars())


def neighbour_ids(connection: Connection, ids: Sequence[int]) -> list[int]:
    """Return the episodes just before and after these in their sessions, each once."""
    return list(connection.execute(_NEXT_TO, {"ids": ids}).scalars())


def lone_ids(connection: Connection, ids: Sequence[int]) -> set[int]:
    """Return those of the episodes that are one message."""
    return set(connection.execute(_LONE, {"ids": ids}).scalars())


def from_sources(connection: Connection, ids: Sequence[int], sources: Sequence[str]) -> set[int]:
    """Return those of the episodes that came from one of the sources."""
    query = select(episodes.c.id).where(is_in(episodes.c.id), episodes.c.source.in_(sources))
    return set(connection.execute(query, {"ids": ids}).scalars())


def count_by_state(connection: Connection) -> dict[str, int]:
    """Count the episodes by state."""
    rows = connection.execute(select(episodes.c.state, func.count()).group_by(episodes.c.state))
    return dict(rows.all())


def texts(connection: Connection, ids: Sequence[int]) -> dict[int, list[Said]]:
    """Return what was said in each episode, in order; an episode that is not there says nothing."""
    found: dict[int, list[Said]] = {episode_id: [] for episode_id in ids}
    for episode_id, message, role, speaker, said_at, text in connection.execute(_TEXTS, {"ids": ids}):
        if text and text.strip():
            found[episode_id].append(Said(message, role, speaker, said_at, text))
    return found


def missing(connection: Connection, after: int, limit: int, session_id: str | None = None) -> list[int]:
    """Return the next messages that begin an exchange and have no episode, in order; of one session, or all."""
    values: dict[str, int | str] = {"after": after, "most": limit}
    if session_id is None:
        return list(connection.execute(_MISSING, values).scalars())
    return list(connection.execute(_MISSING_IN_SESSION, {**values, "session": session_id}).scalars())


def newest_request(connection: Connection, session_id: str) -> int | None:
    """Return the last message of a session that begins an exchange."""
    query = select(messages.c.id).where(messages.c.session_id == session_id, _opens(messages))
    return connection.execute(query.order_by(messages.c.id.desc()).limit(1)).scalar()


def exchanges(connection: Connection, requests: Sequence[int]) -> list[Exchange]:
    """Return the exchanges that begin with these messages, each up to the next one of its session."""
    rows = connection.execute(_EXCHANGES, {"ids": requests})
    return [_exchange(list(group)) for _, group in groupby(rows, lambda row: row[0])]


def origins(connection: Connection, session_ids: Sequence[str]) -> dict[str, Origin]:
    """Return where each of the sessions came from, and what was first said in it."""
    rows = connection.execute(_ORIGINS, {"sessions": session_ids})
    return {
        session_id: Origin(source, folder, title, (text or "")[:_REQUEST_CHARACTERS])
        for session_id, source, folder, title, text in rows
    }


def firsts(connection: Connection, after: int, limit: int) -> dict[int, int]:
    """Return the next episodes by their id with the message each begins with."""
    query = select(episodes.c.id, episodes.c.first_message).where(episodes.c.id > after)
    return dict(connection.execute(query.order_by(episodes.c.id).limit(limit)).all())


def remove(connection: Connection, ids: Sequence[int], *, is_erasure: bool = False) -> None:
    """Delete episodes with everything that was derived from them; their messages stay.

    After an erasure not even copies of their vectors may be left, since texts can be guessed from them.
    """
    if not ids:
        return
    forget_reading(connection, ids)
    forget_vectors(connection, ids, is_erasure=is_erasure)
    connection.execute(delete(episodes).where(is_in(episodes.c.id)), {"ids": ids})


def holding(connection: Connection, message_ids: Sequence[int]) -> list[int]:
    """Return the episodes that these messages are in, also those that were taken back."""
    within = _AT_MESSAGES.where(messages.c.id <= episodes.c.last_message)
    return list(connection.execute(within, {"ids": message_ids}).scalars())


def remove_at(connection: Connection, message_ids: Sequence[int]) -> None:
    """Delete the episodes that these messages are in, or would be in if they were not taken back."""
    if message_ids:
        remove(connection, list(connection.execute(_AT_MESSAGES, {"ids": message_ids}).scalars()))


def remove_sessions(connection: Connection, session_ids: Sequence[str]) -> None:
    """Delete the episodes of sessions for good."""
    query = select(episodes.c.id).where(episodes.c.session_id.in_(session_ids))
    remove(connection, list(connection.execute(query).scalars()), is_erasure=True)


def forget_reading(connection: Connection, ids: Sequence[int]) -> None:
    """Delete the sketches of episodes and what they name, so that they can be read anew."""
    connection.execute(delete(sketches).where(is_in(sketches.c.episode_id)), {"ids": ids})
    entities.unlink(connection, "episode", ids)


def forget_vectors(connection: Connection, ids: Sequence[int], *, is_erasure: bool = False) -> None:
    """Delete the vectors of episodes and of their messages, and their outlines."""
    connection.execute(delete(outlines).where(is_in(outlines.c.episode_id)), {"ids": ids})
    vectors.remove(connection, "episode", ids, is_erasure=is_erasure)
    spoken = select(messages.c.id).select_from(messages).join(episodes, IS_WITHIN).where(is_in(episodes.c.id))
    connection.execute(delete(passages).where(passages.c.message_id.in_(spoken)), {"ids": ids})


def _exchange(rows: Sequence[tuple[int, str, int, str, str | None, int, str | None]]) -> Exchange:
    said = [
        Said(message, role, speaker, at, text)
        for _, _, message, role, speaker, at, text in rows
        if text and text.strip()
    ]
    first, session_id, *_ = rows[0]
    moments = [row[5] for row in rows]
    return Exchange(session_id, first, rows[-1][2], moments[0], max(moments), said)
