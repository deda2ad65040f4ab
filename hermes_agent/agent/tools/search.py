"""The tool `search_files`: a pattern in the files of a folder, or the names of its files.

The folder is walked level by level, so that a list cut short still shows its upper levels. Any pattern may
come: matching stops when the time is used up, and what was found by then is shown.
"""

import io
import os
import re
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Protocol

from hermes_agent import clock
from hermes_agent.agent.arguments import read_arguments, spec_of
from hermes_agent.agent.toolbox import LONGEST_RESULT, ToolResult
from hermes_agent.agent.tools.glob import as_expression
from hermes_agent.agent.tools.text_file import HEAD_BYTES, coding_of, replaced_bytes
from hermes_agent.agent.tools.workspace import Place, Workspace
from hermes_agent.errors import ToolError
from hermes_agent.records.archive import Json

SECONDS = 10.0
SKIPPED_FOLDERS = frozenset(
    {".git", ".hg", ".svn", "node_modules", ".venv", "venv", "__pycache__"}
    | {".mypy_cache", ".pytest_cache", ".ruff_cache", ".tox"}
)
_LARGEST_FILE = 20_000_000
_LONGEST_PATTERN = 1_000
_HEAVIEST_PATTERN = 2_000_000
_BRACES = re.compile(r"\{([^{}]*)\}")
_MOST_RESULTS = 1_000
_PIECE = 10_000
_SHOWN_CHARACTERS = 300
_FOOTER = 500


class _Match(Protocol):
    def start(self) -> int: ...


class _Pattern(Protocol):
    """A compiled expression whose matching ends with a TimeoutError when it takes too long."""

    def search(self, text: str, *, timeout: float) -> _Match | None: ...

    def fullmatch(self, text: str, *, timeout: float) -> _Match | None: ...


@dataclass(frozen=True, slots=True)
class SearchFilesCall:
    """Arguments of `search_files`."""

    pattern: Annotated[
        str | None,
        "A regular expression to look for in each line; (?i) in front ignores case. Leave it out to list files.",
    ] = None
    path: Annotated[str, "The folder or file to search, relative to the working folder."] = "."
    glob: Annotated[str | None, "Only files like this: *.py, src/**/*.ts, *.{md,txt}."] = None
    limit: Annotated[int, "Most results."] = 100


class SearchFiles:
    """Finds lines in files, and files."""

    spec = spec_of(
        "search_files",
        "Search the text of files in the working folder with a regular expression, or, without a pattern, list "
        "files and folders. Binary files, .git, node_modules and virtual environments are left out.",
        SearchFilesCall,
    )

    def __init__(self, workspace: Workspace, seconds: float = SECONDS) -> None:
        self._workspace = workspace
        self._seconds = seconds

    def question(self, arguments: Mapping[str, Json]) -> str | None:
        """Ask nothing: looking changes nothing."""
        return None

    def run(self, arguments: Mapping[str, Json]) -> ToolResult:
        """Return the matching lines, or the names."""
        call = read_arguments(SearchFilesCall, arguments)
        place = self._workspace.to_read(call.path)
        limit = max(1, min(call.limit, _MOST_RESULTS))
        search = _Search(self._workspace, _compiled_glob(call.glob), limit, clock.monotonic() + self._seconds)
        is_folder = self._workspace.is_folder(place)
        if not call.pattern:
            text = search.names(place) if is_folder else place.shown
        else:
            text = search.lines(place, _compiled(call.pattern, "pattern"), is_folder)
        # What was too long to show may be of the web.
        return ToolResult(text, "web" if self._workspace.is_output(place) else "tool")


@dataclass(slots=True)
class _Search:
    """One search: what it may still use, and what it left out."""

    workspace: Workspace
    glob: _Pattern | None
    limit: int
    deadline: float
    files: int = 0
    left_out: int = 0

    def names(self, place: Place) -> str:
        """List files, and without a glob folders too."""
        found: list[Place] = []
        ending = ""
        try:
            for entry, is_folder in self._walk(place):
                if is_folder and self.glob is None:
                    found.append(Place(entry.root, entry.parts, f"{entry.shown}/"))
                elif not is_folder:
                    found.append(entry)
                if len(found) > self.limit:
                    found.pop()
                    ending = f"\n[The first {self.limit}; there are more. Narrow it with path or glob.]"
                    break
        except TimeoutError:
            ending = _out_of_time(len(found))
        if not found:
            return f"No files in {place.shown}{'' if self.glob is None else ' fit the glob'}.{ending}"
        found.sort(key=lambda entry: entry.parts)
        return _within("\n".join(entry.shown for entry in found), ending)

    def lines(self, place: Place, wanted: _Pattern, is_folder: bool) -> str:
        """List the lines that match."""
        rows: list[str] = []
        ending = ""
        try:
            for file in self._files(place) if is_folder else [place]:
                for row in self._matches(file, wanted, is_only=not is_folder):
                    if len(rows) == self.limit:
                        ending = (
                            f"\n[The first {self.limit} matches; there are more. Narrow it with path or glob.]"
                        )
                        return _within("\n".join(rows), ending)
                    rows.append(row)
        except TimeoutError:
            ending = _out_of_time(len(rows))
        if not rows:
            skipped = (
                f" {self.left_out:,} binary, unreadable or very large files were left out."
                if self.left_out
                else ""
            )
            return f"No match in {self.files:,} files.{skipped}{ending}"
        return _within("\n".join(rows), ending)

    def _files(self, place: Place) -> Iterator[Place]:
        return (entry for entry, is_folder in self._walk(place) if not is_folder)

    def _walk(self, start: Place) -> Iterator[tuple[Place, bool]]:
        """Yield what is below a folder, the upper levels first, each level in order; links are not followed."""
        waiting = deque([start])
        while waiting:
            folder = waiting.popleft()
            for entry in _entries(folder):
                self._check()
                place = folder.inside(entry.name)
                if entry.is_dir(follow_symlinks=False):
                    if entry.name not in SKIPPED_FOLDERS and not self.workspace.is_closed(place.path):
                        yield place, True
                        waiting.append(place)
                elif entry.is_file(follow_symlinks=False) and self._fits(start, place):
                    yield place, False

    def _fits(self, start: Place, place: Place) -> bool:
        if self.glob is None:
            return True
        path = "/".join(place.parts[len(start.parts) :])
        return self.glob.fullmatch(path, timeout=self._left()) is not None

    def _matches(self, place: Place, wanted: _Pattern, is_only: bool) -> Iterator[str]:
        """Yield the lines of a file that match, each with where it stands."""
        try:
            file = self.workspace.open(place)
        except ToolError:
            if is_only:
                raise
            self.left_out += 1
            return
        with file:
            coding = coding_of(file.read(HEAD_BYTES))
            if coding is None or file.seek(0, io.SEEK_END) > _LARGEST_FILE:
                self.left_out += 1
                return
            self.files += 1
            file.seek(len(coding.mark))
            number = 1
            with io.TextIOWrapper(file, coding.codec, coding.errors, newline="\n") as text:
                # A longer line is searched piece by piece.
                while line := text.readline(_PIECE):
                    match = wanted.search(line.rstrip("\r\n"), timeout=self._left())
                    if match is not None:
                        yield f"{place.shown}:{number}: {_around(line, match.start())}"
                    number += line.endswith("\n")

    def _left(self) -> float:
        """Return the seconds that are left; matching takes them as its limit."""
        self._check()
        return self.deadline - clock.monotonic()

    def _check(self) -> None:
        if clock.monotonic() >= self.deadline:
            raise TimeoutError


def _entries(folder: Place) -> list["os.DirEntry[str]"]:
    try:
        with os.scandir(folder.path) as found:
            return sorted(found, key=lambda entry: entry.name)
    except OSError:  # not ours to look into, or gone by now
        return []


def _compiled(pattern: str, name: str) -> _Pattern:
    if len(pattern) > _LONGEST_PATTERN:
        raise ToolError(f"{name} is longer than {_LONGEST_PATTERN:,} characters.", hint="Look for less.")
    if _weight(pattern) > _HEAVIEST_PATTERN:
        raise ToolError(f"{name} counts too high.", hint="Use + or * instead of large numbers in braces.")
    # Imported here: only a search needs it. It is used instead of `re` because its matching can be stopped.
    import regex  # type: ignore[import-untyped]

    try:
        compiled: _Pattern = regex.compile(pattern)
        return compiled
    except (regex.error, OverflowError, RecursionError) as error:
        raise ToolError(
            f"{name} is no regular expression: {error}.", hint="Put a backslash before signs meant as they stand."
        ) from None


def _weight(pattern: str) -> int:
    """Estimate what compiling takes: counts within counts are written out, up to all memory there is."""
    weight = len(pattern)
    for inside in _BRACES.findall(pattern):
        # Spaces and comments may stand between the digits of one number.
        numbers = ("".join(re.findall(r"\d", part)) for part in inside.split(","))
        weight *= max(1, *(int(number or 1) for number in numbers))
    return weight


def _compiled_glob(glob: str | None) -> _Pattern | None:
    return None if not glob else _compiled(as_expression(glob[:_LONGEST_PATTERN]), "glob")


def _around(line: str, at: int) -> str:
    """Return a line without the spaces at its ends; of a long one the part around the match."""
    begin = max(0, at - _SHOWN_CHARACTERS // 3) if len(line) > _SHOWN_CHARACTERS else 0
    cut = replaced_bytes(line[begin : begin + _SHOWN_CHARACTERS].strip())
    return f"{'…' if begin else ''}{cut}{'…' if len(line) > begin + _SHOWN_CHARACTERS else ''}"


def _out_of_time(found: int) -> str:
    return f"\n[Stopped with {found} found: the time was up. Narrow it with path or glob.]"


def _within(text: str, ending: str) -> str:
    """Keep the answer short enough to be read; it ends with a whole line."""
    room = LONGEST_RESULT - _FOOTER
    if len(text) > room:
        text = text[: text.rindex("\n", 0, room)]
        ending += "\n[Cut: more was found than can be shown. Narrow it with path or glob.]"
    return text + ending
