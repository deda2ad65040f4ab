"""Old episodes and the summaries that stand for them: which are old, which are told by which summary."""

from collections.abc import Mapping, Sequence

from sqlalchemy import ColumnElement, Connection, and_, func, select, update

from hermes_agent.records.memory import Episode
from hermes_agent.store.episodes import IS_WITHIN, forget_vectors
from hermes_agent.store.id_lists import is_in
from hermes_agent.store.rows import to_record
from hermes_agent.store.sketches import set_gists
from hermes_agent.store.tables import episodes, messages, sessions


def old(connection: Connection, before: int, limit: int, *, is_quiet: bool = False) -> list[Episode]:
    """Return the oldest episodes that no summary stands for and that ended before a moment.

    Those of pinned conversations are left alone; `is_quiet`: only of those where nothing was said since, and of
    which everything is learned.
    """
    query = select(episodes).join(sessions, sessions.c.id == episodes.c.session_id)
    query = query.where(_is_old(before, is_quiet=is_quiet))
    ordered = query.order_by(episodes.c.said_at, episodes.c.id).limit(limit)
    return [to_record(Episode, row) for row in connection.execute(ordered).mappings()]


def count_old(connection: Connection, before: int, *, is_quiet: bool = False) -> int:
    """Count what `old` returns without a limit."""
    joined = select(func.count()).select_from(episodes).join(sessions, sessions.c.id == episodes.c.session_id)
    return int(connection.execute(joined.where(_is_old(before, is_quiet=is_quiet))).scalar_one())


def _is_old(before: int, *, is_quiet: bool) -> ColumnElement[bool]:
    is_over = and_(
        sessions.c.last_active_at < before,
        sessions.c.learned_to >= episodes.c.last_message,
        sessions.c.reflected_to >= episodes.c.last_message,
    )
    return and_(
        episodes.c.state == "raw",
        episodes.c.said_at < before,
        episodes.c.ended_at < before,
        sessions.c.is_pinned.is_(False),
        *([is_over] if is_quiet else []),
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
