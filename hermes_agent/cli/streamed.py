"""Markdown on a terminal while it is still being written.

Finished blocks are printed once and stay in the scrollback; only the last block, which may still grow,
is painted again, and of it only the lines that changed. An open block that is taller than the terminal
shows its end until it is whole. rich renders the blocks; it has no part in the painting.
"""

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from math import ceil
from typing import TYPE_CHECKING, Any

import click

from hermes_agent import clock
from hermes_agent.text.clean import printable, strip_ansi

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from rich.console import Console

# The start of a line that may yet become a heading, a list, a rule, a fence or a table, or be none after all:
# `--  -` is a rule until a word follows.
_UNDECIDED = re.compile(r"(?:^|\n)(?:[-=*+#>|`~_: \t]+|[ \t]*\d{1,9}[.)]?[ \t]*)\Z")
_HALF_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]{0,200}|[PX^_][^\x1b]{0,200}|[ -/]*)\Z")
_TRAILING_SPACE = re.compile(r" +((?:\x1b\[[0-9;]*m)*)$")
# After painting, three times as long nothing is painted: it takes a quarter of the time, however large the block.
_REST = 3.0
_STYLES = {
    "markdown.code": "cyan",
    "markdown.code_block": "none",
    "markdown.h1": "bold underline",
    "markdown.h2": "bold",
    "markdown.h3": "bold",
    "markdown.h4": "bold",
    "markdown.block_quote": "dim",
    "markdown.item.number": "bold",
    "markdown.table.border": "dim",
    "markdown.table.header": "bold",
}


class StreamedMarkdown:
    """One answer as it grows on the terminal, which is the standard output unless a console is given.

    One that stands apart has an empty line above it.
    """

    def __init__(self, console: "Console | None" = None, *, is_apart: bool = False, rest: float = _REST) -> None:
        self._rest = rest
        self._is_apart = is_apart
        self._is_empty = True
        self._renderer = Renderer(console or terminal_console())
        self._canvas = Canvas(self._renderer)
        self._half = ""
        """An escape sequence that is not over; it is never shown, and is needed to know where it ends."""
        self._open = ""
        self._next_paint = 0.0

    def wait(self) -> None:
        """Show that an answer is on its way."""
        if not self._open:
            self._canvas.paint([], [*self._gap(), click.style("…", dim=True)])

    def fitting(self, line: str) -> str:
        """Cut a line so that it takes one row of the terminal."""
        from rich.cells import cell_len, set_cell_size

        columns, _ = self._renderer.size
        line = printable(line)
        return line if cell_len(line) <= columns else set_cell_size(line, max(columns - 1, 1)) + "…"

    def add(self, text: str) -> None:
        """Show the next words."""
        self._half += text
        escape = _HALF_ESCAPE.search(self._half) if "\x1b" in self._half else None
        end = escape.start() if escape else len(self._half)
        self._open += printable(self._half[:end])
        self._half = self._half[end:]
        if clock.monotonic() >= self._next_paint:
            began = clock.monotonic()
            self._paint(settled_length(self._open))
            now = clock.monotonic()
            self._next_paint = now + self._rest * (now - began)

    def finish(self) -> bool:
        """Print what is still open, as if all of it had been printed at once; tell whether there was anything."""
        self._paint(len(self._open), is_whole=True)
        self._half = self._open = ""
        return not self._is_empty

    def _paint(self, length: int, *, is_whole: bool = False) -> None:
        text, later = self._open[:length], self._open[length:]
        blocks = self._renderer.blocks(text)
        finished, growing = (blocks, []) if is_whole else (blocks[:-1], blocks[-1:])
        if finished and not is_whole:
            self._open = growing[0] + later
        fixed = [line for block in finished for line in self._lines(block)]
        self._canvas.paint(fixed, [line for block in growing for line in self._lines(block, is_fixed=False)])

    def _lines(self, block: str, *, is_fixed: bool = True) -> list[str]:
        lines = self._renderer.lines(block)
        shown = [*self._gap(), *lines] if lines else []
        if lines and is_fixed:
            self._is_empty = False
        return shown

    def _gap(self) -> list[str]:
        return [] if self._is_empty and not self._is_apart else [""]


def terminal_console(**options: Any) -> "Console":  # Any: what rich takes as options
    """Make the console that answers are shown on."""
    from rich.console import Console
    from rich.theme import Theme

    return Console(theme=Theme(_STYLES), highlight=False, emoji=False, **options)


class Renderer:
    """Markdown as lines for the terminal, with its colours; what rich is asked for."""

    def __init__(self, console: "Console") -> None:
        self.console = console

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows of the terminal, now."""
        return self.console.size

    def blocks(self, text: str) -> list[str]:
        """Cut a text into its blocks: paragraphs, lists, tables, fences."""
        lines = text.split("\n")
        starts = [token.map[0] for token in self._parser.parse(text) if token.level == 0 and token.map]
        if not starts:
            return []
        cuts = sorted({0, *starts[1:], len(lines)})
        return ["\n".join(lines[start:end]) for start, end in pairwise(cuts)]

    def lines(self, text: str) -> list[str]:
        """Render one block to the terminal's width."""
        from hermes_agent.cli.markdown_look import Look

        with self.console.capture() as captured:
            self.console.print(Look(text, self._parser))
        lines = [_TRAILING_SPACE.sub(r"\1", line) for line in captured.get().split("\n")]
        filled = [place for place, line in enumerate(lines) if strip_ansi(line).strip()]
        return lines[filled[0] : filled[-1] + 1] if filled else []

    @cached_property
    def _parser(self) -> "MarkdownIt":
        from markdown_it import MarkdownIt

        # Without HTML: `List<String>` is text, and rich would leave out what looks like a tag.
        # Without references: a line that only defines one would vanish.
        parser = MarkdownIt("commonmark", {"html": False})
        return parser.enable(["strikethrough", "table"]).disable("reference")


class Canvas:
    """The last lines on the terminal, which may still change."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._lines: list[str] = []

    def paint(self, fixed: Sequence[str], growing: Sequence[str]) -> None:
        """Print lines for good, and below them lines that may change; what changed before is replaced."""
        columns, rows = self._renderer.size
        growing = list(growing)[-max(rows - 1, 1) :]
        fresh = [*fixed, *growing]
        if not fresh and not self._lines:
            return
        same = 0
        while same < min(len(self._lines), len(fresh) - 1) and self._lines[same] == fresh[same]:
            same += 1
        written = self._back_to(same, columns) + "\n".join(fresh[same:])
        # The cursor rests at the end of the last growing line, or below what is fixed.
        file = self._renderer.console.file
        file.write(written + ("\n" if fresh and not growing else ""))
        file.flush()
        self._lines = growing

    def _back_to(self, line: int, columns: int) -> str:
        """Return what leads the cursor to the start of a painted line, and clears from there on."""
        if not self._lines:
            return ""
        if line == len(self._lines):
            return "\n"
        rows = sum(max(1, ceil(_width(text) / columns)) for text in self._lines[line:])
        if rows == 1:
            return "\r\x1b[K"
        # Not all at once: some terminals keep a screen that is cleared from its corner in their scrollback.
        return f"\r\x1b[{rows - 1}A\x1b[K\x1b[B\x1b[J\x1b[A"


def settled_length(text: str) -> int:
    """Tell how much of a growing text can be shown: not the start of what may become a mark."""
    undecided = _UNDECIDED.search(text, max(0, text.rfind("\n")))
    return undecided.start() if undecided else len(text)


def _width(line: str) -> int:
    from rich.cells import cell_len

    return cell_len(strip_ansi(line))
