"""What a skill must be that is written here: the rules of agentskills.io, and the limits of `skill_manage`.

Skills that others wrote are read more leniently (`document.py`); `hermes skills validate` holds them to these.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from hermes_agent.skills.document import LONGEST_NAME, Broken, front_matter, parse, split
from hermes_agent.skills.screening import threat_in

DOCUMENT = "SKILL.md"
LONGEST_DESCRIPTION = 1_024
LONGEST_DOCUMENT = 100_000
LARGEST_FILE = 1_048_576
MOST_FILES = 50
FOLDERS = ("references", "templates", "scripts", "assets")
TOOLS_OWN = ("node_modules", "__pycache__")
"""Folders that tools fill: whatever is below them is left where it is, and not kept."""
_LONGEST_PART = 255
_LONGEST_PATH = 1_000
"""In bytes: what file systems take, and what leaves room for the folders above."""
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_KEYS = frozenset({"name", "description", "license", "compatibility", "metadata", "allowed-tools"})
_LONGEST_COMPATIBILITY = 500


def name_problem(name: str) -> str | None:
    """Say what is wrong with a name."""
    if len(name) > LONGEST_NAME:
        return f"The name is longer than {LONGEST_NAME} characters."
    if _NAME.fullmatch(name) is None:
        return (
            f"{name[:LONGEST_NAME]!r} is no name of a skill: small letters, digits, single hyphens between them."
        )
    return None


def is_within(name: str) -> bool:
    """Tell whether the name of a file stays in its folder."""
    path = PurePosixPath(name)
    is_clean = bool(path.parts) and "\\" not in name and "\0" not in name
    return is_clean and not path.is_absolute() and ".." not in path.parts


def file_problem(name: str) -> str | None:
    """Say what is wrong with the name of a file that is written here; others may have theirs elsewhere."""
    path = PurePosixPath(name)
    if name == DOCUMENT:
        return None
    if not is_within(name) or len(path.parts) < 2 or path.parts[0] not in FOLDERS or str(path) != name:
        return f"{name[:200]!r} is no file of a skill: those are in {', '.join(FOLDERS)}."
    if any(part.startswith(".") for part in path.parts):
        return "It has a name that is hidden."
    left_out = [part for part in path.parts if part in TOOLS_OWN]
    if left_out:
        return f"What is in {left_out[0]} is not kept."
    return _unwritable(path)


def _unwritable(path: PurePosixPath) -> str | None:
    """Say why no file system takes a name."""
    if _is_half(str(path)):
        return "Its name holds half a character."
    if any(len(part.encode()) > _LONGEST_PART for part in path.parts):
        return f"It has a name that is longer than {_LONGEST_PART} bytes."
    is_long = len(str(path).encode()) > _LONGEST_PATH
    return f"Its path is longer than {_LONGEST_PATH:,} bytes." if is_long else None


def _is_half(text: str) -> bool:
    """Tell whether a text holds half of a character, which no file can."""
    return any("\ud800" <= sign <= "\udfff" for sign in text)


def count_problem(files: Mapping[str, str]) -> str | None:
    """Say that a skill has too many files."""
    return f"It has more than {MOST_FILES} files of text." if len(files) > MOST_FILES else None


def problems(name: str, files: Mapping[str, str]) -> Iterator[str]:
    """Yield what is wrong with a skill of that name."""
    wrong = name_problem(name)
    if wrong is not None:
        yield wrong
    document = files.get(DOCUMENT)
    if document is None:
        yield f"It has no {DOCUMENT}."
    else:
        yield from _document_problems(name, document)
    many = count_problem(files)
    if many is not None:
        yield many
    for file, text in files.items():
        if len(text.encode("utf-8", "replace")) > LARGEST_FILE:
            yield f"{file} is larger than a megabyte."
        if _is_half(text):
            yield f"{file} holds half a character."
        above = next((one for one in PurePosixPath(file).parents if str(one) in files), None)
        if above is not None:
            yield f"{above} cannot be a file and a folder."


def _document_problems(name: str, document: str) -> Iterator[str]:
    if len(document) > LONGEST_DOCUMENT:
        yield f"{DOCUMENT} is longer than {LONGEST_DOCUMENT:,} characters."
    read = parse(document)
    if isinstance(read, Broken):
        yield read.problem
        return
    if read.name != name:
        yield f"Its front matter calls it {read.name!r}, its folder {name!r}."
    if len(read.description) > LONGEST_DESCRIPTION:
        yield f"Its description is longer than {LONGEST_DESCRIPTION:,} characters."
    threat = threat_in(read.name, read.description)
    if threat is not None:
        yield threat
    parts = split(document)
    matter = parts if isinstance(parts, Broken) else front_matter(parts[0])
    if isinstance(matter, Broken):
        yield matter.problem
        return
    others = sorted(matter.keys() - _KEYS)
    if others:
        yield f"Its front matter has keys that the format does not know: {', '.join(others)}."
    compatibility = matter.get("compatibility")
    if compatibility is not None and not 1 <= len(str(compatibility)) <= _LONGEST_COMPATIBILITY:
        yield f"Its compatibility is longer than {_LONGEST_COMPATIBILITY} characters."
