"""Old episodes and the summaries that stand for them: which are old, which are told by which summary."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, and_, case, func, not_, or_, select, update

from hermes_agent.records.memory import Episode
from hermes_agent.store.episodes import IS_WITHIN, forget_vectors
from hermes_agent.store.id_lists import is_in
from hermes_agent.store.rows import to_record
from hermes_agent.store.sketches import set_gists
from hermes_agent.store.tables import episodes, messages, sessions, summaries

_SAID_IN = episodes.join(sessions, sessions.c.id == episodes.c.session_id)
_IS_RAW = episodes.c.state == "raw"
_IS_NONE_OF = not_(is_in(episodes.c.id))


@dataclass(frozen=True, slots=True)
class Old:
    """What is old: what ended before a moment, in conversations that are not pinned.

    `is_quiet`: only of those where nothing was said since; `is_learned`: of which everything is learned, but of
    what came from the `unlearned` sources nothing ever is.
    """

    before: int
    is_quiet: bool = False
    is_learned: bool = False
    unlearned: Sequence[str] = ()


def old(connection: Connection, which: Old, limit: int, without: Collection[int] = ()) -> list[Episode]:
    """Return the oldest episodes that are old and that no summary stands for, without some."""
    query = select(episodes).select_from(_SAID_IN).where(_IS_RAW, _is_old(which), _IS_NONE_OF)
    ordered = query.order_by(episodes.c.said_at, episodes.c.id).limit(limit)
    return [to_record(Episode, row) for row in connection.execute(ordered, {"ids": without}).mappings()]


def count_old(connection: Connection, which: Old, without: Collection[int] = ()) -> int:
    """Count what `old` returns without a limit."""
    query = select(func.count()).select_from(_SAID_IN).where(_IS_RAW, _is_old(which), _IS_NONE_OF)
    return int(connection.execute(query, {"ids": without}).scalar_one())


def are_old(connection: Connection, which: Old, ids: Sequence[int]) -> bool:
    """Tell whether all these episodes are old, and let nobody say more in their conversations, or pin them."""
    told_in = select(episodes.c.session_id).where(is_in(episodes.c.id))
    held = select(sessions.c.id).where(sessions.c.id.in_(told_in)).order_by(sessions.c.id)
    connection.execute(held.with_for_update(), {"ids": ids}).all()
    query = select(func.count()).select_from(_SAID_IN).where(is_in(episodes.c.id), _is_old(which))
    return connection.execute(query, {"ids": ids}).scalar_one() == len(ids)


def with_messages(connection: Connection, which: Old) -> dict[int, int]:
    """Return the summaries with messages behind them of which every episode is old: how many each stands for."""
    query = (
        select(episodes.c.summary_id, func.count())
        .select_from(_SAID_IN.join(summaries, summaries.c.id == episodes.c.summary_id))
        .where(summaries.c.state == "current", summaries.c.is_discarded.is_(False))
        .group_by(episodes.c.summary_id)
        .having(func.min(case((_is_old(which), 1), else_=0)) == 1)
        .order_by(episodes.c.summary_id)
    )
    return dict(connection.execute(query).all())


def _is_old(which: Old) -> ColumnElement[bool]:
    is_learned = or_(
        and_(sessions.c.learned_to >= episodes.c.last_message, sessions.c.reflected_to >= episodes.c.last_message),
        sessions.c.source.in_(which.unlearned),
    )
    return and_(
        episodes.c.said_at < which.before,
        episodes.c.ended_at < which.before,
        sessions.c.is_pinned.is_(False),
        *([sessions.c.last_active_at < which.before] if which.is_quiet else []),
        *([is_learned] if which.is_learned else []),
    )


def compress(
    connection: Connection, ids: Sequence[int], summary_id: int, gists: Mapping[int, bytes] | None
) -> None:
    """Let a summary stand for episodes: they keep their rows and sketches, outlines take the place of vectors.

    `gists` are the shrunk ones of their messages; None if the messages are to go.
    """
    from hermes_agent.store import outlines  # here: it loads numpy

    standing = {"state": "compressed", "summary_id": summary_id}
    connection.execute(update(episodes).where(is_in(episodes.c.id)).values(standing), {"ids": ids})
    forget_vectors(connection, ids)
    if gists is not None:
        set_gists(connection, gists)
        outlines.renew(connection, ids)


def of_summaries(connection: Connection, summary_ids: Sequence[int]) -> dict[int, list[int]]:
    """Return the episodes that each of the summaries stands for, in order."""
    query = select(episodes.c.summary_id, episodes.c.id).where(is_in(episodes.c.summary_id))
    found: dict[int, list[int]] = {summary_id: [] for summary_id in summary_ids}
    for summary_id, episode_id in connection.execute(query.order_by(episodes.c.id), {"ids": summary_ids}):
        found[summary_id].append(episode_id)
    return found


def sessions_of(connection: Connection, summary_ids: Sequence[int]) -> dict[int, set[str]]:
    """Return the conversations that each of the summaries stands for."""
    query = select(episodes.c.summary_id, episodes.c.session_id).where(is_in(episodes.c.summary_id)).distinct()
    found: dict[int, set[str]] = {summary_id: set() for summary_id in summary_ids}
    for summary_id, session_id in connection.execute(query, {"ids": summary_ids}):
        found[summary_id].add(session_id)
    return found


def between(connection: Connection, after: int, last: int) -> list[int]:
    """Return which of the episodes after one, up to another, a summary stands for."""
    is_there = (episodes.c.id > after) & (episodes.c.id <= last) & (episodes.c.state == "compressed")
    return list(connection.execute(select(episodes.c.id).where(is_there)).scalars())


def message_ids(connection: Connection, ids: Sequence[int]) -> list[int]:
    """Return the messages of episodes, what tools returned among them, in order."""
    query = select(messages.c.id).select_from(episodes).join(messages, IS_WITHIN).where(is_in(episodes.c.id))
    return list(connection.execute(query.order_by(messages.c.id), {"ids": ids}).scalars())


def openings(connection: Connection, session_ids: Sequence[str]) -> dict[str, int]:
    """Return the message that each of the sessions was opened with, also if it was taken back since."""
    query = select(messages.c.session_id, func.min(messages.c.id)).where(
        messages.c.session_id.in_(session_ids), messages.c.role.not_in(("assistant", "tool", "system"))
    )
    return dict(connection.execute(query.group_by(messages.c.session_id)).all())
