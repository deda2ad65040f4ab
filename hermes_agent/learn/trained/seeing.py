"""Let the network look at messages: the values it sees in each, and how much of a value each word is to it."""

import functools
import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, get_args

import numpy

from hermes_agent.embedders import minilm
from hermes_agent.learn.trained.network import Encoded, judged, states, tag_scores, worded
from hermes_agent.learn.trained.tags import BEGINS, OUTSIDE, best_tags, runs, tag_chances
from hermes_agent.learn.trained.weights import Floats, Weights, weights
from hermes_agent.learn.trained.words import Piece, Word, pieces
from hermes_agent.records.statements import Polarity

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

LONGEST_MESSAGE = 8_000
"""So many characters of a message are read: what is longer is a log or an article rather than talk."""
POLARITIES: tuple[Polarity, ...] = get_args(Polarity)
WHOM = ("user", "we", "other")
_MOST_TOKENS = 256
_BATCH_TOKENS = 2_048
"""With what is filled up: memory grows with them."""
_SURROGATES = re.compile("[\ud800-\udfff]")
_LOADING = threading.Lock()
_NAMED = 0.15
"""Words beside the one that names somebody belong to the name from this chance on."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value that the network sees, its place, and what it is said to be; `chance` that all of that is so."""

    start: int
    end: int
    attribute: str
    polarity: Polarity
    whom: str
    naming: Sequence[Word]
    chance: float


@dataclass(frozen=True, slots=True)
class Sight:
    """What the network sees in one message."""

    values: Sequence[Value]
    words: Sequence[Word]
    chances: Sequence[float]
    """For each word the chance that it belongs to a value."""

    def support(self, start: int, end: int) -> float:
        """Return how much of a value the words between two places are; what was not looked at may well be."""
        inside = [
            chance
            for word, chance in zip(self.words, self.chances, strict=True)
            if word.start < end and start < word.end
        ]
        return sum(inside) / len(inside) if inside else 1.0


def look(texts: Sequence[str]) -> list[Sight]:
    """Look at messages; about a hundred short ones a second."""
    given = [
        (number, piece)
        for number, text in enumerate(texts)
        for piece in pieces(_SURROGATES.sub("\ufffd", text[:LONGEST_MESSAGE]))
    ]
    found: list[list[tuple[int, Sight]]] = [[] for _ in texts]
    tokens = tokenized([piece for _, piece in given])
    for batch in batches([len(one.ids) for one in tokens]):
        together = encoded([given[place][1] for place in batch], [tokens[place] for place in batch])
        for place, sight in zip(batch, _seen(together), strict=True):
            found[given[place][0]].append((place, sight))
    return [_joined([sight for _, sight in sorted(sights, key=itemgetter(0))]) for sights in found]


def _joined(sights: Sequence[Sight]) -> Sight:
    return Sight(
        [value for one in sights for value in one.values],
        [word for one in sights for word in one.words],
        [chance for one in sights for chance in one.chances],
    )


def batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield places of like length together: what is shorter is filled up, and filling costs time and memory."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lambda place: lengths[place]):
        if batch and (len(batch) + 1) * lengths[place] > _BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def _seen(given: Encoded) -> Iterator[Sight]:
    known = weights()
    for row, firsts, piece in zip(states(known, given), given.firsts, given.pieces, strict=True):
        words = worded(known, row, firsts, piece)
        scores = tag_scores(known, words)
        chances = tag_chances(scores, known["steps"])
        # What had no room was not looked at: nothing begins there, and nothing is doubted.
        read = firsts.index(0) if 0 in firsts else len(firsts)
        values = [
            _value(known, words, piece, float(chances[begin, BEGINS]), begin, end)
            for begin, end in runs(best_tags(scores, known["steps"]))
            if end <= read
        ]
        sure = [1 - float(chance) for chance in chances[:read, OUTSIDE]]
        yield Sight(values, piece.words, sure + [1.0] * (len(piece.words) - read))


def _value(known: Weights, words: Floats, piece: Piece, chance: float, begin: int, end: int) -> Value:
    told = judged(known, words, begin, end)
    whom = WHOM[int(told.whom.argmax())]
    first, last = _named(told.naming) if whom == "other" else (0, 0)
    sure = float(told.naming[first:last].sum()) if whom == "other" else 1.0
    return Value(
        piece.words[begin].start,
        piece.words[end - 1].end,
        known.attributes[int(told.attributes.argmax())],
        POLARITIES[int(told.polarities.argmax())],
        whom,
        piece.words[first:last],
        chance * float(told.whom.max()) * float(told.polarities.max()) * sure,
    )


def _named(chances: Floats) -> tuple[int, int]:
    """Return which words name somebody: the likeliest, with its likely neighbours."""
    begin = int(chances.argmax())
    end = begin + 1
    while begin > 0 and chances[begin - 1] >= _NAMED:
        begin -= 1
    while end < len(chances) and chances[end] >= _NAMED:
        end += 1
    return begin, end


def tokenized(given: Sequence[Piece]) -> "list[Encoding]":
    """Cut pieces into tokens."""
    said = [[word.text for word in piece.words] for piece in given]
    return list(_tokenizer().encode_batch(said, is_pretokenized=True)) if said else []


def encoded(given: Sequence[Piece], tokens: "Sequence[Encoding]") -> Encoded:
    """Return pieces as the numbers of their tokens, the shorter ones filled up."""
    longest = max(len(one.ids) for one in tokens)
    numbers = numpy.zeros((len(tokens), longest), numpy.int64)
    counts = numpy.zeros((len(tokens), longest), numpy.float32)
    for row, one in enumerate(tokens):
        numbers[row, : len(one.ids)] = one.ids
        counts[row, : len(one.ids)] = 1
    firsts = [_firsts(one.word_ids, len(piece.words)) for one, piece in zip(tokens, given, strict=True)]
    return Encoded(given, numbers, counts, firsts)


def _firsts(word_ids: Sequence[int | None], words: int) -> list[int]:
    """Return for each word its first token; for what had no room 0, the token before all words."""
    places: dict[int, int] = {}
    for place, word in enumerate(word_ids):
        if word is not None:
            places.setdefault(word, place)
    return [places.get(word, 0) for word in range(words)]


def _tokenizer() -> "Tokenizer":
    with _LOADING:  # without it two threads that are first would both load
        return _load()


@functools.cache
def _load() -> "Tokenizer":
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(minilm.tokenizer_file()))
    tokenizer.enable_truncation(_MOST_TOKENS)
    tokenizer.no_padding()
    return tokenizer
