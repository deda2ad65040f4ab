"""The folder of skills on this machine: what it holds, and how it is brought to the state that the store keeps."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hermes_agent.errors import SettingError
from hermes_agent.memory.skill_marks import Interrupted, Marks
from hermes_agent.records.skills import KeptSkill
from hermes_agent.skills import folder as folders
from hermes_agent.skills.library import Library
from hermes_agent.skills.validation import DOCUMENT, is_within, name_problem

ARCHIVE = ".archive"

Step = Literal["same", "take", "give", "conflict"]


@dataclass(frozen=True, slots=True)
class Found:
    """A skill as its folder holds it; one whose SKILL.md cannot be read is its owner's to mend, not taken over."""

    path: Path
    category: str | None
    files: Mapping[str, str]

    @property
    def is_readable(self) -> bool:
        """Whether its SKILL.md is a text of its folder."""
        return DOCUMENT in self.files


def decide(kept: str | None, found: str | None, common: str | None) -> Step:
    """Tell what to do with a skill, by its state in the store, in the folder, and when they were last one."""
    if kept == found:
        return "same"
    if found == common:
        return "give"
    # What is no more in the store is in its history: an edit loses nothing by being taken.
    return "take" if kept is None or kept == common else "conflict"


def common_state(marks: Marks, name: str, kept: str | None, found: Found | None) -> str | None:
    """Return the state in which the store and the folder were last one.

    A store that was never in step with the folder knows less than the folder: what lies there is taken.
    """
    here = found_state(found)
    if not marks.is_known:
        return None if here is None else kept
    mark = marks.skills.get(name)
    if not isinstance(mark, Interrupted):
        return mark
    return here if mark.explains({} if found is None else found.files) else mark.aim


def give(folder: Path, marks: Marks, name: str, kept: KeptSkill | None, found: Found | None) -> None:
    """Bring a folder to the state that is kept; of a skill whose making was undone nothing is."""
    former = {} if found is None else found.files
    live = kept.files if kept is not None and kept.state == "live" else None
    marks.skills[name] = Interrupted(folders.digests(former), folders.digests(live or {}))
    marks.write()
    place = _place(folder, name, kept) if found is None else found.path
    if found is None and place.is_symlink():
        place.unlink()  # no skill is behind it, and what is there is not ours to write into
    archive = folder / ARCHIVE
    if live is not None:
        _give_live(place, live, found, folder)
    elif found is not None and is_behind_link(found, folder):
        pass  # it is the owner's, behind a link to a whole category, and is found again
    elif found is not None and kept is not None and (kept.state == "archived" or place.is_symlink()):
        folders.put_away(place, archive)  # a link also when it is deleted: `restore` brings back what it was
    else:
        folders.remove(place, former)
        if kept is not None and kept.state == "deleted":
            folders.forget(name, archive, kept.files)
    marks.skills[name] = kept_state(kept)


def _place(folder: Path, name: str, kept: KeptSkill | None) -> Path:
    category = None if kept is None else kept.category
    if not is_within(name) or not is_within(category or name):
        raise SettingError(f"The skill {name!r} has no place in {folder}.")
    return folder.joinpath(*([category] if category else []), name)


def _give_live(place: Path, files: Mapping[str, str], found: Found | None, folder: Path) -> None:
    former, archive = {} if found is None else found.files, folder / ARCHIVE
    if found is None:
        folders.bring_back(place, archive)
    elif not found.is_readable and not (place / DOCUMENT).is_symlink() and folders.is_within(place, folder):
        folders.put_away(place, archive)  # what stands there is nowhere else
        former = {}
    # A link that was brought back leads to a folder that its owner may have gone on with.
    if found is not None or not place.is_symlink():
        folders.write(place, files, former)


def find(folder: Path) -> dict[str, Found]:
    """Return what the folders hold, by the names of the folders; of two with one name the first."""
    found: dict[str, Found] = {}
    for skill in Library(folder).list():
        place = skill.path.parent
        if name_problem(place.name) is None and place.name not in found:
            found[place.name] = Found(place, skill.category, folders.read(place))
    return found


def is_behind_link(found: Found, folder: Path) -> bool:
    """Tell whether a skill lies behind a link to a whole category: nothing is put away or removed there."""
    return not folders.is_within(found.path, folder)


def kept_state(kept: KeptSkill | None) -> str | None:
    return folders.digest(kept.files) if kept is not None and kept.state == "live" else None


def found_state(found: Found | None) -> str | None:
    return folders.digest(found.files) if found is not None and found.is_readable else None
