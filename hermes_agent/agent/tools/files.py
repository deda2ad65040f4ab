"""The tools `read_file`, `write_file` and `edit_file`.

A folder is kept (a checkpoint) before its first change of a turn. What is written is written whole or not at
all, in the coding and with the line ends that the file had.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

from hermes_agent.agent.arguments import read_arguments, spec_of
from hermes_agent.agent.toolbox import ToolResult
from hermes_agent.agent.tools import line_range, text_file
from hermes_agent.agent.tools.overflow import Overflow
from hermes_agent.agent.tools.workspace import Keeper, Place, Workspace
from hermes_agent.errors import ToolError
from hermes_agent.records.archive import Json

LARGEST_EDIT = 10_000_000
_MOST_LINES = 2_000
_FARTHEST = 10**12
_NAMED_LINES = 10


@dataclass(frozen=True, slots=True)
class ReadFileCall:
    """Arguments of `read_file`."""

    path: Annotated[str, "The file, relative to the working folder."]
    offset: Annotated[int, "The first line to show, counted from 1."] = 1
    limit: Annotated[int, "Most lines to show."] = _MOST_LINES
    column: Annotated[int, "The first character of each line to show, for very long lines."] = 1


class ReadFile:
    """Shows the lines of a text file with their numbers."""

    spec = spec_of(
        "read_file",
        "Read a text file of the working folder. Each line comes with its number and a tab, which are not part "
        "of the file. Use offset and limit for a part of a long file.",
        ReadFileCall,
    )

    def __init__(self, workspace: Workspace, overflow: Overflow) -> None:
        self._workspace = workspace
        self._overflow = overflow

    def question(self, arguments: Mapping[str, Json]) -> str | None:
        """Ask nothing: reading the working folder changes nothing."""
        return None

    def run(self, arguments: Mapping[str, Json]) -> ToolResult:
        """Show a part of a file."""
        call = read_arguments(ReadFileCall, arguments)
        place = self._workspace.to_read(call.path)
        part = line_range.Range(
            offset=_between(1, call.offset, _FARTHEST),
            limit=_between(1, call.limit, _MOST_LINES),
            column=_between(1, call.column, _FARTHEST),
        )
        with self._workspace.open(place) as file:
            text = line_range.show(file, part, place.shown)
        return ToolResult(text, self._overflow.source_class(place.path))


@dataclass(frozen=True, slots=True)
class WriteFileCall:
    """Arguments of `write_file`."""

    path: Annotated[str, "The file, relative to the working folder. Missing folders are made."]
    content: Annotated[str, "The whole new text of the file."]


class WriteFile:
    """Makes a file, or replaces one as a whole."""

    spec = spec_of(
        "write_file",
        "Write a whole text file in the working folder; a file that is there is replaced. To change a part of "
        "a file use edit_file.",
        WriteFileCall,
    )

    def __init__(self, workspace: Workspace, keeper: Keeper | None = None) -> None:
        self._workspace = workspace
        self._keeper = keeper

    def question(self, arguments: Mapping[str, Json]) -> str | None:
        """Ask nothing: a checkpoint can take the change back."""
        return None

    def run(self, arguments: Mapping[str, Json]) -> ToolResult:
        """Write the file."""
        call = read_arguments(WriteFileCall, arguments)
        place = self._workspace.to_write(call.path)
        data = call.content.encode("utf-8")
        note = _keep(self._keeper, place, "write_file")
        self._workspace.write(place, data)
        ends = call.content.count("\n")
        lines = line_range.counted(ends if call.content.endswith("\n") or not data else ends + 1)
        return _noticed(f"Wrote {place.shown}: {lines}, {len(data):,} bytes.", note)


@dataclass(frozen=True, slots=True)
class EditFileCall:
    """Arguments of `edit_file`."""

    path: Annotated[str, "The file, relative to the working folder."]
    old_text: Annotated[str, "The text to replace, exactly as it stands in the file, with its indentation."]
    new_text: Annotated[str, "The text that takes its place; empty removes it."]
    replace_all: Annotated[bool, "Replace every occurrence instead of the only one."] = False


class EditFile:
    """Replaces a part of a file."""

    spec = spec_of(
        "edit_file",
        "Replace a piece of text in a file of the working folder. old_text must occur exactly once, unless "
        "replace_all is set. Leave out the line numbers that read_file shows.",
        EditFileCall,
    )

    def __init__(self, workspace: Workspace, keeper: Keeper | None = None) -> None:
        self._workspace = workspace
        self._keeper = keeper

    def question(self, arguments: Mapping[str, Json]) -> str | None:
        """Ask nothing: a checkpoint can take the change back."""
        return None

    def run(self, arguments: Mapping[str, Json]) -> ToolResult:
        """Make the change, or say why it is not clear which one is meant."""
        call = read_arguments(EditFileCall, arguments)
        place = self._workspace.to_write(call.path)
        text, coding = self._text(place)
        edited, lines = edit(text, call)
        data = text_file.encode(edited, coding)
        note = _keep(self._keeper, place, "edit_file")
        self._workspace.write(place, data)
        return _noticed(f"Edited {place.shown} at {_lines(lines)}.", note)

    def _text(self, place: Place) -> tuple[str, text_file.Coding]:
        with self._workspace.open(place) as file:
            data = file.read(LARGEST_EDIT + 1)
        if len(data) > LARGEST_EDIT:
            raise ToolError(
                f"{place.shown} is larger than {LARGEST_EDIT:,} bytes.", hint="Change it by a command."
            )
        found = text_file.decode(data)
        if found is None:
            raise ToolError(
                f"{place.shown} is neither UTF-8 nor UTF-16 text.", hint="It cannot be edited as text."
            )
        return found


def _between(least: int, given: int, most: int) -> int:
    return max(least, min(given, most))


def edit(text: str, call: EditFileCall) -> tuple[str, list[int]]:
    """Return the text with the change made, and the lines where it was made."""
    old = text_file.with_line_ends_of(text, call.old_text)
    new = text_file.with_line_ends_of(text, call.new_text)
    if not old:
        raise ToolError("old_text is empty.", hint="Send the text to replace; write_file writes a whole file.")
    if old == new:
        raise ToolError("old_text and new_text are the same.", hint="Nothing is left to change.")
    count = text.count(old)
    if count == 0:
        raise ToolError("old_text is not in the file.", hint=_nearest(text, old))
    lines = _occurrences(text, old)
    if count > 1 and not call.replace_all:
        raise ToolError(
            f"old_text occurs {count} times, at {_lines(lines)}.",
            hint="Add the lines around it until it occurs once, or set replace_all.",
        )
    return text.replace(old, new), lines


def _occurrences(text: str, old: str) -> list[int]:
    """Return the lines where a piece begins; not all of them when they are many."""
    lines: list[int] = []
    at, line = text.find(old), 1
    begin = 0
    while at >= 0 and len(lines) <= _NAMED_LINES:
        line += text.count("\n", begin, at)
        lines.append(line)
        begin, at = at, text.find(old, at + len(old))
    return lines


def _lines(lines: list[int]) -> str:
    if len(lines) == 1:
        return f"line {lines[0]}"
    named = ", ".join(f"{line}" for line in lines[:_NAMED_LINES])
    return f"lines {named}{' and more' if len(lines) > _NAMED_LINES else ''}"


def _nearest(text: str, old: str) -> str:
    """Say where the text that was meant may be: the same but for its spaces, or the same first line."""
    have = [line.strip() for line in text.split("\n")]
    want = [line.strip() for line in old.strip().split("\n")]
    starts = [number for number, line in enumerate(have) if want and want[0] and line == want[0]]
    for number in starts[:1_000]:
        if have[number : number + len(want)] == want:
            return f"At line {number + 1} it differs only in spaces and indentation. Read those lines again."
    if starts:
        return f"Its first line stands at line {starts[0] + 1}; what follows differs. Read those lines again."
    return "Read the file again and copy the text exactly, without line numbers."


def _keep(keeper: Keeper | None, place: Place, tool: str) -> str | None:
    """Keep the folder before it changes; return what there is to say about it."""
    return None if keeper is None else keeper.before_change(place.root, f"{tool} {place.shown}")


def _noticed(text: str, note: str | None) -> ToolResult:
    """Return a result that carries what there is to say about the checkpoint."""
    return ToolResult(text if note is None else f"{text}\n{note}", notice=note)
