"""The folder of skills on this machine: what it holds, and how it is brought to the state that the store keeps.

`.synced.json` tells for each skill which state the folder was last brought to: whatever differs from that was
changed by hand. A kill between the store and the folder leaves a mark there, and the state is written again.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hermes_agent.config.replace import replace_text
from hermes_agent.records.skills import KeptSkill
from hermes_agent.skills import folder as folders
from hermes_agent.skills.library import Library
from hermes_agent.skills.validation import DOCUMENT, name_problem

ARCHIVE, SYNCED = ".archive", ".synced.json"
_WRITING = "writing"
"""In the place of a state: the folder is being written, and the store decides."""

Step = Literal["same", "take", "give"]


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


def decide(kept: str | None, found: str | None, synced: str | None) -> Step:
    """Tell what to do with a skill, by its state in the store, in the folder, and when they were last one."""
    if kept == found:
        return "same"
    if synced == _WRITING or found == synced:
        return "give"
    return "take"


def give(
    folder: Path, synced: dict[str, str | None], name: str, kept: KeptSkill | None, found: Found | None
) -> None:
    """Bring a folder to the state that is kept; of a skill whose making was undone nothing is."""
    synced[name] = _WRITING
    write_synced(folder, synced)
    category = None if kept is None else kept.category
    place = folder.joinpath(*([category] if category else []), name) if found is None else found.path
    if found is None and place.is_symlink():
        place.unlink()  # no skill is behind it, and what is there is not ours to write into
    former, archive = {} if found is None else found.files, folder / ARCHIVE
    if kept is not None and kept.state == "live":
        if found is None:
            folders.bring_back(place, archive)
        elif not found.is_readable and not (place / DOCUMENT).is_symlink() and folders.is_within(place, folder):
            folders.put_away(place, archive)  # what stands there is nowhere else
            former = {}
        # A link that was brought back leads to a folder that its owner may have gone on with.
        if found is not None or not place.is_symlink():
            folders.write(place, kept.files, former)
    elif found is not None and not folders.is_within(place, folder):
        pass  # it is the owner's, behind a link to a whole category, and is found again
    elif found is not None and kept is not None and kept.state == "archived":
        folders.put_away(place, archive)
    else:
        folders.remove(place, former)
        if kept is not None and kept.state == "deleted":
            folders.forget(name, archive, kept.files)
    synced[name] = kept_state(kept)


def find(folder: Path) -> dict[str, Found]:
    """Return what the folders hold, by the names of the folders; of two with one name the first."""
    found: dict[str, Found] = {}
    for skill in Library(folder).list():
        place = skill.path.parent
        if name_problem(place.name) is None and place.name not in found:
            found[place.name] = Found(place, skill.category, folders.read(place))
    return found


def kept_state(kept: KeptSkill | None) -> str | None:
    return folders.digest(kept.files) if kept is not None and kept.state == "live" else None


def found_state(found: Found | None) -> str | None:
    return folders.digest(found.files) if found is not None and found.is_readable else None


def read_synced(folder: Path) -> dict[str, str | None]:
    try:
        read = json.loads((folder / SYNCED).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(name): state for name, state in read.items()} if isinstance(read, dict) else {}


def write_synced(folder: Path, synced: Mapping[str, str | None]) -> None:
    replace_text(folder / SYNCED, json.dumps(dict(sorted(synced.items())), indent=1) + "\n")
