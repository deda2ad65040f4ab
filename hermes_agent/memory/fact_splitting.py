"""Take a wrong merge of two facts apart.

What was taken for a repeat of a fact is in the journal with its words: it becomes a fact of its own, and the count
of the other goes down by one.
"""

from typing import Any

from hermes_agent import clock
from hermes_agent.errors import UsageError
from hermes_agent.memory.embedding import JOB as EMBED
from hermes_agent.memory.fact_journal import write_down
from hermes_agent.memory.facts import require, require_current, told
from hermes_agent.memory.naming import named_in
from hermes_agent.records.archive import Json, Message
from hermes_agent.records.changes import message_of, standing
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.memory import Fact, NewFact
from hermes_agent.store import entities, facts, jobs, journal, messages
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store

_MOST = 1_000


def split(
    store: Store, typed: str, *, actor: str = "owner", cause: str | None = None, seen: Fact | None = None
) -> Fact:
    """Take a wrong merge apart: what was last taken for a repeat of a fact becomes a fact of its own."""
    with store.write() as connection:
        facts.lock(connection)
        known = require_current(connection, typed, seen)
        said = _last_repeat(connection, known)
        if said is None:
            raise UsageError(
                f"Nothing else was taken for {known.name}.",
                hint=f"See what stands behind it: hermes memory fact history {known.name}",
            )
        message, values = said
        # Any: JSON of our own journal, with the names of the fields.
        fields: dict[str, Any] = {**values, "confidence_reason": "taken apart by the owner"}
        new = NewFact(
            **fields,
            source_class=message.source_class,
            said_at=min(message.said_at, clock.now()),
            source_message=message.uid,
        )
        made = facts.add(connection, store.engine, new)
        facts.corroborate(connection, known.id, by=-1)
        text = f"{made.name} was taken apart from {known.name}: “{made.text}”."
        after = {**told(made), "message": message.uid}
        entry = NewEntry("fact.split", known.name, text, actor, cause, told(known), after)
        write_down(connection, entry, changed=[known], added=[made])
        entities.link(connection, "fact", {made.id: named_in([made.text])})
        jobs.add(connection, EMBED, EMBED)
        return require(connection, made.id)


def _last_repeat(connection: Connection, known: Fact) -> tuple[Message, dict[str, Json]] | None:
    """Return the message that last said a fact again and was not taken apart yet, and what it says."""
    entries = journal.recent(connection, _MOST, subject=known.name)
    apart = {message_of(entry) for entry, stands in standing(entries) if stands and entry.kind == "fact.split"}
    for entry, stands in standing(entries):
        said = entry.after.get("said") if isinstance(entry.after, dict) else None
        uid = message_of(entry)
        if not stands or entry.kind != "fact.corroborated" or not isinstance(said, dict) or uid in apart:
            continue
        message = None if uid is None else messages.by_uid(connection, uid)
        if message is not None:
            return message, said
    return None
