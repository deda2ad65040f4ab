"""The owner's review of the quarantine: what is accepted counts like the owner's word, the rest is never used."""

from datetime import tzinfo

from hermes_agent.errors import HermesError
from hermes_agent.memory import learning, quarantine
from hermes_agent.memory.notebook import Notebook
from hermes_agent.records.notes import Operation, Refused
from hermes_agent.records.quarantine import Quarantined
from hermes_agent.store import messages
from hermes_agent.store.store import Store


def accept(
    store: Store, notebook: Notebook, typed: str, *, zone: tzinfo | None = None, cause: str | None = None
) -> Quarantined:
    """Let something count like the owner's word: a note is written, a message is recalled and learned from.

    `zone` is the owner's.
    """
    one = quarantine.require(store, typed)
    if one.target is not None:
        # Written first: a note that is full must leave it waiting.
        _write(notebook, one, cause)
    with store.write() as connection:
        quarantine.decide(connection, one, "accepted", cause)
        message = None if one.message_id is None else messages.get(connection, one.message_id)
        if one.kind == "message" and message is not None:
            learning.learn_accepted(connection, store, message, zone)
    return quarantine.require(store, typed)


def reject(store: Store, typed: str, *, cause: str | None = None) -> Quarantined:
    """Never use something: it is neither recalled nor learned from, and waits no more."""
    one = quarantine.require(store, typed)
    with store.write() as connection:
        quarantine.decide(connection, one, "rejected", cause)
    return quarantine.require(store, typed)


def _write(notebook: Notebook, one: Quarantined, cause: str | None) -> None:
    """Write an entry that waited into its note; one that was written already stays there once."""
    assert one.target is not None, "a note that waits has a place"
    if one.state == "accepted":
        return
    operation = Operation("add", one.text)
    outcome = notebook.change(one.target, [operation], actor="owner", session_id=one.session_id, cause=cause)
    if isinstance(outcome, Refused):
        raise HermesError(outcome.error, hint="Mend that, then accept it again.")
