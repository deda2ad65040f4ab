"""The folder of a skill: its texts read, and brought in step with what is kept.

Only texts are kept: whatever else lies in the folder, a picture or a program, is left where it is.
"""

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from itertools import count, islice
from pathlib import Path

from hermes_agent.config import private
from hermes_agent.crypto.sealing import OVERHEAD
from hermes_agent.skills import writing
from hermes_agent.skills.validation import DOCUMENT, LARGEST_FILE, MOST_FILES, TOOLS_OWN


def read(folder: Path) -> dict[str, str]:
    """Return the texts of a folder by their names, its SKILL.md first; of too many one more than are kept."""
    found = (
        (name, _text(folder / name)) for name in sorted(names(folder), key=lambda one: (one != DOCUMENT, one))
    )
    return dict(islice(((name, text) for name, text in found if text is not None), MOST_FILES + 1))


def write(folder: Path, files: Mapping[str, str], former: Mapping[str, str]) -> None:
    """Bring the texts of a folder in step; `former` ones that are no more go, and so does what is then empty."""
    if files:
        folder.mkdir(parents=True, exist_ok=True)
    for name in former.keys() - files.keys():
        writing.remove(folder, name)
    for name, text in files.items():
        writing.write(folder, name, text)
    if not files and folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()


def remove(folder: Path, files: Mapping[str, str]) -> None:
    """Remove the texts of a folder, and the folder if nothing is left; of a link to one only the link."""
    if folder.is_symlink():
        folder.unlink()
    else:
        write(folder, {}, files)


def put_away(folder: Path, archive: Path) -> None:
    """Move a folder into the archive with all that is in it; a link as the link that it is."""
    archive.mkdir(exist_ok=True)
    former = _away(archive, folder.name)
    folder.rename(archive / (f"{folder.name}.{max(former) + 1}" if former else folder.name))


def bring_back(folder: Path, archive: Path) -> None:
    """Move a folder back as it was put away, of several the latest; a link only if it still leads to a skill."""
    away = _away(archive, folder.name)
    if not away or os.path.lexists(folder):
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    away[max(away)].rename(folder)
    if folder.is_symlink() and not (folder / DOCUMENT).is_file():
        folder.unlink()


def forget(name: str, archive: Path, files: Mapping[str, str]) -> None:
    """Remove texts that are kept elsewhere from what was put away under a name; what a link leads to is left."""
    for folder in _away(archive, name).values():
        if not folder.is_symlink():
            remove(folder, dict(files.items() & read(folder).items()))


def set_aside(name: str, files: Mapping[str, str], archive: Path) -> Path:
    """Write texts into a folder of their own in the archive; return it, or the one that holds just these."""
    # No number follows the dot: whatever is put away under the name is another matter.
    places = (archive / f"{name}.conflict-{number}" for number in count(1))
    place = next(one for one in places if not os.path.lexists(one) or read(one) == dict(files))
    write(place, files, {})
    return place


def _away(archive: Path, name: str) -> dict[int, Path]:
    """Return what was put away under a name by its number; no name of a skill has a dot."""
    numbered = ((path.suffix[1:], path) for path in archive.glob(f"{name}.*"))
    found = {1: archive / name, **{int(number): path for number, path in numbered if number.isdecimal()}}
    return {number: path for number, path in found.items() if os.path.lexists(path)}


def digest(files: Mapping[str, str]) -> str:
    """Return what tells two states of a folder apart."""
    return of_digests(digests(files))


def digests(files: Mapping[str, str]) -> dict[str, str]:
    """Return what tells two states of each file apart, by their names."""
    return {name: _sha256(text) for name, text in files.items()}


def of_digests(files: Mapping[str, str]) -> str:
    """Return the digest of a folder whose files have these."""
    return _sha256(json.dumps(dict(files), sort_keys=True))


def is_within(folder: Path, library: Path) -> bool:
    """Tell whether a skill's folder, or the link that it is, lies in the library: not behind a linked category."""
    return folder.parent.resolve().is_relative_to(library.resolve())


def names(folder: Path) -> Iterator[str]:
    """Yield the names of what lies in a folder: nothing hidden, nothing that a link leads out of it to."""
    try:
        inside, found = folder.resolve(), list(folder.rglob("*"))
    except (OSError, RuntimeError):  # closed to us: the library shows it with its problem
        return
    for file in found:
        name = file.relative_to(folder)
        is_hidden = any(part.startswith(".") or part in TOOLS_OWN for part in name.parts)
        if not is_hidden and _is_file_in(file, inside):
            yield name.as_posix()


def _is_file_in(file: Path, inside: Path) -> bool:
    try:
        return file.is_file() and file.resolve().is_relative_to(inside)
    except (OSError, RuntimeError):  # a link into a place that is closed to us
        return False


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _text(path: Path) -> str | None:
    """Return the text of a file; None where there is none, or it is something else."""
    try:
        if not path.is_file() or path.stat().st_size > LARGEST_FILE + OVERHEAD:
            return None
        return private.read(path).decode("utf-8")
    except (OSError, UnicodeDecodeError):
        return None
