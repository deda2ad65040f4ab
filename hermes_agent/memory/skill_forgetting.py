"""Take out of learned skills what was said in conversations that are deleted.

Each line that learning writes is journalled with the conversations it comes from; it goes when the last of these
is gone. A skill that holds no request any more goes as well. One that its owner touched is theirs, and stays.
"""

from collections.abc import Mapping
from pathlib import Path

from hermes_agent.learn.learned_skill import without
from hermes_agent.memory import skill_history, skill_upkeep, skills
from hermes_agent.memory.skill_keeping import Cause
from hermes_agent.memory.unwritten import Unwritten
from hermes_agent.records.skills import KeptSkill
from hermes_agent.skills.validation import DOCUMENT
from hermes_agent.store import sessions
from hermes_agent.store import skills as kept_skills
from hermes_agent.store.store import Store

_CAUSE = Cause("learning", "Conversations it was learned from were deleted.")


def forget_deleted(store: Store, folder: Path) -> Unwritten:
    """Bring the learned skills in step with the conversations there are; return what could not be."""
    unwritten = Unwritten()
    with store.read() as connection:
        known = kept_skills.every(connection)
    for kept in known.values():
        if kept.state == "live" and _left(store, kept) is not None:
            with unwritten.set_aside():
                _forget(store, folder, kept.skill)
    return unwritten


def _forget(store: Store, folder: Path, name: str) -> None:
    skills.sync(store, folder)
    with store.read() as connection:
        kept = kept_skills.get(connection, name)
    left = None if kept is None or kept.state != "live" else _left(store, kept)
    if left == "":
        skills.set_state(store, folder, name, "deleted", _CAUSE, is_erasure=True)
    elif left is not None:
        skills.improve(store, folder, name, lambda known: _left(store, known[name]), _CAUSE)


def _left(store: Store, kept: KeptSkill) -> str | None:
    """Return a skill without what was deleted; None if nothing of it was, or it is the owner's."""
    if skill_upkeep.is_owners(store, kept):
        return None
    sources = _sources(store, kept)
    with store.read() as connection:
        there = sessions.get_many(connection, sorted({one for ids in sources.values() for one in ids})).keys()
    gone = {line for line, ids in sources.items() if not ids & there}
    document = kept.files.get(DOCUMENT, "")
    left = without(document, gone) if gone.intersection(_lines(document)) else document
    return None if left == document else left


def _lines(document: str) -> list[str]:
    return [line.removeprefix("- ") for line in document.splitlines() if line.startswith("- ")]


def _sources(store: Store, kept: KeptSkill) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for version in skill_history.versions(store, kept.skill):
        told = version.entry.after.get("sources") if isinstance(version.entry.after, dict) else None
        for line, ids in told.items() if isinstance(told, Mapping) else ():
            found.setdefault(line, set()).update(ids)
    return found
