"""The canonical tables as plain rows: read whole and in order, and put into a store again.

What is derived is not among them: it is made anew. A row is a mapping from columns to plain values, bodies
unpacked, uids as text, times as they are kept: microseconds since 1970, UTC.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import get_args, get_type_hints

from sqlalchemy import (
    Boolean,
    Connection,
    Float,
    Integer,
    LargeBinary,
    Table,
    column,
    delete,
    func,
    insert,
    select,
    table,
    text,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.types import TypeEngine

from hermes_agent.errors import UsageError
from hermes_agent.records.archive import Json, Message, Session
from hermes_agent.records.journal import Entry
from hermes_agent.records.memory import Dispute, Episode, Fact
from hermes_agent.records.notes import NoteVersion
from hermes_agent.records.quarantine import Quarantined
from hermes_agent.records.receipts import Receipt
from hermes_agent.records.reflections import Reflection
from hermes_agent.records.skills import KeptSkill
from hermes_agent.records.summaries import Summary
from hermes_agent.store import tables, types

Row = Mapping[str, Json]

TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        tables.system_prompts,
        tables.sessions,
        tables.messages,
        tables.summaries,
        tables.episodes,
        tables.facts,
        tables.disputes,
        tables.reflections,
        tables.skills,
        tables.quarantine,
        tables.journal,
        tables.note_versions,
        tables.receipts,
    )
}
"""In an order in which nothing refers to what comes later, but for the parents of sessions.

Jobs are not among them: what must follow is found again. Nor is what a store knows of itself, and what was
measured on one machine: what work cost there, and how well recall found.
"""

_RECORDS: dict[str, type] = {
    "sessions": Session,
    "messages": Message,
    "summaries": Summary,
    "episodes": Episode,
    "facts": Fact,
    "disputes": Dispute,
    "reflections": Reflection,
    "skills": KeptSkill,
    "quarantine": Quarantined,
    "journal": Entry,
    "note_versions": NoteVersion,
    "receipts": Receipt,
}
_BLOCK = 500
_Kind = type[str] | type[int] | type[float] | type[bool] | None


def columns(name: str) -> list[str]:
    """Return the columns of a table that are canonical."""
    return [one.name for one in TABLES[name].columns if not isinstance(one.type, LargeBinary)]


def kinds(name: str) -> dict[str, tuple[_Kind, bool]]:
    """Return for each column what its values are (None: any JSON; uids are texts), and whether it may be empty."""
    return {
        one.name: (_kind(one.type), bool(one.nullable))
        for one in TABLES[name].columns
        if not isinstance(one.type, LargeBinary)
    }


def words(name: str) -> dict[str, tuple[str, ...]]:
    """Return the columns that hold one of a few words, with those."""
    record = _RECORDS.get(name)
    hints = {} if record is None else get_type_hints(record)
    found = {column: _literal(hint) for column, hint in hints.items() if column in TABLES[name].columns}
    return {column: allowed for column, allowed in found.items() if allowed}


def uids(name: str) -> list[str]:
    """Return the columns that hold uids."""
    return [one.name for one in TABLES[name].columns if isinstance(one.type, types.Uid)]


def count(connection: Connection, name: str) -> int:
    """Count the rows of a table."""
    return connection.execute(select(func.count()).select_from(TABLES[name])).scalar_one()


def last_uid(connection: Connection, name: str) -> str | None:
    """Return the uid of the row of a table that came last; None if there is none."""
    every = TABLES[name].c
    return connection.execute(select(every.uid).order_by(every.id.desc()).limit(1)).scalar()


def rows(connection: Connection, name: str) -> Iterator[Row]:
    """Yield the rows of a table, always in the same order, without holding more than a block of them."""
    table = TABLES[name]
    # A session's id is a name; its uid tells when it began.
    order = table.c.uid if name == "sessions" else next(iter(table.primary_key))
    wanted = select(*(table.c[column] for column in columns(name))).order_by(order)
    reading = connection.execution_options(yield_per=_BLOCK)
    for row in reading.execute(wanted).mappings():
        yield dict(row)


def is_empty(connection: Connection) -> bool:
    """Tell whether a store holds nothing yet."""
    return all(connection.execute(select(table).limit(1)).first() is None for table in TABLES.values())


def last_id(connection: Connection, name: str) -> int:
    """Return the highest number of a table."""
    return connection.execute(select(func.max(TABLES[name].c.id))).scalar() or 0


def having(connection: Connection, name: str, column: str, values: Sequence[Json]) -> list[Row]:
    """Return the rows that have one of the values in a column."""
    table = TABLES[name]
    wanted = select(*(table.c[one] for one in columns(name))).where(table.c[column].in_(values))
    return [dict(row) for row in connection.execute(wanted).mappings()]


def count_by(connection: Connection, name: str, column: str, values: Sequence[Json]) -> dict[Json, int]:
    """Count the rows that have each of the values in a column."""
    by = TABLES[name].c[column]
    return dict(connection.execute(select(by, func.count()).where(by.in_(values)).group_by(by)).all())


def change(connection: Connection, name: str, key: str, value: Json, values: Row) -> None:
    """Change the row with a value in a column."""
    table = TABLES[name]
    connection.execute(update(table).where(table.c[key] == value).values(dict(values)))


def last_number(connection: Connection, name: str) -> int:
    """Return the highest number that a row of a table ever had: no number is given twice."""
    if connection.dialect.name == "postgresql":
        sequence = connection.execute(select(func.pg_get_serial_sequence(name, "id"))).scalar_one()
        last, called = column("last_value", Integer), column("is_called", Boolean)
        value, is_called = connection.execute(select(last, called).select_from(text(str(sequence)))).one()
        given = value if is_called else 0
    else:
        wanted = select(column("seq", Integer)).select_from(text("sqlite_sequence"))
        given = connection.execute(wanted.where(column("name") == name)).scalar() or 0
    return max(given, last_id(connection, name))


def settle_numbers(connection: Connection, name: str, last: int) -> None:
    """Let the next number of a table follow one."""
    if last <= 0:
        return
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.setval(func.pg_get_serial_sequence(name, "id"), last)))
        return
    sequence = table("sqlite_sequence", column("name"), column("seq"))
    set_to = update(sequence).where(sequence.c.name == name).values(seq=last)
    if not connection.execute(set_to).rowcount:
        connection.execute(insert(sequence).values(name=name, seq=last))


def remove(connection: Connection, name: str, ids: Sequence[int]) -> None:
    """Delete rows by their numbers; what is derived of them is the caller's."""
    connection.execute(delete(TABLES[name]).where(TABLES[name].c.id.in_(ids)))


def put(connection: Connection, name: str, given: Sequence[Row]) -> None:
    """Insert rows as they are; what a row does not have is what it is by default."""
    if given:
        with _fitting(name):
            connection.execute(insert(TABLES[name]), [dict(one) for one in given])


@contextmanager
def _fitting(name: str) -> Iterator[None]:
    """Say in words that rows do not fit each other: they come from a file, whose sums cannot tell."""
    try:
        yield
    except IntegrityError as error:
        raise UsageError(
            f"The file was not imported: of its {name}, two have one name or one refers to what is not there.",
            hint="Nothing was changed. Use another copy of the file.",
        ) from error


# Any type of SQLAlchemy's.
def _kind(form: "TypeEngine[object]") -> _Kind:
    if isinstance(form, types.Json):
        return None
    for ours, theirs in ((Boolean, bool), (Float, float), (Integer, int)):
        if isinstance(form, ours):
            return theirs
    return str


def _literal(hint: object) -> tuple[str, ...]:
    """Return the words of a Literal, also of one that may be None."""
    found = [word for part in (hint, *get_args(hint)) for word in get_args(part)]
    return tuple(word for word in found if isinstance(word, str))
