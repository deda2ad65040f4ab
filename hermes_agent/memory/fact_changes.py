"""What the owner changes about a fact: its words, whether it is pinned, until when it is true.

An edit corrects what was wrong: a new fact takes the place of the old one, from when that was said to be true, and
the old one was true at no time. What was right and has changed is expired instead.
"""

from dataclasses import replace

from hermes_agent import clock
from hermes_agent.errors import UsageError
from hermes_agent.ids import new_uid
from hermes_agent.learn.reconcile import stated
from hermes_agent.learn.subjects import subject_of
from hermes_agent.memory import blocked
from hermes_agent.memory.embedding import JOB as EMBED
from hermes_agent.memory.fact_journal import write_down
from hermes_agent.memory.facts import IMPORTED, Added, one_line, require, require_current, told
from hermes_agent.memory.naming import named_in
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.memory import Fact, NewFact
from hermes_agent.records.statements import Statement
from hermes_agent.store import entities, facts, jobs, present
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store
from hermes_agent.text.secrets import redact


def edit(
    store: Store,
    typed: str,
    text: str,
    *,
    actor: str = "owner",
    cause: str | None = None,
    is_own: bool = True,
    seen: Fact | None = None,
) -> Added:
    """Let a sentence take the place of a fact; it keeps the slot if it still speaks of it.

    It is the owner's word unless `is_own` says that another program's is corrected by one. `seen` is the fact as
    whoever corrects it looked at it.
    """
    sentence, kinds = redact(one_line(text))
    with store.write() as connection:
        facts.lock(connection)
        former = require_current(connection, typed, seen)
        _refuse_known(connection, store, former, sentence)
        blocked.refuse(connection, sentence)
        slot = None if kinds else _slot(former, sentence)
        entry_uid = new_uid()
        corrected = _corrected(former, sentence, slot, entry_uid, present.now(connection))
        if not is_own:
            reason = f"corrected by {actor}"
            corrected = replace(corrected, source_class="import", confidence=IMPORTED, confidence_reason=reason)
        made = facts.add(connection, store.engine, corrected)
        facts.pin(connection, made.id, is_pinned=former.is_pinned)
        facts.end(connection, former.id, "superseded", made.learned_at, superseded_by=made.uid)
        facts.set_valid_to(connection, former.id, None)
        entry = NewEntry(
            "fact.edited",
            former.name,
            f"{former.name} was edited: {made.name} stands in its place.",
            actor,
            cause,
            told(former),
            {**told(made), "fact": made.name},
        )
        write_down(connection, entry, changed=[former], added=[made], uid=entry_uid)
        entities.link(connection, "fact", {made.id: named_in([sentence])})
        jobs.add(connection, EMBED, EMBED)
        return Added(require(connection, made.id), kinds)


def pin(
    store: Store,
    typed: str,
    *,
    is_pinned: bool = True,
    actor: str = "owner",
    cause: str | None = None,
    seen: Fact | None = None,
) -> Fact:
    """Keep a fact whatever is said, or no longer; one that is so already is left alone."""
    with store.write() as connection:
        facts.lock(connection)
        before = require_current(connection, typed, seen)
        if before.is_pinned == is_pinned:
            return before
        facts.pin(connection, before.id, is_pinned=is_pinned)
        change = ("fact.pinned", "was pinned") if is_pinned else ("fact.unpinned", "is not pinned any more")
        return _journalled(connection, before, change, actor, cause)


def expire(
    store: Store,
    typed: str,
    at: int | None,
    *,
    actor: str = "owner",
    cause: str | None = None,
    seen: Fact | None = None,
) -> Fact:
    """Say until when a fact is true, None if no end is known; a moment that is past ends it now."""
    with store.write() as connection:
        facts.lock(connection)
        before = require_current(connection, typed, seen)
        if at is not None and before.valid_from is not None and at <= before.valid_from:
            raise UsageError(
                f"{before.name} is true only from {clock.iso(before.valid_from)} on.",
                hint="Name a later day, or delete the fact if it never was true.",
            )
        if before.valid_to == at:
            return before
        facts.set_valid_to(connection, before.id, at)
        now = clock.now()
        is_past = at is not None and at <= now
        if is_past:
            facts.end(connection, before.id, "superseded", now)
        until = "" if at is None else f"{'was' if is_past else 'is'} true until {clock.iso(at)}"
        return _journalled(connection, before, ("fact.expired", until or "has no end"), actor, cause)


def _refuse_known(connection: Connection, store: Store, former: Fact, sentence: str) -> None:
    known = facts.alike(connection, store.engine, sentence)
    if former.text == sentence:
        raise UsageError(f"{former.name} says so already.", hint="Write what it should say instead.")
    if known is not None and known.id != former.id:
        raise UsageError(
            f"{known.name} says so already.",
            hint=f"Delete the wrong one: hermes memory fact delete {former.name}",
        )


def _slot(former: Fact, sentence: str) -> Statement | None:
    if not former.subject or not former.attribute:
        return None
    # Imported here: the grammar takes a while to load, and every command of the group would wait for it.
    from hermes_agent.learn.restating import restated

    return restated(sentence, stated(former))


def _corrected(former: Fact, sentence: str, slot: Statement | None, entry_uid: str, now: int) -> NewFact:
    return NewFact(
        sentence,
        source_class="user",
        confidence=1.0,
        confidence_reason="corrected by the owner",
        said_at=now,
        learned_at=now,
        subject=None if slot is None else subject_of(slot.who),
        attribute=None if slot is None else slot.attribute,
        value=None if slot is None else slot.value,
        polarity="is" if slot is None else slot.polarity,
        valid_from=former.said_at if former.valid_from is None else former.valid_from,
        valid_to=former.valid_to,
        source_entry=entry_uid,
    )


def _journalled(
    connection: Connection, before: Fact, change: tuple[str, str], actor: str, cause: str | None
) -> Fact:
    """Write down a change of a fact: its kind, and what is so now."""
    kind, said = change
    entry = NewEntry(kind, before.name, f"{before.name} {said}.", actor, cause, told(before), told(before))
    write_down(connection, entry, changed=[before])
    return require(connection, before.id)
