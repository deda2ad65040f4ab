"""What a text is known by when it was forgotten: its words alone, whole and sentence by sentence.

Receipts keep keyed hashes of these forms; whoever says the same again, however spelled, comes to the same ones.
"""

import re
from collections.abc import Iterator

from hermes_agent.text.runs import RUN
from hermes_agent.text.stopwords import STOP_WORDS
from hermes_agent.text.words import fold

_LONGEST_PIECE = 400
_LONGEST_PHRASE = 5
_WORD = re.compile(r"[^\W_]+")
_PIECE = re.compile(r"[^\n.!?…。！？]*(?:[\n…。！？]+|[.!?]+(?=[\s\"'”)\]]|$)[\"'”)\]]*[ \t]*|[.!?]|$)")


def pieces(text: str) -> Iterator[str]:
    """Yield the sentences and lines of a text; one without an end is cut where it gets too long."""
    for found in _PIECE.finditer(text):
        piece = found[0]
        while len(piece) > _LONGEST_PIECE:
            space = piece.rfind(" ", 1, _LONGEST_PIECE)
            end = space + 1 if space > 0 else _LONGEST_PIECE
            yield piece[:end]
            piece = piece[end:]
        if piece:
            yield piece


def block_keys(text: str) -> set[str]:
    """Return what a text is blocked by: all of its words, and those of each sentence that says something."""
    return {one for one in (normal(text), *map(normal, pieces(text))) if _says_something(one)}


def slot_key(subject: str | None, attribute: str | None, value: str | None) -> str | None:
    """Return what a fact is blocked by whatever words it comes in; None for one without a slot."""
    if not attribute or not value:
        return None
    return "\0".join(normal(one or "") for one in (subject, attribute, value))


def about_key(phrase: str) -> str:
    """Return what everything about a thing is blocked by."""
    return f"about\0{normal(phrase)}"


def about_keys(text: str) -> set[str]:
    """Return all things that a text may be about: every few words of it that follow each other."""
    words = normal(text).split()
    ends = range(1, _LONGEST_PHRASE + 1)
    return {about_key(" ".join(words[at : at + length])) for at in range(len(words)) for length in ends}


def normal(text: str) -> str:
    """Return the words of a text alone: spelling, case and marks do not matter."""
    return " ".join(_WORD.findall(fold(text)))


def _says_something(words: str) -> bool:
    told = [word for word in words.split() if word not in STOP_WORDS]
    return len(told) >= 2 or (len(told) == 1 and len(words) >= RUN)
