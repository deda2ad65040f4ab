"""Copy the notes and skills of another Hermes home into ours, byte for byte, never over what we have.

Where ours has none, theirs is copied. Where ours says something else, ours stays and theirs is put
beside it, to be merged by hand. Links are followed only inside their home; sockets, devices and
pipes are no notes. What was done with each file is reported.
"""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hermes_agent import clock
from hermes_agent.config import private
from hermes_agent.config.paths import Home, beside
from hermes_agent.config.replace import sync_folder
from hermes_agent.errors import HermesError
from hermes_agent.ops.fresh_file import fresh_file

_SKILL = "SKILL.md"
_HALF_COPIED = ".taking-over"
_DEEPEST = 64
_BESIDE = ".imported-"

Done = Literal["copied", "same", "beside", "skipped"]


@dataclass(frozen=True, slots=True)
class FileReport:
    """What became of one file or skill: `place` is theirs, `target` is ours, `reason` says why it was skipped."""

    place: str
    done: Done
    target: str | None = None
    reason: str | None = None


def take_notes(source: Path, home: Home, *, is_dry: bool) -> Iterator[FileReport]:
    """Take each note there is; two of theirs for one of ours count in this order."""
    for place, target in _note_places(source, home):
        if not place.is_symlink() and not place.exists():
            continue
        problem = _problem(place, source)
        if problem is not None:
            yield FileReport(_shown(place, source), "skipped", reason=problem)
        elif place.is_dir():
            yield FileReport(_shown(place, source), "skipped", reason="it is a folder")
        elif place.resolve() != target.resolve():
            yield _take_note(place, target, source, is_dry=is_dry)


def take_skills(source: Path, home: Home, *, is_dry: bool) -> Iterator[FileReport]:
    """Take each skill whole, and every other file of the skills folder by itself."""
    folder = Home(source, "").skills
    if folder.resolve() == home.skills.resolve() or not folder.is_dir():
        return
    problem = _problem(folder, source)
    if problem is not None:
        yield FileReport(_shown(folder, source), "skipped", reason=problem)
        return
    half = home.skills / _HALF_COPIED
    if not is_dry:
        shutil.rmtree(half, ignore_errors=True)
    for place, reason in _walk(folder, source, frozenset({folder.resolve()})):
        if reason is not None:
            yield FileReport(_shown(place, source), "skipped", reason=reason)
            continue
        relative = place.relative_to(folder)
        yield _take_skill(place, home.skills, relative, source, is_dry=is_dry)
        if place.is_dir():
            yield from _left_out(place, source)


def _note_places(source: Path, home: Home) -> Iterator[tuple[Path, Path]]:
    theirs = Home(source, "")
    yield theirs.soul, home.soul
    for name in ("MEMORY.md", "USER.md"):
        yield theirs.memories / name, home.memories / name
        # Guides of the first versions put them into the home itself.
        yield theirs.root / name, home.memories / name
    for name in ("MEMORY.md", "REFLECTIONS.md"):
        yield theirs.workspace / name, home.workspace / name


def _take_note(place: Path, target: Path, source: Path, *, is_dry: bool) -> FileReport:
    shown = _shown(place, source)
    if not target.exists() or target.stat().st_size == 0:
        if not is_dry:
            _copy_file(place, target)
        return FileReport(shown, "copied", str(target))
    copies = [target, *target.parent.glob(f"{target.name}{_BESIDE}*")]
    if any(_is_same(place, copy) for copy in copies):
        return FileReport(shown, "same", str(target))
    free = _free_name(beside(target, f"{_BESIDE}{_today()}"))
    if not is_dry:
        _copy_file(place, free)
    return FileReport(shown, "beside", str(free))


def _take_skill(place: Path, skills: Path, relative: Path, source: Path, *, is_dry: bool) -> FileReport:
    shown = _shown(place, source)
    target = skills / relative
    if not target.exists():
        if not is_dry:
            _copy_whole(place, target, skills / _HALF_COPIED, source)
        return FileReport(shown, "copied", str(target))
    copies = [target, *(folder / relative for folder in skills.glob(f"{_BESIDE}*"))]
    if any(_is_same_tree(place, copy, source) for copy in copies):
        return FileReport(shown, "same", str(target))
    free = _free_name(skills / f"{_BESIDE}{_today()}" / relative)
    if not is_dry:
        _copy_whole(place, free, skills / _HALF_COPIED, source)
    return FileReport(shown, "beside", str(free))


def _walk(folder: Path, source: Path, above: frozenset[Path]) -> Iterator[tuple[Path, str | None]]:
    """Yield skills and lone files; with a reason what is left out."""
    for place in sorted(folder.iterdir()):
        problem = _problem(place, source, above)
        if problem is not None:
            yield place, problem
        elif not place.is_dir() or (place / _SKILL).exists():
            yield place, None
        else:
            yield from _walk(place, source, above | {place.resolve()})


def _files(skill: Path, source: Path, above: frozenset[Path] = frozenset()) -> Iterator[tuple[Path, str | None]]:
    """Yield every file of a skill, links followed inside the home; with a reason what is left out."""
    above |= {skill.resolve()}
    for place in sorted(skill.iterdir()):
        problem = _problem(place, source, above)
        if problem is not None:
            yield place, problem
        elif place.is_dir():
            yield from _files(place, source, above)
        else:
            yield place, None


def _left_out(skill: Path, source: Path) -> Iterator[FileReport]:
    for place, reason in _files(skill, source):
        if reason is not None:
            yield FileReport(_shown(place, source), "skipped", reason=reason)


def _problem(place: Path, source: Path, above: frozenset[Path] = frozenset()) -> str | None:
    """Say why a file is not taken; `above` are the folders it was reached through."""
    if len(above) > _DEEPEST:
        return "it lies too deep"
    try:
        target = place.resolve(strict=True)
    except (OSError, RuntimeError):
        return "it is a link that leads nowhere"
    if not target.is_relative_to(source.resolve()):
        return "it is a link that leads out of the home"
    if target.is_dir() and any(folder.is_relative_to(target) for folder in above):
        return "it is a link to a folder above it"
    if not (target.is_file() or target.is_dir()):
        return "it is no ordinary file"
    return None


def _copy_whole(place: Path, target: Path, half: Path, source: Path) -> None:
    """Copy a file or a whole skill; a skill appears all at once."""
    if not place.is_dir():
        _copy_file(place, target)
        return
    try:
        for file, reason in _files(place, source):
            if reason is None:
                _copy_file(file, half / file.relative_to(place))
        half.mkdir(mode=0o700, parents=True, exist_ok=True)
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        half.rename(target)
        sync_folder(target.parent)
    except OSError as error:
        raise HermesError(f"{place} cannot be copied: {error.strerror}.") from error


def _copy_file(place: Path, target: Path) -> None:
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with place.open("rb") as theirs, fresh_file(target, overwrites=True) as ours:
            ours.write(private.sealed(target, private.opened(place.name, theirs.read())))
        if place.stat().st_mode & 0o100:
            target.chmod(0o700)
    except OSError as error:
        raise HermesError(f"{place} cannot be copied: {error.strerror}.") from error


def _is_same(place: Path, copy: Path) -> bool:
    return copy.is_file() and private.read(copy) == private.read(place)


def _is_same_tree(place: Path, copy: Path, source: Path) -> bool:
    if not place.is_dir():
        return _is_same(place, copy)
    if not copy.is_dir():
        return False
    theirs = {file.relative_to(place) for file, reason in _files(place, source) if reason is None}
    ours = {file.relative_to(copy) for file in copy.rglob("*") if file.is_file()}
    return theirs == ours and all(_is_same(place / file, copy / file) for file in theirs)


def _free_name(path: Path) -> Path:
    number, free = 1, path
    while free.exists():
        number += 1
        free = beside(path, f"-{number}")
    return free


def _today() -> str:
    return f"{clock.to_datetime(clock.now()):%Y%m%d}"


def _shown(place: Path, source: Path) -> str:
    return str(place.relative_to(source)) if place.is_relative_to(source) else str(place)
