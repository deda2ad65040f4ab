"""Bring a text to the form in which time phrases are matched, and find the way back to the words as written."""

import unicodedata
from typing import NamedTuple

from hermes_agent.text.compiled import compiled

READ_CAP = 20_000
"""Of a longer text only the beginning is looked through for days."""

_SAME = str.maketrans("’‘ʼ‐‑‒–—\n\r\t", "'''-----   ")
# White space that must become single; an empty line may stay two blanks: no phrase goes on behind it.
# What becomes the same in lower case all at once, its blanks single already; or one letter.
_STRETCH = r"[!-~]+(?: [!-~]+)*+|(?s:.)"
_UNEVEN = r"[^\S\n]{2}|[^\S\n]\n|\n[^\S\n]"


class Plain(NamedTuple):
    """A text in lower case, without accents, its white space single; `places` leads back to the original."""

    text: str
    original: str
    places: tuple[int, ...]

    def as_written(self, start: int, end: int) -> str:
        """Return the part of the original between two places of the plain text."""
        if start >= end:
            return ""
        if not self.places:
            return self.original[start:end]
        return self.original[self.places[start] : self.places[end - 1] + 1]

    def is_capital(self, place: int) -> bool:
        """Tell whether the letter at a place of the plain text was written as a capital."""
        return self.original[self.places[place] if self.places else place].isupper()


def plain(text: str) -> Plain:
    """Fold a text letter by letter, up to `READ_CAP`."""
    original = text[:READ_CAP]
    same = original.translate(_SAME)
    if same.isascii() and compiled(_UNEVEN).search(original) is None:
        return Plain(same.lower(), original, ())
    pieces: list[str] = []
    places: list[int] = []
    for match in compiled(_STRETCH).finditer(same):
        piece, place = match[0], match.start()
        if len(piece) > 1:
            pieces.append(piece.lower())
            places.extend(range(place, match.end()))
            continue
        folded = " " if piece.isspace() else piece.lower() if piece.isascii() else _folded(piece)
        if folded == " " and pieces and pieces[-1] == " ":
            continue
        pieces.append(folded)
        places.extend([place] * len(folded))
    return Plain("".join(pieces), original, tuple(places))


def _folded(letter: str) -> str:
    parts = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", letter).casefold())
    return "".join(part for part in parts if not unicodedata.combining(part))
