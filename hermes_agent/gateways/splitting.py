"""Long answers in parts: cut at paragraphs, lines or words, and no code block is left open in any part.

The bodies of the parts, one after the other, are the text. A code block that has to be cut is closed at the end
of one part and opened again at the beginning of the next. Lengths are counted as platforms do, in UTF-16.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})([^`]*)")
_LONGEST_LANGUAGE = 20
_LEAST_SHARE = 4
"""A cut at a better place is taken if the part is then at least a quarter of what it could be."""


@dataclass(frozen=True, slots=True)
class Part:
    """One message of several; `shown` is what is sent."""

    body: str
    opens: str = ""
    closes: str = ""

    @property
    def shown(self) -> str:
        """The body with the marks that keep a code block whole."""
        return f"{self.opens}{self.body}{self.closes}"


@dataclass(frozen=True, slots=True)
class _Cut:
    """A place where the text may be cut, and the code block that is open there."""

    at: int
    block: str | None


def length(text: str) -> int:
    """Count as platforms do: a character beyond the first 65,536 counts twice."""
    return len(text) + sum(one > "\uffff" for one in text)


def split(text: str, limit: int) -> list[Part]:
    """Cut a text into parts that are sent one after the other."""
    parts: list[Part] = []
    block: str | None = None
    while text:
        opens = "" if block is None else f"{block}\n"
        if length(opens + text) <= limit and _block_after(text, block) is None:
            return [*parts, Part(text, opens)]
        cut = _best(text, block, limit - length(opens))
        body, text = text[: cut.at], text[cut.at :]
        closes = "" if cut.block is None else _closing(cut.block, body)
        parts.append(Part(body, opens, closes))
        block = cut.block
    return parts


def _best(text: str, block: str | None, room: int) -> _Cut:
    """Return the best place to cut: between paragraphs, between lines, in a block, between words, anywhere."""
    most = _fitting(text, room)
    least = most // _LEAST_SHARE
    lines = [cut for cut in _line_ends(text, block) if cut.at <= most]
    fitting = [cut for cut in lines if _fits(text, cut, room)]
    free = [cut for cut in fitting if cut.block is None and cut.at > least]
    between = [cut for cut in free if text[: cut.at].endswith("\n\n") or cut.at == len(text)]
    for found in (between, free, [cut for cut in fitting if cut.at > least], fitting):
        if found:
            return found[-1]
    return _within_line(text, block, room)


def _within_line(text: str, block: str | None, room: int) -> _Cut:
    """Return the last place between words of the first line, or the last that fits."""
    closing = 0 if block is None else length(_closing(block, "x"))
    most = max(1, _fitting(text, room - closing))
    space = max(text.rfind(" ", 0, most), text.rfind("\t", 0, most)) + 1
    return _Cut(space if space > most // _LEAST_SHARE else most, block)


def _fits(text: str, cut: _Cut, room: int) -> bool:
    body = text[: cut.at]
    return length(body) + (0 if cut.block is None else length(_closing(cut.block, body))) <= room


def _fitting(text: str, room: int) -> int:
    """Return how many characters of a text fit into some room."""
    most = min(len(text), max(room, 1))
    while most > 1 and length(text[:most]) > room:
        most -= max(1, (length(text[:most]) - room) // 2)
    return most


def _line_ends(text: str, block: str | None) -> Iterator[_Cut]:
    """Yield the end of each line with the block that is open after it; the last line may have no end."""
    at = 0
    for line in text.splitlines(keepends=True):
        at += len(line)
        block = _after_line(line, block)
        yield _Cut(at, block)


def _block_after(text: str, block: str | None) -> str | None:
    for cut in _line_ends(text, block):
        block = cut.block
    return block


def _after_line(line: str, block: str | None) -> str | None:
    """Return how the block is opened that is open after a line, None if none is."""
    found = _FENCE.match(line.rstrip("\r\n"))
    if found is None:
        return block
    mark, rest = found.group(1), found.group(2).strip()
    if block is None:
        return mark + rest[:_LONGEST_LANGUAGE].partition(" ")[0]
    is_closing = not rest and mark[0] == block[0] and len(mark) >= len(_mark(block))
    return None if is_closing else block


def _mark(block: str) -> str:
    return block[: len(block) - len(block.lstrip(block[0]))]


def _closing(block: str, body: str) -> str:
    return _mark(block) if body.endswith("\n") else f"\n{_mark(block)}"
