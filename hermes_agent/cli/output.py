"""How commands print: JSON for programs, tables for people, and questions.

Text that was stored may hold anything, terminal control codes among it; tables show those escaped.
"""

import json
import re
import shutil
import sys
import textwrap
from collections.abc import Sequence

import click

from hermes_agent.config import terminal
from hermes_agent.errors import HermesError, UsageError
from hermes_agent.text import clean

_UNPRINTABLE = re.compile("[\ud800-\udfff\x7f-\x9f\u2028\u2029]")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")

# The indent of a line, and what stands in front of its text like the first column of a table.
_HEADING = re.compile(r" *(?:\S+(?: \S+)* {2,})?")
_NARROWEST = 20


def print_json(value: object) -> None:
    """Print a value as indented JSON, text as it is."""
    click.echo(_escaped(json.dumps(value, indent=2, ensure_ascii=False)))


def print_json_line(value: object) -> None:
    """Print a value as JSON on one line, for programs that read line by line."""
    click.echo(_escaped(json.dumps(value, ensure_ascii=False)))


def say(text: str, *, is_error: bool = False, is_bold: bool = False, is_dim: bool = False) -> None:
    """Print a text that may hold stored words; whatever could steer the terminal is left out."""
    text = clean.printable(text)
    if (is_bold or is_dim) and not terminal.is_dumb():
        text = click.style(text, bold=is_bold or None, dim=is_dim or None)
    click.echo(text, err=is_error)


def show_error(error: HermesError) -> None:
    """Print an error on stderr: its sentence, and below it the hint."""
    for line in (f"Error: {error.message}", *([] if error.hint is None else [f"Hint: {error.hint}"])):
        say(folded(line) if sys.stderr.isatty() else line, is_error=True)


def print_table(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print rows under their headings: folded to a terminal's width, in a pipe one whole line each."""
    cells = [[printable(str(cell)) for cell in row] for row in rows]
    if sys.stdout.isatty():
        _print_folded(columns, cells)
        return
    from rich.cells import cell_len

    lines = [list(columns), *cells]
    widths = [max(cell_len(line[index]) for line in lines) for index in range(len(columns))]
    for line in lines:
        padded = (cell + " " * (width - cell_len(cell)) for cell, width in zip(line, widths, strict=True))
        click.echo("  ".join(padded).rstrip())


def printable(text: str) -> str:
    """Escape control characters, so that stored text cannot move the cursor or break a line."""
    return _CONTROL.sub(lambda match: match.group().encode("unicode_escape").decode(), text)


def folded(text: str) -> str:
    """Break the lines of a text at words, to the terminal's width; a line goes on below where its text began."""
    columns = shutil.get_terminal_size().columns
    lines = []
    for line in text.split("\n"):
        heading = _HEADING.match(line)
        place = heading.end() if heading and heading.end() < columns - _NARROWEST else 0
        lines += textwrap.wrap(line, columns, subsequent_indent=" " * place, break_on_hyphens=False) or [""]
    return "\n".join(lines)


def confirm(question: str, *, yes: bool) -> bool:
    """Ask on stderr and return the answer; with nobody to ask, say that `--yes` is needed."""
    if yes:
        return True
    click.echo(f"{question} [y/N] ", nl=False, err=True)
    answer = sys.stdin.readline()
    if not answer:
        click.echo(err=True)
        raise UsageError("There is nobody to ask.", hint="Add --yes to go on without the question.")
    return answer.strip().lower() in ("y", "yes")


def examples(*commands: str) -> str:
    """Write the Examples section of a command's help, one command a line."""
    return "\b\nExamples:\n" + "\n".join(f"  {command}" for command in commands)


def _escaped(text: str) -> str:
    # Lone surrogates have no bytes, and C1 controls steer terminals: both stay escaped.
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _print_folded(columns: Sequence[str], cells: Sequence[Sequence[str]]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    console = Console()
    for place, column in enumerate(columns):
        # The first column names the row: broken over lines it could not be copied.
        longest = max((len(row[place]) for row in cells), default=0) if place == 0 else 0
        table.add_column(column, overflow="fold", min_width=min(longest, console.width // 2))
    for row in cells:
        table.add_row(*(Text(cell) for cell in row))
    console.print(table)
