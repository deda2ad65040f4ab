"""Improve skills by what their user put right after they were followed: a new version, or a proposal.

A skill that the agent or learning made, and that its owner never touched, gets the words into its own section.
One that is the owner's is not written into: what was said is journalled, and its owner decides. Either is done
once.
"""

from collections.abc import Iterable
from pathlib import Path

from hermes_agent.learn.skill_corrections import Correction, corrected, corrections
from hermes_agent.learn.tasks import Task
from hermes_agent.memory import skill_upkeep, skills
from hermes_agent.memory.skills import Cause
from hermes_agent.records.changes import message_of
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.skills import KeptSkill, SkillMaker
from hermes_agent.skills.validation import DOCUMENT
from hermes_agent.store import journal
from hermes_agent.store import skills as kept_skills
from hermes_agent.store.store import Store

ACTOR: SkillMaker = "learning"
_IMPROVED, _PROPOSED = "skill.improved", "skill.proposed"


def improve(store: Store, folder: Path, done: Iterable[Task]) -> list[str]:
    """Heed what was put right in tasks; return the skills that have a new version."""
    found = [correction for task in done for correction in corrections(task)]
    if not found:
        return []
    skills.sync(store, folder)
    with store.read() as connection:
        entries = journal.of_kinds(connection, (_IMPROVED, _PROPOSED))
    heeded = {(entry.subject, message_of(entry)) for entry in entries}
    improved = [
        one.skill for one in found if (one.skill, one.message.uid) not in heeded and _heed(store, folder, one)
    ]
    return list(dict.fromkeys(improved))


def _heed(store: Store, folder: Path, correction: Correction) -> bool:
    """Make a new version; False if there is nothing to write, or nobody but its owner may."""
    with store.read() as connection:
        kept = kept_skills.get(connection, correction.skill)
    if kept is None or kept.state != "live":
        return False
    former = kept.files.get(DOCUMENT, "")
    document = corrected(former, [correction.text])
    if document == former or any(skills.wrong_with(kept.skill, {**kept.files, DOCUMENT: document})):
        return False
    if skill_upkeep.is_owners(store, kept):
        _propose(store, kept, correction)
        return False
    why = f"Put right after it was used: “{correction.text}”."
    cause = Cause(ACTOR, why, correction.message.session_id, correction.message.uid)
    skills.improve(store, folder, kept.skill, document, cause)
    return True


def _propose(store: Store, kept: KeptSkill, correction: Correction) -> None:
    text = f"The skill {kept.skill} could say “{correction.text}”; you decide: hermes skills edit {kept.skill}"
    why = "It was put right after it was used."
    message = correction.message
    after = {"message": message.uid, "session": message.session_id, "line": correction.text}
    with store.write() as connection:
        journal.write(connection, NewEntry(_PROPOSED, kept.skill, text, ACTOR, why, after=after))
