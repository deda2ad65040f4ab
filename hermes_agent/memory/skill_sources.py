"""The conversations that each line of a learned skill comes from, as the journal tells with its versions.

Lines are told apart as skills do it, in any case. A conversation that teaches what a skill says already is added
to the latest version that names any: so a line stays as long as one of its conversations does.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from hermes_agent.learn.learned_skill import listed
from hermes_agent.memory import skill_history
from hermes_agent.records.changes import told_in
from hermes_agent.records.journal import Entry
from hermes_agent.records.skills import KeptSkill
from hermes_agent.skills.validation import DOCUMENT
from hermes_agent.store import journal, skills
from hermes_agent.store.store import Store

SOURCES = "sources"
Sources = Mapping[str, Sequence[str]]
"""Conversations by the lines they taught."""


def of(entry: Entry) -> dict[str, list[str]]:
    """Return what one version tells."""
    told = told_in(entry, SOURCES)
    lines = told.items() if isinstance(told, dict) else ()
    return {line: [str(one) for one in ids] for line, ids in lines if isinstance(ids, list)}


def joined(entries: Iterable[Entry]) -> dict[str, set[str]]:
    """Return what versions tell together, by the casefolded lines."""
    found: dict[str, set[str]] = {}
    for entry in entries:
        for line, ids in of(entry).items():
            found.setdefault(line.casefold(), set()).update(ids)
    return found


def within(document: str, sources: Sources) -> dict[str, list[str]]:
    """Return the sources of the lines that a SKILL.md holds."""
    lines = {line.casefold() for line in listed(document)}
    return {line: list(ids) for line, ids in sources.items() if line.casefold() in lines}


def add(store: Store, kept: KeptSkill, sources: Sources) -> None:
    """Keep that conversations taught lines of a skill again."""
    again = within(kept.files.get(DOCUMENT, ""), sources)
    if not again or kept.made_by == "owner":
        return
    with store.write() as connection:
        skills.lock(connection)
        entries = skill_history.entries_of(connection, kept.skill, kept.name)
        known = joined(entries)
        new = {
            line: fresh
            for line, ids in sources.items()
            if line in again and (fresh := set(ids) - known.get(line.casefold(), set(ids)))
        }
        holder = next((entry for entry in entries if of(entry)), None)
        if new and holder is not None:
            journal.put(connection, _with(holder, new))


def _with(entry: Entry, new: Mapping[str, set[str]]) -> Entry:
    told = of(entry)
    spelt = {line.casefold(): line for line in told}
    for line, ids in new.items():
        own = spelt.setdefault(line.casefold(), line)
        told[own] = [*told.get(own, []), *sorted(ids)]
    after = entry.after if isinstance(entry.after, dict) else {}
    return replace(entry, after={**after, SOURCES: told})
