"""How skills are used, and what becomes of those that are not: counted, and archived after a while.

Only what the agent or learning made is archived, and only if its owner never touched it: who edits, restores or
brings back a skill wants it. Archived is not deleted: `hermes skills restore`, or an undo, brings it back for
good.
"""

from dataclasses import dataclass
from pathlib import Path

from hermes_agent import clock
from hermes_agent.errors import ChangedMeanwhile, NotFound
from hermes_agent.memory import skill_folder, skill_history, skills
from hermes_agent.memory.skill_keeping import Cause
from hermes_agent.records.skills import KeptSkill, SkillUse
from hermes_agent.store import skills as kept_skills
from hermes_agent.store.store import Store

_DAY = 86_400 * clock.MICROSECONDS
_OWNER = "owner"
NEVER = SkillUse(0, None)


@dataclass(frozen=True, slots=True)
class Unused:
    """A skill that was neither read nor changed for so many days."""

    kept: KeptSkill
    days: int


def count_use(store: Store, skill: str) -> None:
    """Count that the agent read a skill."""
    with store.write() as connection:
        kept_skills.count_use(connection, skill)


def uses(store: Store) -> dict[str, SkillUse]:
    """Return how each skill was used, by its name."""
    with store.read() as connection:
        return kept_skills.uses(connection)


def is_unused(kept: KeptSkill, use: SkillUse, days: int, now: int) -> bool:
    """Tell whether a skill that is not the owner's was neither read nor changed for so many days; 0 is never."""
    if days <= 0 or kept.state != "live" or kept.made_by == _OWNER:
        return False
    return now - max(kept.changed_at, use.last_at or 0) >= days * _DAY


def unused(store: Store, days: int, now: int) -> list[Unused]:
    """Return the skills to archive."""
    with store.read() as connection:
        known, used = kept_skills.every(connection), kept_skills.uses(connection)
    old = [one for one in known.values() if is_unused(one, used.get(one.skill, NEVER), days, now)]
    return [Unused(one, days) for one in old if not is_owners(store, one)]


def is_owners(store: Store, kept: KeptSkill) -> bool:
    """Tell whether the owner made a skill, or ever changed it."""
    if kept.made_by == _OWNER:
        return True
    return any(version.entry.actor == _OWNER for version in skill_history.versions(store, kept.skill))


def archive(store: Store, folder: Path, found: Unused) -> bool:
    """Archive a skill if it is still unused; tell whether that was done."""
    # What was changed by hand meanwhile is the owner's.
    skills.sync(store, folder)
    if found.kept.skill not in {one.kept.skill for one in unused(store, found.days, clock.now())}:
        return False
    place = skill_folder.find(folder).get(found.kept.skill)
    if place is not None and skill_folder.is_behind_link(place, folder):
        return False  # its owner keeps it elsewhere, and it stays there
    cause = Cause("learning", f"It was not used for {found.days} days.")
    try:
        skills.set_state(store, folder, found.kept.skill, "archived", cause)
    except (NotFound, ChangedMeanwhile):
        return False  # somebody else was quicker
    return True
