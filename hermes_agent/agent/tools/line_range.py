"""Show some lines of a text file, however long the file and its lines are: only the part shown is held.

Lines are numbered from 1. A line that is too long is cut and says how to read on; so does the file.
"""

import io
from dataclasses import dataclass
from typing import BinaryIO

from hermes_agent import clock
from hermes_agent.agent.toolbox import LONGEST_RESULT
from hermes_agent.agent.tools.text_file import HEAD_BYTES, coding_of, replaced_bytes
from hermes_agent.errors import ToolError

LONGEST_LINE = 2_000
_SECONDS = 10.0
_PIECE = 65_536
_FOOTER = 600
_COUNTED_BYTES = 20_000_000


@dataclass(frozen=True, slots=True)
class Range:
    """Which part: `limit` lines from line `offset`, each from its character `column` on."""

    offset: int
    limit: int
    column: int = 1


def show(file: BinaryIO, part: Range, name: str) -> str:
    """Return the lines of a part, numbered, and a last line that says what is left."""
    head = file.read(HEAD_BYTES)
    coding = coding_of(head)
    if coding is None:
        raise ToolError(f"{name} is no text file.", hint="It cannot be shown.")
    if not head:
        return f"[{name} is empty.]"
    size = file.seek(0, io.SEEK_END)
    file.seek(len(coding.mark))
    text = io.TextIOWrapper(file, coding.codec, coding.errors, newline="\n")
    try:
        shown = _shown(_Lines(text), part, name, size)
    finally:
        text.detach()  # the file is not ours to close
    clean = replaced_bytes(shown)
    return clean if clean == shown else f"{clean}\n[Bytes that are no UTF-8 are shown as \ufffd.]"


def counted(lines: int) -> str:
    """Write a number of lines."""
    return "1 line" if lines == 1 else f"{lines:,} lines"


class _Lines:
    """Reads a text line by line, in pieces, for a limited time."""

    def __init__(self, text: io.TextIOWrapper) -> None:
        self._text = text
        self._deadline = clock.monotonic() + _SECONDS

    def skip(self, lines: int) -> int:
        """Leave out lines; return how many there were."""
        for skipped in range(lines):
            if not self._skip_line():
                return skipped
            if skipped % 1_000 == 0:
                self._check()
        return lines

    def take(self, column: int, most: int) -> tuple[str, bool] | None:
        """Return the next line from a character on, and whether it was cut; None at the end of the file."""
        left = column - 1
        while left:
            piece = self._text.readline(min(left, _PIECE))
            if not piece:
                return None if left == column - 1 else ("", False)
            if piece.endswith("\n"):
                return "", False
            left -= len(piece)
            self._check()
        line = self._text.readline(most + 1)
        if not line and column == 1:
            return None
        if line.endswith("\n"):
            return line[:-1].removesuffix("\r"), False
        self._skip_line()
        return line[:most], len(line) > most

    def _skip_line(self) -> bool:
        """Go to the next line; return whether there was anything left of this one."""
        was_any = False
        while piece := self._text.readline(_PIECE):
            was_any = True
            if piece.endswith("\n"):
                break
            self._check()
        return was_any

    def _check(self) -> None:
        if clock.monotonic() > self._deadline:
            raise ToolError(
                f"The file is too long to get there in {_SECONDS:.0f} seconds.",
                hint="Look for the place with search_files, or show it with a command.",
            )


def _shown(lines: _Lines, part: Range, name: str, size: int) -> str:
    skipped = lines.skip(part.offset - 1)
    if skipped < part.offset - 1:
        raise ToolError(f"{name} has {counted(skipped)}.", hint=f"There is no line {part.offset:,}.")
    room = LONGEST_RESULT - _FOOTER
    # One line alone may fill the reply; among others a long one is cut.
    most = LONGEST_LINE if part.limit > 1 else room - 100
    shown: list[str] = []
    while len(shown) < part.limit:
        number = part.offset + len(shown)
        taken = lines.take(part.column, most)
        if taken is None:
            break
        line, is_cut = taken
        if is_cut:
            line += f" [… line {number} goes on: offset={number}, limit=1, column={part.column + most}]"
        row = f"{number:>6}\t{line}"
        if shown and len(row) + 1 > room:
            return "\n".join(shown) + f"\n[More lines follow. Go on with offset={number}.]"
        room -= len(row) + 1
        shown.append(row)
    return "\n".join([*shown, _footer(lines, part, name, size, len(shown))])


def _footer(lines: _Lines, part: Range, name: str, size: int, count: int) -> str:
    if count == 0:
        return f"[{name} has {counted(part.offset - 1)}; there is no line {part.offset:,}.]"
    last = part.offset + count - 1
    if count < part.limit:
        return f"[End of the file: {counted(last)}.]"
    if size > _COUNTED_BYTES:
        return f"[Lines {part.offset:,}–{last:,} of a file of {size:,} bytes. Go on with offset={last + 1}.]"
    more = lines.skip(size)
    if not more:
        return f"[End of the file: {counted(last)}.]"
    return f"[Lines {part.offset:,}–{last:,} of {last + more:,}. Go on with offset={last + 1}.]"
