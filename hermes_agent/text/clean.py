"""Make stored text safe to show in a terminal or to hand to a model."""

import re

# Control sequences with parameters; strings (titles, links) up to their end; and the short ones.
_ANSI = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]+[0-~]|[0-~])"
)
# What steers a terminal, and what turns the order of letters round.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
_SPACE = re.compile(r"\s+")
# Taking one sequence out may join the halves of another; whoever nests deeper only loses the escape itself.
_PASSES = 3


def strip_ansi(text: str) -> str:
    """Remove terminal escape sequences; a program's colours are nothing to remember."""
    if "\x1b" not in text:
        return text
    for _ in range(_PASSES):
        text = _ANSI.sub("", text)
    return text.replace("\x1b", "")


def printable(text: str) -> str:
    """Remove what could move the cursor or recolour the terminal: escape sequences, control characters."""
    return whole(_CONTROL.sub("", strip_ansi(text)))


def whole(text: str) -> str:
    """Return a text without halves of characters: no UTF-8 can hold them."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def unix(text: str) -> str:
    """Return a text with the line ends of our files: browsers and other systems send theirs."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def preview(text: str, characters: int = 60) -> str:
    """Return the start of a text on one line."""
    line = _SPACE.sub(" ", printable(text[: characters * 8])).strip()
    return line if len(line) <= characters else line[: characters - 3].rstrip() + "..."
