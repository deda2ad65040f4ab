"""Let the network look at messages: the values it sees in each, and how much of a value each word is to it."""

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

import numpy

from hermes_agent.embedders import minilm
from hermes_agent.learn.trained.network import Encoded, judged, states, tag_scores, worded
from hermes_agent.learn.trained.tags import BEGINS, OUTSIDE, best_tags, runs, tag_chances
from hermes_agent.learn.trained.weights import Floats, Weights, weights
from hermes_agent.learn.trained.words import Piece, Word, pieces
from hermes_agent.records.statements import Polarity

if TYPE_CHECKING:
    from tokenizers import Tokenizer

LONGEST_MESSAGE = 8_000
"""So many characters of a message are read: what is longer is a log or an article rather than talk."""
POLARITIES: tuple[Polarity, ...] = get_args(Polarity)
WHOM = ("user", "we", "other")
_MOST_TOKENS = 256
_BATCH_TOKENS = 2_048
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
        """Return how much of a value the words between two places are."""
        inside = [
            chance
            for word, chance in zip(self.words, self.chances, strict=True)
            if word.start < end and start < word.end
        ]
        return sum(inside) / len(inside) if inside else 0.0


def look(texts: Sequence[str]) -> list[Sight]:
    """Look at messages; about a hundred short ones a second."""
    given = [(number, piece) for number, text in enumerate(texts) for piece in pieces(text[:LONGEST_MESSAGE])]
    sights: dict[int, list[tuple[int, Sight]]] = {}
    for numbers, batch in _batches(given):
        for (number, piece), sight in zip(numbers, _seen(batch), strict=True):
            sights.setdefault(number, []).append((piece.words[0].start, sight))
    return [_joined(sights.get(number, [])) for number in range(len(texts))]


def _joined(parts: list[tuple[int, Sight]]) -> Sight:
    inside = [sight for _, sight in sorted(parts, key=lambda part: part[0])]
    return Sight(
        [value for one in inside for value in one.values],
        [word for one in inside for word in one.words],
        [chance for one in inside for chance in one.chances],
    )


def _batches(
    given: Sequence[tuple[int, Piece]],
) -> Iterator[tuple[list[tuple[int, Piece]], list[Piece]]]:
    """Yield pieces of like length together: what is shorter is filled up, and filling costs time."""
    batch: list[tuple[int, Piece]] = []
    for number, piece in sorted(given, key=lambda one: len(one[1].words)):
        if batch and (len(batch) + 1) * len(piece.words) > _BATCH_TOKENS:
            yield batch, [one for _, one in batch]
            batch = []
        batch.append((number, piece))
    if batch:
        yield batch, [one for _, one in batch]


def _seen(batch: Sequence[Piece]) -> Iterator[Sight]:
    known = weights()
    given = encoded(batch)
    for row, firsts, piece in zip(states(known, given), given.firsts, batch, strict=True):
        words = worded(known, row, firsts, piece)
        scores = tag_scores(known, words)
        chances = tag_chances(scores, known["steps"])
        values = [
            _value(known, words, piece, float(chances[begin, BEGINS]), begin, end)
            for begin, end in runs(best_tags(scores, known["steps"]))
        ]
        yield Sight(values, piece.words, [1 - float(chance) for chance in chances[:, OUTSIDE]])


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


def encoded(batch: Sequence[Piece]) -> Encoded:
    """Return pieces as the numbers of their tokens."""
    said = [[word.text for word in piece.words] for piece in batch]
    found = _tokenizer().encode_batch(said, is_pretokenized=True)
    tokens = numpy.array([one.ids for one in found], numpy.int64)
    counts = numpy.array([one.attention_mask for one in found], numpy.float32)
    firsts = [_firsts(one.word_ids, len(words)) for one, words in zip(found, said, strict=True)]
    return Encoded(tokens, counts, firsts)


def _firsts(word_ids: Sequence[int | None], words: int) -> list[int]:
    """Return for each word its first token; what was cut off has that of the beginning."""
    places: dict[int, int] = {}
    for place, word in enumerate(word_ids):
        if word is not None:
            places.setdefault(word, place)
    return [places.get(word, 0) for word in range(words)]


@functools.cache
def _tokenizer() -> "Tokenizer":
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(minilm.tokenizer_file()))
    tokenizer.enable_truncation(_MOST_TOKENS)
    tokenizer.enable_padding()
    return tokenizer
