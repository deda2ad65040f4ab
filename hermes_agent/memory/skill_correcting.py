"""Improve skills by what their user put right after they were followed: a new version, or a proposal.

A skill that the agent or learning made, and that its owner never touched, gets the words into its own section.
One that is the owner's is not written into: what was said is journalled, and its owner decides. Either is done
once.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from hermes_agent.errors import ChangedMeanwhile
from hermes_agent.learn.skill_corrections import Correction, corrected, corrections
from hermes_agent.learn.tasks import Task
from hermes_agent.memory import skill_sources, skill_upkeep, skills
from hermes_agent.memory.skill_history import PROPOSED
from hermes_agent.memory.skill_keeping import Cause
from hermes_agent.memory.unwritten import Unwritten
from hermes_agent.records.changes import message_of
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.skills import KeptSkill, SkillMaker
from hermes_agent.skills.validation import DOCUMENT
from hermes_agent.store import journal
from hermes_agent.store.store import Store

ACTOR: SkillMaker = "learning"
_IMPROVED = "skill.improved"


def improve(store: Store, folder: Path, done: Iterable[Task], unwritten: Unwritten) -> list[str]:
    """Heed what was put right in tasks; return the skills that have a new version."""
    improved: list[str] = []
    for one in (correction for task in done for correction in corrections(task)):
        with unwritten.set_aside():
            if not _is_heeded(store, one) and _heed(store, folder, one):
                improved.append(one.skill)
    return list(dict.fromkeys(improved))


def _is_heeded(store: Store, correction: Correction) -> bool:
    with store.read() as connection:
        entries = journal.of_subjects(connection, (correction.skill,))
    heeded = [entry for entry in entries if entry.kind in (_IMPROVED, PROPOSED)]
    return any(message_of(entry) == correction.message.uid for entry in heeded)


def _heed(store: Store, folder: Path, correction: Correction) -> bool:
    """Make a new version; False if there is nothing to write, or nobody but its owner may."""
    message, text = correction.message, correction.text
    why = f"Put right after it was used: “{text}”."
    cause = Cause(ACTOR, why, message.session_id, message.uid, _sources(correction))
    try:
        made = skills.improve(
            store, folder, correction.skill, lambda known: _document(store, correction, known), cause
        )
    except ChangedMeanwhile:
        return False  # somebody else was quicker
    return made is not None


def _document(store: Store, correction: Correction, known: Mapping[str, KeptSkill]) -> str | None:
    """Return the skill with what was put right; None if it says so, or its owner is to decide."""
    kept = known.get(correction.skill)
    if kept is None or kept.state != "live":
        return None
    former = kept.files.get(DOCUMENT, "")
    document = corrected(former, [correction.text])
    if document == former:
        skill_sources.add(store, kept, _sources(correction))
        return None
    if any(skills.wrong_with(kept.skill, {**kept.files, DOCUMENT: document})):
        return None
    if skill_upkeep.is_owners(store, kept):
        _propose(store, kept, correction)
        return None
    return document


def _sources(correction: Correction) -> dict[str, list[str]]:
    return {f"“{correction.text}”": [correction.message.session_id]}


def _propose(store: Store, kept: KeptSkill, correction: Correction) -> None:
    text = f"The skill {kept.skill} could say “{correction.text}”; you decide: hermes skills edit {kept.skill}"
    why = "It was put right after it was used."
    message = correction.message
    after = {"message": message.uid, "session": message.session_id, "line": correction.text}
    with store.write() as connection:
        journal.write(connection, NewEntry(PROPOSED, kept.skill, text, ACTOR, why, after=after))
