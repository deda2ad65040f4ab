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
        if around is not None:
            return _around(connection, found, _of(connection, found, around), limit)
        if before is not None:
            at = _of(connection, found, before).id
            read = messages.page(connection, found.id, limit + 1, before=at)
            return Passage(found, read[-limit:], len(read) > limit, has_later=True)
        start = 0 if after is None else _of(connection, found, after).id + 1
        read = messages.page(connection, found.id, limit + 1, start=start)
        return Passage(found, read[:limit], after is not None, len(read) > limit)


def _around(connection: Connection, session: Session, middle: Message, limit: int) -> Passage:
    earlier = limit // 2
    before = messages.page(connection, session.id, earlier + 1, before=middle.id)
    rest = limit - min(earlier, len(before))
    after = messages.page(connection, session.id, rest + 1, start=middle.id)
    shown = [*(before[-earlier:] if earlier else []), *after[:rest]]
    return Passage(session, shown, len(before) > earlier, len(after) > rest)


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
