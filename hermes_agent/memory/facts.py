"""The owner's verbs on facts: add, list, show and delete; each change with its journal entry.

What the owner says is certain. Deleting is an ordinary change: the fact ends, it is not erased, and
what was believed before can still be asked for. What was said up to then does not bring it back.
How a fact changes otherwise stands in `fact_changes.py`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from hermes_agent import clock
from hermes_agent.errors import NotFound, UsageError
from hermes_agent.ids import new_uid
from hermes_agent.learn.matching import same_person
from hermes_agent.learn.subjects import subject_of, who_named
from hermes_agent.memory import blocked, numbers
from hermes_agent.memory.embedding import JOB as EMBED
from hermes_agent.memory.fact_journal import write_down
from hermes_agent.memory.naming import named_in
from hermes_agent.memory.seen import require_same
from hermes_agent.records.archive import Message
from hermes_agent.records.journal import Entry, NewEntry
from hermes_agent.records.learning import Again, Disputed, Instead
from hermes_agent.records.memory import Fact, NewFact, fact_name
from hermes_agent.records.statements import USER, WE, Who
from hermes_agent.store import entities, facts, jobs, journal, messages, present, undone_facts
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store
from hermes_agent.text.clean import printable
from hermes_agent.text.entity_keys import entity_key
from hermes_agent.text.secrets import redact

Imported = Literal["new", "known", "owned", "forgotten"]
"""What became of a sentence that another program remembered; `owned` came before without its owner's word."""

LONGEST = 2_000
IMPORTED = 0.6
"""How sure a sentence is that another program remembered: who said it, and how, is not known."""
_BLOCK = 500
_MOST_NAMING = 100_000
_ME = ("me", "i", "myself", "user", "the user")
_US = ("us", "we", "our team", "my team", "the team")


@dataclass(frozen=True, slots=True)
class Added:
    """A fact that is new; `redacted` names the secrets that were taken out of it."""

    fact: Fact
    redacted: Sequence[str]


@dataclass(frozen=True, slots=True)
class KnownAlready:
    """A fact that was there, and is now said once more."""

    fact: Fact


@dataclass(frozen=True, slots=True)
class Sourced:
    """A fact with the message it was said in, if that is still there, what it replaced, and what replaced it."""

    fact: Fact
    message: Message | None
    former: Sequence[Fact]
    later: Fact | None


def add(store: Store, text: str, *, actor: str = "owner", cause: str | None = None) -> Added | KnownAlready:
    """Keep what the owner says is true; said twice, it is one fact said twice.

    It takes the place of what cannot be true beside it, unless that is pinned: then both are kept, and listed.
    """
    # Imported here: the grammar takes a while to load, and every command of the group would wait for it.
    from hermes_agent.learn.restating import slot_of
    from hermes_agent.memory import by_hand

    sentence, kinds = redact(one_line(text))
    slot = None if kinds else slot_of(sentence)
    with store.write() as connection:
        facts.lock(connection)
        stated = (None,) * 3 if slot is None else (subject_of(slot.who), slot.attribute, slot.value)
        blocked.refuse(connection, sentence, *stated)
        outcome = by_hand.decide(connection, store, sentence, slot)
        if isinstance(outcome, Again):
            return KnownAlready(_corroborate(connection, outcome.known, actor, cause))
        former = list(outcome.former) if isinstance(outcome, Instead) else []
        now = present.now(connection)
        entry_uid = new_uid(now)
        made = facts.add(connection, store.engine, by_hand.new_fact(sentence, outcome, now, entry_uid))
        for fact in former:
            facts.end(connection, fact.id, "superseded", now, now, superseded_by=made.uid)
        disputes = (
            facts.dispute(connection, made.id, [fact.id for fact in outcome.rivals], outcome.reason, now)
            if isinstance(outcome, Disputed)
            else []
        )
        entry = NewEntry("fact.added", made.name, f"{made.name} was added.", actor, cause, after=told(made))
        write_down(connection, entry, added=[made], changed=former, disputes=disputes, uid=entry_uid)
        entities.link(connection, "fact", {made.id: named_in([sentence])})
        jobs.add(connection, EMBED, EMBED)
        return Added(made, kinds)


def add_imported(
    store: Store, sentence: str, said_at: int, whence: str, *, is_own: bool, actor: str = "owner"
) -> Imported:
    """Keep what another program remembered; what is said here already is left as it is. Tell what became of it.

    It is nobody's word unless the owner says that the memory is their own, and it replaces nothing: what it
    contradicts of the owner's is listed. What came before without that word has it then.
    """
    text, _ = redact(one_line(sentence))
    with store.write() as connection:
        facts.lock(connection)
        known = facts.alike(connection, store.engine, text)
        if known is not None and is_own and known.source_class == "import":
            facts.own(connection, known.id)
            text = f"{known.name} is the owner's own."
            entry = NewEntry("fact.imported", known.name, text, actor, before=told(known))
            write_down(connection, entry, changed=[known])
            return "owned"
        if known is not None:
            return "known"
        if blocked.is_blocked(connection, text):
            blocked.note_refused(connection, "facts", 1)
            return "forgotten"
        now = clock.now()
        entry_uid = new_uid(now)
        new = imported(text, said_at, whence, entry_uid, is_own=is_own)
        rivals = [one for one in _contradicted(connection, store, text) if is_own or is_owners(one)]
        made = facts.add(connection, store.engine, new)
        disputes = facts.dispute(connection, made.id, [one.id for one in rivals], f"{whence} told otherwise", now)
        said = f"{made.name} was imported from {whence}."
        entry = NewEntry("fact.imported", made.name, said, actor, after=told(made))
        write_down(connection, entry, added=[made], disputes=disputes, uid=entry_uid)
        entities.link(connection, "fact", {made.id: named_in([text])})
        jobs.add(connection, EMBED, EMBED)
        return "new"


def imported(text: str, said_at: int, whence: str, entry_uid: str, *, is_own: bool = False) -> NewFact:
    """Return what another program remembered as a fact that is about to be kept."""
    return NewFact(
        text=text,
        source_class="user" if is_own else "import",
        confidence=IMPORTED,
        confidence_reason=f"remembered by {whence}",
        said_at=said_at,
        source_entry=entry_uid,
    )


def is_owners(fact: Fact) -> bool:
    """Tell whether a fact is the owner's word, or was made so by pinning it."""
    return fact.trust == "owner" or fact.is_pinned


def _contradicted(connection: Connection, store: Store, sentence: str) -> list[Fact]:
    """Return what is known that cannot be true beside a sentence from elsewhere: it replaces none of that."""
    from hermes_agent.learn.restating import slot_of
    from hermes_agent.memory import by_hand

    slot = slot_of(sentence)
    return [] if slot is None else list(by_hand.rivals(by_hand.decide(connection, store, sentence, slot)))


def learned_from(store: Store, said: Sequence[Message]) -> list[Fact]:
    """Return the facts that were learned from messages."""
    with store.read() as connection:
        return facts.said_in(connection, [one.uid for one in said])


def recent(
    store: Store,
    limit: int,
    *,
    with_ended: bool = False,
    about: str | None = None,
    as_of: int | None = None,
    believed: int | None = None,
    offset: int = 0,
) -> list[Fact]:
    """Return the facts learned last, the newest first: about somebody or something, true or believed once."""
    with store.read() as connection:
        among = None if about is None else about_ids(connection, about)
        return facts.recent(
            connection,
            limit,
            with_ended=with_ended,
            among=among,
            as_of=as_of,
            believed=believed,
            offset=offset,
        )


def get(store: Store, typed: str) -> Fact:
    """Return the fact that a person names."""
    with store.read() as connection:
        return require(connection, numbers.read(typed, "fact"))


def sourced(store: Store, found: Sequence[Fact]) -> list[Sourced]:
    """Return facts, each with the message it was said in and what it replaced or was replaced by."""
    with store.read() as connection:
        said = messages.by_uids(connection, [fact.source_message for fact in found if fact.source_message])
        former = facts.replaced_by(connection, [fact.uid for fact in found])
        later = facts.by_uids(connection, [fact.superseded_by for fact in found if fact.superseded_by])
    return [
        Sourced(
            fact,
            said.get(fact.source_message or ""),
            [one for one in former if one.superseded_by == fact.uid],
            later.get(fact.superseded_by or ""),
        )
        for fact in found
    ]


def source(store: Store, fact: Fact) -> Message | Entry | None:
    """Open what a fact came from: the message that says so, or the change that brought it."""
    with store.read() as connection:
        said = None if fact.source_message is None else messages.by_uid(connection, fact.source_message)
        if said is not None or fact.source_entry is None:
            return said
        return journal.get(connection, fact.source_entry)


def delete(
    store: Store, typed: str, *, actor: str = "owner", cause: str | None = None, seen: Fact | None = None
) -> Fact:
    """Stop holding a fact to be true; return it as it is then. `seen` is the fact as its owner looked at it."""
    with store.write() as connection:
        facts.lock(connection)
        before = require_current(connection, typed, seen)
        _retract(connection, before, actor, cause)
        return require(connection, before.id)


def delete_together(store: Store, seen: Sequence[Fact], *, actor: str = "owner", cause: str | None = None) -> None:
    """Stop holding facts to be true that stand for one thing, as their owner looked at them: all, or none."""
    with store.write() as connection:
        facts.lock(connection)
        for one in seen:
            # Caused by the first: whoever undoes that gets all of them back.
            entry = _retract(connection, require_current(connection, one.name, one), actor, cause)
            cause = entry if one is seen[0] else cause


def derive_next(store: Store, after: int) -> int | None:
    """Link the next facts to what they name anew; return the last of them, None at the end."""
    with store.write() as connection:
        found = facts.after(connection, after, _BLOCK)
        entities.unlink(connection, "fact", [fact.id for fact in found])
        entities.link(connection, "fact", {fact.id: named_in([fact.text]) for fact in found})
    return found[-1].id if found else None


def require(connection: Connection, number: int) -> Fact:
    """Return a fact that must be there."""
    found = facts.get(connection, number)
    if found is not None:
        return found
    undone = undone_facts.get(connection, number)
    if undone is None:
        raise NotFound(f"There is no {fact_name(number)}.", hint="List them: hermes memory facts list")
    raise NotFound(
        f"{fact_name(number)} was undone: “{undone.text}”.",
        hint=f"To make it again: hermes memory undo {undone.entry_uid}",
    )


def require_current(connection: Connection, typed: str, seen: Fact | None = None) -> Fact:
    """Return the fact that a person names and wants to change, if it is as they saw it.

    One that ended does not change any more.
    """
    fact = require(connection, numbers.read(typed, "fact"))
    require_same(fact, seen)
    if fact.state != "current":
        raise UsageError(
            f"{fact.name} is not held to be true any more.", hint=f"See it: hermes memory fact show {fact.name}"
        )
    return fact


def told(fact: Fact) -> dict[str, object]:
    """Return what an entry of the journal tells its reader of a fact, beside what changed."""
    return {"text": fact.text}


def one_line(text: str) -> str:
    """Bring what somebody typed to one sentence that can be a fact."""
    sentence = " ".join(printable(text).split())
    if not sentence:
        raise UsageError("There is nothing to remember.", hint='Say it: hermes memory fact add "…"')
    if len(sentence) > LONGEST:
        raise UsageError(
            f"A fact has at most {LONGEST:,} characters; this one has {len(sentence):,}.",
            hint="Say it shorter, or add several facts.",
        )
    return sentence


def _retract(connection: Connection, before: Fact, actor: str, cause: str | None) -> str:
    """End a fact; return the entry that tells it."""
    facts.end(connection, before.id, "retracted", clock.now())
    text = f"{before.name} was deleted."
    entry = NewEntry("fact.deleted", before.name, text, actor, cause, told(before), told(before))
    return write_down(connection, entry, changed=[before])


def _corroborate(connection: Connection, known: Fact, actor: str, cause: str | None) -> Fact:
    facts.corroborate(connection, known.id)
    text = f"{known.name} was said again."
    entry = NewEntry("fact.corroborated", known.name, text, actor, cause, told(known), told(known))
    write_down(connection, entry, changed=[known])
    return require(connection, known.id)


def about_ids(connection: Connection, name: str) -> list[int]:
    """Return the facts about somebody, and those that name the person or the thing."""
    who = _who(" ".join(name.split()))
    subjects = facts.people(connection, with_ended=True)
    same = [subject for subject in subjects if same_person(who_named(subject), who)]
    things = entities.resolve(connection, [entity_key(name)])
    ids = sorted({one for found in things.values() for one in found})
    return [*facts.ids_about(connection, same), *entities.items_of(connection, ids, "fact", _MOST_NAMING)]


def _who(name: str) -> Who:
    if name.lower() in _ME:
        return USER
    return WE if name.lower() in _US else who_named(re.sub(r"^my ", "", name, flags=re.IGNORECASE))
