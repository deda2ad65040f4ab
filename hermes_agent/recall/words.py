"""The vectors of single words, kept in memory once they were made: they come again and again."""

from collections.abc import Sequence
from functools import cache

import numpy

from hermes_agent.embedders.local import DIMENSIONS, Local
from hermes_agent.recall.field import Field, Floats
from hermes_agent.recall.people import Vocabulary
from hermes_agent.recall.scale import unit
from hermes_agent.text.marks import ADDRESSED

# About 100 MB; then it is begun anew.
_MOST_WORDS = 100_000
_vectors: dict[str, Floats] = {}


@cache
def _model() -> Local:
    return Local()


def word_vectors(words: Sequence[str]) -> Floats:
    """Return the vector of each word, not brought to one length."""
    if not words:
        return numpy.zeros((0, DIMENSIONS), numpy.float32)
    unknown = [word for word in dict.fromkeys(words) if word not in _vectors]
    if unknown:
        made = dict(zip(unknown, _model().word_vectors(unknown), strict=True))
        if len(_vectors) + len(made) > _MOST_WORDS:
            _vectors.clear()
            unknown = [word for word in dict.fromkeys(words) if word not in made]
            made |= dict(zip(unknown, _model().word_vectors(unknown), strict=True))
        _vectors.update(made)
    return numpy.stack([_vectors[word] for word in words])


def common_vector() -> Floats:
    """Return what the vectors of all words have in common."""
    return _model().common_vector()


def rarities(words: Sequence[str]) -> Floats:
    """Return how rare each word is in the language."""
    return _model().rarities(words)


def vocabulary(field: Field) -> Vocabulary | None:
    """Look up the words of the field; a message without words has one that is near nothing."""
    said = [
        [word for word in row.words.split(" ") if word and not word.startswith(ADDRESSED)] or [""]
        for row in field.rows
    ]
    place = {word: number for number, word in enumerate(dict.fromkeys(word for words in said for word in words))}
    if not place:
        return None
    made = word_vectors(list(place))
    mean = made.mean(0)
    ids = numpy.array([place[word] for words in said for word in words], numpy.int64)
    starts = numpy.cumsum([0, *(len(words) for words in said)])[:-1]
    centred = unit(made - mean)
    if "" in place:
        centred[place[""]] = 0
    return Vocabulary(centred, mean, ids, starts)
