"""Words by their stem, as numbers: "painted" and "painting" are the same one.

The stemmer is the English one. Words of other languages go through it too; they lose less than
they gain, because a text and a question lose the same.
"""

from collections.abc import Callable, Iterable
from functools import cache
from zlib import crc32

from hermes_agent.text.stopwords import ENGLISH_STOP_WORDS
from hermes_agent.text.words import words

# Words by their stem's number; emptied when it has grown beyond what a language has.
_LARGEST_TABLE = 400_000
_known: dict[str, int] = {}


def content_words(text: str) -> list[str]:
    """Return the words of a text that are no stop words, in order."""
    return [word for word in words(text) if word not in ENGLISH_STOP_WORDS]


def stem_numbers(found: Iterable[str]) -> list[int]:
    """Return a 32-bit number for the stem of each word."""
    if len(_known) > _LARGEST_TABLE:
        _known.clear()
    return [_known.get(word) or _learn(word) for word in found]


def _learn(word: str) -> int:
    number = crc32(stem(word).encode())
    _known[word] = number
    return number


def stem(word: str) -> str:
    """Return the stem of one word."""
    # The stemmer refuses halves of characters.
    return _stem_of()(word if word.isascii() else word.encode("utf-8", "replace").decode())


@cache
def _stem_of() -> Callable[[str], str]:
    import Stemmer

    stemmer: Callable[[str], str] = Stemmer.Stemmer("english").stemWord
    return stemmer
