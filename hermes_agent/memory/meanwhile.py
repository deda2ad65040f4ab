"""What was forgotten while a conversation is open: it is not sent again, and not written back.

A conversation holds texts between its turns: its prompt, its list of things to do, all of an incognito one.
Whether anything was forgotten since is told by the number of the last receipt, so that nobody pays who forgets
nothing; what it was, by the hashes that receipts keep.
"""

from dataclasses import dataclass, replace

from hermes_agent.learn.forget import cut, cut_json
from hermes_agent.records.archive import Message
from hermes_agent.store import receipts, sessions
from hermes_agent.store.store import Store
from hermes_agent.text.runs import Look


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


def without(message: Message, look: Look) -> Message:
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
