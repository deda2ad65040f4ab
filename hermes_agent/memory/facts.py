"""The owner's verbs on facts: add, list, show and delete; each change with its journal entry.

What the owner says is certain. Deleting is an ordinary change: the fact ends, it is not erased, and
what was believed before can still be asked for.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hermes_agent import clock
from hermes_agent.errors import NotFound, UsageError
from hermes_agent.memory.embedding import JOB as EMBED
from hermes_agent.memory.naming import named_in
from hermes_agent.records.archive import Message
from hermes_agent.records.journal import Entry, NewEntry
from hermes_agent.records.memory import Fact, NewFact, fact_name
from hermes_agent.store import entities, facts, jobs, journal, messages
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store
from hermes_agent.text.clean import preview, printable
from hermes_agent.text.secrets import redact

LONGEST = 2_000
_BLOCK = 500
_NUMBER = re.compile(r"\[?(?:fact:|#)?0*([0-9]{1,18})\]?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Added:
    """A fact that is new; `redacted` names the secrets that were taken out of it."""

    fact: Fact
    redacted: Sequence[str]


@dataclass(frozen=True, slots=True)
class KnownAlready:
    """A fact that was there, and is now said once more."""

    fact: Fact


def add(store: Store, text: str, *, actor: str = "owner", cause: str | None = None) -> Added | KnownAlready:
    """Keep what the owner says is true; said twice, it is one fact said twice."""
    sentence, kinds = redact(_one_line(text))
    with store.write() as connection:
        facts.lock(connection)
        known = facts.alike(connection, store.engine, sentence)
        if known is not None:
            return KnownAlready(_corroborate(connection, known, actor, cause))
        now = clock.now()
        new = NewFact(
            sentence,
            source_class="user",
            confidence=1.0,
            confidence_reason="said by the owner",
            said_at=now,
            learned_at=now,
        )
        made = facts.add(connection, store.engine, new)
        entry = NewEntry("fact.added", made.name, f"{made.name} was added.", actor, cause, after=_outline(made))
        facts.set_source_entry(connection, made.id, journal.write(connection, entry))
        entities.link(connection, "fact", {made.id: named_in([sentence])})
        jobs.add(connection, EMBED, EMBED)
        return Added(_require(connection, made.id), kinds)


def recent(store: Store, limit: int, *, with_ended: bool = False) -> list[Fact]:
    """Return the facts learned last, the newest first."""
    with store.read() as connection:
        return facts.recent(connection, limit, with_ended=with_ended)


def get(store: Store, typed: str) -> Fact:
    """Return the fact that a person names."""
    with store.read() as connection:
        return _require(connection, number_of(typed))


def source(store: Store, fact: Fact) -> Message | Entry | None:
    """Open what a fact came from: the message that says so, or the change that brought it."""
    with store.read() as connection:
        said = None if fact.source_message is None else messages.by_uid(connection, fact.source_message)
        if said is not None or fact.source_entry is None:
            return said
        return journal.get(connection, fact.source_entry)


def delete(store: Store, typed: str, *, actor: str = "owner", cause: str | None = None) -> Fact:
    """Stop holding a fact to be true; return it as it is then."""
    with store.write() as connection:
        before = _require(connection, number_of(typed))
        if not facts.end(connection, before.id, "retracted", clock.now()):
            raise UsageError(
                f"{before.name} is not held to be true any more.",
                hint=f"See it: hermes memory fact show {before.name}",
            )
        after = _require(connection, before.id)
        text = f"{before.name} was deleted."
        journal.write(
            connection,
            NewEntry(
                "fact.deleted", before.name, text, actor, cause, before=_outline(before), after=_outline(after)
            ),
        )
        return after


def number_of(typed: str) -> int:
    """Read a fact's number as a person writes it: `fact:044`, `044`, `44`, `#44`."""
    match = _NUMBER.fullmatch(typed.strip())
    if match is None or not match[1].isascii():
        raise UsageError(
            f"{preview(typed)!r} is not the number of a fact.", hint="It looks like fact:042, 042 or 42."
        )
    return int(match[1])


def derive_next(store: Store, after: int) -> int | None:
    """Link the next facts to what they name anew; return the last of them, None at the end."""
    with store.write() as connection:
        found = facts.after(connection, after, _BLOCK)
        entities.unlink(connection, "fact", [fact.id for fact in found])
        entities.link(connection, "fact", {fact.id: named_in([fact.text]) for fact in found})
    return found[-1].id if found else None


def _one_line(text: str) -> str:
    sentence = " ".join(printable(text).split())
    if not sentence:
        raise UsageError("There is nothing to remember.", hint='Say it: hermes memory fact add "…"')
    if len(sentence) > LONGEST:
        raise UsageError(
            f"A fact has at most {LONGEST:,} characters; this one has {len(sentence):,}.",
            hint="Say it shorter, or add several facts.",
        )
    return sentence


def _corroborate(connection: Connection, known: Fact, actor: str, cause: str | None) -> Fact:
    facts.corroborate(connection, known.id)
    now = _require(connection, known.id)
    text = f"{known.name} was said again."
    times = known.corroborations, now.corroborations
    journal.write(connection, NewEntry("fact.corroborated", known.name, text, actor, cause, *times))
    return now


def _require(connection: Connection, number: int) -> Fact:
    found = facts.get(connection, number)
    if found is None:
        raise NotFound(f"There is no {fact_name(number)}.", hint="List them: hermes memory facts list")
    return found


def _outline(fact: Fact) -> dict[str, object]:
    return {"text": fact.text, "state": fact.state, "ended_at": fact.ended_at}
