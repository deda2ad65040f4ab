"""Markdown that is still being written: in the end the terminal looks as if all of it had come at once."""

import io
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.cli.streamed import StreamedMarkdown, settled_length, terminal_console

_MOVE = re.compile(r"\x1b\[([\d;]*)([A-Za-z])")
PIECES = (
    "A word. ",
    "**bold** and `code` ",
    "\n",
    "\n\n",
    "# Heading\n",
    "- item\n",
    "  - nested\n",
    "1. first\n2. second\n",
    "```python\nx = 1\n",
    "```\n",
    "> quote\n",
    "| a | b |\n|---|---|\n| 1 | 2 |\n",
    "---\n",
    "List<String> <div>kept</div> ",
    "[1]: http://example.org\n",
    "日本語のとても長い文章です。",
    "    indented\n",
    "\x1b[31mred\x1b[0m ",
    "\x1b]0;title\x07",
    "#",
    "-",
    "`",
)


class Paper:
    """A terminal that never forgets: what was written, after every movement of the cursor."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.lines: list[str] = [""]
        self.row = 0

    def write(self, text: str) -> None:
        """Follow the text; colours are left out."""
        column = len(self.lines[self.row])
        place = 0
        while place < len(text):
            move = _MOVE.match(text, place)
            if move:
                count, verb = int(move[1].partition(";")[0] or 0), move[2]
                column = self._move(verb, count, column)
                place = move.end()
                continue
            column = self._put(text[place], column)
            place += 1

    def _move(self, verb: str, count: int, column: int) -> int:
        if verb == "A":
            self.row -= count or 1
            assert self.row >= len(self.lines) - self.rows, "the cursor left the screen"
        elif verb == "B":
            self.row += count or 1
        elif verb == "K":
            self.lines[self.row] = self.lines[self.row][:column]
        elif verb == "J":
            self.lines[self.row] = self.lines[self.row][:column]
            del self.lines[self.row + 1 :]
        else:
            assert verb == "m", f"an unknown sequence: {verb}"
        return column

    def _put(self, character: str, column: int) -> int:
        assert character in "\r\n" or unicodedata.category(character) not in ("Cc", "Cs"), repr(character)
        if character == "\r":
            return 0
        if character == "\n":
            self.row += 1
            if self.row == len(self.lines):
                self.lines.append("")
            return 0
        line = self.lines[self.row]
        self.lines[self.row] = line[:column] + character + line[column + 1 :]
        return column + 1


def shown(pieces: list[str], columns: int = 40, rows: int = 8) -> list[str]:
    """Stream the pieces and return the lines that stay on the terminal."""
    file = io.StringIO()
    console = terminal_console(file=file, force_terminal=True, width=columns, height=rows, legacy_windows=False)
    markdown = StreamedMarkdown(console, rest=0)
    markdown.wait()
    for piece in pieces:
        markdown.add(piece)
    markdown.finish()
    paper = Paper(columns, rows)
    paper.write(file.getvalue())
    assert not any(paper.lines[paper.row + 1 :]), "what is below the cursor was cleared"
    return [line.rstrip() for line in paper.lines[: paper.row + 1]]


def test_a_block_that_turns_out_to_be_empty_leaves_nothing() -> None:
    assert shown(["---\n`\n`", "\n"]) == shown(["---\n`\n`\n"])


def test_a_rule_that_turns_out_to_be_words_leaves_nothing() -> None:
    text = "A word\n--  - nested\n"
    for cut in range(len(text)):
        assert shown([text[:cut], text[cut:]]) == shown([text])


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join), st.data())
def test_words_that_come_in_pieces_end_as_if_they_had_come_at_once(text: str, data: st.DataObject) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=20)))
    pieces = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert shown(pieces) == shown([text])


@given(st.text(), st.integers(1, 5))
def test_no_text_steers_the_terminal(text: str, size: int) -> None:
    shown([text[start : start + size] for start in range(0, len(text), size)])


def test_nothing_of_a_text_is_left_out() -> None:
    text = "Use List<String> and <b>bold</b>.\n\n[1]: http://example.org\n\n<div>\nkept\n</div>"
    lines = shown([text])
    assert "\n".join(lines).rstrip() == "\n".join(
        ["Use List<String> and <b>bold</b>.", "", "[1]: http://example.org", "", "<div>", "kept", "</div>"]
    )


def test_line_ends_inside_a_paragraph_are_kept() -> None:
    assert shown(["one\ntwo"])[:2] == ["one", "two"]


def test_a_block_taller_than_the_terminal_is_whole_in_the_end() -> None:
    code = "".join(f"line {number}\n" for number in range(50))
    lines = shown([piece + "\n" for piece in f"```\n{code}```".split("\n")], rows=6)
    assert [line.strip() for line in lines if line.strip()] == code.split("\n")[:-1]


@pytest.mark.parametrize("start", ["#", "-", "1.", "```", "|", "---"])
def test_the_start_of_a_mark_waits_for_the_rest(start: str) -> None:
    text = "A line\n" + start
    assert text[: settled_length(text)] == "A line"


def test_a_finished_line_waits_for_nothing() -> None:
    assert settled_length("A line of words") == len("A line of words")


@pytest.mark.parametrize("columns", [60, 120])
def test_lines_keep_to_the_width_of_the_terminal(columns: int) -> None:
    lines = shown([f"word{number} " for number in range(100)], columns)
    assert max(map(len, lines)) <= columns
    assert " ".join(lines).split() == [f"word{number}" for number in range(100)]
