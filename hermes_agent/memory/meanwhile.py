"""What was forgotten while a conversation is open, or a turn goes on: it is not sent again, and not written back.

A conversation holds texts between its turns: its prompt, its list of things to do, all of an incognito one.
Whether anything was forgotten since is told by the number of the last receipt, so that nobody pays who forgets
nothing; what it was, by the hashes that receipts keep. A turn asks in the transaction that writes.
"""

from dataclasses import dataclass, replace
from typing import TypeVar

from hermes_agent.errors import ForgottenMeanwhile
from hermes_agent.learn.forget import cut, cut_json
from hermes_agent.memory.forgotten import silent_new
from hermes_agent.records.archive import Message, NewMessage
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.turn import Begun
from hermes_agent.store import messages, receipts, sessions
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store
from hermes_agent.text.runs import Look, encoded, strings

AMessage = TypeVar("AMessage", Message, NewMessage)


@dataclass(frozen=True, slots=True)
class Standing:
    """How it stands with a conversation: whether its session is there, and the last receipt of a forgetting."""

    is_there: bool
    receipt: int


def standing(store: Store, session_id: str | None = None) -> Standing:
    """Tell how it stands with a session, in one short read; None for one that is kept nowhere."""
    with store.read() as connection:
        is_there = session_id is None or sessions.exists_id(connection, session_id)
        return Standing(is_there, receipts.last_id(connection))


def look_since(store: Store, receipt: int) -> Look:
    """Return how to look for what was forgotten after a receipt."""
    with store.read() as connection:
        return receipts.hashed_look(receipts.after(connection, receipt))


def forgotten_since(connection: Connection, begun: Begun | None) -> Look | None:
    """Return how to look for what was forgotten since a turn began; None if nothing was.

    Nothing is forgotten until the transaction ends. ForgottenMeanwhile if what the turn answers is gone: what was
    done and answered for a request goes with it.
    """
    if begun is None or receipts.hold_last(connection) <= begun.receipt:
        return None
    if not messages.by_uids(connection, [begun.message_uid]):
        raise ForgottenMeanwhile("What you said was forgotten meanwhile: nothing of its answer is kept.")
    return receipts.hashed_look(receipts.after(connection, begun.receipt))


def entry_without(entry: NewEntry, look: Look) -> NewEntry:
    """Return an entry as it is, or without its words if they were forgotten."""
    told = strings([entry.subject, entry.text, entry.cause, entry.before, entry.after])
    return silent_new(entry) if any(look(encoded(text)) for text in told) else entry


def without(message: AMessage, look: Look) -> AMessage:
    """Return a message without the sentences that were forgotten."""
    return replace(
        message,
        content=_cut(message.content, look),
        reasoning=_cut(message.reasoning, look),
        sent=_cut(message.sent, look),
        tool_calls=cut_json(message.tool_calls, look),
        attachments=cut_json(message.attachments, look),
        metadata={name: cut_json(value, look) for name, value in message.metadata.items()},
    )


def _cut(text: str | None, look: Look) -> str | None:
    return None if text is None else cut(text, look)
