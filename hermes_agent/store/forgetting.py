"""The rows that forgetting is about: found by what was asked for, and deleted with everything that finds them."""

import secrets
from collections.abc import Collection, Iterator, Sequence
from typing import get_args

from sqlalchemy import ColumnElement, Connection, and_, delete, func, select, update

from hermes_agent.records.archive import ANSWERING, Message
from hermes_agent.records.notes import SUBJECTS, Note
from hermes_agent.store import entities, episodes, messages, summaries, sweeping, vectors
from hermes_agent.store.emptying import WORDLESS
from hermes_agent.store.engine import Engine
from hermes_agent.store.id_lists import batched, is_in
from hermes_agent.store.tables import episodes as episode_rows
from hermes_agent.store.tables import facts, journal, note_versions, passages, reflections, sessions
from hermes_agent.store.tables import messages as message_rows
from hermes_agent.store.tables import summaries as summary_rows
from hermes_agent.text.runs import Look, encoded, strings

_BLOCK = 500


def episodes_behind(connection: Connection, summary: int) -> list[int]:
    """Return the episodes that a summary stands for."""
    query = select(episode_rows.c.id).where(episode_rows.c.summary_id == summary)
    return list(connection.execute(query).scalars())


def emptied_for(connection: Connection, summary: int) -> list[str]:
    """Return the sessions of which nothing is left but what one summary tells."""
    columns = episode_rows.c
    behind = select(columns.session_id).where(columns.summary_id == summary)
    elsewhere = select(columns.session_id).where(columns.summary_id.is_distinct_from(summary))
    said = select(message_rows.c.session_id)
    left = select(sessions.c.id).where(sessions.c.id.in_(behind), sessions.c.id.not_in(elsewhere))
    return list(connection.execute(left.where(sessions.c.id.not_in(said)).order_by(sessions.c.id)).scalars())


def sessions_before(connection: Connection, moment: int) -> list[str]:
    """Return the sessions in which nobody spoke since a moment."""
    return list(connection.execute(select(sessions.c.id).where(sessions.c.last_active_at < moment)).scalars())


def messages_before(connection: Connection, moment: int) -> list[Message]:
    """Return what was said before a moment."""
    ids = connection.execute(select(message_rows.c.id).where(message_rows.c.said_at < moment)).scalars()
    return list(messages.get_many(connection, list(ids)).values())


def said_in(connection: Connection, session_ids: Sequence[str]) -> list[Message]:
    """Return everything that sessions hold, session by session, what was taken back among it."""
    found: list[Message] = []
    for block in batched(session_ids):
        ids = connection.execute(select(message_rows.c.id).where(message_rows.c.session_id.in_(block))).scalars()
        found += messages.get_many(connection, list(ids)).values()
    place = {name: number for number, name in enumerate(session_ids)}
    return sorted(found, key=lambda one: (place[one.session_id], one.id))


def facts_before(connection: Connection, moment: int) -> list[int]:
    """Return the facts that were told before a moment, and in no message."""
    query = select(facts.c.id).where(facts.c.said_at < moment, facts.c.source_message.is_(None))
    return list(connection.execute(query).scalars())


def messages_holding(connection: Connection, look: Look) -> list[Message]:
    """Return the messages that say what is looked for; what was put before them from memory is not theirs."""
    found = [row for row in sweeping.holding(connection, message_rows, look) if _holds(row["content"], look)]
    return list(messages.get_many(connection, [int(str(row["id"])) for row in found]).values())


def facts_holding(connection: Connection, look: Look) -> list[int]:
    """Return the facts that say what is looked for."""
    return [int(str(row["id"])) for row in sweeping.holding(connection, facts, look)]


def reflections_holding(connection: Connection, look: Look) -> list[int]:
    """Return the reflections that say what is looked for."""
    return [int(str(row["id"])) for row in sweeping.holding(connection, reflections, look)]


def answers_to(connection: Connection, request: Message) -> list[int]:
    """Return what was done and answered after a request, up to the next one of its session."""
    columns = message_rows.c
    later = (columns.session_id == request.session_id) & (columns.id > request.id)
    following = select(func.min(columns.id)).where(later, columns.role.not_in(ANSWERING), ~columns.is_summary)
    end = connection.execute(following).scalar()
    query = select(columns.id).where(later, columns.role.in_(ANSWERING))
    return list(connection.execute(query if end is None else query.where(columns.id < end)).scalars())


def compactions_after(connection: Connection, session_id: str, first: int) -> list[int]:
    """Return the messages that sum up what a session said, written after one of its messages."""
    columns = message_rows.c
    query = select(columns.id).where(columns.session_id == session_id, columns.is_summary, columns.id > first)
    return list(connection.execute(query).scalars())


def staying(connection: Connection, going: Collection[int]) -> Iterator[list[tuple[int, str, list[bytes]]]]:
    """Yield the messages that stay, so many at a time: each with its number, its role and its texts."""
    columns = message_rows.c
    wanted = select(columns.id, columns.role, columns.content, columns.reasoning, columns.tool_calls)
    with connection.execute(wanted.execution_options(yield_per=_BLOCK)) as found:
        for block in found.partitions(_BLOCK):
            yield [
                (number, role, [encoded(one) for value in texts for one in strings(value)])
                for number, role, *texts in block
                if number not in going
            ]


def facts_staying(connection: Connection, going: Collection[int]) -> list[str]:
    """Return what the facts say that stay."""
    query = select(facts.c.id, facts.c.text)
    return [text for number, text in connection.execute(query) if number not in going]


def remove_messages(connection: Connection, engine: Engine, gone: Sequence[Message]) -> None:
    """Delete messages of sessions that stay, with their episodes, vectors and sketches, and lines about them."""
    ids = [one.id for one in gone]
    for session_id in sorted({one.session_id for one in gone}):
        connection.execute(select(sessions.c.id).where(sessions.c.id == session_id).with_for_update())
    telling = summaries.telling_of(connection, {one.session_id for one in gone})
    read_anew(connection, engine, ids, is_erasure=True)
    connection.execute(delete(message_rows).where(is_in(message_rows.c.id)), {"ids": ids})
    summaries.forget_messages(connection, engine, gone, telling)
    for session_id in sorted({one.session_id for one in gone}):
        messages.recount(connection, session_id)


def read_anew(connection: Connection, engine: Engine, ids: Sequence[int], *, is_erasure: bool) -> None:
    """Take messages out of everything that finds them; their exchanges get new episodes by a job."""
    engine.text.remove(connection, ids)
    owners = episodes.owner_ids(connection, ids)
    connection.execute(delete(passages).where(is_in(passages.c.message_id)), {"ids": ids})
    episodes.remove(connection, sorted(set(owners.values())), is_erasure=is_erasure)
    episodes.remove_at(connection, ids)


def empty_sessions(connection: Connection, session_ids: Collection[str]) -> list[str]:
    """Return those of the sessions in which nothing was said."""
    has_any = select(message_rows.c.session_id).where(is_in(message_rows.c.session_id)).distinct()
    left = set(connection.execute(has_any, {"ids": session_ids}).scalars())
    return [one for one in session_ids if one not in left]


def remove_facts(connection: Connection, engine: Engine, ids: Sequence[int]) -> None:
    """Delete facts for good, with what finds them; what they took the place of stays ended."""
    engine.text.remove(connection, ids, "facts")
    vectors.remove(connection, vectors.FACT, ids, is_erasure=True)
    entities.unlink(connection, "fact", ids)
    uids = list(connection.execute(select(facts.c.uid).where(is_in(facts.c.id)), {"ids": ids}).scalars())
    change = update(facts).where(is_in(facts.c.superseded_by)).values(superseded_by=None)
    connection.execute(change, {"ids": uids})
    connection.execute(delete(facts).where(is_in(facts.c.id)), {"ids": ids})


def remove_summaries(connection: Connection, engine: Engine, ids: Sequence[int]) -> None:
    """Delete summaries whose messages were discarded, with the episodes they stand for."""
    engine.text.remove(connection, ids, "summaries")
    vectors.remove(connection, vectors.SUMMARY, ids, is_erasure=True)
    for number in ids:
        episodes.remove(connection, episodes_behind(connection, number), is_erasure=True)
    connection.execute(delete(summary_rows).where(is_in(summary_rows.c.id)), {"ids": ids})


def count_vectors(connection: Connection) -> int:
    """Count the vectors there are, those of passages among them."""
    from hermes_agent.store.tables import vectors as vector_rows

    counts = (select(func.count()).select_from(one) for one in (vector_rows, passages))
    return sum(int(connection.execute(one).scalar_one()) for one in counts)


def _holds(value: object, look: Look) -> bool:
    return any(look(encoded(one)) for one in strings(value))


def every_session(connection: Connection) -> list[str]:
    """Return all sessions."""
    return list(connection.execute(select(sessions.c.id)).scalars())


def every_fact(connection: Connection) -> list[int]:
    """Return all facts, those that ended among them."""
    return list(connection.execute(select(facts.c.id)).scalars())


def count_former_notes(connection: Connection, notes: Collection[str]) -> int:
    """Count the versions of notes but the current one of each."""
    former = select(func.count()).select_from(note_versions).where(_is_former(notes))
    return int(connection.execute(former).scalar_one())


def forget_notes(connection: Connection, notes: Collection[str]) -> None:
    """Delete the versions of notes but the current one of each, and silence what the journal tells of them."""
    connection.execute(delete(note_versions).where(_is_former(notes)))
    subjects = [SUBJECTS[note] for note in get_args(Note) if note in notes]
    told = update(journal).where(journal.c.subject.in_(subjects))
    connection.execute(told.values(text=WORDLESS, cause=None, before=None, after={"forgotten": True}))


def _is_former(notes: Collection[str]) -> ColumnElement[bool]:
    columns = note_versions.c
    latest = select(func.max(columns.id)).where(columns.state != "abandoned").group_by(columns.note)
    return and_(columns.note.in_(notes), columns.id.not_in(latest))


def new_key() -> str:
    """Make what a store's hashes are keyed with."""
    return secrets.token_hex(32)
