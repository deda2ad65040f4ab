"""Messages: kept in order, indexed in the same transaction, read by window.

Order is by id. A rewound message stays in the table but leaves every index and every window.
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Select,
    Update,
    bindparam,
    func,
    insert,
    select,
    update,
)

from hermes_agent.ids import new_uid
from hermes_agent.records.archive import Message, NewMessage, SourceClass, State, Step
from hermes_agent.store import compressed, episodes, present, summaries
from hermes_agent.store.engine import Engine
from hermes_agent.store.id_lists import is_in
from hermes_agent.store.rows import to_record
from hermes_agent.store.tables import messages, sessions
from hermes_agent.store.text_index import IndexedText, Scope
from hermes_agent.text.clean import strip_ansi
from hermes_agent.text.flat import flat_text
from hermes_agent.text.identifiers import text_trigrams
from hermes_agent.text.words import CHARACTER_CAP, WORD_CAP, words

_SOURCE_OF_ROLE: dict[str, SourceClass] = {"user": "user", "assistant": "assistant", "tool": "tool"}
_BLOCK = 2_000
_FEW = 4
_FEW_STEPS = 100

# Built once: these run for every message.
_INSERT = insert(messages)
_INSERT_ONE = insert(messages).returning(messages.c.id)
_IN_SESSION = messages.c.session_id == bindparam("session")
_LAST_ID = select(func.max(messages.c.id)).where(_IN_SESSION)
_GET_MANY = select(messages).where(is_in(messages.c.id))
_LIVE = select(messages.c.id).where(is_in(messages.c.id), messages.c.state == "live")
_KNOWN_UIDS = select(messages.c.uid).where(is_in(messages.c.uid, "uids"))
_IDS_SINCE = select(messages.c.uid, messages.c.id).where(_IN_SESSION, messages.c.id > bindparam("last"))


@dataclass(frozen=True, slots=True)
class Outline:
    """A message without its text."""

    id: int
    role: str
    is_summary: bool
    has_text: bool


def append(
    connection: Connection,
    engine: Engine,
    session_id: str,
    new: Sequence[NewMessage],
    *,
    raises_counts: bool = True,
) -> list[int]:
    """Keep the messages, index them and raise the session's counts; return their ids in order."""
    if not new:
        return []
    now = present.now(connection) if any(one.said_at is None for one in new) else 0
    rows, texts = [], []
    for message in new:
        text = searchable_text(message.content, message.tool_name, message.tool_calls)
        found = words(text[:CHARACTER_CAP], WORD_CAP + 1)
        rows.append(
            _row(
                session_id,
                message,
                now,
                is_cut=len(found) > WORD_CAP or len(message.content or "") > CHARACTER_CAP,
            )
        )
        texts.append((message, found[:WORD_CAP], text))
    ids = _insert(connection, session_id, rows)
    engine.text.put(
        connection,
        [
            IndexedText(i, scope_of(m.role), found, text_trigrams(text[:CHARACTER_CAP]))
            for i, (m, found, text) in zip(ids, texts, strict=True)
            if m.state != "rewound"
        ],
    )
    if raises_counts:
        _raise_counts(connection, session_id, new, now)
    return ids


def source_of(message: Message | NewMessage) -> SourceClass:
    """Tell whose words a message holds; where nobody says, its role does."""
    return message.source_class or _SOURCE_OF_ROLE.get(message.role, "system")


def scope_of(role: str) -> Scope:
    """Tell in which index a role's messages are."""
    return "tools" if role == "tool" else "talk"


def searchable_text(content: str | None, tool_name: str | None, tool_calls: object) -> str:
    """Return everything of a message that search looks at."""
    said = strip_ansi((content or "")[: CHARACTER_CAP + 1])
    parts = (said, tool_name or "", flat_text(tool_calls))
    return "\n".join(part for part in parts if part)


def get(connection: Connection, message_id: int) -> Message | None:
    """Return one message."""
    row = connection.execute(select(messages).where(messages.c.id == message_id)).mappings().one_or_none()
    return None if row is None else to_record(Message, row)


def by_uid(connection: Connection, uid: str) -> Message | None:
    """Return the message with a uid."""
    row = connection.execute(select(messages).where(messages.c.uid == uid)).mappings().one_or_none()
    return None if row is None else to_record(Message, row)


def by_uids(connection: Connection, uids: Sequence[str]) -> dict[str, Message]:
    """Return the messages with these uids."""
    if not uids:
        return {}
    rows = connection.execute(select(messages).where(is_in(messages.c.uid)), {"ids": uids}).mappings()
    return {row["uid"]: to_record(Message, row) for row in rows}


def get_many(connection: Connection, ids: Sequence[int]) -> dict[int, Message]:
    """Return the messages with these ids."""
    if not ids:
        return {}
    rows = connection.execute(_GET_MANY, {"ids": ids}).mappings()
    return {row["id"]: to_record(Message, row) for row in rows}


def first_requests(connection: Connection, session_ids: Sequence[str]) -> dict[str, int]:
    """Return the first request of sessions, where there is one."""
    is_request = (messages.c.role == "user") & (messages.c.state != "rewound")
    query = select(messages.c.session_id, func.min(messages.c.id)).where(
        messages.c.session_id.in_(session_ids), is_request
    )
    return dict(map(tuple, connection.execute(query.group_by(messages.c.session_id))))


def live_ids(connection: Connection, ids: Sequence[int]) -> set[int]:
    """Return those of the messages that are in the window of their session."""
    return set(connection.execute(_LIVE, {"ids": ids}).scalars()) if ids else set()


def of_session(
    connection: Connection, session_id: str, *, states: Sequence[State] = ("live", "compacted"), since: int = 0
) -> Generator[Message]:
    """Yield a session's messages in order, from one on, without holding them all."""
    is_one = (messages.c.session_id == session_id) & messages.c.state.in_(states)
    query = select(messages).where(is_one, messages.c.id >= since)
    # On the statement, not the connection: there it would stay on for later statements.
    streamed = query.order_by(messages.c.id).execution_options(yield_per=_BLOCK)
    # Closed also where a row cannot be read: a cursor that is left open is the server's.
    with connection.execute(streamed) as rows:
        for row in rows.mappings():
            yield to_record(Message, row)


def page(
    connection: Connection,
    session_id: str,
    limit: int,
    *,
    start: int = 0,
    before: int | None = None,
    is_whole: bool = False,
) -> list[Message]:
    """Return a part of a session in order: from a message on, or the last before one.

    What was taken back is left out unless `is_whole`.
    """
    query = select(messages).where(messages.c.session_id == session_id if is_whole else _shown(session_id))
    if before is not None:
        earlier = query.where(messages.c.id < before).order_by(messages.c.id.desc())
        return _fetch(connection, earlier.limit(limit))[::-1]
    return _fetch(connection, query.where(messages.c.id >= start).order_by(messages.c.id).limit(limit))


def window_of(connection: Connection, session_id: str) -> list[Message]:
    """Return the live messages of a session as the model sees them: a summary before what it leads up to."""
    live = list(of_session(connection, session_id, states=("live",)))
    return sorted(live, key=lambda message: (not message.is_summary, message.id))


def ends(
    connection: Connection, session_id: str, head: int, tail: int
) -> tuple[list[Message], list[Message], int]:
    """Return the first and last messages of a session, not overlapping, and how many it has."""
    where = _shown(session_id)
    total = int(connection.execute(select(func.count()).select_from(messages).where(where)).scalar_one())
    if total <= head + tail:
        return _fetch(connection, select(messages).where(where).order_by(messages.c.id)), [], total
    first = _fetch(connection, select(messages).where(where).order_by(messages.c.id).limit(head))
    last = _fetch(connection, select(messages).where(where).order_by(messages.c.id.desc()).limit(tail))
    return first, last[::-1], total


def outline(connection: Connection, session_id: str) -> list[Outline]:
    """Return what the shown messages of a session are, in order, without their text."""
    has_text = func.length(func.trim(func.coalesce(messages.c.content, ""), " \n\r\t")) > 0
    query = select(messages.c.id, messages.c.role, messages.c.is_summary, has_text).where(_shown(session_id))
    rows = connection.execute(query.order_by(messages.c.id))
    return [Outline(i, role, is_summary, bool(has_text)) for i, role, is_summary, has_text in rows]


def steps_backwards(connection: Connection, session_id: str) -> Iterator[Step]:
    """Yield what was said and wanted in a session, the newest first, without the words."""
    query = select(messages.c.role, messages.c.tool_calls).where(_shown(session_id))
    streamed = query.order_by(messages.c.id.desc()).execution_options(yield_per=_FEW_STEPS)
    for role, tool_calls in connection.execute(streamed):
        yield Step(role, tool_calls)


def set_state(connection: Connection, engine: Engine, ids: Sequence[int], state: State) -> None:
    """Move messages between live, compacted and rewound; the index follows.

    Exchanges that got shorter or longer lose their episode; it is made anew of what they are now.
    """
    for session_id in {m.session_id for m in get_many(connection, ids).values()}:
        connection.execute(select(sessions.c.id).where(sessions.c.id == session_id).with_for_update())
    found = [m for m in get_many(connection, ids).values() if m.state != state]
    connection.execute(update(messages).where(messages.c.id.in_([m.id for m in found])).values(state=state))
    if state == "rewound":
        engine.text.remove(connection, [m.id for m in found])
        telling = summaries.telling_of(connection, {m.session_id for m in found})
        # What stays of an exchange is told anew with it.
        held = episodes.holding(connection, [m.id for m in found])
        retold = get_many(connection, compressed.message_ids(connection, held) if telling else ())
        episodes.remove(connection, held)
        summaries.forget_messages(connection, engine, [*found, *retold.values()], telling)
    else:
        back = [m for m in found if m.state == "rewound"]
        engine.text.put(connection, [indexed(m) for m in back])
        episodes.remove_at(connection, [m.id for m in back])
    for session_id in {m.session_id for m in found}:
        recount(connection, session_id)


def set_sent(connection: Connection, message_id: int, sent: str) -> None:
    """Keep what went to the model in a message's place; the index does not see it."""
    connection.execute(update(messages).where(messages.c.id == message_id).values(sent=sent))


def indexed(message: Message) -> IndexedText:
    """Return what the index holds of a kept message."""
    text = searchable_text(message.content, message.tool_name, message.tool_calls)[:CHARACTER_CAP]
    return IndexedText(message.id, scope_of(message.role), words(text), text_trigrams(text))


def searchable(connection: Connection, after: int, limit: int) -> list[Message]:
    """Return the next messages that belong into the index, for rebuilding it."""
    query = select(messages).where(messages.c.id > after, messages.c.state != "rewound")
    return _fetch(connection, query.order_by(messages.c.id).limit(limit))


def containing(
    connection: Connection, fragments: Sequence[str], roles: Sequence[str], before: int, limit: int
) -> tuple[list[tuple[int, str]], int | None]:
    """Look for literal fragments in the next `limit` messages older than `before`.

    Returns id and session of those that hold all of them, newest first, and the id the next look
    goes on from (None at the end).
    """
    columns = messages.c
    query = (
        select(columns.id, columns.session_id, columns.content, columns.tool_name, columns.tool_calls)
        .where(columns.id < before, columns.state != "rewound", columns.role.in_(roles))
        .order_by(columns.id.desc())
        .limit(limit)
    )
    rows = connection.execute(query).all()
    wanted = [fragment.casefold() for fragment in fragments]
    found = []
    for row in rows:
        text = searchable_text(row.content, row.tool_name, row.tool_calls).casefold()
        if all(fragment in text for fragment in wanted):
            found.append((row.id, row.session_id))
    return found, rows[-1].id if len(rows) == limit else None


def recount(connection: Connection, session_id: str) -> None:
    """Make the session's counts true again from its messages; nobody else appends meanwhile."""
    connection.execute(select(sessions.c.id).where(sessions.c.id == session_id).with_for_update())
    counted = 0
    calls = 0
    for message in of_session(connection, session_id):
        counted += 1
        calls += _calls(message.role, message.tool_calls)
    connection.execute(
        update(sessions).where(sessions.c.id == session_id).values(message_count=counted, tool_call_count=calls)
    )


def last_id(connection: Connection) -> int:
    """Return the highest id."""
    return int(connection.execute(select(func.coalesce(func.max(messages.c.id), 0))).scalar_one())


def count(connection: Connection) -> int:
    """Return how many messages there are, rewound ones too."""
    return int(connection.execute(select(func.count()).select_from(messages)).scalar_one())


def known_uids(connection: Connection, uids: Sequence[str]) -> set[str]:
    """Return those of the uids that are in the store already."""
    return set(connection.execute(_KNOWN_UIDS, {"uids": uids}).scalars())


def _insert(connection: Connection, session_id: str, rows: list[dict[str, object]]) -> list[int]:
    """Insert the rows and return their ids in order."""
    if len(rows) <= _FEW:
        return [int(connection.execute(_INSERT_ONE, row).scalar_one()) for row in rows]
    # One prepared statement run many times, then the ids by uid: RETURNING for many rows costs four times as much.
    last = connection.execute(_LAST_ID, {"session": session_id}).scalar() or 0
    connection.execute(_INSERT, rows)
    new = connection.execute(_IDS_SINCE, {"session": session_id, "last": last})
    id_of = {uid: int(message_id) for uid, message_id in new}
    return [id_of[str(row["uid"])] for row in rows]


def _row(session_id: str, message: NewMessage, now: int, *, is_cut: bool) -> dict[str, object]:
    said_at = now if message.said_at is None else message.said_at
    return {
        "uid": message.uid or new_uid(said_at),
        "session_id": session_id,
        "role": message.role,
        "content": message.content,
        "said_at": said_at,
        "source_class": source_of(message),
        "state": message.state,
        "is_summary": message.is_summary,
        "is_cut": is_cut,
        "tool_calls": message.tool_calls,
        "tool_call_id": message.tool_call_id,
        "tool_name": message.tool_name,
        "token_count": message.token_count,
        "finish_reason": message.finish_reason,
        "reasoning": message.reasoning,
        "model": message.model,
        "sent": message.sent,
        "attachments": message.attachments,
        "metadata": dict(message.metadata) or None,
        "speaker": message.speaker,
    }


def _raise_counts(connection: Connection, session_id: str, new: Sequence[NewMessage], now: int) -> None:
    kept = [message for message in new if message.state != "rewound"]
    connection.execute(
        _counts_raised(connection.dialect.name),
        {
            "session": session_id,
            "more": len(kept),
            "calls": sum(_calls(m.role, m.tool_calls) for m in kept),
            "latest": max(now if m.said_at is None else m.said_at for m in new),
        },
    )


@cache
def _counts_raised(dialect: str) -> Update:
    greatest = func.max if dialect == "sqlite" else func.greatest
    columns = sessions.c
    return (
        update(sessions)
        .where(columns.id == bindparam("session"))
        .values(
            message_count=columns.message_count + bindparam("more"),
            tool_call_count=columns.tool_call_count + bindparam("calls"),
            last_active_at=greatest(columns.last_active_at, bindparam("latest", type_=BigInteger)),
        )
    )


def _calls(role: str, tool_calls: object) -> int:
    return len(tool_calls) if role == "assistant" and isinstance(tool_calls, list) else 0


def _shown(session_id: str) -> ColumnElement[bool]:
    return (messages.c.session_id == session_id) & (messages.c.state != "rewound")


# Any: SQLAlchemy's name for a select of whatever columns.
def _fetch(connection: Connection, query: Select[tuple[object, ...]]) -> list[Message]:
    return [to_record(Message, row) for row in connection.execute(query).mappings()]
