"""Take back what was said last in a session: it leaves the window, search, and what was made of it."""

from hermes_agent.memory import forgetting
from hermes_agent.memory.fact_journal import retract_said
from hermes_agent.records.journal import NewEntry
from hermes_agent.store import facts, journal, messages, reflections, sessions, summaries
from hermes_agent.store.store import Store


def rewind(store: Store, session_id: str, to: int) -> tuple[str, int]:
    """Take back what was said from one message on; return the session's id, and how many messages it were."""
    with store.write() as connection:
        # In the order in which an undo locks them, and before the session.
        facts.lock(connection)
        reflections.lock(connection)
        summaries.lock(connection)
        session = sessions.require(connection, session_id)
        window = messages.window_of(connection, session.id)
        taken = [message for message in window if message.id >= to and not message.is_summary]
        messages.set_state(connection, store.engine, [one.id for one in taken], "rewound")
        journal.forget_said(connection, session.id, {one.uid for one in taken})
        retract_said(connection, session.id, [one.uid for one in taken])
        forgetting.forget_taken_back(connection, session.id, taken)
        text = f"{len(taken)} messages of session {session.id} were taken back."
        journal.write(
            connection, NewEntry("session.rewound", session.id, text, after={"first": to, "count": len(taken)})
        )
    return session.id, len(taken)
