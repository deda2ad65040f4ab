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
from hermes_agent.text.runs import PLAIN_RUN, RUN, Look, Place, Runs, encoded
from hermes_agent.text.snippet import OPEN, unmarked
from hermes_agent.text.stopwords import STOP_WORDS
from hermes_agent.text.words import fold

MARK = "[forgotten]"
"""Stands where a sentence was cut out."""
MOST_RUNS = 200_000
_LEAST_LETTERS = 4
_LEAST_OF_WORD = 5
_LEAST_DIGITS = 6
_LEAST_REPEATED = 4
"""A sentence of fewer words is anybody's: a name, a greeting."""
_SENTENCE_ENDS = (b". ", b"! ", b"? ", b"\n", b'"', b"\xff", b"; ", b": ", b"\xe3\x80\x82")
_LONGEST_SENTENCE = 2_000
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")
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

    def __init__(self, texts: Sequence[str]) -> None:
        told = {tuple(_words(piece)) for text in texts for piece in pieces(text)}
        self._told = {one for one in told if len(one) >= _LEAST_REPEATED}
        self._lengths: dict[str, set[int]] = {}
        for one in self._told:
            self._lengths.setdefault(one[0], set()).add(len(one))
        self._rows = {row for text in texts for row in _rows_of(tuple(_words(text)))}

    def are_repeated_in(self, sentence: str) -> bool:
        """Tell whether one of them stands in a sentence, whatever stands around it, or the sentence in them."""
        words = tuple(_words(sentence))
        rows = _rows_of(words)
        return (bool(rows) and self._rows.issuperset(rows)) or any(
            words[at : at + length] in self._told
            for at, word in enumerate(words)
            for length in self._lengths.get(word, ())
        )


def _rows_of(words: tuple[str, ...]) -> list[int]:
    """Return each few words that follow each other, as numbers: of long texts there are many."""
    return [hash(words[at : at + _LEAST_REPEATED]) for at in range(len(words) - _LEAST_REPEATED + 1)]


@dataclass(frozen=True)
class Retold:
    """Runs that somebody else says as well: they tell only where a sentence says nothing but what goes."""

    runs: Runs
    words: frozenset[str]

    def find(self, data: bytes) -> list[Place]:
        """Return where one of them stands in a sentence of which all words are known."""
        return [place for place in self.runs.find(data) if self._is_all(data, place)]

    def _is_all(self, data: bytes, place: Place) -> bool:
        start, end = place[0], place[0] + place[1]
        first, last = max(0, start - _LONGEST_SENTENCE), min(len(data), end + _LONGEST_SENTENCE)
        ends = [at + len(mark) for mark in _SENTENCE_ENDS if (at := data.rfind(mark, first, start)) >= 0]
        before = max(ends, default=first)
        after = min((at for mark in _SENTENCE_ENDS if (at := data.find(mark, end, last)) >= 0), default=last)
        said = data[before:after].decode("utf-8", "replace")
        return all(word in self.words or fold(word) in STOP_WORDS for word in _words(said))


def apart_in(texts: Iterable[str], runs: Runs, sentences: Sentences) -> set[bytes]:
    """Return the runs in texts that stand not only within a sentence that repeats one that goes."""
    found: set[bytes] = set()
    for text in texts:
        data, repeated, start = encoded(text), [], 0
        for piece in pieces(text):
            end = start + len(encoded(piece))
            if sentences.are_repeated_in(piece):
                repeated.append((start, end))
            start = end
        for at, length in runs.find(data):
            if not any(first <= at and at + length <= last for first, last in repeated):
                found.add(data[at : at + length])
    return found


def all_words(texts: Iterable[str]) -> frozenset[str]:
    """Return every word of some texts, as sentences compare them."""
    return frozenset(word for text in texts for word in _words(text))


def _words(text: str) -> list[str]:
    """Return the words of a text; where a script has no blanks between them, its letters."""
    found = _WORD.findall(text.casefold())
    return [one for word in found for one in (list(word) if _UNSPACED.search(word) else (word,))]


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
