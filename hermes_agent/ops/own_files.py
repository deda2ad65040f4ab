"""The files of a home that are its owner's, as the program reads them: what is copied when a home is.

A link to a note, to a skill's folder or to a whole category is followed, since the notebook and the library follow
it: the copy holds what they read there. Every other link is left out, and named. What may not be read is an error:
a copy that lacks it would not be one.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from hermes_agent.config.paths import Home
from hermes_agent.config.replace import is_lock
from hermes_agent.errors import HermesError
from hermes_agent.skills import folder as skill_folder
from hermes_agent.skills.library import Library


@dataclass(frozen=True, slots=True)
class Own:
    """Files by their names in the home, and the links that nobody reads through."""

    files: dict[str, Path]
    left_out: tuple[str, ...]


def of_home(home: Home) -> Own:
    """Return the files of a home beside its memory."""
    return _own(home, home.backed_up)


def of_skills(home: Home) -> Own:
    """Return the files of the skills."""
    return _own(home, (home.skills,))


def _own(home: Home, places: tuple[Path, ...]) -> Own:
    try:
        files, links = _found(home, places)
        read = _read(home, places)
        links |= {one for folder in _folders(home.skills) for one in folder.rglob("*") if one.is_symlink()}
        through = {place for one in read for place in (one, *one.parents)}
        followed = links & through
        for one in read:
            if not followed.isdisjoint((one, *one.parents)):
                files[_name(home, one)] = one
    except OSError as error:
        raise _unreadable(error) from error
    left_out = sorted(_name(home, one) for one in links - followed)
    return Own(dict(sorted(files.items())), tuple(left_out))


def _found(home: Home, places: tuple[Path, ...]) -> tuple[dict[str, Path], set[Path]]:
    """Return what lies in these places itself, and the links there."""
    found = [one for place in places for one in _inside(place)]
    files = {_name(home, one): one for one in found if not one.is_symlink() and one.is_file()}
    return {name: one for name, one in files.items() if not is_lock(one)}, {
        one for one in found if one.is_symlink()
    }


def _read(home: Home, places: tuple[Path, ...]) -> set[Path]:
    """Return what the program reads in these places, whatever links are on the way."""
    notes = (home.user_note, home.memory_note, home.workspace_note, home.reflections)
    read = {one for one in (*places, *notes) if one.is_file() and {one, one.parent} & set(places)}
    return read | {folder / name for folder in _folders(home.skills) for name in skill_folder.names(folder)}


def _folders(skills: Path) -> Iterator[Path]:
    """Yield the folders that the library reads; a link to another place in it is only a second name."""
    inside = skills.resolve()
    for folder in Library(skills).folders():
        above = [one for one in (folder, *folder.parents) if one.is_relative_to(skills) and one != skills]
        if not any(one.is_symlink() and one.resolve().is_relative_to(inside) for one in above):
            yield folder


def _inside(place: Path) -> Iterator[Path]:
    if not place.is_dir():
        yield place
        return
    for folder, inner, names in os.walk(place, onerror=_refuse):
        linked = [one for one in inner if Path(folder, one).is_symlink()]
        yield from (Path(folder, one) for one in sorted((*linked, *names)))


def _refuse(error: OSError) -> NoReturn:
    raise _unreadable(error) from error


def _unreadable(error: OSError) -> HermesError:
    return HermesError(
        f"{error.filename} cannot be read: {error.strerror}.", hint="Let it be read, or move it away."
    )


def _name(home: Home, file: Path) -> str:
    if file.is_relative_to(home.root):
        return file.relative_to(home.root).as_posix()
    return f"skills/{file.relative_to(home.skills).as_posix()}"
