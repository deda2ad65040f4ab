"""Keep memory good over months: merge what says the same, join spellings, archive skills that nobody reads.

What to do is decided first, from what is kept (`learn/tidying.py`, `learn/same_things.py`), and may be shown
only. Each change is then made in a transaction of its own with its journal entry, if it still holds: whoever is
stopped in between has made some of them whole, whoever comes again makes the rest, and whoever comes a third
time finds nothing to do. What the owner undid is not proposed again; notes that fill up are named, never
rewritten.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hermes_agent import clock
from hermes_agent.learn.same_things import JOINED_KINDS, Join, joins
from hermes_agent.learn.tidying import (
    FactMerge,
    Pair,
    ReflectionMerge,
    fact_merges,
    is_same_fact,
    is_same_reflection,
    left_alone,
    reflection_merges,
)
from hermes_agent.memory import skill_upkeep
from hermes_agent.memory.fact_journal import write_down
from hermes_agent.memory.full_notes import FullNote, UnreadNote, full_notes
from hermes_agent.memory.notebook import Notebook
from hermes_agent.memory.reflections import FILE
from hermes_agent.memory.skill_upkeep import Unused
from hermes_agent.records.changes import UNDONE, between, change_of, described, standing, whole
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.reflections import Reflection, is_stale
from hermes_agent.store import entity_joins, facts, jobs, journal, meta, reflections
from hermes_agent.store.engine import Connection
from hermes_agent.store.store import Store

JOB = "tidy"
ACTOR = "tidy"
LAST = "last_tidy"
"""When memory was last tidied."""
_FACT, _REFLECTION, _THING = "fact.merged", "reflection.merged", "thing.joined"
_MOST = 200_000
"""So many records of each kind are compared; a memory that has more has them compared by those that came last."""

Tidying = FactMerge | ReflectionMerge | Join | Unused
"""Something to do."""


@dataclass(frozen=True, slots=True)
class Proposals:
    """What is to be done, and what there is to say beside it."""

    facts: Sequence[FactMerge]
    reflections: Sequence[ReflectionMerge]
    things: Sequence[Join]
    skills: Sequence[Unused]
    stale_reflections: int
    """So many lessons are ranked lower: old, never met again, not brought back since."""
    notes: Sequence[FullNote | UnreadNote]

    @property
    def changes(self) -> list[Tidying]:
        """All of them in the order they are made."""
        return [*self.facts, *self.reflections, *self.things, *self.skills]


def propose(store: Store, notebook: Notebook, archive_after_days: int) -> Proposals:
    """Say what is to be tidied; nothing is changed."""
    now = clock.now()
    with store.read() as connection:
        held = [one for one in facts.recent(connection, _MOST) if not one.has_expired(now)]
        lessons = reflections.recent(connection, _MOST)
        brought = reflections.brought(connection, [one.id for one in lessons])
        disputed = facts.disputed(connection)
        apart = _taken_apart(connection)
        things = _joins(connection, apart)
    pairs = [frozenset(names) for names in apart if len(names) == 2]
    return Proposals(
        facts=fact_merges(held, disputed, pairs),
        reflections=reflection_merges(lessons, pairs),
        things=things,
        skills=skill_upkeep.unused(store, archive_after_days, now),
        stale_reflections=sum(
            is_stale(one.ended_at, one.occurrences, brought.get(one.id), now) for one in lessons
        ),
        notes=full_notes(notebook),
    )


def make(store: Store, skills_folder: Path, change: Tidying) -> bool:
    """Make a change if it still holds; tell whether it was made."""
    match change:
        case FactMerge(kept, merged):
            return _merge_facts(store, kept.id, merged.id)
        case ReflectionMerge(kept, merged):
            return _merge_reflections(store, kept.id, merged.id)
        case Join():
            return _join(store, change)
        case Unused():
            return skill_upkeep.archive(store, skills_folder, change)


def begin(store: Store) -> None:
    """Give things that are named again their spellings, and let a lesson count again whose counterpart is gone."""
    with store.write() as connection:
        entity_joins.restore(connection)
        reflections.lock(connection)
        for one in _left_alone(connection):
            reflections.set_state(connection, one.id, "current")
            jobs.add(connection, FILE, FILE)
            text = f"{one.name} counts again: “{one.task}”."
            entry = NewEntry(
                "reflection.restored", one.name, text, ACTOR, "What it was merged into says something else."
            )
            change = between(whole([one]), whole([replace(one, state="current")]))
            journal.write(connection, described(entry, change))


def finish(store: Store) -> None:
    """Keep when memory was tidied."""
    with store.write() as connection:
        meta.put(connection, LAST, str(clock.now()))


def told(change: Tidying) -> str:
    """Say in a few words what a change does."""
    match change:
        case FactMerge(kept, merged):
            return f"{merged.name} “{merged.text}” into {kept.name} “{kept.text}”"
        case ReflectionMerge(kept, merged):
            return f"{merged.name} “{merged.task}” into {kept.name} “{kept.task}”"
        case Join(other, thing):
            return f"“{other.name}” is “{thing.name}”"
        case Unused(kept, days):
            return f"{kept.skill}, not used for {days} days"


def _merge_facts(store: Store, kept_id: int, merged_id: int) -> bool:
    with store.write() as connection:
        facts.lock(connection)
        found = facts.get_many(connection, [kept_id, merged_id])
        kept, merged = found.get(kept_id), found.get(merged_id)
        if kept is None or merged is None or {kept.state, merged.state} != {"current"}:
            return False
        is_free = not (kept.is_pinned or merged.is_pinned or {kept_id, merged_id} & facts.disputed(connection))
        if not is_free or not is_same_fact(kept, merged):
            return False
        facts.merge(connection, merged, kept, clock.now())
        text = f"{merged.name} was merged into {kept.name}: “{merged.text}”."
        entry = NewEntry(
            _FACT, merged.name, text, ACTOR, "They say the same.", {"text": merged.text}, {"text": kept.text}
        )
        write_down(connection, entry, changed=[kept, merged])
    return True


def _merge_reflections(store: Store, kept_id: int, merged_id: int) -> bool:
    with store.write() as connection:
        reflections.lock(connection)
        before = reflections.get_many(connection, [kept_id, merged_id])
        kept, merged = before.get(kept_id), before.get(merged_id)
        if kept is None or merged is None or {kept.state, merged.state} != {"current"}:
            return False
        if not is_same_reflection(kept, merged):
            return False
        reflections.merge(connection, merged.id, kept.id)
        jobs.add(connection, FILE, FILE)
        text = f"{merged.name} was merged into {kept.name}: “{merged.task}”."
        entry = NewEntry(_REFLECTION, merged.name, text, ACTOR, "They say the same.")
        after = reflections.get_many(connection, [kept_id, merged_id])
        change = between(whole(list(before.values())), whole(list(after.values())))
        journal.write(connection, described(entry, change))
    return True


def _join(store: Store, join: Join) -> bool:
    joined = join.joined
    with store.write() as connection:
        entity_joins.lock(connection)
        if (joined.alias, joined.key) in entity_joins.aliases(connection):
            return False
        entity_joins.change(connection, added=[joined])
        text = f"“{join.other.name}” and “{join.thing.name}” were joined: they are one thing."
        entry = NewEntry(_THING, join.thing.name, text, ACTOR, "They are two spellings of it.")
        journal.write(connection, described(entry, between({}, whole([joined]))))
    return True


def _joins(connection: Connection, apart: Collection[Pair]) -> list[Join]:
    refused = [tuple(name.removeprefix("alias:").split("=")) for names in apart for name in names if "=" in name]
    pairs = [(one[0], one[1]) for one in refused if len(one) == 2]
    aliases = entity_joins.aliases(connection)
    known = {*aliases, *((one.alias, one.key) for one in entity_joins.every(connection))}
    found = joins(entity_joins.things(connection, JOINED_KINDS, _MOST), known, pairs)
    return [one for one in found if not entity_joins.are_named_together(connection, one.other.id, one.thing.id)]


def _left_alone(connection: Connection) -> list[Reflection]:
    """Return the merged reflections for which none stands any more: its task went otherwise after all."""
    merged = reflections.merged(connection)
    return left_alone(merged, reflections.standing(connection)) if merged else []


def _taken_apart(connection: Connection) -> list[Pair]:
    """Return the names of what was merged or joined, and is so no more because somebody undid it."""
    entries = journal.of_kinds(connection, (_FACT, _REFLECTION, _THING, *UNDONE))
    return [
        frozenset(change.names)
        for entry, stands in standing(entries)
        if not stands and entry.kind not in UNDONE and (change := change_of(entry)) is not None
    ]
