"""What is known beside something that is said: whom it is about, by every name, and the facts of its slot."""

from collections.abc import Sequence
from dataclasses import dataclass

from hermes_agent import clock
from hermes_agent.learn.attributes import ENDED
from hermes_agent.learn.candidates import called_in_full
from hermes_agent.learn.changing import KIN
from hermes_agent.learn.matching import same_person
from hermes_agent.learn.subjects import who_named
from hermes_agent.records.learning import Candidate
from hermes_agent.records.memory import Fact
from hermes_agent.store import facts
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store


@dataclass(frozen=True, slots=True)
class Beside:
    """A candidate by the fullest name of whom it is about, the current facts it may meet, and those that ended."""

    candidate: Candidate
    known: Sequence[Fact]
    over: Sequence[Fact]


def beside(connection: Connection, store: Store, said: Candidate) -> Beside:
    """Return what there is to be decided with."""
    subjects = _subjects(connection, said)
    candidate = called_in_full(said, subjects)
    over = facts.over(connection, subjects, candidate.statement.attribute, candidate.text)
    return Beside(candidate, _known(connection, store, candidate, subjects), over)


def _subjects(connection: Connection, candidate: Candidate) -> list[str]:
    """Return whom a candidate is about, by every name that facts call them."""
    who = candidate.statement.who
    if who.kind != "person":
        is_end = candidate.statement.polarity == "no longer"
        # What "I" planned "we" may have dropped.
        return ["user", "we"] if is_end and who.kind in ("user", "we") else [candidate.subject]
    people = facts.people(connection, with_ended=True)
    return [name for name in people if same_person(who_named(name), who)]


def _known(connection: Connection, store: Store, candidate: Candidate, subjects: Sequence[str]) -> list[Fact]:
    """Return the current facts of a candidate's slot, those in its very words, and those that it speaks of.

    What has come to an end may be of any slot.
    """
    stated = candidate.statement
    is_end = stated.polarity == "no longer" or stated.attribute == ENDED
    slot = facts.about(connection, subjects, None if is_end else stated.attribute)
    if stated.is_change and stated.attribute in KIN:
        slot += facts.about(connection, subjects, KIN[stated.attribute])
    alike = facts.alike(connection, store.engine, candidate.text)
    meant = facts.by_uids(connection, [*candidate.replaces, *filter(None, [candidate.repeats])])
    now = clock.now()
    held = [one for one in meant.values() if one.state == "current" and not one.has_expired(now)]
    return list({one.id: one for one in (*slot, *held, *filter(None, [alike]))}.values())
