"""Patterns that are compiled when they are first used: a grammar has many, a message needs few.

Compiling them all would cost 40 ms at every start. Case never matters, unless a pattern says `(?-i:…)`.
"""

import re
import sys
from collections.abc import Callable, Iterator
from functools import cached_property


class Pattern:
    """A regular expression in which case does not matter."""

    def __init__(self, source: str) -> None:
        self.source = source

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile(self.source, re.IGNORECASE)

    def match(self, text: str, start: int = 0) -> re.Match[str] | None:
        """Match at a place of the text."""
        return self._compiled.match(text, start)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """Match the whole text."""
        return self._compiled.fullmatch(text)

    def search(self, text: str) -> re.Match[str] | None:
        """Match anywhere in the text."""
        return self._compiled.search(text)

    def finditer(self, text: str, start: int = 0, end: int = sys.maxsize) -> Iterator[re.Match[str]]:
        """Yield every match between two places."""
        return self._compiled.finditer(text, start, end)

    def sub(self, new: str | Callable[[re.Match[str]], str], text: str, count: int = 0) -> str:
        """Replace every match, or the first few."""
        return self._compiled.sub(new, text, count)

    def split(self, text: str) -> list[str]:
        """Cut the text at every match."""
        return self._compiled.split(text)
