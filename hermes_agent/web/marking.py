"""Texts in pieces: what of them is marked, because it was looked for or because it was taken out.

Pieces, not markup: the template escapes each and puts the marks around it, so no stored text can bring its own.
"""

import re
from typing import NamedTuple

from hermes_agent.text.snippet import CLOSE, OPEN

_HIT = re.compile(f"{re.escape(OPEN)}(.*?){re.escape(CLOSE)}", re.DOTALL)
_REDACTED = re.compile(r"(\[redacted: [^\[\]\n]{1,60}\])")


class Piece(NamedTuple):
    """A part of a text."""

    text: str
    is_marked: bool


def hits(snippet: str) -> list[Piece]:
    """Take a snippet apart: the words that were looked for are marked."""
    return _pieces(_HIT.split(snippet))


def redactions(text: str) -> list[Piece]:
    """Take a text apart: where a secret was taken out it is marked."""
    return _pieces(_REDACTED.split(text))


def _pieces(parts: list[str]) -> list[Piece]:
    # What a pattern caught stands at the odd places.
    return [Piece(part, place % 2 == 1) for place, part in enumerate(parts) if part]
