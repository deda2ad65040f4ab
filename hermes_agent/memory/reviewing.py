"""The owner's review of the quarantine: what is accepted counts like the owner's word, the rest is never used."""

from collections.abc import Sequence
from datetime import tzinfo

from hermes_agent.errors import HermesError, UsageError
from hermes_agent.learn.subjects import subject_of
from hermes_agent.memory import blocked, handovers, learning, quarantine
from hermes_agent.memory.embedding import JOB as EMBED
from hermes_agent.memory.fact_journal import write_down
from hermes_agent.memory.facts import told
from hermes_agent.memory.naming import named_in
from hermes_agent.memory.notebook import Notebook
from hermes_agent.memory.seen import require_same
from hermes_agent.memory.told_by_program import told_as_fact
from hermes_agent.records.archive import Message
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.learning import Again
from hermes_agent.records.memory import Fact
from hermes_agent.records.notes import Operation, Refused
from hermes_agent.records.quarantine import NewQuarantined, Quarantined
from hermes_agent.store import canonical, entities, facts, jobs, messages, present
from hermes_agent.store import quarantine as rows
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store

HANDED_OVER = "handed_over"
"""Why something is reviewed that nothing is suspicious about."""


def accept(
    store: Store,
    notebook: Notebook,
    typed: str,
    *,
    zone: tzinfo | None = None,
    cause: str | None = None,
    seen: Quarantined | None = None,
) -> Quarantined:
    """Let something count like the owner's word: a note is written, a message is recalled and learned from.

    What a program told as a fact becomes one. `zone` is the owner's.
    ChangedMeanwhile if it is not what was `seen`.
    """
    one = quarantine.require(store, typed)
    require_same(one, seen)
    if one.target is not None:
        # Written first: a note that is full must leave it waiting.
        _write(notebook, one, cause)
    with store.write() as connection:
        require_same(rows.get(connection, one.id), seen)
        quarantine.decide(connection, one, "accepted", cause)
        message = None if one.message_id is None else messages.get(connection, one.message_id)
        if one.kind == "message" and message is not None:
            program = told_as_fact(message)
            if program is None:
                learning.learn_accepted(connection, store, message, zone)
            else:
                _hold_true(connection, store, message, program, cause)
    return quarantine.require(store, typed)


def accept_handover(
    store: Store, typed: str, *, zone: tzinfo | None = None, cause: str | None = None
) -> list[Quarantined]:
    """Let what another profile handed over count like the owner's word; return what was accepted.

    What speaks to the assistant waits by itself, to be decided about one by one.
    """
    one = handovers.require(store, typed)
    if one.direction == "sent" or one.session_id is None or one.state == "revoked":
        raise UsageError(f"{one.name} gave nothing to this profile that stands.", hint="hermes profile handovers")
    accepted: list[Quarantined] = []
    with store.write() as connection:
        facts.lock(connection)
        for message in list(messages.of_session(connection, one.session_id)):
            new = NewQuarantined("message", one.session_id, message.source_class, (HANDED_OVER,), message.id)
            added = rows.add(connection, new)
            if added is None:
                continue  # decided about before, or it waits
            quarantine.decide(connection, added, "accepted", cause)
            _trust_facts(connection, message.uid, one.name)
            learning.learn_accepted(connection, store, message, zone)
            accepted += [found] if (found := rows.get(connection, added.id)) is not None else []
    return accepted


def _trust_facts(connection: Connection, message_uid: str, cause: str) -> None:
    for fact in facts.said_in(connection, [message_uid]):
        if fact.state == "current" and fact.trust == "untrusted":
            _trust(connection, fact, cause)


def _trust(connection: Connection, fact: Fact, cause: str | None) -> None:
    canonical.change(connection, "facts", "uid", fact.uid, {"source_class": "user"})
    text = f"{fact.name} was accepted: “{fact.text}”."
    write_down(connection, NewEntry("fact.accepted", fact.name, text, cause=cause), changed=[fact])


def _hold_true(connection: Connection, store: Store, message: Message, program: str, cause: str | None) -> None:
    """Hold to be true what a program told and the owner accepted; it replaces nothing, the owner decides then."""
    # Imported here: the grammar takes a while to load, and most of what is decided needs none.
    from hermes_agent.learn.restating import slot_of
    from hermes_agent.memory import by_hand

    sentence = message.content or ""
    slot = slot_of(sentence)
    stated = () if slot is None else (subject_of(slot.who), slot.attribute, slot.value)
    facts.lock(connection)
    blocked.refuse(connection, sentence, *stated)
    outcome = by_hand.decide(connection, store, sentence, slot)
    if isinstance(outcome, Again):
        if outcome.known.trust == "untrusted":
            _trust(connection, outcome.known, cause)
        return
    now = present.now(connection)
    made = facts.add(connection, store.engine, by_hand.accepted(message, program, outcome, now))
    rivals = by_hand.rivals(outcome)
    disputes = facts.dispute(connection, made.id, [one.id for one in rivals], f"{program} told otherwise", now)
    text = f"{made.name} was accepted: “{made.text}”."
    entry = NewEntry("fact.accepted", made.name, text, cause=cause, after=told(made))
    write_down(connection, entry, added=[made], disputes=disputes)
    entities.link(connection, "fact", {made.id: named_in([sentence])})
    jobs.add(connection, EMBED, EMBED)


def reject(store: Store, typed: str, *, cause: str | None = None, seen: Quarantined | None = None) -> Quarantined:
    """Never use something: it is neither recalled nor learned from, and waits no more.

    ChangedMeanwhile if it is not what was `seen`.
    """
    one = quarantine.require(store, typed)
    with store.write() as connection:
        require_same(rows.get(connection, one.id), seen)
        quarantine.decide(connection, one, "rejected", cause)
    return quarantine.require(store, typed)


def reject_all(store: Store, seen: Sequence[Quarantined], *, cause: str | None = None) -> None:
    """Reject everything that waits, all or nothing; ChangedMeanwhile if that is not what was seen."""
    with store.write() as connection:
        require_same(rows.recent(connection, len(seen) + 1, "waiting"), list(seen))
        for one in seen:
            quarantine.decide(connection, one, "rejected", cause)


def _write(notebook: Notebook, one: Quarantined, cause: str | None) -> None:
    """Write an entry that waited into its note; one that was written already stays there once."""
    assert one.target is not None, "a note that waits has a place"
    if one.state == "accepted":
        return
    operation = Operation("add", one.text)
    outcome = notebook.change(one.target, [operation], actor="owner", session_id=one.session_id, cause=cause)
    if isinstance(outcome, Refused):
        raise HermesError(outcome.error, hint="Mend that, then accept it again.")
