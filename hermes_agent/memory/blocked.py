"""What was forgotten is not learned again: asked of receipts wherever memory takes something up.

A message that its owner writes anew stays in the archive, since it was said; nothing is learned of it. Whoever
wants it back lifts the block of the receipt: `hermes memory unblock`.
"""

from collections.abc import Sequence

from hermes_agent.errors import UsageError
from hermes_agent.records.archive import Message
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.learning import Candidate
from hermes_agent.store import journal, receipts
from hermes_agent.store.engine import Connection
from hermes_agent.store.receipts import Blocks
from hermes_agent.text.blocking import about_keys, block_keys, pieces, slot_key

KIND = "learning.blocked"
HINT = "Find its receipt: hermes memory receipts; then allow it again: hermes memory unblock RECEIPT"


def allowed(connection: Connection, session_id: str, told: Sequence[Candidate]) -> list[Candidate]:
    """Return what may be learned; how many were refused is journalled, not their words."""
    blocks = receipts.blocks(connection)
    kept = [one for one in told if not (blocks and _is_blocked(blocks, one))]
    note_refused(connection, session_id, len(told) - len(kept))
    return kept


def sayable(connection: Connection, said: Sequence[Message]) -> list[Message]:
    """Return the messages of which something may be kept in other words."""
    blocks = receipts.blocks(connection)
    return [one for one in said if not blocks or not holds(blocks, one.content or "")]


def note_refused(connection: Connection, subject: str, count: int) -> None:
    """Journal that something was not learned, without its words."""
    if count:
        what = "1 thing was" if count == 1 else f"{count} things were"
        text = f"{what} not learned: it was forgotten for good."
        journal.write(connection, NewEntry(KIND, subject, text, "learning", session_id=None))


def refuse(connection: Connection, text: str, *slot: str | None) -> None:
    """Refuse what its owner wants to be remembered by hand, and say how to allow it."""
    if is_blocked(connection, text, *slot):
        raise UsageError("That was forgotten for good, and is not learned again.", hint=HINT)


def is_blocked(connection: Connection, text: str, *slot: str | None) -> bool:
    """Tell whether a text, a sentence of it, or what it states was forgotten."""
    blocks = receipts.blocks(connection)
    key = slot_key(*slot) if len(slot) == 3 else None
    return bool(blocks) and (holds(blocks, text) or (key is not None and blocks.holds([key])))


def holds(blocks: Blocks, text: str) -> bool:
    """Tell whether a text, a sentence of it, or a thing that it names was forgotten."""
    return blocks.holds(block_keys(text)) or blocks.holds(about_keys(text))


def _is_blocked(blocks: Blocks, one: Candidate) -> bool:
    stated = one.statement
    slot = slot_key(one.subject, stated.attribute, stated.value)
    if slot is not None and blocks.holds([slot]):
        return True
    return holds(blocks, one.text) or holds(blocks, _around(one.heard.text, stated.start, stated.end))


def _around(text: str, start: int, end: int) -> str:
    """Return the sentences that a span is in."""
    found, at = [], 0
    for piece in pieces(text):
        if at < end and at + len(piece) > start:
            found.append(piece)
        at += len(piece)
    return "".join(found)
