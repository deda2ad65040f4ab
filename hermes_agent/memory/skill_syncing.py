"""Bring the folder of skills and the store in step: what was done by hand is taken, what the store knows is given.

What was changed on both sides is not overwritten: the store's text stands, the other lies beside it in
`.archive/`, and both the journal and whoever asked are told. A skill that cannot be written keeps no other from
it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from hermes_agent.errors import HermesError, SettingError
from hermes_agent.memory import skill_history, skill_marks
from hermes_agent.memory.skill_folder import (
    ARCHIVE,
    Found,
    common_state,
    decide,
    find,
    found_state,
    give,
    kept_state,
)
from hermes_agent.memory.skill_keeping import Cause, keep
from hermes_agent.memory.skill_marks import Marks
from hermes_agent.records.journal import NewEntry
from hermes_agent.records.skills import KeptSkill
from hermes_agent.skills import folder as folders
from hermes_agent.skills.validation import DOCUMENT, count_problem
from hermes_agent.store import journal, skills
from hermes_agent.store.asking import noticing
from hermes_agent.store.store import Store

_CONFLICT = "skill.conflict"


@dataclass(frozen=True, slots=True)
class InStep:
    """What there is to say of a folder that was brought in step."""

    told: Sequence[str]
    hindered: Mapping[str, HermesError]
    """The skills that could not be written, by their names."""


@noticing()
def bring_in_step(store: Store, folder: Path) -> InStep:
    """Go through all the skills that the store or the folder has."""
    marks, found = skill_marks.read(store, folder), find(folder)
    with store.read() as connection:
        known = skills.every(connection)
    told: list[str] = []
    hindered: dict[str, HermesError] = {}
    for name in sorted({*found, *known}):
        try:
            told += _step(store, marks, name, known.get(name), found.get(name))
        except SettingError as error:
            hindered[name] = error
        except OSError as error:
            hindered[name] = HermesError(f"Its folder cannot be written: {error.strerror or error}.")
    marks.write()
    return InStep(told, hindered)


def _step(store: Store, marks: Marks, name: str, kept: KeptSkill | None, found: Found | None) -> list[str]:
    """Bring one skill in step; return what there is to say."""
    many = None if found is None else count_problem(found.files)
    if many is not None:
        # Some of them would be no version of it: going back to that would remove others.
        raise SettingError(many, hint="Its versions are not kept, and only you change it: take some files away.")
    before, here = kept_state(kept), found_state(found)
    step = decide(before, here, common_state(marks, name, before, found))
    if step == "take" and not marks.is_known and before is not None and _was_kept(store, name, here):
        step = "give"
    match step:
        case "take":
            return _take(store, marks, name, kept, found)
        case "give":
            give(marks.folder, marks, name, kept, found)
        case "conflict":
            return [_set_aside(store, marks, name, kept, found)]
        case "same":
            marks.skills[name] = before
    return []


def _was_kept(store: Store, name: str, state: str | None) -> bool:
    """Tell whether a state is an earlier version that the store has."""
    return any(folders.digest(one.files) == state for one in skill_history.versions(store, name))


def _take(store: Store, marks: Marks, name: str, kept: KeptSkill | None, found: Found | None) -> list[str]:
    """Take into the store what its owner did to a folder."""
    is_live = kept is not None and kept.state == "live"
    with store.write() as connection:
        skills.lock(connection)
        if skills.get(connection, name) != kept:
            return []  # another machine was quicker; the next time decides
        made = kept
        if found is not None and found.is_readable:
            why, verb = Cause(why="Its folder was changed by hand."), "edited" if is_live else "found"
            made = keep(connection, name, found.files, category=found.category, state="live", cause=why, verb=verb)
        elif kept is not None and is_live:
            gone = "Its folder was removed by hand." if found is None else f"Its {DOCUMENT} cannot be read."
            why = Cause(why=gone)
            made = keep(
                connection, name, kept.files, category=kept.category, state="deleted", cause=why, verb="removed"
            )
    marks.skills[name], marks.entry = kept_state(made), skill_marks.last_entry(store)
    if marks.is_known or not is_live:
        return []
    return [
        f"The skill {name} in the folder is another than in the store, and was taken; the store's is a version"
        f" of it: hermes skills history {name}"
    ]


def _set_aside(store: Store, marks: Marks, name: str, kept: KeptSkill | None, found: Found | None) -> str:
    """Let the store's text stand, and the one that was found lie beside it."""
    if found is None or not found.files:
        text = f"The skill {name} was removed in this folder and changed elsewhere: it is kept."
    else:
        place = folders.set_aside(name, found.files, marks.folder / ARCHIVE)
        text = (
            f"The skill {name} was changed in this folder and elsewhere: what was changed elsewhere stands, and"
            f" this folder's text is in {place}"
        )
    give(marks.folder, marks, name, kept, found)
    with store.write() as connection:
        journal.write(connection, NewEntry(_CONFLICT, name, text))
    marks.entry = skill_marks.last_entry(store)
    return text
