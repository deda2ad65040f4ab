"""Whether a chat really holds what is asked, or only something of the same topic.

Asked of the ten best messages alone: how much of the question one breath of the user's holds, word by word,
where the nearest word counts for one that was not said; which of its words is missing beside them, and how rare
that word is; whether they mention what it names. How rare a word is, is asked of the language: in a small memory
every word is rare. Nearness says less in a memory whose messages are all alike, so that is measured with the
memory's own messages in the place of the question.
"""

import re
from collections.abc import Mapping, Sequence

import numpy

from hermes_agent.recall import lexical
from hermes_agent.recall.field import Field, Floats, Ints, Row
from hermes_agent.recall.scale import unit
from hermes_agent.recall.words import common_vector, rarities, word_vectors
from hermes_agent.text.stems import content_words, stem_numbers

_NAMED = re.compile(r"(?<=[a-z,;:'] )[\"'“]?([A-Z][\w'-]+)|\b(\d[\d.,:%]*)")
"""A word with a capital inside a sentence, or a number."""
_NEAREST_WORD = 0.95
"""A word that is only like one of the question is never as good as the word itself."""
_SAMPLE, _NEAREST = 32, 3
_NOTHING = 1e-9


def said(rows: Sequence[Row], word_of: Mapping[int, str], weights: Floats) -> float:
    """Return the most of the question that one passage of the user's holds: each word by the nearest one."""
    told = [row for row in rows if row.role != "assistant" and row.stems]
    if not told or not word_of:
        return 0.0
    words: list[str] = []
    starts: list[int] = []
    for row in told:
        *cuts, end = numpy.frombuffer(row.cuts, "<u2").tolist()
        starts += [len(words) + start for start in dict.fromkeys([0, *cuts]) if start < end]
        words += row.words.split(" ")[:end]
    near = _nearness_of_words(words, list(word_of.values()))
    stems = numpy.frombuffer(b"".join(row.stems for row in told), "<u4")
    near[stems[:, None] == numpy.array(list(word_of), numpy.uint32)] = 1
    held = numpy.maximum.reduceat(near, starts, axis=0) @ weights
    return float(held.max() / max(float(weights.sum()), _NOTHING))


def _nearness_of_words(words: Sequence[str], asked: Sequence[str]) -> Floats:
    """Return how near each word is to each that is asked for, from 0 to not quite 1."""
    place = {word: number for number, word in enumerate(dict.fromkeys(words))}
    common = common_vector()
    near = unit(word_vectors(list(place)) - common) @ unit(word_vectors(asked) - common).T
    cut: Floats = numpy.clip(near, 0, _NEAREST_WORD)[[place[word] for word in words]]
    return cut


def missing(counts: lexical.Counts, field: Field, best: int, weights: Floats) -> float:
    """Return what the weightiest word counts that nobody says in the session of the best message."""
    is_said = counts.counts[field.session == field.session[best]].any(0)
    return float(weights[~is_said].max(initial=0.0))


def is_name_missing(text: str, counts: lexical.Counts, best: Ints) -> bool:
    """Tell whether a question names something, or gives a number, that none of the best messages mentions."""
    times = counts.counts[best].sum(0)
    mentioned = {stem for stem, count in zip(counts.stems, times, strict=True) if count}
    named = (set(stem_numbers(content_words(found[1] or found[2]))) for found in _NAMED.finditer(text))
    return any(not stems <= mentioned for stems in named)


def alikeness(field: Field) -> float:
    """Return how near messages of the user are to the nearest of other sessions, on the average of some."""
    if field.passages is None:
        return 0.0
    whole = field.passages.is_whole
    owners, vectors = field.passages.owners[whole], field.passages.vectors[whole]
    asked = numpy.flatnonzero(~field.is_answer[owners])
    asked = asked[numpy.linspace(0, len(asked) - 1, min(_SAMPLE, len(asked))).astype(int)]
    if not len(asked):
        return 0.0
    near = vectors[asked] @ vectors.T
    near[field.session[owners[asked]][:, None] == field.session[owners]] = 0
    nearest = numpy.partition(near, max(near.shape[1] - _NEAREST, 0), axis=1)[:, -_NEAREST:]
    return float(nearest.mean())


def rarity_weights(word_of: Mapping[int, str], weights: Mapping[int, float]) -> Floats:
    """Return what each word of a question counts: how rare it is in the language, less for words of the frame."""
    asked = numpy.array([weights.get(stem, 1.0) for stem in word_of], numpy.float32)
    return asked * rarities(list(word_of.values()))
