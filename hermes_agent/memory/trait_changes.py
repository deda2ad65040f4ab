"""Correct what is known of the user, as their owner sees it: line by line.

Nothing of the user model is stored: it is read from all facts, which takes seconds where there are many; what was
read last is kept while none of them changed. A line that was told goes with the facts behind it; one that was
concluded is refused, which the versions of USER.md remember (`curation`): its facts stay, and it is not concluded
again.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import tzinfo
from weakref import WeakKeyDictionary

from hermes_agent import clock
from hermes_agent.errors import ChangedMeanwhile, NotFound
from hermes_agent.memory import curated_past, curation, facts, user_model
from hermes_agent.memory.notebook import Notebook
from hermes_agent.notes import format
from hermes_agent.records.notes import SUBJECTS, Grounds
from hermes_agent.records.user_model import Trait
from hermes_agent.store import facts as store_facts
from hermes_agent.store import journal
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store

_TRIES = 5
_CHANGING = ("fact", "note", "memory")
"""The kinds of entries after which something else may be known."""


@dataclass(frozen=True, slots=True)
class _Read:
    """What was known when the journal had come to an entry, at a moment."""

    entry: int
    at: int
    zone: tzinfo | None
    traits: Sequence[Trait]


_last: WeakKeyDictionary[Store, _Read] = WeakKeyDictionary()


def every(store: Store, zone: tzinfo | None) -> Sequence[Trait]:
    """Return what is known of the user, without what they refused."""
    now = clock.now()
    with store.read() as connection:
        entry = journal.last_id(connection)
        last = _last.get(store)
        if last is not None and last.zone == zone and not _has_changed(connection, last, entry, now):
            return last.traits
    known = user_model.model(user_model.read(store), zone, curation.refused_lines(store))
    _last[store] = _Read(entry, now, zone, known)
    return known


def _has_changed(connection: Connection, last: _Read, entry: int, now: int) -> bool:
    if entry < last.entry or (entry > last.entry and _has_entry(connection, last.entry)):
        return True
    return store_facts.has_turned(connection, last.at, now)


def _has_entry(connection: Connection, after: int) -> bool:
    return any(journal.has_after(connection, after, kind, without="") for kind in _CHANGING)


def key_of(trait: Trait) -> str:
    """Return what names a line while it says the same."""
    return hashlib.sha256(f"{trait.facet}\n{trait.basis}\n{trait.text}".encode()).hexdigest()[:16]


def find(store: Store, zone: tzinfo | None, key: str) -> Trait:
    """Return the line with a key."""
    for trait in every(store, zone):
        if key_of(trait) == key:
            return trait
    raise NotFound("That is not known of you any more.", hint="It was corrected, or follows from nothing now.")


def delete(notebook: Notebook, trait: Trait, *, cause: str | None = None) -> str:
    """Let go of a line as it was seen; return what the journal calls the change that undoing takes it back by.

    ChangedMeanwhile if a fact behind it is another by now; all of them go, or none.
    """
    if trait.basis == "concluded":
        return _refuse(notebook, trait, cause)
    facts.delete_together(notebook.store, trait.facts, cause=cause)
    return trait.facts[0].name


def _refuse(notebook: Notebook, trait: Trait, cause: str | None) -> str:
    """Take a conclusion out of USER.md; one that is not in it is put there first, so that its versions tell."""
    grounds = Grounds(trait.basis, None, trait.confidence, [fact.uid for fact in trait.facts])
    for _ in range(_TRIES):
        text = notebook.settle("user")
        if text is None:
            notebook.text("user")  # says why it cannot be read
        entries = format.unique(format.parse(text or ""))
        rest = [entry for entry in entries if entry != trait.text]
        if len(rest) == len(entries):
            told = format.render([*entries, trait.text])
            if notebook.rewrite("user", text or "", told, curated_past.ACTOR, {trait.text: grounds}) is None:
                continue
            text = told
        if notebook.rewrite("user", text or "", format.render(rest), "owner", {}, cause=cause) is not None:
            return SUBJECTS["user"]
    raise ChangedMeanwhile("USER.md is being changed all the time.", hint="Try again.")
