"""One turn: keep what the user said before anything else, then answer, then keep the answer."""

from hermes_agent.agent import embedded
from hermes_agent.memory.memory import Memory
from hermes_agent.records.archive import NewMessage

_QUOTES = 3


def take_turn(memory: Memory, session_id: str, said: str) -> str:
    """Answer the user; both sides of the exchange are on the disk when this returns."""
    # Written before the answer is made: a crash must not lose what the user said.
    (said_id,) = memory.append(session_id, NewMessage("user", said))
    remembered = []
    if embedded.is_question(said):
        found = memory.said_about(said, limit=_QUOTES * 10)
        statements = [m for m in found if m.id != said_id and not embedded.is_question(m.content or "")]
        remembered = statements[:_QUOTES]
    reply = embedded.answer(said, remembered, memory.zone)
    memory.append(session_id, NewMessage("assistant", reply, model="embedded"))
    return reply
