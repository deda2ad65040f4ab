"""Summaries of old episodes: kept, found, and rid of what is taken back or deleted."""

import json
from collections.abc import Sequence

from sqlalchemy import Connection, Text, delete, insert, select, type_coerce, update

from hermes_agent import clock
from hermes_agent.ids import new_uid
from hermes_agent.records.archive import Message
from hermes_agent.records.summaries import Line, NewSummary, Summary
from hermes_agent.store import vectors
from hermes_agent.store.engine import Engine
from hermes_agent.store.id_lists import is_in
from hermes_agent.store.rows import to_record
from hermes_agent.store.tables import summaries
from hermes_agent.store.text_index import IndexedText
from hermes_agent.text.clean import preview
from hermes_agent.text.words import words

_IS_CURRENT = summaries.c.state == "current"
_ALONE = select(summaries.c.id).where(_IS_CURRENT, summaries.c.is_discarded.is_(True)).limit(1)


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


def recent(connection: Connection, limit: int) -> list[Summary]:
    """Return the summaries that stand, those of the latest time first."""
    query = select(summaries).where(_IS_CURRENT).order_by(summaries.c.ended_at.desc(), summaries.c.id.desc())
    return [to_record(Summary, row) for row in connection.execute(query.limit(limit)).mappings()]


def stand_alone(connection: Connection) -> bool:
    """Tell whether there are summaries whose messages were discarded."""
    return connection.execute(_ALONE).first() is not None


def set_found(connection: Connection, engine: Engine, ids: Sequence[int]) -> None:
    """Bring what finds summaries in step with what they say, and with whether they stand."""
    engine.text.remove(connection, ids, "summaries")
    vectors.remove(connection, vectors.SUMMARY, ids)
    standing = [one for one in get_many(connection, ids).values() if one.state == "current"]
    engine.text.put(connection, [indexed(one) for one in standing])


def after(connection: Connection, number: int, limit: int) -> list[Summary]:
    """Return the next summaries that stand, for making their index anew."""
    query = select(summaries).where(_IS_CURRENT, summaries.c.id > number).order_by(summaries.c.id).limit(limit)
    return [to_record(Summary, row) for row in connection.execute(query).mappings()]


def forget_session(connection: Connection, engine: Engine, session_id: str) -> None:
    """Take what summaries tell of a conversation out of them, undone ones too."""
    for one in _telling_of(connection, session_id):
        _keep_lines(connection, engine, one, [line for line in one.lines if line["session"] != session_id])


def forget_messages(connection: Connection, engine: Engine, gone: Sequence[Message]) -> None:
    """Take what summaries tell of messages that were taken back out of them.

    A model's line may tell of any message of its conversation.
    """
    uids = {message.uid for message in gone} | {None}
    for session_id in {message.session_id for message in gone}:
        for one in _telling_of(connection, session_id):
            kept = [line for line in one.lines if line["session"] != session_id or line["message"] not in uids]
            if len(kept) < len(one.lines):
                _keep_lines(connection, engine, one, kept)


def _telling_of(connection: Connection, session_id: str) -> list[Summary]:
    """Return the summaries with a line about a conversation; lines are kept as JSON without spaces."""
    named = f'"session":{json.dumps(session_id)}'
    query = select(summaries).where(type_coerce(summaries.c.lines, Text).contains(named, autoescape=True))
    return [to_record(Summary, row) for row in connection.execute(query.order_by(summaries.c.id)).mappings()]


def _keep_lines(connection: Connection, engine: Engine, one: Summary, lines: Sequence[Line]) -> None:
    """Keep some of the lines; a summary without lines goes, and its topic with whatever was told."""
    if lines:
        changed = {"lines": list(lines), "topic": preview(lines[0]["text"])}
        connection.execute(update(summaries).where(summaries.c.id == one.id).values(changed))
    else:
        connection.execute(delete(summaries).where(summaries.c.id == one.id))
    set_found(connection, engine, [one.id])


def indexed(summary: Summary) -> IndexedText:
    """Return what the index holds of a summary."""
    return IndexedText(summary.id, "summaries", words(summary.text), ())
