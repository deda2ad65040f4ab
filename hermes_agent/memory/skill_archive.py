"""What was put away of skills on this machine: it forgets what the store forgot.

Only a text that differs from the store's in nothing but lines that are gone is written; one that was changed by
hand stays as it is.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from hermes_agent.learn.learned_skill import listed, without
from hermes_agent.memory.skill_folder import ARCHIVE
from hermes_agent.records.skills import KeptSkill
from hermes_agent.skills import folder as folders
from hermes_agent.skills.validation import DOCUMENT


def bring_in_step(folder: Path, known: Iterable[KeptSkill]) -> None:
    """Take out of the archive what its skills do not say any more."""
    archive = folder / ARCHIVE
    for kept in known if archive.is_dir() else ():
        if kept.state != "live" and kept.made_by != "owner":
            for place in _away(archive, kept.skill):
                _forget(place, kept.files)


def _forget(place: Path, kept: Mapping[str, str]) -> None:
    found, document = folders.read(place), kept.get(DOCUMENT, "")
    lines = {line.casefold() for line in listed(document)}
    gone = {line.casefold() for line in listed(found.get(DOCUMENT, ""))} - lines
    if not gone or without(found[DOCUMENT], gone) != document:
        return
    if document:
        folders.write(place, {DOCUMENT: document}, {})
    else:
        folders.remove(place, found)


def _away(archive: Path, name: str) -> Iterator[Path]:
    """Yield the folders that were put away under a name; what a link leads to is the owner's."""
    for place in (archive / name, *sorted(archive.glob(f"{name}.*"))):
        if place.is_dir() and not place.is_symlink():
            yield place
