"""What is in quarantine and what the owner said of it; what was read from elsewhere before something was said."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, Select, bindparam, delete, func, insert, literal, select, union_all, update

from hermes_agent import clock
from hermes_agent.ids import new_uid
from hermes_agent.records.archive import UNTRUSTED, SourceClass
from hermes_agent.records.notes import Target
from hermes_agent.records.quarantine import NewQuarantined, Quarantined, QuarantineState
from hermes_agent.store import meta
from hermes_agent.store.engine import Connection
from hermes_agent.store.id_lists import is_in
from hermes_agent.store.rows import to_record
from hermes_agent.store.tables import messages, quarantine, sessions

_LOCK = "quarantine"
_IS_FOREIGN = messages.c.source_class.in_(sorted(UNTRUSTED))
_OF_MESSAGES = (quarantine.c.kind == "message") & is_in(quarantine.c.message_id)
_STATES = select(quarantine.c.message_id, quarantine.c.state).where(_OF_MESSAGES)
_ACCEPTED_RESULTS = (
    select(messages.c.id)
    .join(quarantine, quarantine.c.message_id == messages.c.id)
    .where(quarantine.c.kind == "message", quarantine.c.state == "accepted", messages.c.role == "tool")
    .order_by(quarantine.c.id.desc())
    .limit(bindparam("most"))
)
_NOT_LEARNED = (
    select(messages.c.id)
    .join(sessions, sessions.c.id == messages.c.session_id)
    .where(is_in(messages.c.id), messages.c.id > sessions.c.learned_to)
)


def _last(what: str, condition: "ColumnElement[bool]") -> "Select[str, int, str | None]":
    """Ask for the last of the messages that stand in a session and are such."""
    standing = (messages.c.session_id == bindparam("session")) & (messages.c.state != "rewound")
    found = select(literal(what), messages.c.id, messages.c.content).where(standing, condition)
    return select(found.order_by(messages.c.id.desc()).limit(1).subquery())


# Made once: it is asked whenever a message is kept.
_LAST = union_all(_last("said", messages.c.role == "user"), _last("read", _IS_FOREIGN))


def lock(connection: Connection) -> None:
    """Keep others that look whether something waits from looking until the transaction ends."""
    meta.lock(connection, _LOCK)


def add(connection: Connection, new: NewQuarantined) -> Quarantined | None:
    """Quarantine something; None if it is, or was, in quarantine already."""
    if _is_known(connection, new):
        return None
    at = clock.now()
    values = {name: getattr(new, name) for name in NewQuarantined.__dataclass_fields__}
    values |= {"uid": new_uid(at), "at": at, "state": "waiting", "reasons": list(new.reasons)}
    row = connection.execute(insert(quarantine).returning(quarantine), values).mappings().one()
    return to_record(Quarantined, row)


def get(connection: Connection, number: int) -> Quarantined | None:
    """Return one by its number."""
    row = connection.execute(select(quarantine).where(quarantine.c.id == number)).mappings().one_or_none()
    return None if row is None else to_record(Quarantined, row)


def recent(
    connection: Connection, limit: int, state: QuarantineState | None = "waiting", offset: int = 0
) -> list[Quarantined]:
    """Return what waits, or what was decided so, the latest first."""
    query = select(quarantine).order_by(quarantine.c.id.desc()).limit(limit).offset(offset)
    if state is not None:
        query = query.where(quarantine.c.state == state)
    return [to_record(Quarantined, row) for row in connection.execute(query).mappings()]


def count_waiting(connection: Connection) -> int:
    """Count what waits for the owner."""
    query = select(func.count()).select_from(quarantine).where(quarantine.c.state == "waiting")
    return int(connection.execute(query).scalar_one())


def of_entries(connection: Connection, target: Target, entries: Sequence[str]) -> dict[str, Quarantined]:
    """Return those of the entries of a note that were ever in quarantine, each as it was last."""
    is_one = (quarantine.c.kind == "note") & (quarantine.c.target == target) & quarantine.c.text.in_(entries)
    rows = connection.execute(select(quarantine).where(is_one).order_by(quarantine.c.id)).mappings()
    return {one.text: one for one in (to_record(Quarantined, row) for row in rows) if one.text is not None}


def waiting_sessions(connection: Connection) -> set[str]:
    """Return the sessions in which something waits for the owner's decision."""
    query = select(quarantine.c.session_id).where(quarantine.c.state == "waiting").distinct()
    return set(connection.execute(query).scalars())


def decide(connection: Connection, number: int, state: QuarantineState) -> None:
    """Keep what the owner said."""
    change = update(quarantine).where(quarantine.c.id == number)
    connection.execute(change.values(state=state, decided_at=clock.now()))


def release(connection: Connection, message_id: int) -> None:
    """Let a message wait no longer: it turned out to be the owner's own."""
    is_it = (quarantine.c.message_id == message_id) & (quarantine.c.state == "waiting")
    connection.execute(delete(quarantine).where(is_it))


def states(connection: Connection, message_ids: Sequence[int]) -> dict[int, QuarantineState]:
    """Return how it stands with those of the messages that are, or were, in quarantine."""
    if not message_ids:
        return {}
    return dict(map(tuple, connection.execute(_STATES, {"ids": message_ids})))


def accepted_results(connection: Connection, limit: int) -> list[int]:
    """Return the results of tools that the owner accepted, the latest first: no exchange holds their words."""
    return list(connection.execute(_ACCEPTED_RESULTS, {"most": limit}).scalars())


def not_looked_at(connection: Connection, message_ids: Sequence[int]) -> set[int]:
    """Return those of the messages whose session was not learned from since: maybe nobody looked at them yet."""
    return set(connection.execute(_NOT_LEARNED, {"ids": message_ids}).scalars()) if message_ids else set()


def of_session(connection: Connection, session_id: str) -> dict[int, QuarantineState]:
    """Return how it stands with the messages of a session that are, or were, in quarantine."""
    is_theirs = (quarantine.c.kind == "message") & (quarantine.c.session_id == session_id)
    query = select(quarantine.c.message_id, quarantine.c.state).where(is_theirs)
    return dict(map(tuple, connection.execute(query)))


def _reads() -> "Select[int, str | None, SourceClass | None]":
    """Ask what was read before answers: a row for each class of it, one without a class if there is none."""
    answer, request, seen = messages.alias("answer"), messages.alias("request"), messages.alias("seen")
    earlier = messages.alias("earlier")
    since = select(func.max(earlier.c.id)).where(
        earlier.c.session_id == answer.c.session_id, earlier.c.role == "user", earlier.c.id < answer.c.id
    )
    asked = (
        select(answer.c.id, answer.c.session_id, since.scalar_subquery().label("first"))
        .where(is_in(answer.c.id), answer.c.role == "assistant")
        .subquery()
    )
    is_between = (
        (seen.c.session_id == asked.c.session_id)
        & (seen.c.id > func.coalesce(asked.c.first, 0))
        & (seen.c.id < asked.c.id)
        & seen.c.source_class.in_(sorted(UNTRUSTED))
    )
    rows = asked.outerjoin(request, request.c.id == asked.c.first).outerjoin(seen, is_between)
    return select(asked.c.id, request.c.content, seen.c.source_class).select_from(rows).distinct()


_READ_FOR = _reads()


class Read(NamedTuple):
    """What an answer was given to: the request, and the classes of what was read from elsewhere in between."""

    request: str
    source_classes: frozenset[SourceClass]


def read_for(connection: Connection, answer_ids: Sequence[int]) -> dict[int, Read]:
    """Return for each of the answers what was said and read before it, since somebody last spoke."""
    found: dict[int, Read] = {}
    for answer_id, request, seen in connection.execute(_READ_FOR, {"ids": answer_ids}) if answer_ids else ():
        classes = found[answer_id].source_classes if answer_id in found else frozenset()
        found[answer_id] = Read(request or "", classes if seen is None else classes | {seen})
    return found


def read_last(connection: Connection, session_id: str) -> tuple[str, str | None, bool]:
    """Return what was last said in a session, the last text from elsewhere, and whether that was read since."""
    rows = {what: (at, text) for what, at, text in connection.execute(_LAST, {"session": session_id})}
    said_at, request = rows.get("said", (0, ""))
    read_at, foreign = rows.get("read", (0, None))
    return request or "", foreign, read_at > said_at


def _is_known(connection: Connection, new: NewQuarantined) -> bool:
    same = (quarantine.c.kind == new.kind) & (quarantine.c.session_id == new.session_id)
    if new.kind == "message":
        same &= quarantine.c.message_id == new.message_id
    else:
        same &= (quarantine.c.text == new.text) & (quarantine.c.target == new.target)
        # It was written then, and may be gone from the note by now.
        same &= quarantine.c.state != "accepted"
    return connection.execute(select(quarantine.c.id).where(same).limit(1)).first() is not None
