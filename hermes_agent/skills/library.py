"""The skills of a home: listed for the prompt, read when one fits.

A skill is a folder with a SKILL.md, directly in the library or below folders that are its category.
Folders whose name begins with a dot are the library's own. Reading never leaves a skill's folder, whatever
links point to; a link to a whole skill folder is the owner's wish and is followed.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from hermes_agent.config import private
from hermes_agent.crypto.sealing import OVERHEAD
from hermes_agent.errors import NotFound, ToolError
from hermes_agent.skills import folder as folders
from hermes_agent.skills.document import Broken, Document, parse
from hermes_agent.skills.screening import threat_in, threat_in_file
from hermes_agent.skills.validation import DOCUMENT, LARGEST_FILE
from hermes_agent.text.clean import printable

_SHOWN_CHARACTERS = 60
_DEEPEST_CATEGORY = 3
_MOST_FILES = 200


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill that was found; `problem` says why it cannot be used."""

    name: str
    description: str
    category: str | None
    path: Path
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Library:
    """The skills in a folder, read anew at each call: people edit them by hand."""

    folder: Path

    def folders(self) -> Iterator[Path]:
        """Yield the folder of every skill, also where a link leads to it."""
        yield from (folder for folder, _ in _skill_folders(self.folder, ()))

    def list(self) -> Sequence[Skill]:
        """Return every skill, by category and name; one that is broken says why."""
        found = [_read(folder, category) for folder, category in _skill_folders(self.folder, ())]
        found.sort(key=lambda skill: (skill.category or "", skill.name, str(skill.path)))
        return _with_unique_names(found)

    def scanned(self) -> Sequence[Skill]:
        """Return every skill as `list` does; one whose SKILL.md the security scan stops says so."""
        return [replace(one, problem=one.problem or _threat(one.path.parent, DOCUMENT)) for one in self.list()]

    def problem(self, name: str, file_path: str | None = None) -> str | None:
        """Say why a skill cannot be used, or what the security scan found in the file of it that is read."""
        skill = self.find(name)
        return skill.problem or _threat(skill.path.parent, file_path or DOCUMENT)

    def find(self, name: str) -> Skill:
        """Return the skill of that name, or whose folder has that name."""
        skills = sorted(self.list(), key=lambda skill: skill.problem is not None)
        wanted = name.strip().rpartition("/")[2]
        for skill in [*(one for one in skills if one.name == wanted), *skills]:
            if wanted in (skill.name, skill.path.parent.name):
                return skill
        known = ", ".join(skill.name for skill in skills if skill.problem is None)
        raise NotFound(
            f"There is no skill {name[:_SHOWN_CHARACTERS]!r}.",
            hint=f"There are: {known}." if known else "There are no skills yet.",
        )

    def view(self, name: str, file_path: str | None = None) -> str:
        """Return the SKILL.md of a skill, or one of its files."""
        path = self.find(name).path
        return _text(path.parent, path.relative_to(path.parent) if not file_path else Path(file_path))

    def body(self, skill: Skill) -> str:
        """Return what a skill that was listed says below its front matter; nothing if it was broken meanwhile."""
        document = _document(skill.path.parent)
        return "" if isinstance(document, Broken) else document.body

    def files(self, name: str) -> Sequence[str]:
        """Return the other files of a skill, as `view` takes them; of very many the first."""
        folder = self.find(name).path.parent
        return sorted(name for name in folders.names(folder) if name != DOCUMENT)[:_MOST_FILES]

    def index(self) -> str:
        """Return the list of skills for the system prompt: a line each, the same for the same skills."""
        lines: list[str] = []
        category: str | None = None
        for skill in self.list():
            if skill.problem is not None:
                continue
            if skill.category is not None and skill.category != category:
                lines.append(f"{_cut(skill.category)}:")
            category = skill.category
            lines.append(f"- {skill.name}: {_cut(skill.description)}")
        return "\n".join(lines)


def _skill_folders(folder: Path, category: tuple[str, ...]) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Yield every folder that is a skill with its category; below a skill there is no other."""
    try:
        inside = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError:
        if category:  # shown as a skill that cannot be read: nobody can tell what it is
            yield folder, category[:-1]
            return
        raise
    for path in inside:
        try:
            if not path.is_dir():
                continue
        except OSError:  # a link into a place that is closed to us: it is shown with its problem, too
            yield path, category
            continue
        # Whatever is there by that name, a pipe or a link that leads nowhere: it is shown with its problem.
        if os.path.lexists(path / DOCUMENT):
            yield path, category
        elif len(category) < _DEEPEST_CATEGORY:
            yield from _skill_folders(path, (*category, path.name))


def _read(folder: Path, category: Sequence[str]) -> Skill:
    where = printable("/".join(category)) or None
    document = _document(folder)
    if isinstance(document, Broken):
        return Skill(printable(folder.name), "", where, folder / DOCUMENT, document.problem)
    name, description = printable(document.name), printable(document.description)
    return Skill(name, description, where, folder / DOCUMENT, threat_in(name, description, where))


def _document(folder: Path) -> Document | Broken:
    try:
        return parse(_text(folder, Path(DOCUMENT)))
    except ToolError as error:
        return Broken(_wrong_kind(folder) or error.message)


def _wrong_kind(folder: Path) -> str | None:
    """Say why a SKILL.md is no file of its folder."""
    path = folder / DOCUMENT
    try:
        if not path.resolve().is_relative_to(folder.resolve()):
            return f"Its {DOCUMENT} is a link that leads out of its folder."
        return None if path.is_file() else f"Its {DOCUMENT} is no file."
    except (OSError, RuntimeError):  # a link that leads to itself, or a folder closed to us
        return None


def _threat(folder: Path, file: str) -> str | None:
    """Say what the security scan finds in a file; of one that cannot be read, whoever reads it is told."""
    try:
        return threat_in_file(file, _text(folder, Path(file)))
    except ToolError:
        return None


def _with_unique_names(skills: Sequence[Skill]) -> Sequence[Skill]:
    """Let one of the skills with one name stand: that whose folder has it, or the first; the others say which."""
    usable = [skill for skill in skills if skill.problem is None]
    first: dict[str, Skill] = {}
    for skill in sorted(usable, key=lambda one: one.path.parent.name != one.name):
        first.setdefault(skill.name, skill)
    others = [first[skill.name] if skill.problem is None else skill for skill in skills]
    return [
        skill if other is skill else replace(skill, problem=f"Another skill has its name: {other.path.parent}.")
        for skill, other in zip(skills, others, strict=True)
    ]


def _text(folder: Path, name: Path) -> str:
    """Read a file of a skill's folder; what leads out of it is as good as missing."""
    try:
        path = (folder / name).resolve()
        if not path.is_relative_to(folder.resolve()) or not path.is_file():
            raise ToolError(
                f"The skill has no file {str(name)[:200]!r}.", hint="Without a file it lists those it has."
            )
        if path.stat().st_size > LARGEST_FILE + OVERHEAD:
            raise ToolError(f"{name} is larger than a megabyte.")
        return private.read(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ToolError(f"{name} is not UTF-8 text.") from error
    except (OSError, ValueError, RuntimeError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise ToolError(f"{str(name)[:200]!r} cannot be read: {reason or 'it is no path'}.") from error


def _cut(description: str) -> str:
    return description if len(description) <= _SHOWN_CHARACTERS else description[: _SHOWN_CHARACTERS - 3] + "..."
