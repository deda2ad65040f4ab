"""Facts the owner adds by hand, or accepts, beside what is known: the same, in its place, against it, or new."""

from collections.abc import Sequence
from dataclasses import replace

from hermes_agent.learn import attributes
from hermes_agent.learn.reconcile import reconcile, said_again
from hermes_agent.learn.saying_same import tells_another_number
from hermes_agent.learn.subjects import subject_of
from hermes_agent.memory.beside import beside
from hermes_agent.records.archive import Message
from hermes_agent.records.learning import Again, Candidate, Disputed, Heard, Instead, New, Outcome
from hermes_agent.records.memory import Fact, NewFact
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
    return _with_slot(new, outcome)


def accepted(message: Message, program: str, outcome: Outcome | None, now: int) -> NewFact:
    """Return the fact that a program's message makes, now that the owner accepted it."""
    sentence = message.content or ""
    new = NewFact(
        sentence,
        source_class="user",
        confidence=1.0,
        confidence_reason=f"told by {program}, accepted by the owner",
        said_at=message.said_at,
        learned_at=now,
        source_message=message.uid,
        span_start=0,
        span_end=len(sentence),
    )
    return _with_slot(new, outcome)


def rivals(outcome: Outcome | None) -> Sequence[Fact]:
    """Return what is known that cannot be true beside the sentence."""
    if isinstance(outcome, Instead):
        return outcome.former
    return outcome.rivals if isinstance(outcome, Disputed) else ()


def _with_slot(new: NewFact, outcome: Outcome | None) -> NewFact:
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
