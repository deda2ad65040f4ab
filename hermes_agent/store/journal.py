"""The journal: events and the changes of memory, each written in the transaction of what it tells of.

Changes are listed in the order they were written down, events by when they happened: a decision is journalled when
its session is learned from, maybe long after it was made.
"""

import json
import re
from collections.abc import Collection, Generator, Iterator, Sequence
from typing import NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Text,
    and_,
    bindparam,
    delete,
    false,
    func,
    insert,
    not_,
    or_,
    select,
    type_coerce,
    update,
)

from hermes_agent import clock
from hermes_agent.ids import new_uid
from hermes_agent.records.archive import Json
from hermes_agent.records.journal import EVENTS, Entry, NewEntry
from hermes_agent.store import meta
from hermes_agent.store.asking import naming_asker
from hermes_agent.store.id_lists import is_in
from hermes_agent.store.rows import to_record
from hermes_agent.store.tables import journal

_WORDS = 50
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_BLOCK = 500
_EVERY = 2**62
_UID_DIGITS = 32
_DIGITS = re.compile(rf"[0-9a-f]{{6,{_UID_DIGITS}}}")
_SIDES = (journal.c.before, journal.c.after)
_SIDES_OF = select(journal.c.id, *_SIDES)
_TEXTS = tuple(type_coerce(side, Text) for side in _SIDES)
_QUOTES = "“”"
"""What stands around words that are quoted: an entry of plain letters has no others."""
_ADDED = ("fact.added", "fact.learned")
"""What a change is called by which a fact came."""
_happened = func.coalesce(journal.c.happened_at, journal.c.at)


class Outline(NamedTuple):
    """What an entry tells, without the rest: very many are looked at to find a few."""

    id: int
    text: str
    cause: str | None


def write(connection: Connection, entry: NewEntry, uid: str | None = None) -> str:
    """Add an entry; return its uid, which may be chosen before by what names it."""
    entry = naming_asker(entry)
    at = clock.now()
    uid = uid or new_uid(at)
    values = {name: getattr(entry, name) for name in NewEntry.__dataclass_fields__}
    connection.execute(insert(journal).values(uid=uid, at=at, **values))
    return uid


def get(connection: Connection, uid: str) -> Entry | None:
    """Return the entry with a uid."""
    row = connection.execute(select(journal).where(journal.c.uid == uid)).mappings().one_or_none()
    return None if row is None else to_record(Entry, row)


def beginning(connection: Connection, typed: str) -> list[Entry]:
    """Return the entries whose uid begins with these hex digits: at most two, enough to see that it is not one."""
    if _DIGITS.fullmatch(typed) is None:
        return []
    low, high = typed.ljust(_UID_DIGITS, "0"), typed.ljust(_UID_DIGITS, "f")
    query = select(journal).where(journal.c.uid.between(low, high)).order_by(journal.c.id).limit(2)
    return [to_record(Entry, row) for row in connection.execute(query).mappings()]


class Numbers:
    """Numbers of entries, told by the first and the last of each run of them."""

    def __init__(self, spans: Sequence[tuple[int, int]] = ()) -> None:
        self.spans = spans

    def __contains__(self, number: int) -> bool:
        return any(first <= number <= last for first, last in self.spans)


NONE = Numbers()


def last_before(connection: Connection, moment: int, without: Numbers = NONE) -> int:
    """Return the number of the last entry that was written before a moment, without some; 0 if none was."""
    query = select(func.max(journal.c.id)).where(journal.c.at < moment)
    query = query.where(*(not_(journal.c.id.between(first, last)) for first, last in without.spans))
    return int(connection.execute(query).scalar() or 0)


def sides_after(
    connection: Connection, number: int, *, without_added: bool = False
) -> Iterator[tuple[int, Json, Json]]:
    """Yield number, before and after of the changes written down after an entry, the newest first.

    Without their words: of thousands of changes those take as long to read. Without what `added_after` tells,
    if that is wanted.
    """
    query = _SIDES_OF.where(~_is_one_of(EVENTS), journal.c.id > number).order_by(journal.c.id.desc())
    query = query.where(not_(_is_added())) if without_added else query
    yield from (tuple(row) for row in connection.execute(query))


def sides_of(connection: Connection, ids: Collection[int]) -> Iterator[tuple[int, Json, Json]]:
    """Yield number, before and after of the entries with these ids."""
    found = connection.execute(_SIDES_OF.where(is_in(journal.c.id)), {"ids": list(ids)})
    yield from (tuple(row) for row in found)


def added_after(connection: Connection, number: int) -> dict[str, int]:
    """Return the facts that came by themselves after an entry, each with the number of the entry that tells it."""
    query = select(journal.c.subject, journal.c.id).where(_is_added(), journal.c.id > number)
    return dict(connection.execute(query).all())


def changes_after(connection: Connection, number: int) -> Iterator[Entry]:
    """Yield the changes that were written down after an entry, the newest first."""
    query = select(journal).where(~_is_one_of(EVENTS), journal.c.id > number).order_by(journal.c.id.desc())
    last: int | None = None
    while True:
        block = query if last is None else query.where(journal.c.id < last)
        found = [to_record(Entry, row) for row in connection.execute(block.limit(_BLOCK)).mappings()]
        yield from found
        if len(found) < _BLOCK:
            return
        last = found[-1].id


def touching(connection: Connection, number: int, written: Collection[str], kinds: Sequence[str]) -> list[Entry]:
    """Return the changes after an entry that are of some kinds, or hold one of some strings in before or after.

    The strings are as they are written there, in JSON. Many cost as much as reading every change.
    """
    is_such = or_(_is_one_of(kinds), _holds(written))
    query = select(journal).where(is_such, ~_is_one_of(EVENTS), journal.c.id > number)
    return [to_record(Entry, row) for row in connection.execute(query).mappings()]


def caused_by(connection: Connection, entry: Entry) -> list[Entry]:
    """Return the entries after one that name it as their cause."""
    query = select(journal).where(journal.c.cause == entry.uid, journal.c.id > entry.id)
    return [to_record(Entry, row) for row in connection.execute(query).mappings()]


def of_uids(connection: Connection, uids: Collection[str]) -> list[Entry]:
    """Return the entries with these uids."""
    rows = connection.execute(select(journal).where(is_in(journal.c.uid)), {"ids": list(uids)}).mappings()
    return [to_record(Entry, row) for row in rows]


def of_kinds(connection: Connection, kinds: Sequence[str]) -> list[Entry]:
    """Return every entry of some kinds, the newest first."""
    query = select(journal).where(_is_one_of(kinds)).order_by(journal.c.id.desc())
    return [to_record(Entry, row) for row in connection.execute(query).mappings()]


def of_subjects(connection: Connection, subjects: Sequence[str]) -> list[Entry]:
    """Return every entry about some subjects, the newest first."""
    query = select(journal).where(is_in(journal.c.subject)).order_by(journal.c.id.desc())
    return [to_record(Entry, row) for row in connection.execute(query, {"ids": subjects}).mappings()]


def of_session(connection: Connection, session_id: str) -> list[Entry]:
    """Return the entries of a session, events among them, in the order they were written down."""
    query = select(journal).where(journal.c.session_id == session_id).order_by(journal.c.id)
    return [to_record(Entry, row) for row in connection.execute(query).mappings()]


def of_sessions(connection: Connection, session_ids: Collection[str]) -> list[Entry]:
    """Return the entries of sessions, and those about them, in the order they were written down."""
    is_one = or_(is_in(journal.c.session_id), is_in(journal.c.subject))
    query = select(journal).where(is_one).order_by(journal.c.id)
    return [to_record(Entry, row) for row in connection.execute(query, {"ids": session_ids}).mappings()]


def recent(
    connection: Connection,
    limit: int,
    *,
    kind: str | None = None,
    without: Sequence[str] = (),
    subject: str | None = None,
    since: int | None = None,
    until: int | None = None,
    offset: int = 0,
) -> list[Entry]:
    """Return the newest entries first, of a kind or without some: `session` is also `session.renamed`."""
    query = select(journal).order_by(journal.c.id.desc()).limit(limit).offset(offset)
    if kind is not None:
        query = query.where(_is_kind(kind))
    if without:
        query = query.where(~_is_one_of(without))
    if subject is not None:
        query = query.where(journal.c.subject == subject)
    if since is not None:
        query = query.where(journal.c.at >= since)
    if until is not None:
        query = query.where(journal.c.at < until)
    return [to_record(Entry, row) for row in connection.execute(query).mappings()]


def happened(
    connection: Connection,
    kinds: Sequence[str] = (),
    *,
    since: int | None = None,
    until: int | None = None,
    session_id: str | None = None,
    without: Sequence[str] = (),
    beginnings: Sequence[str] = (),
    offset: int = 0,
) -> Generator[Outline]:
    """Yield entries by when they happened, the newest first, of some kinds or without some; close it to stop.

    With beginnings of words, those of plain letters in which one of them is nowhere are passed over.
    """
    query = select(journal.c.id, journal.c.text, journal.c.cause).order_by(_happened.desc(), journal.c.id.desc())
    if offset:
        query = query.limit(_EVERY).offset(offset)
    if kinds:
        query = query.where(_is_one_of(kinds))
    if without:
        query = query.where(~_is_one_of(without))
    if since is not None:
        query = query.where(_happened >= since)
    if until is not None:
        query = query.where(_happened < until)
    if session_id is not None:
        query = query.where(journal.c.session_id == session_id)
    if beginnings:
        query = query.where(_may_hold(beginnings))
    # Closed with the generator: a server would keep the cursor.
    with connection.execute(query.execution_options(yield_per=_BLOCK)) as rows:
        for number, text, cause in rows:
            yield Outline(number, text, cause)


def count_changes(connection: Connection, since: int | None, until: int | None) -> int:
    """Count the changes of memory that were made from one moment to another."""
    query = select(func.count()).select_from(journal).where(~_is_one_of(EVENTS))
    if since is not None:
        query = query.where(_happened >= since)
    if until is not None:
        query = query.where(_happened < until)
    return int(connection.execute(query).scalar_one())


def get_many(connection: Connection, ids: Sequence[int]) -> list[Entry]:
    """Return the entries with these ids, in their order."""
    query = select(journal).where(is_in(journal.c.id))
    found = {row["id"]: to_record(Entry, row) for row in connection.execute(query, {"ids": ids}).mappings()}
    return [found[number] for number in ids if number in found]


def kinds(connection: Connection) -> list[str]:
    """Return the kinds there are entries of."""
    return sorted(connection.execute(select(journal.c.kind).distinct()).scalars())


def last_id(connection: Connection) -> int:
    """Return the number of the newest entry; 0 if there is none."""
    return int(connection.execute(select(func.max(journal.c.id))).scalar() or 0)


def last_change(connection: Connection) -> str | None:
    """Return the uid of the newest entry that is no event; those stay, whatever is deleted."""
    query = select(journal.c.uid).where(~_is_one_of(EVENTS)).order_by(journal.c.id.desc()).limit(1)
    return connection.execute(query).scalar()


def was_emptied_after(connection: Connection, uid: str) -> bool:
    """Tell whether an entry that is gone was among those that a reset removed, whatever the clock said then."""
    oldest = connection.execute(select(journal.c.uid).order_by(journal.c.id).limit(1)).scalar()
    emptied = meta.get(connection, meta.JOURNAL_EMPTIED)
    return (oldest is not None and oldest > uid) or (emptied is not None and emptied >= uid)


def last_of(connection: Connection, kinds: Sequence[str], *, without: str) -> int:
    """Return the number of the newest entry of some kinds, or of any, by anybody but one actor; 0 if none is."""
    query = select(func.max(journal.c.id)).where(journal.c.actor != without)
    query = query if not kinds else query.where(_is_one_of(kinds))
    return int(connection.execute(query).scalar() or 0)


def has_after(
    connection: Connection, entry_id: int, kind: str, subject: str | None = None, *, without: str
) -> bool:
    """Tell whether something of a kind, and of a subject, was done after an entry by anybody but one actor."""
    query = (
        select(journal.c.id).where(journal.c.id > entry_id, _is_kind(kind), journal.c.actor != without).limit(1)
    )
    query = query if subject is None else query.where(journal.c.subject == subject)
    return connection.execute(query).first() is not None


def forget_sessions(connection: Connection, session_ids: Sequence[str]) -> None:
    """Remove the events of sessions that are deleted: they hold words that were said in them."""
    connection.execute(delete(journal).where(journal.c.session_id.in_(session_ids), _is_one_of(EVENTS)))


def naming(connection: Connection, words: Collection[str]) -> list[Entry]:
    """Return the changes whose before or after holds one of some strings whole, as a value or as a name."""
    wanted = {json.dumps(word) for word in words}
    query = select(journal.c.id, *_TEXTS).where(~_is_one_of(EVENTS)).order_by(journal.c.id)
    if len(wanted) <= _WORDS:  # to look for many one by one takes longer than to read every change once
        query = query.where(_holds(wanted))
    with connection.execute(query.execution_options(yield_per=_BLOCK)) as rows:
        found = [one for one, *told in rows if not wanted.isdisjoint(_STRING.findall("".join(filter(None, told))))]
    return get_many(connection, found)


def put(connection: Connection, *entries: Entry) -> None:
    """Keep entries without the words that are forgotten."""
    told = ("subject", "text", "cause", "before", "after")
    rows = [{"number": one.id, **{name: getattr(one, name) for name in told}} for one in entries]
    if rows:
        connection.execute(update(journal).where(journal.c.id == bindparam("number")), rows)


def forget_said(connection: Connection, session_id: str, message_uids: Collection[str]) -> None:
    """Remove the events that hold the words of messages; what tools did stays."""
    query = select(journal).where(journal.c.session_id == session_id, _is_one_of(EVENTS))
    entries = [to_record(Entry, row) for row in connection.execute(query).mappings()]
    gone = [one.id for one in entries if isinstance(one.after, dict) and one.after.get("message") in message_uids]
    for start in range(0, len(gone), _BLOCK):
        connection.execute(delete(journal).where(journal.c.id.in_(gone[start : start + _BLOCK])))


def _is_one_of(kinds: Sequence[str]) -> ColumnElement[bool]:
    return or_(*(_is_kind(kind) for kind in kinds))


def _may_hold(beginnings: Sequence[str]) -> ColumnElement[bool]:
    """Tell whether every beginning is in what an entry tells; what has other letters must be folded to be sure."""
    told: ColumnElement[str] = type_coerce(journal.c.text + func.coalesce(journal.c.cause, ""), Text)
    unquoted: ColumnElement[str] = told
    for quote in _QUOTES:
        unquoted = func.replace(unquoted, quote, "")
    letters = func.length(told)
    # Each quote is a letter of three octets; taking them out twice would cost as much as all the rest.
    is_plain = func.octet_length(told) - letters == 2 * (letters - func.length(unquoted))
    return or_(and_(*(told.icontains(one, autoescape=True) for one in beginnings)), not_(is_plain))


def _holds(written: Collection[str]) -> ColumnElement[bool]:
    """Tell whether before or after holds one of some strings; on SQLite also one that differs in case."""
    return or_(false(), *(text.contains(one, autoescape=True) for one in written for text in _TEXTS))


def _is_added() -> ColumnElement[bool]:
    """Tell whether a change is that one fact came, and nothing was changed for it.

    One whose words were forgotten keeps its kind and its subject, but does not tell the fact any more.
    """
    _, after = _TEXTS
    told = after.contains('"' + journal.c.subject + '":{')
    return journal.c.kind.in_(_ADDED) & journal.c.before.is_(None) & journal.c.subject.startswith("fact:") & told


def _is_kind(kind: str) -> ColumnElement[bool]:
    return (journal.c.kind == kind) | journal.c.kind.startswith(kind + ".", autoescape=True)
