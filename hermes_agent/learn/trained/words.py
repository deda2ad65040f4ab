"""Cut a message into what the network reads at once: pieces of a few sentences, in words with their places.

Training cuts the same way, so nothing here may change without training again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hermes_agent.learn.patterns import Pattern

# An accent that stands as a character of its own belongs to its letter.
_LETTERS = r"\w[\w\u0300-\u036f]*"
_WORD = Pattern(rf"{_LETTERS}(?:['’]{_LETTERS})*|[^\w\s]")
_ENDS = frozenset(".!?…")
_MOST_WORDS = 120


@dataclass(frozen=True, slots=True)
class Word:
    """A word or a mark, and its place in the message."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of words that is read at once."""

    words: Sequence[Word]

    def shapes(self) -> list[list[float]]:
        """Return what of the words a vocabulary in lower case does not show."""
        befores = [None, *self.words[:-1]]
        return [_shape(word.text, before) for word, before in zip(self.words, befores, strict=True)]


SHAPES = 8


def _shape(word: str, before: Word | None) -> list[float]:
    marks = (
        word[0].isupper(),
        word.isupper() and len(word) > 1,
        any(letter.isdigit() for letter in word),
        word.isdigit(),
        not word[0].isalnum(),
        before is None or before.text in _ENDS,
        len(word) <= 2,
        not word.isascii(),
    )
    return [float(mark) for mark in marks]


def pieces(text: str) -> Iterator[Piece]:
    """Yield the pieces of a message: whole sentences as far as they fit."""
    words = [Word(match[0], match.start(), match.end()) for match in _WORD.finditer(text)]
    place = 0
    while place < len(words):
        piece = _fitting(words[place : place + _MOST_WORDS + 1])
        yield Piece(piece)
        place += len(piece)


def _fitting(words: Sequence[Word]) -> Sequence[Word]:
    """Return the words of the next piece, of one word more than it may have."""
    if len(words) <= _MOST_WORDS:
        return words
    ends = [place + 1 for place in range(_MOST_WORDS) if words[place].text in _ENDS]
    return words[: ends[-1] if ends else _MOST_WORDS]
