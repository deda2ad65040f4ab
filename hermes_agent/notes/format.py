"""How entries stand in a note file, how full it is, and how it looks in the prompt.

Entries are joined by a line that holds nothing but a section sign. The file has no header and no newline
at its end; an empty note is an empty file. A section sign inside a line separates nothing. This is the
public product's format: its homes are read and written as they are.
"""

import re
from collections.abc import Iterable, Sequence

DELIMITER = "\n§\n"
BOM = "\ufeff"
RULE = "═" * 46

# An editor on Windows ends lines its own way; the line with the sign is still a line with the sign.
BOUNDARY = re.compile("\r?\n§\r?\n")
_LONE_SIGN = re.compile(r"^[ \t]*§[ \t]*\r?$", re.MULTILINE)
_NEARLY_FULL_PERCENT = 80


def parse(text: str) -> list[str]:
    """Return the entries of a file's text in order, duplicates included; each is stripped, empty ones go."""
    pieces = (piece.strip() for piece in BOUNDARY.split(text.removeprefix(BOM)))
    return [piece for piece in pieces if piece]


def render(entries: Sequence[str]) -> str:
    """Return the text of a file that holds the entries."""
    return DELIMITER.join(entries)


def unique(entries: Iterable[str]) -> list[str]:
    """Return the entries without repeats, the first of equal ones kept."""
    return list(dict.fromkeys(entries))


def size(entries: Sequence[str]) -> int:
    """Count the characters of the entries as they stand in the file, the lines between them included."""
    return len(render(entries))


def is_tidy(text: str) -> bool:
    """Tell whether writing the parsed entries gives the text back, but for space around it."""
    return render(parse(text)) == BOUNDARY.sub(DELIMITER, text.removeprefix(BOM)).strip()


def reads_back(entries: Sequence[str]) -> bool:
    """Tell whether the entries, once written, are read as the same entries."""
    return parse(render(entries)) == list(entries)


def holds_boundary(content: str) -> bool:
    """Tell whether a line of the content is nothing but the sign: it would become two entries."""
    return _LONE_SIGN.search(content) is not None


def is_nearly_full(characters: int, limit: int) -> bool:
    """Tell whether it is time to say that a note fills up."""
    return percent(characters, limit) >= _NEARLY_FULL_PERCENT


def percent(characters: int, limit: int) -> int:
    """Return how full a note is, at most 100."""
    return min(100, characters * 100 // limit)


def fraction(characters: int, limit: int) -> str:
    """Write how full a note is: `1,234/2,200`."""
    return f"{characters:,}/{limit:,}"


def usage(characters: int, limit: int) -> str:
    """Write how full a note is: `56% — 1,234/2,200 chars`."""
    return f"{percent(characters, limit)}% — {fraction(characters, limit)} chars"


def block(title: str, body: str) -> str:
    """Return a note as it stands in the prompt: a heading between two rules, then the text."""
    return f"{RULE}\n{title}\n{RULE}\n{body}"
