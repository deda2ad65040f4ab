"""Turns and what they changed: by the agent while they ran, and by learning from their message afterwards."""

from collections.abc import Sequence

from hermes_agent.ids import is_uid
from hermes_agent.memory.undoable import NUMBER, can_be_undone, find
from hermes_agent.records.archive import Message
from hermes_agent.records.changes import message_of
from hermes_agent.records.journal import Entry
from hermes_agent.records.notes import Refused
from hermes_agent.store import journal, learned, messages
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store

_TURN = "turn."
_MOST = 1_000
"""So many turns are looked at for one that changed something."""


def changed_by(connection: Connection, turn: Entry) -> list[Entry]:
    """Return what a turn changed while it ran, and what was learned of its message, in order."""
    return _changed_by(turn, journal.of_session(connection, turn.session_id or ""))


def latest(connection: Connection) -> Entry | Refused:
    """Return the latest turn that changed something: who asks first what is known means the one before."""
    turns = journal.recent(connection, _MOST, kind="turn")
    if not turns:
        return Refused("no_match", "There was no turn yet.")
    sessions: dict[str, list[Entry]] = {}
    for turn in turns:
        session_id = turn.session_id or ""
        if session_id not in sessions:
            sessions[session_id] = journal.of_session(connection, session_id)
        if _changed_by(turn, sessions[session_id]):
            return turn
    return Refused("no_match", f"No turn has changed anything. The latest: {turns[0].text}")


def named(connection: Connection, typed: str) -> Entry | Refused:
    """Return the turn that is named by itself or by its message."""
    message = _message(connection, typed.strip().lower())
    of_session = [] if message is None else journal.of_session(connection, message.session_id)
    turns = [one for one in _turns(of_session) if message is not None and message_of(one) == message.uid]
    if not turns:
        found = find(connection, typed)
        turns = _turns([found]) if isinstance(found, Entry) else []
    if turns:
        return turns[-1]
    return Refused(
        "no_match", f"{typed.strip()!r} is no turn. `hermes memory events --kind turn --json` lists them."
    )


def turn_of(connection: Connection, change: Entry) -> Entry | None:
    """Return the turn that made a change, or whose message it was learned of."""
    if change.session_id is None:
        return None
    turns = _turns(journal.of_session(connection, change.session_id))
    message = message_of(change)
    if message is not None:
        return next((one for one in reversed(turns) if message_of(one) == message), None)
    ended = next((one for one in turns if one.id > change.id), None)
    return ended if ended is not None and ended.actor == change.actor else None


def is_learned(store: Store, turn: Entry) -> bool:
    """Tell whether what can be learned of a turn's message was learned."""
    uid = message_of(turn)
    with store.read() as connection:
        message = None if uid is None else messages.by_uid(connection, uid)
        return message is None or message.id <= learned.reached(connection, message.session_id)


def _turns(entries: Sequence[Entry]) -> list[Entry]:
    return [one for one in entries if one.kind.startswith(_TURN)]


def _message(connection: Connection, typed: str) -> Message | None:
    if NUMBER.fullmatch(typed):
        return messages.get(connection, int(typed))
    return messages.by_uid(connection, typed) if is_uid(typed) else None


def _changed_by(turn: Entry, of_session: Sequence[Entry]) -> list[Entry]:
    former = max((one.id for one in _turns(of_session) if one.id < turn.id), default=0)
    done = [one for one in of_session if one.actor == turn.actor and former < one.id < turn.id]
    message = message_of(turn)
    taught = [one for one in of_session if message is not None and message_of(one) == message]
    every = {one.id: one for one in (*done, *taught) if can_be_undone(one)}
    return [every[number] for number in sorted(every)]
