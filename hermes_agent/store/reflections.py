"""Reflections on tasks: kept, listed, and brought to whoever looks for tasks like one."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, and_, delete, false, func, insert, or_, select, update

from hermes_agent import clock
from hermes_agent.ids import new_uid
from hermes_agent.records.reflections import NewReflection, Reflection, ReflectionState
from hermes_agent.store import meta
from hermes_agent.store.id_lists import is_in
from hermes_agent.store.rows import to_record
from hermes_agent.store.tables import reflections

_LOCK = "reflections"
EMPTY = ""
"""The state of a store that never had reflections."""
_CHANGED = "reflections.changed"
_IS_CURRENT = reflections.c.state == "current"
_RECORD = [reflections.c[name] for name in Reflection.__dataclass_fields__]


_KIND = reflections.c.task_type, reflections.c.outcome, reflections.c.source_class


class Gist(NamedTuple):
    """What a reflection's task means, as our own model packs it."""

    id: int
    session_id: str
    task: str
    gist: bytes | None
    ended_at: int
    occurrences: int


_GIST = tuple(reflections.c[name] for name in Gist._fields)
_BROUGHT = "reflections.brought."
"""Under it, with a number: when a reflection last went in front of a task."""


def lock(connection: Connection) -> None:
    """Keep others from adding reflections until the transaction ends: the same lesson is kept once."""
    meta.lock(connection, _LOCK)


def add(connection: Connection, new: NewReflection, gist: bytes | None) -> Reflection:
    """Keep a reflection, which counts."""
    values = {name: getattr(new, name) for name in NewReflection.__dataclass_fields__}
    values |= {"worked": list(new.worked), "differently": list(new.differently)}
    made_at = clock.now()
    values |= {"uid": new_uid(made_at), "made_at": made_at, "state": "current", "gist": gist}
    row = connection.execute(insert(reflections).returning(*_RECORD), values).mappings().one()
    mark_changed(connection)
    return to_record(Reflection, row)


def get(connection: Connection, number: int) -> Reflection | None:
    """Return one reflection."""
    row = connection.execute(select(*_RECORD).where(reflections.c.id == number)).mappings().one_or_none()
    return None if row is None else to_record(Reflection, row)


def of_message(connection: Connection, message_uid: str) -> Reflection | None:
    """Return what was learned of the task that a message asked for."""
    query = select(*_RECORD).where(reflections.c.message_uid == message_uid)
    row = connection.execute(query.order_by(reflections.c.id.desc()).limit(1)).mappings().one_or_none()
    return None if row is None else to_record(Reflection, row)


def of_sessions(connection: Connection, session_ids: Collection[str]) -> list[Reflection]:
    """Return what conversations taught, whatever became of it."""
    query = select(*_RECORD).where(is_in(reflections.c.session_id)).order_by(reflections.c.id)
    return [to_record(Reflection, row) for row in connection.execute(query, {"ids": session_ids}).mappings()]


def of_their_kind(connection: Connection, ones: Iterable[Reflection]) -> list[Reflection]:
    """Return the reflections on tasks of the same types that ended alike, on the same word, the latest first."""
    kinds = {(one.task_type, one.outcome, one.source_class) for one in ones}
    is_one = [and_(_KIND[0] == each[0], _KIND[1] == each[1], _KIND[2] == each[2]) for each in sorted(kinds)]
    query = select(*_RECORD).where(or_(false(), *is_one))
    rows = connection.execute(query.order_by(reflections.c.ended_at.desc(), reflections.c.id.desc())).mappings()
    return [to_record(Reflection, row) for row in rows]


def remove(connection: Connection, ids: Sequence[int]) -> None:
    """Delete reflections for good."""
    connection.execute(delete(reflections).where(is_in(reflections.c.id)), {"ids": ids})
    mark_changed(connection)


def merged(connection: Connection) -> list[Reflection]:
    """Return the reflections for which others count."""
    query = select(*_RECORD).where(reflections.c.state == "merged").order_by(reflections.c.id)
    return [to_record(Reflection, row) for row in connection.execute(query).mappings()]


def standing(connection: Connection) -> list[Reflection]:
    """Return the reflections that count for themselves, those among them that their owner deleted."""
    query = select(*_RECORD).where(reflections.c.state != "merged").order_by(reflections.c.id)
    return [to_record(Reflection, row) for row in connection.execute(query).mappings()]


def revise(connection: Connection, number: int, new: NewReflection) -> None:
    """Keep what is known of a task now."""
    values = {
        "outcome": new.outcome,
        "worked": list(new.worked),
        "differently": list(new.differently),
        "source_class": new.source_class,
        "ended_at": new.ended_at,
        "written_by": new.written_by,
    }
    connection.execute(update(reflections).where(reflections.c.id == number).values(values))
    mark_changed(connection)


def state(connection: Connection) -> str:
    """Return what differs when any reflection does: it is asked for at every poll."""
    return meta.get(connection, _CHANGED) or EMPTY


def mark_changed(connection: Connection) -> None:
    """Keep that reflections are others than before, for whoever came or went without these verbs."""
    meta.put(connection, _CHANGED, new_uid(clock.now()))


def get_many(connection: Connection, ids: Sequence[int]) -> dict[int, Reflection]:
    """Return those of the reflections that are there."""
    rows = connection.execute(select(*_RECORD).where(is_in(reflections.c.id)), {"ids": ids}).mappings()
    return {row["id"]: to_record(Reflection, row) for row in rows}


def recent(connection: Connection, limit: int, task_type: str | None = None, offset: int = 0) -> list[Reflection]:
    """Return the current reflections, the latest first."""
    query = select(*_RECORD).where(_IS_CURRENT)
    if task_type is not None:
        query = query.where(reflections.c.task_type == task_type)
    ordered = query.order_by(reflections.c.id.desc()).limit(limit).offset(offset)
    rows = connection.execute(ordered).mappings()
    return [to_record(Reflection, row) for row in rows]


def gists(connection: Connection, limit: int) -> list[Gist]:
    """Return what the tasks of the latest current reflections mean."""
    query = select(*_GIST).where(_IS_CURRENT)
    rows = connection.execute(query.order_by(reflections.c.id.desc()).limit(limit))
    return [Gist(*row) for row in rows]


def keep_brought(connection: Connection, numbers: Iterable[int], at: int) -> None:
    """Keep that reflections went in front of a task."""
    for number in numbers:
        meta.put(connection, f"{_BROUGHT}{number}", str(at))


def brought(connection: Connection, numbers: Iterable[int]) -> dict[int, int]:
    """Return when reflections last went in front of a task, those that ever did."""
    kept = meta.get_many(connection, [f"{_BROUGHT}{number}" for number in numbers])
    return {int(key.removeprefix(_BROUGHT)): int(value) for key, value in kept.items()}


def forget_brought(connection: Connection, numbers: Iterable[int]) -> None:
    """Forget when reflections that are gone went in front of a task."""
    meta.remove(connection, [f"{_BROUGHT}{number}" for number in numbers])


def count(connection: Connection) -> int:
    """Count the current reflections."""
    return int(connection.execute(select(func.count()).select_from(reflections).where(_IS_CURRENT)).scalar_one())


def set_count(connection: Connection, number: int, count: int) -> None:
    """Keep how often a task like one went the same way."""
    connection.execute(update(reflections).where(reflections.c.id == number).values(occurrences=count))
    mark_changed(connection)


def merge(connection: Connection, number: int, into: int) -> None:
    """Let another reflection count for one that says the same."""
    one = select(reflections.c.occurrences).where(reflections.c.id == number).scalar_subquery()
    more = {"occurrences": reflections.c.occurrences + one}
    connection.execute(update(reflections).where(reflections.c.id == into).values(more))
    set_state(connection, number, "merged")


def set_state(connection: Connection, number: int, state: ReflectionState) -> None:
    """Keep what became of a reflection."""
    connection.execute(update(reflections).where(reflections.c.id == number).values(state=state))
    mark_changed(connection)


def without_gist(connection: Connection, limit: int) -> list[Gist]:
    """Return current reflections of which nobody has told yet what their task means."""
    query = select(*_GIST).where(_IS_CURRENT, reflections.c.gist.is_(None)).limit(limit)
    return [Gist(*row) for row in connection.execute(query)]


def set_gists(connection: Connection, new: Mapping[int, bytes]) -> None:
    """Keep what tasks mean, where that could not be told when they were kept."""
    for number, gist in new.items():
        connection.execute(update(reflections).where(reflections.c.id == number).values(gist=gist))
