"""Write changes of facts into the journal, each with what it did to them: so that it can be undone."""

from collections.abc import Sequence

from hermes_agent import clock
from hermes_agent.records.changes import between, described, whole
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.memory import Dispute, Fact
from hermes_agent.store import facts, journal
from hermes_agent.store.engine import Connection


def write_down(
    connection: Connection,
    entry: NewEntry,
    *,
    changed: Sequence[Fact] = (),
    added: Sequence[Fact] = (),
    disputes: Sequence[Dispute] = (),
    uid: str | None = None,
) -> str:
    """Journal a change that is made: `changed` are facts as they were before, `added` and `disputes` are new.

    Called last in a change: how the facts are now is read from the store.
    """
    now = facts.get_many(connection, [fact.id for fact in (*changed, *added)])
    change = between(whole(changed), whole([*now.values(), *disputes]))
    return journal.write(connection, described(entry, change), uid)


def retract_said(
    connection: Connection, session_id: str, message_uids: Sequence[str], *, actor: str = "owner"
) -> None:
    """Stop holding true what was learned of messages that were taken back; what forgetting took stays gone."""
    facts.lock(connection)
    for fact in facts.said_in(connection, message_uids):
        if fact.state == "current":
            facts.end(connection, fact.id, "retracted", clock.now())
            text = f"{fact.name} was taken back with its message: “{fact.text}”."
            entry = NewEntry("fact.deleted", fact.name, text, actor, session_id=session_id)
            write_down(connection, entry, changed=[fact])
