"""Take out of learned skills what was said in conversations that are deleted, in the transaction that deletes.

Each line that learning writes is journalled with the conversations it comes from (`skill_sources.py`); it goes
when the last of these is gone, from every version and whatever became of the skill. One that holds no request any
more goes as well, for good. What its owner wrote or brought back is theirs, and stays. The folders follow when
they are brought in step with the store.
"""

from collections.abc import Iterable, Sequence

from hermes_agent.memory import skill_history, skill_past, skill_sources
from hermes_agent.memory.forgotten import SILENT
from hermes_agent.records.changes import UNDONE, Change, change_of
from hermes_agent.records.journal import Entry, NewEntry
from hermes_agent.records.skills import KeptSkill
from hermes_agent.store import journal, sessions, skills
from hermes_agent.store.engine import Connection

_OWNER, _LEARNING = "owner", "learning"
_WHY = "Conversations it was learned from were deleted."


def forget(connection: Connection, told: Iterable[Entry]) -> None:
    """Bring the skills, of which these entries tell where they come from, in step with the conversations."""
    for skill in sorted({entry.subject for entry in told if skill_sources.of(entry)}):
        for name in skill_history.names_of(connection, skill):
            _forget(connection, skill, name)


def _forget(connection: Connection, skill: str, name: str) -> None:
    kept = skills.get(connection, skill)
    kept = kept if kept is not None and kept.name == name else None
    entries = skill_history.entries_of(connection, skill, name)
    if _is_owners(kept, entries, name):
        return
    sources = skill_sources.joined(entries)
    there = sessions.get_many(connection, sorted({one for ids in sources.values() for one in ids})).keys()
    gone = {line for line, ids in sources.items() if not ids & there}
    left = {} if kept is None else skill_past.left_of(kept.files, gone)
    is_empty = kept is not None and not left
    for entry, former in zip(
        skill_past.retold(entries, name, gone, there, is_empty=is_empty), entries, strict=True
    ):
        if entry != former:
            journal.put(connection, entry)
    if kept is not None and left != kept.files:
        skills.set_left(connection, kept.id, left)
        journal.write(connection, _told(kept, is_empty=is_empty))


def _told(kept: KeptSkill, *, is_empty: bool) -> NewEntry:
    what = "went with the conversations it was learned from" if is_empty else "lost lines of deleted conversations"
    text = f"The skill {kept.skill} {what}."
    return NewEntry("skill.forgotten", kept.skill, text, _LEARNING, _WHY, after={SILENT: True})


def _is_owners(kept: KeptSkill | None, entries: Sequence[Entry], name: str) -> bool:
    """Tell whether the owner made a skill, wrote into it, or brought it back."""
    if kept is not None and kept.made_by == _OWNER:
        return True
    changes = [(entry, change) for entry in entries if (change := change_of(entry)) is not None]
    if any(change.after.get(name, {}).get("made_by") == _OWNER for _, change in changes):
        return True
    return any(entry.actor == _OWNER and _is_wanted(entry, change, name) for entry, change in changes)


def _is_wanted(entry: Entry, change: Change, name: str) -> bool:
    before, after = change.before.get(name), change.after.get(name)
    if before is None or after is None:
        return False
    is_brought_back = after.get("state") == "live" and "state" in before
    return is_brought_back or ("files" in after and entry.kind not in UNDONE)
