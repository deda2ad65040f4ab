"""A turn that a kill cut off: how far it had come, and whether it may go on.

The archive tells all of it. If every call that was kept has its result, nothing is in doubt: the turn goes on
where it was, with what it had found. A call without a result may or may not have run, and must not run twice: the
turn is ended with words that say so, and the user decides.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from hermes_agent.agent import window
from hermes_agent.agent.deeds import Asked, turn_entry
from hermes_agent.agent.turn import Heard
from hermes_agent.memory.memory import Memory
from hermes_agent.records.archive import Message, NewMessage
from hermes_agent.records.turn import FinishedTurn
from hermes_agent.store import messages

BROKEN_OFF = (
    "I was interrupted while I worked on this, and cannot tell whether {what} was done. "
    "Please check, then say “go on”, or ask again."
)


@dataclass(frozen=True, slots=True)
class Unheard:
    """The message never reached the archive."""


@dataclass(frozen=True, slots=True)
class Gone:
    """It did, and was taken back or deleted since: nothing is to be answered."""


@dataclass(frozen=True, slots=True)
class Open:
    """It was heard and not answered, and nothing is in doubt: the turn may go on."""

    session_id: str
    heard: Heard


@dataclass(frozen=True, slots=True)
class InDoubt:
    """A tool may have run, or not."""

    session_id: str
    heard: Heard
    tools: Sequence[str]


@dataclass(frozen=True, slots=True)
class Answered:
    """The turn came to its end."""

    text: str


Reached = Unheard | Gone | Open | InDoubt | Answered


def reached(memory: Memory, uid: str) -> Reached:
    """Tell how far the turn came that a message began."""
    with memory.store.read() as connection:
        message = messages.by_uids(connection, [uid]).get(uid)
        if message is None:
            return Unheard()
        seen = messages.window_of(connection, message.session_id)
    heard = Heard(message.id, uid, message.content or "", ())
    turn = _turn_of(seen, uid)
    if turn is None:
        return Gone()
    if turn and window.is_answer(turn[-1]):
        return Answered(turn[-1].content or "")
    in_doubt = window.open_calls(turn)
    if in_doubt:
        return InDoubt(message.session_id, heard, [call.name for call in in_doubt])
    return Open(message.session_id, heard)


def break_off(memory: Memory, found: InDoubt, model: str) -> str:
    """End a turn that must not go on, in words of ours; return them."""
    text = BROKEN_OFF.format(what=" and ".join(f"`{name}`" for name in dict.fromkeys(found.tools)))
    asked = Asked(found.session_id, found.heard.message_uid, found.heard.text, model)
    answer = NewMessage("assistant", text, source_class="system", finish_reason="error", model=model)
    memory.finish_turn(found.session_id, FinishedTurn(answer, turn_entry(asked, "failed", found.tools)))
    return text


def _turn_of(seen: Sequence[Message], uid: str) -> Sequence[Message] | None:
    """Return the messages between one and the next that the user said; None if it is not in the window."""
    places = [place for place, message in enumerate(seen) if message.uid == uid]
    if not places:
        return None
    after = seen[places[0] + 1 :]
    following = [place for place, message in enumerate(after) if message.role == "user"]
    return after[: following[0]] if following else after
