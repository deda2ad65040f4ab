"""Facts the owner adds by hand, beside what is known: the same, in its place, against it, or new."""

from dataclasses import replace

from hermes_agent.learn import attributes
from hermes_agent.learn.reconcile import reconcile, said_again
from hermes_agent.learn.saying_same import tells_another_number
from hermes_agent.learn.subjects import subject_of
from hermes_agent.memory.beside import beside
from hermes_agent.records.learning import Again, Candidate, Heard, New, Outcome
from hermes_agent.records.memory import NewFact
from hermes_agent.records.statements import USER, Statement
from hermes_agent.store import facts, present
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store

_BY_HAND = "said by the owner"


def decide(connection: Connection, store: Store, sentence: str, slot: Statement | None) -> Outcome | None:
    """Decide what becomes of the owner's sentence beside what is known; None if it speaks of no slot."""
    stated = slot or Statement(USER, attributes.UNNAMED, sentence, 0, 0)
    heard = Heard("", sentence, present.now(connection))
    said = Candidate(stated, subject_of(stated.who), sentence, heard, 1.0, _BY_HAND)
    if slot is None:
        known = facts.alike(connection, store.engine, sentence)
        return None if known is None else said_again(said, known)
    found = beside(connection, store, said)
    outcome = reconcile(replace(found.candidate, text=sentence), found.known)
    # Who writes a fact down means its words: "I have cats" is not "I have a cat".
    is_other = isinstance(outcome, Again) and tells_another_number(sentence, outcome.known.text)
    return New(outcome.candidate) if is_other else outcome


def new_fact(sentence: str, outcome: Outcome | None, now: int, entry_uid: str) -> NewFact:
    """Return the fact that the owner's sentence makes, with the slot it was decided about."""
    new = NewFact(
        sentence,
        source_class="user",
        confidence=1.0,
        confidence_reason=_BY_HAND,
        said_at=now,
        learned_at=now,
        source_entry=entry_uid,
    )
    if outcome is None or outcome.candidate.statement.attribute == attributes.UNNAMED:
        return new
    stated = outcome.candidate.statement
    return replace(
        new,
        subject=outcome.candidate.subject,
        attribute=stated.attribute,
        value=stated.value,
        polarity=stated.polarity,
    )
