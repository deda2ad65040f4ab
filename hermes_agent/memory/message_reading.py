"""Messages for whoever reads a session: a page at a time, from its beginning or around one of them."""

from collections.abc import Sequence
from dataclasses import dataclass

from hermes_agent.errors import NotFound, UsageError
from hermes_agent.ids import is_uid
from hermes_agent.memory import numbers
from hermes_agent.records.archive import Message, Session
from hermes_agent.store import messages, sessions
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store
from hermes_agent.text.clean import preview


@dataclass(frozen=True, slots=True)
class Passage:
    """Messages of a session that follow each other, and whether there are others on either side."""

    session: Session
    messages: Sequence[Message]
    has_earlier: bool
    has_later: bool


def get(store: Store, typed: str) -> Message:
    """Return the message that is named by its number, `message:12`, or its uid."""
    with store.read() as connection:
        return _require(connection, typed)


def passage(
    store: Store,
    session: str,
    limit: int,
    *,
    after: str | None = None,
    before: str | None = None,
    around: str | None = None,
) -> Passage:
    """Return messages of a session: its first, or those after, before or around one of them."""
    if sum(one is not None for one in (after, before, around)) > 1:
        raise UsageError("Name one: after, before or around.")
    with store.read() as connection:
        found = sessions.require(connection, session)
        return _part(
            connection,
            found,
            limit,
            start=0 if after is None else _of(connection, found, after).id + 1,
            before=None if before is None else _of(connection, found, before).id,
            around=None if around is None else _of(connection, found, around).id,
        )


def part(
    store: Store,
    session: Session,
    limit: int,
    *,
    start: int = 0,
    before: int | None = None,
    around: int | None = None,
) -> Passage:
    """Return messages of a session by number, what was taken back too: those nearest, if there is no such one."""
    with store.read() as connection:
        return _part(connection, session, limit, start=start, before=before, around=around, is_whole=True)


def of(store: Store, session: Session, typed: str) -> Message:
    """Return a message that must be of a session."""
    with store.read() as connection:
        return _of(connection, session, typed)


def _part(
    connection: Connection,
    session: Session,
    limit: int,
    *,
    start: int,
    before: int | None,
    around: int | None,
    is_whole: bool = False,
) -> Passage:
    def read(most: int, start: int = 0, before: int | None = None) -> list[Message]:
        return messages.page(connection, session.id, most, start=start, before=before, is_whole=is_whole)

    if around is not None:
        earlier = limit // 2
        former = read(earlier + 1, before=around)
        rest = limit - min(earlier, len(former))
        later = read(rest + 1, start=around)
        shown = [*(former[-earlier:] if earlier else []), *later[:rest]]
        return Passage(session, shown, len(former) > earlier, len(later) > rest)
    if before is not None:
        former = read(limit + 1, before=before)
        return Passage(session, former[-limit:], len(former) > limit, bool(read(1, start=before)))
    later = read(limit + 1, start=start)
    return Passage(session, later[:limit], start > 0 and bool(read(1, before=start)), len(later) > limit)


def _of(connection: Connection, session: Session, typed: str) -> Message:
    found = _require(connection, typed)
    if found.session_id != session.id:
        raise NotFound(f"Message {found.id} is not of session {session.id}.")
    return found


def _require(connection: Connection, typed: str) -> Message:
    uid = typed.strip().lower()
    if is_uid(uid):
        found = messages.by_uid(connection, uid)
    else:
        found = messages.get(connection, numbers.read(typed, "message"))
    if found is None:
        raise NotFound(f"There is no message {preview(typed)!r}.")
    return found
