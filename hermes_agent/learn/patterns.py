"""Patterns that are compiled when they are first used: a grammar has many, a message needs few.

Compiling them all would cost 40 ms at every start.
"""

import re
from collections.abc import Iterator
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

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Yield every match."""
        return self._compiled.finditer(text)

    def sub(self, new: str, text: str) -> str:
        """Replace every match."""
        return self._compiled.sub(new, text)
