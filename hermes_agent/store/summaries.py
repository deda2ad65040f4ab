"""Summaries of old episodes: kept, found, and rid of what is taken back or deleted."""

import json
from collections.abc import Collection, Mapping, Sequence

from sqlalchemy import Connection, Text, delete, false, func, insert, or_, select, type_coerce, update

from hermes_agent import clock
from hermes_agent.ids import new_uid
from hermes_agent.records.archive import Message
from hermes_agent.records.summaries import Line, NewSummary, Summary, topic_of
from hermes_agent.store import meta, vectors
from hermes_agent.store.engine import Engine
from hermes_agent.store.id_lists import batched, is_in
from hermes_agent.store.rows import to_record
from hermes_agent.store.tables import episodes, summaries
from hermes_agent.store.text_index import IndexedText
from hermes_agent.text.words import words

_FEW = 20
_LOCK = "summaries"
_IS_CURRENT = summaries.c.state == "current"
_COUNT = select(func.count()).select_from(summaries).where(_IS_CURRENT)
_ALONE = select(summaries.c.id).where(_IS_CURRENT, summaries.c.is_discarded.is_(True)).limit(1)


def lock(connection: Connection) -> None:
    """Keep others from rewording summaries until the transaction ends."""
    meta.lock(connection, _LOCK)


def add(connection: Connection, engine: Engine, new: NewSummary, *, is_discarded: bool = False) -> Summary:
    """Keep a summary, to be found by its words."""
    values = {name: getattr(new, name) for name in NewSummary.__dataclass_fields__}
    made_at = clock.now()
    values |= {"lines": list(new.lines), "uid": new_uid(made_at), "made_at": made_at}
    values |= {"state": "current", "is_discarded": is_discarded}
    row = connection.execute(insert(summaries).returning(summaries), values).mappings().one()
    made = to_record(Summary, row)
    engine.text.put(connection, [indexed(made)])
    return made


def get(connection: Connection, number: int) -> Summary | None:
    """Return one summary."""
    return get_many(connection, [number]).get(number)


def get_many(connection: Connection, ids: Sequence[int]) -> dict[int, Summary]:
    """Return those of the summaries that are there, undone ones too."""
    rows = connection.execute(select(summaries).where(is_in(summaries.c.id)), {"ids": ids}).mappings()
    return {row["id"]: to_record(Summary, row) for row in rows}


def recent(
    connection: Connection, limit: int, *, made_before: int | None = None, offset: int = 0
) -> list[Summary]:
    """Return the summaries that stand, those of the latest time first, made until a moment if one is given."""
    query = select(summaries).where(_IS_CURRENT).order_by(summaries.c.ended_at.desc(), summaries.c.id.desc())
    if made_before is not None:
        query = query.where(summaries.c.made_at <= made_before)
    return [to_record(Summary, row) for row in connection.execute(query.limit(limit).offset(offset)).mappings()]


def count(connection: Connection) -> int:
    """Count the summaries that stand."""
    return connection.execute(_COUNT).scalar_one()


def undone(connection: Connection) -> list[int]:
    """Return the numbers of the summaries that were taken back."""
    return list(connection.execute(select(summaries.c.id).where(summaries.c.state == "undone")).scalars())


def last_made(connection: Connection) -> int | None:
    """Return when the latest of the summaries that stand was made; None if there are none."""
    return connection.execute(select(func.max(summaries.c.made_at)).where(_IS_CURRENT)).scalar()


def stand_alone(connection: Connection) -> bool:
    """Tell whether there are summaries whose messages were discarded."""
    return connection.execute(_ALONE).first() is not None


def set_discarded(connection: Connection, number: int) -> Summary:
    """Let a summary stand alone: the messages behind it are gone."""
    change = update(summaries).where(summaries.c.id == number).values(is_discarded=True).returning(summaries)
    return to_record(Summary, connection.execute(change).mappings().one())


def reword(connection: Connection, engine: Engine, number: int, new: Mapping[str, object]) -> Summary:
    """Let a summary say something else, and be found by that."""
    change = update(summaries).where(summaries.c.id == number).values(**new).returning(summaries)
    changed = to_record(Summary, connection.execute(change).mappings().one())
    set_found(connection, engine, [number])
    return changed


def set_found(connection: Connection, engine: Engine, ids: Sequence[int]) -> None:
    """Bring what finds summaries, and how many they stand for, in step with what they say and if they stand."""
    engine.text.remove(connection, ids, "summaries")
    vectors.remove(connection, vectors.SUMMARY, ids)
    told = select(func.count()).where(episodes.c.summary_id == summaries.c.id).scalar_subquery()
    connection.execute(
        update(summaries).where(is_in(summaries.c.id), _IS_CURRENT).values(episode_count=told), {"ids": ids}
    )
    standing = [one for one in get_many(connection, ids).values() if one.state == "current"]
    engine.text.put(connection, [indexed(one) for one in standing])


def recount(connection: Connection, engine: Engine, number: int) -> None:
    """Count anew for how many episodes a summary stands; one that stands for nothing more goes."""
    stands = select(episodes.c.id).where(episodes.c.summary_id == number).limit(1)
    if connection.execute(stands).first() is None:
        connection.execute(delete(summaries).where(summaries.c.id == number))
    set_found(connection, engine, [number])


def after(connection: Connection, number: int, limit: int) -> list[Summary]:
    """Return the next summaries that stand, for making their index anew."""
    query = select(summaries).where(_IS_CURRENT, summaries.c.id > number).order_by(summaries.c.id).limit(limit)
    return [to_record(Summary, row) for row in connection.execute(query).mappings()]


def telling_of(connection: Connection, session_ids: Collection[str]) -> list[int]:
    """Return the summaries that stand for episodes of conversations or, undone ones too, have a line about one.

    Ask before their episodes go. Lines are kept as JSON without spaces.
    """
    names, found = set(session_ids), set[int]()
    for block in batched(sorted(names)):
        behind = select(episodes.c.summary_id).where(episodes.c.session_id.in_(block)).distinct()
        found.update(number for number in connection.execute(behind).scalars() if number is not None)
    query = select(summaries.c.id, summaries.c.lines)
    if len(names) <= _FEW:  # to look for many one by one takes longer than to read every line once
        written = [f'"session":{json.dumps(name)}' for name in names]
        lines = type_coerce(summaries.c.lines, Text)
        query = query.where(or_(false(), *(lines.contains(one, autoescape=True) for one in written)))
    told = connection.execute(query)
    found.update(number for number, lines in told if any(one["session"] in names for one in lines))
    return sorted(found)


def forget_sessions(
    connection: Connection, engine: Engine, session_ids: Collection[str], telling: Sequence[int]
) -> None:
    """Take what summaries tell of conversations out of them when their episodes are gone."""
    names = set(session_ids)
    for one in get_many(connection, telling).values():
        keep_lines(connection, engine, one, [line for line in one.lines if line["session"] not in names])


def forget_messages(
    connection: Connection, engine: Engine, gone: Sequence[Message], telling: Sequence[int]
) -> None:
    """Take what summaries tell of messages that were taken back out of them when their episodes are gone.

    A model's line may tell of any message of its conversation.
    """
    sessions = {message.session_id for message in gone}
    uids = {message.uid for message in gone} | {None}
    for one in get_many(connection, telling).values():
        kept = [line for line in one.lines if line["session"] not in sessions or line["message"] not in uids]
        keep_lines(connection, engine, one, kept)


def keep_lines(connection: Connection, engine: Engine, one: Summary, lines: Sequence[Line]) -> None:
    """Keep some of the lines, and no topic that may be of what went; a summary that tells of nothing more goes."""
    changed = {"lines": list(lines), "topic": topic_of(lines)}
    connection.execute(update(summaries).where(summaries.c.id == one.id).values(changed))
    if one.state == "current":
        recount(connection, engine, one.id)
    elif not lines:
        connection.execute(delete(summaries).where(summaries.c.id == one.id))


def indexed(summary: Summary) -> IndexedText:
    """Return what the index holds of a summary."""
    return IndexedText(summary.id, "summaries", words(summary.text), ())
