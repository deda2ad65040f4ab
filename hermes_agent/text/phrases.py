"""Look for phrases: whole words that follow each other, however their case is, plainly or by keyed hashes only.

A phrase may be shorter than a run (`text/runs.py`), and stands where nothing else of what was forgotten does.
Each different phrase of a text is compared once; only if one is sought are its places looked for.
"""

import re
from collections.abc import Callable, Collection, Iterator, Sequence

_LETTERS = re.compile(rb"(?:[0-9A-Za-z]|[\xc2-\xf4][\x80-\xbf]{1,3})+")
_WORD = re.compile(r"[^\W_]+")
_ASCII = 128

Span = tuple[int, int]
"""Where a word begins and ends, in bytes."""


def normal(phrase: str) -> tuple[str, int]:
    """Return a phrase as it is compared, and how many words it has."""
    words = _WORD.findall(phrase.casefold())
    return " ".join(words), len(words)


def find(data: bytes, sizes: Collection[int], is_sought: Callable[[str], bool]) -> list[tuple[int, int]]:
    """Return where a phrase of one of the sizes stands that is sought, and how long it is."""
    if not sizes:
        return []
    spans = [span for found in _LETTERS.finditer(data) for span in _words(found[0], found.start())]
    told = [data[start:end].decode("utf-8", "replace").casefold() for start, end in spans]
    places: list[tuple[int, int]] = []
    for size in sizes:
        sought = {one for one in set(_phrases(told, size)) if is_sought(one)}
        for at, one in enumerate(_phrases(told, size) if sought else ()):
            if one in sought and _is_together(data, spans[at : at + size]):
                places.append((spans[at][0], spans[at + size - 1][1] - spans[at][0]))
    return places


def _phrases(words: Sequence[str], size: int) -> Iterator[str]:
    if size == 1:
        yield from words
    else:
        yield from (" ".join(words[at : at + size]) for at in range(len(words) - size + 1))


def _words(letters: bytes, start: int) -> Iterator[Span]:
    """Yield the words in what looks like letters; marks of other scripts are none."""
    if max(letters) < _ASCII:
        yield start, start + len(letters)
        return
    text = letters.decode("utf-8", "surrogateescape")
    for found in _WORD.finditer(text):
        before = len(text[: found.start()].encode("utf-8", "surrogateescape"))
        yield start + before, start + before + len(found[0].encode("utf-8", "surrogateescape"))


def _is_together(data: bytes, spans: Sequence[Span]) -> bool:
    """Tell whether the words are one phrase: only blanks and marks within a sentence are between them, and no end.

    Texts that are looked through together have a byte between them that stands in none.
    """
    between = (data[one[1] : following[0]] for one, following in zip(spans, spans[1:], strict=False))
    return all(len(one) <= _FARTHEST and not any(mark in one for mark in b".!?\n\xff") for one in between)


_FARTHEST = 3
