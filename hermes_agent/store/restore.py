"""Sessions that happened before: kept again exactly as they were, or continued where ours ends.

`sessions.create` begins something new and counts from nothing; here times, counts and flags come
from an export or another store. The caller gives each message its uid: that is what makes bringing
the same session in twice the same as once.
"""

import hashlib
import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, bindparam, select, update

from hermes_agent.errors import UsageError
from hermes_agent.records.archive import UNTRUSTED, NewMessage, NewSession, ParentKind, SourceClass, State
from hermes_agent.store import episodes, imported, learned, quarantine
from hermes_agent.store import messages as kept_messages
from hermes_agent.store import sessions as kept_sessions
from hermes_agent.store.engine import Engine
from hermes_agent.store.tables import messages, sessions
from hermes_agent.text.titles import TITLE_CAP, base_title, clean_title, next_title

_BLOCK = 1_000
_IMPORTED = select(messages.c.id, messages.c.uid).where(
    messages.c.session_id == bindparam("session"), messages.c.source_class == "import"
)
_UIDS = select(messages.c.uid).where(messages.c.session_id == bindparam("session")).order_by(messages.c.id)


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a session used."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0
    reasoning: int = 0


@dataclass(frozen=True, slots=True)
class PastSession:
    """A session as it was. What is None among the counts is counted from its messages."""

    id: str
    uid: str
    started_at: int
    begun: NewSession
    """Everything else a session begins with; its parent is not looked at here."""
    ended_at: int | None = None
    end_reason: str | None = None
    last_active_at: int | None = None
    message_count: int | None = None
    tool_call_count: int | None = None
    tokens: Tokens = Tokens()
    is_archived: bool = False
    is_pinned: bool = False


def derived_uid(moment: int, *parts: str) -> str:
    """Make a uid from what it names, the same every time: UUIDv8 that sorts by time like our own."""
    # As JSON the parts cannot run into each other, and lone surrogates have bytes.
    digest = hashlib.sha256(json.dumps(parts).encode("ascii")).digest()
    number = int.from_bytes(digest[:16], "big")
    number &= ~(0xFFFFFFFFFFFF << 80 | 0xF << 76 | 0x3 << 62)
    number |= (moment // 1_000 & 0xFFFFFFFFFFFF) << 80 | 0x8 << 76 | 0x2 << 62
    return str(uuid.UUID(int=number))


def uids_of(connection: Connection, session_id: str) -> list[str] | None:
    """Return the uids of a session's messages in order, rewound ones too; None if there is no such session."""
    if not kept_sessions.exists_id(connection, session_id):
        return None
    return list(connection.execute(_UIDS, {"session": session_id}).scalars())


def unvouched(connection: Connection, session_id: str, said: Sequence[NewMessage]) -> dict[int, SourceClass]:
    """Return the messages of a session that came as an import's and are said to be more now, by their numbers."""
    classes = {one.uid: kept_messages.source_of(one) for one in said}
    rows = connection.execute(_IMPORTED, {"session": session_id}).all()
    return {row.id: classes[row.uid] for row in rows if classes.get(row.uid, "import") not in UNTRUSTED}


def vouch(connection: Connection, session_id: str, wanted: Mapping[int, SourceClass]) -> None:
    """Let messages be their owner's own: they wait for no review, and are learned from anew."""
    for message_id, source_class in wanted.items():
        change = update(messages).where(messages.c.id == message_id).values(source_class=source_class)
        connection.execute(change)
        quarantine.release(connection, message_id)
    before = min(wanted) - 1
    if learned.reached(connection, session_id) > before:
        learned.set_reached(connection, session_id, before)


def restore(connection: Connection, engine: Engine, past: PastSession, said: Sequence[NewMessage]) -> str | None:
    """Keep a session that is not there yet, without a parent; return the title it got."""
    title = free_title(connection, past.begun.title)
    begun = replace(
        past.begun,
        id=past.id,
        uid=_free_uid(connection, past),
        started_at=past.started_at,
        title=title,
        parent_session_id=None,
        parent_kind=None,
    )
    counts = {
        "last_active_at": past.last_active_at,
        "message_count": past.message_count,
        "tool_call_count": past.tool_call_count,
    }
    known = {name: value for name, value in counts.items() if value is not None}
    kept_sessions.put(connection, begun, {**_columns(past), **known})
    _append(connection, engine, past.id, said, 0, raises_counts=len(known) < len(counts))
    imported.mark(connection, past.id)
    if known and len(known) < len(counts):
        # What was said to be so wins over what appending counted.
        connection.execute(update(sessions).where(sessions.c.id == past.id).values(known))
    return title


def extend(
    connection: Connection, engine: Engine, past: PastSession, said: Sequence[NewMessage], known: int
) -> None:
    """Append what came after the first `known` messages, which are ours already.

    Messages that were compacted or rewound in the meantime become so here; an end is taken over if
    ours has none; the larger token counts win.
    """
    _follow_states(connection, engine, past.id, said[:known])
    # Its last exchange may go on in what comes: the episode is made anew of all of it.
    last = episodes.last_of(connection, past.id)
    episodes.remove(connection, [] if last is None else [last.id])
    _append(connection, engine, past.id, said[known:], known)
    imported.mark(connection, past.id)
    ours = kept_sessions.get(connection, past.id)
    assert ours is not None, "only a session that is there is extended"
    is_open = ours.ended_at is None
    connection.execute(
        update(sessions)
        .where(sessions.c.id == past.id)
        .values(
            ended_at=past.ended_at if is_open else ours.ended_at,
            end_reason=past.end_reason if is_open else ours.end_reason,
            input_tokens=max(ours.input_tokens, past.tokens.input),
            output_tokens=max(ours.output_tokens, past.tokens.output),
            cache_read_tokens=max(ours.cache_read_tokens, past.tokens.cache_read),
            cache_write_tokens=max(ours.cache_write_tokens, past.tokens.cache_write),
            reasoning_tokens=max(ours.reasoning_tokens, past.tokens.reasoning),
        )
    )


def attach(connection: Connection, session_id: str, parent_id: str, kind: ParentKind) -> bool:
    """Give a session its parent; refuse what would make it its own ancestor."""
    if not kept_sessions.exists_id(connection, parent_id):
        return False
    seen: set[str] = set()
    ancestor: str | None = parent_id
    while ancestor is not None and ancestor not in seen:
        if ancestor == session_id:
            return False
        seen.add(ancestor)
        ancestor = _parent_of(connection, ancestor)
    connection.execute(
        update(sessions).where(sessions.c.id == session_id).values(parent_session_id=parent_id, parent_kind=kind)
    )
    return True


def free_title(connection: Connection, title: str | None) -> str | None:
    """Clean a title and cut it to the cap; one that is taken gets the next number of its lineage."""
    clean = None if title is None else cut_title(title)
    if clean is None or not kept_sessions.exists_title(connection, clean):
        return clean
    return next_title(clean, kept_sessions.titles_like(connection, base_title(clean)))


def cut_title(title: str) -> str | None:
    """Clean a title; one over the cap is cut rather than refused."""
    try:
        return clean_title(title)
    except UsageError:
        return clean_title(title[:TITLE_CAP])


def session_uid(session_id: str, started_at: int) -> str:
    """Derive a session's uid from its id."""
    return derived_uid(started_at, "session", session_id)


def message_uid(session_id: str, position: int, moment: int, role: str, content: str | None) -> str:
    """Derive a message's uid from where it stands and what it says."""
    return derived_uid(moment, "message", session_id, str(position), role, content or "")


def _append(
    connection: Connection,
    engine: Engine,
    session_id: str,
    said: Sequence[NewMessage],
    position: int,
    *,
    raises_counts: bool = True,
) -> None:
    """Append in blocks; a uid that another message has already is replaced by a derived one."""
    for start in range(0, len(said), _BLOCK):
        block = said[start : start + _BLOCK]
        taken = kept_messages.known_uids(connection, [m.uid for m in block if m.uid is not None])
        unique: list[NewMessage] = []
        for offset, message in enumerate(block, position + start):
            is_fresh = message.uid is not None and message.uid not in taken
            fresh = message if is_fresh else _named(session_id, offset, message)
            taken.add(fresh.uid or "")
            unique.append(fresh)
        kept_messages.append(connection, engine, session_id, unique, raises_counts=raises_counts)


def _columns(past: PastSession) -> dict[str, object]:
    """Return what a session has that has been going on."""
    return {
        "ended_at": past.ended_at,
        "end_reason": past.end_reason,
        "is_archived": past.is_archived,
        "is_pinned": past.is_pinned,
        "input_tokens": past.tokens.input,
        "output_tokens": past.tokens.output,
        "cache_read_tokens": past.tokens.cache_read,
        "cache_write_tokens": past.tokens.cache_write,
        "reasoning_tokens": past.tokens.reasoning,
    }


def _named(session_id: str, position: int, message: NewMessage) -> NewMessage:
    """Give a message the uid that follows from its place and its words."""
    moment = message.said_at or 0
    return replace(message, uid=message_uid(session_id, position, moment, message.role, message.content))


def _follow_states(connection: Connection, engine: Engine, session_id: str, said: Sequence[NewMessage]) -> None:
    query = select(messages.c.id, messages.c.state).where(messages.c.session_id == session_id)
    ours = connection.execute(query.order_by(messages.c.id)).all()
    changed: dict[State, list[int]] = {}
    for row, message in zip(ours, said, strict=True):
        if row.state != message.state:
            changed.setdefault(message.state, []).append(row.id)
    for state, ids in changed.items():
        for start in range(0, len(ids), _BLOCK):
            kept_messages.set_state(connection, engine, ids[start : start + _BLOCK], state)


def _parent_of(connection: Connection, session_id: str) -> str | None:
    return connection.execute(select(sessions.c.parent_session_id).where(sessions.c.id == session_id)).scalar()


def _free_uid(connection: Connection, past: PastSession) -> str:
    is_taken = kept_sessions.exists_uid(connection, past.uid)
    return session_uid(past.id, past.started_at) if is_taken else past.uid
