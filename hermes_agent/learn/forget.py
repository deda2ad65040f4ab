"""What must go when something is forgotten: which runs of bytes tell its words from others, and what holds them.

A run of twelve bytes is distinctive if it holds a word that is rare in the language, or most of one; plain words
("like to swim in the lake") are distinctive as a run of 24 that holds two of them. What quotes a forgotten text
shares such a run with it: the sentence that does is cut out, the rest of the text stays. Pure; the words are
weighed by whoever calls.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from hermes_agent.records.archive import Json
from hermes_agent.text.blocking import pieces
from hermes_agent.text.runs import PLAIN_RUN, RUN, Look, Place, encoded
from hermes_agent.text.snippet import OPEN, unmarked
from hermes_agent.text.stopwords import STOP_WORDS
from hermes_agent.text.words import fold

MARK = "[forgotten]"
"""Stands where a sentence was cut out."""
MOST_RUNS = 200_000
_LEAST_LETTERS = 4
_LEAST_OF_WORD = 5
_LEAST_DIGITS = 6
_LEAST_REPEATED = 2
"""A sentence of fewer words is anybody's."""
_TRIES = 5
_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"\d[\d\-. /]{4,30}\d")
_DATE = re.compile(r"\d{4}-\d\d?-\d\d?|\d\d?[./]\d\d?[./]\d{2,4}|\d\d?:\d\d(:\d\d)?")

Rare = Callable[[Sequence[str]], Sequence[bool]]
"""Tells which words are rare in the language."""


@dataclass(frozen=True, slots=True)
class _Span:
    """A word by its bytes."""

    start: int
    end: int
    is_telling: bool
    is_plain: bool


def distinctive(texts: Iterable[str], is_rare: Rare, *, with_plain: bool = True) -> frozenset[bytes]:
    """Return the runs that tell these texts from others; of very long texts evenly some of them.

    Without plain runs those of twelve bytes only: programs and models have turns of phrase of their own.
    """
    every = list(dict.fromkeys(form for text in texts for form in forms(text.replace(MARK, " "))))
    words = sorted({found[0] for text in every for found in _WORD.finditer(text)})
    rare = {word for word, is_one in zip(words, is_rare(words), strict=True) if is_one and _can_tell(word)}
    step = max(1, sum(map(len, every)) // MOST_RUNS)
    return frozenset(run for text in every for run in _runs(text, rare, step) if with_plain or len(run) == RUN)


class Sentences:
    """The sentences of some texts, to tell who repeats one of them from who only has some words in common."""

    def __init__(self, texts: Iterable[str]) -> None:
        told = {tuple(_words(piece)) for text in texts for piece in pieces(text)}
        self._by_start: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
        for one in told:
            if len(one) >= _LEAST_REPEATED:
                self._by_start.setdefault(one[:_LEAST_REPEATED], []).append(one)

    def has_one_in(self, text: str) -> bool:
        """Tell whether a whole sentence stands in a text, whatever stands around it."""
        words = tuple(_words(text))
        return any(
            words[at : at + len(sentence)] == sentence
            for at in range(len(words) - _LEAST_REPEATED + 1)
            for sentence in self._by_start.get(words[at : at + _LEAST_REPEATED], ())
        )


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def forms(text: str) -> Iterator[str]:
    """Yield a text as it may stand in a file: as it is, and as JSON writes it."""
    yield text
    if (written := json.dumps(text)[1:-1]) != text:
        yield written


def cut(text: str, look: Look) -> str:
    """Return a text without the sentences that hold any of the runs, also where a search marked its words."""
    if OPEN in text and look(encoded(unmarked(text))):
        text = unmarked(text)
    for _ in range(_TRIES):
        if not (found := look(encoded(text))):
            return text
        text = _without(text, found)
    return "" if look(encoded(MARK)) else MARK


def cut_json(value: Json, look: Look) -> Json:
    """Return a value without the sentences that hold any of the runs, in whatever depth; names that do go."""
    if isinstance(value, str):
        return cut(value, look)
    if isinstance(value, list):
        return [cut_json(one, look) for one in value]
    if isinstance(value, dict):
        return {name: cut_json(one, look) for name, one in value.items() if not look(encoded(name))}
    return value


def _without(text: str, found: Sequence[Place]) -> str:
    """Put the mark in the place of each piece that one of the places is in."""
    left: list[str] = []
    start, hits = 0, sorted(found)
    for piece in pieces(text):
        end = start + len(encoded(piece))
        if any(at < end and at + length > start for at, length in hits):
            tail = piece[len(piece.rstrip()) :]
            if not (left and left[-1].startswith(MARK)):
                left.append(MARK + tail)
        else:
            left.append(piece)
        start = end
    return "".join(left)


def _runs(text: str, rare: set[str], step: int) -> Iterator[bytes]:
    data, spans = encoded(text), list(_spans(text, rare))
    telling = [span for span in spans if span.is_telling]
    for span in telling[:: max(1, step // RUN)]:
        least = min(_LEAST_OF_WORD, span.end - span.start)
        first, last = max(0, span.start + least - RUN), min(len(data) - RUN, span.end - least)
        yield from (data[at : at + RUN] for at in range(first, last + 1, step))
    plain = [span for span in spans if span.is_plain or span.is_telling]
    for span, following in zip(plain, plain[1:], strict=False):
        run = data[span.start : span.start + PLAIN_RUN]
        if len(run) == PLAIN_RUN and following.end <= span.start + PLAIN_RUN:
            yield run


def _spans(text: str, rare: set[str]) -> Iterator[_Span]:
    """Yield the words of a text, and numbers that are long enough to be somebody's."""
    dates = [(found.start(), found.end()) for found in _DATE.finditer(text)]
    numbers = [
        found
        for found in _NUMBER.finditer(text)
        if sum(map(str.isdigit, found[0])) >= _LEAST_DIGITS
        and not any(start <= found.start() < end or start < found.end() <= end for start, end in dates)
    ]
    place = position = 0
    for found in sorted([*_WORD.finditer(text), *numbers], key=re.Match.start):
        if found.start() < position:  # a word within a number
            continue
        start = place + len(encoded(text[position : found.start()]))
        end = start + len(encoded(found[0]))
        place, position = end, found.end()
        is_telling = found[0] in rare or found.re is _NUMBER
        is_plain = len(found[0]) >= 3 and found[0].isalpha() and fold(found[0]) not in STOP_WORDS
        yield _Span(start, end, is_telling, is_plain)


def _can_tell(word: str) -> bool:
    """Tell whether a word is one that few texts hold by chance; numbers and times are not."""
    digits = sum(map(str.isdigit, word))
    if digits >= _LEAST_DIGITS:
        return True
    letters = len(word) - digits
    return letters >= _LEAST_LETTERS or (letters > 0 and len(word.encode("utf-8", "ignore")) >= 2 * _LEAST_LETTERS)
