"""What an import brings of something that was forgotten here for good: taken out again, in its transaction.

A message of which nothing else is left goes with the answers to it, and so does a conversation that has lost all
of its messages; one that has lost some comes without its title, which may tell of them.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from hermes_agent.learn.forget import MARK
from hermes_agent.memory import forgetting
from hermes_agent.memory.forget_all import lock
from hermes_agent.memory.forget_quotes import WHOLE, forget_quotes
from hermes_agent.records.archive import ANSWERING, Message
from hermes_agent.records.journal import NewEntry
from hermes_agent.store import forgetting as rows
from hermes_agent.store import journal, messages, sessions
from hermes_agent.store.engine import Connection, Engine
from hermes_agent.text.runs import Look


@dataclass(frozen=True, slots=True)
class TakenOut:
    """How many rows of each table held something; which messages and conversations did not stay."""

    counts: dict[str, int] = field(default_factory=dict)
    messages: Sequence[Message] = ()
    sessions: Sequence[str] = ()
    cut: int = 0
    """How many messages stayed without a sentence."""


def take_out(
    connection: Connection, engine: Engine, look: Look, after: Mapping[str, int], came: Collection[str]
) -> TakenOut:
    """Take out of the rows after these numbers what was forgotten; `came` are the conversations that are new."""
    lock(connection)
    quotes = forget_quotes(connection, engine, look, after)
    counts = {name: count for name, count in quotes.counts.items() if name != WHOLE}
    held = messages.get_many(connection, quotes.messages).values()
    gone = [one for one in held if (one.content or "").strip() in ("", MARK) and not one.tool_calls]
    asked = [one for one in gone if one.role not in ANSWERING]
    answers = {number for one in asked for number in rows.answers_to(connection, one)} - {one.id for one in gone}
    gone += messages.get_many(connection, sorted(answers)).values()
    if gone:
        rows.remove_messages(connection, engine, gone)
    emptied = settle_sessions(connection, engine, {one.session_id for one in gone} & set(came))
    if count := sum(counts.values()):
        text = f"{count:,} rows lost what was forgotten before: an import had it."
        journal.write(connection, NewEntry("import.blocked", "memory", text))
    return TakenOut(counts, gone, emptied, len(quotes.messages) - (len(gone) - len(answers)))


def settle_sessions(connection: Connection, engine: Engine, lost: Collection[str]) -> list[str]:
    """Take titles from conversations that came and lost messages; those that lost all go. Return which."""
    emptied = rows.empty_sessions(connection, sorted(lost))
    for name in sorted(set(lost) - set(emptied)):
        sessions.rename(connection, name, None, source="forgetting")
    if emptied:
        forgetting.forget_sessions(connection, engine, emptied)
    return emptied
