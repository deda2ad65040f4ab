"""Score the field: one sum of weighed signals for each message, and how relevant it is by itself.

Talk between people and chats with an assistant are weighed apart (`weights.py`); which of the two a
message belongs to is told by whether it names its speaker.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy

from hermes_agent.embedders.embedder import Embedder
from hermes_agent.errors import EmbedderError
from hermes_agent.recall import chats, holding, lexical, people
from hermes_agent.recall.asking import Asking
from hermes_agent.recall.field import Field, Floats, Ints
from hermes_agent.recall.loading import gists_of
from hermes_agent.recall.passes import Brought
from hermes_agent.recall.question import Question
from hermes_agent.recall.relevance import (
    DATED,
    DATED_ALONE,
    FALL,
    LONGEST_DATED,
    NAMED,
    NEAR,
    NEAR_NAMED,
    OF_KIND,
    RATHER_NEAR,
    Grounds,
    Held,
    certainty,
    certainty_of_chats,
    comparable,
    relevance,
)
from hermes_agent.recall.scale import unit
from hermes_agent.recall.weights import CHATS, CHATS_BY_WORDS, PEOPLE, PEOPLE_BY_WORDS
from hermes_agent.recall.words import vocabulary, word_vectors
from hermes_agent.text.stems import content_words, stem_numbers

_RAREST = 7.0
_HALF_LIFE_DAYS = 180.0
_WHOLLY = 0.999
_BEST, _NEAREST = 10, 3
_WANTED_ANYWAY = ("instruction", "preference", "time", "day", "kind")
"""Signals of what is wanted even if it shares nothing with the question."""


@dataclass(frozen=True, slots=True)
class Scored:
    """The field with its scores; `signals` and `weights` say where they come from."""

    field: Field
    scores: Floats
    signals: Mapping[str, Floats]
    weights: Mapping[str, float]
    certain: float
    """How sure it is that one of them answers the question, in log odds."""
    cover: Floats
    """How much of the question's rarity each message holds with its neighbours."""
    cosines: Floats | None
    """That of the nearest passage of each message with what the question is about; None without vectors."""
    near: Floats | None
    """The same on the scale of our own embedder."""
    is_dated: bool
    """Whether the question asks for days, and few enough to say something."""
    is_of_somebody: bool
    """Whether it asks for somebody memory knows: in a chat for the user, between people for one who is named."""

    def evidence(self, place: int, doubt: float) -> float:
        """Return how sure it is that a message answers the question, in log odds."""
        return self.certain - self._fallen(place) - doubt

    def relevance(self, place: int, doubt: float, *, is_named: bool) -> float:
        """Return how relevant a message is, from 0 to 1; one that shares nothing with the question is not.

        `is_named`: it names a thing that the question names; between people that says little.
        """
        floors = [self.certain, *self._floors(place, is_named=is_named)]
        return relevance(max(floors) - self._fallen(place) - doubt, is_related=self._is_related(place))

    def _floors(self, place: int, *, is_named: bool) -> Iterator[float]:
        """Yield how sure the best message is at least, for what speaks for this one beside its words."""
        is_meant = self.near is None or self._nearness(place) >= NEAR_NAMED
        if is_named and is_meant and not self.field.speakers and self.cover[place] > 0:
            yield NAMED
        if self._has("days_alone", place):
            yield DATED_ALONE
        if not self.is_of_somebody:
            return
        is_near = self._nearness(place) >= RATHER_NEAR
        # Between people it is theirs who is named; in a chat everything is the user's.
        is_likely = is_near or self.near is None or bool(self.field.speakers)
        is_said_then = self.is_dated and (self._has("time", place) or self._has("day", place))
        if is_said_then and is_likely and (is_near or self.cover[place] > 0):
            yield DATED
        if self._has("kind", place) and is_likely:
            yield OF_KIND

    def _has(self, signal: str, place: int) -> bool:
        return signal in self.signals and bool(self.signals[signal][place] >= _WHOLLY)

    def _nearness(self, place: int) -> float:
        return 0.0 if self.near is None else float(self.near[place])

    def cosine(self, place: int) -> float | None:
        """Return how near the nearest passage of a message is to what the question is about."""
        return None if self.cosines is None else float(self.cosines[place])

    def _fallen(self, place: int) -> float:
        """Return how much less sure a message is than the best, by its score."""
        return FALL * float(self.scores.max() - self.scores[place])

    def _is_related(self, place: int) -> bool:
        is_near = self._nearness(place) >= NEAR
        is_wanted = any(self.signals[name][place] > 0 for name in _WANTED_ANYWAY if name in self.signals)
        return bool(self.cover[place] > 0) or bool(is_near) or is_wanted

    def contributions(self, place: int) -> dict[str, float]:
        """Return what each signal gave one message, the most first."""
        given = {name: self.weights[name] * float(self.signals[name][place]) for name in self.weights}
        return dict(sorted(given.items(), key=lambda item: -abs(item[1])))


def score(field: Field, asking: Asking, brought: Brought) -> Scored:
    """Score each message of the field for the question."""
    question = asking.question
    span = None if asking.span is None else (asking.span[0].toordinal(), asking.span[1].toordinal())
    near = None if brought.topic is None else field.nearness(brought.topic)
    model = None if near is None else brought.reader
    weights: Mapping[str, float]
    voices = None
    if field.speakers:
        voices = people.Voices(question.text, field.speakers, people.aliases(field))
        try:
            signals = _people(field, question, voices, brought, model, span)
        except EmbedderError as error:  # what is wrong is shown; words still find
            brought.troubles.append(error.message)
            near = model = None
            signals = _people(field, question, voices, brought, None, span)
        weights = PEOPLE_BY_WORDS if model is None else PEOPLE
    else:
        signals = _chats(field, question, brought, span, near)
        weights = CHATS_BY_WORDS if model is None else CHATS
    signals["fresh"] = _fresh(field, asking)
    scores = numpy.zeros(len(field), numpy.float32)
    for name, weight in weights.items():
        if name in signals:
            scores += numpy.float32(weight) * signals[name]
    cosines = None if near is None else numpy.nan_to_num(near)
    known = None if cosines is None else comparable(cosines, brought.unrelated)
    cover, certain = _certain(field, question, voices, brought, scores, known)
    used = {name: weights[name] for name in weights if name in signals}
    is_dated = span is not None and span[1] - span[0] < LONGEST_DATED
    is_of_somebody = voices is None or bool(voices.named)
    return Scored(field, scores, signals, used, certain, cover, cosines, known, is_dated, is_of_somebody)


def _certain(
    field: Field,
    question: Question,
    voices: people.Voices | None,
    brought: Brought,
    scores: Floats,
    near: Floats | None,
) -> tuple[Floats, float]:
    """Return how much of the question each message holds with its neighbours, and how sure an answer is."""
    word_of = _word_of_stems(question.text if voices is None else voices.without_names)
    stems = tuple(word_of)
    corpus = _corpus(field, stems, brought)
    asked = numpy.array([question.weights.get(stem, 1.0) * corpus.rarity(stem) for stem in stems], numpy.float32)
    counts = lexical.count(stems, field)
    cover = lexical.windows(counts, field).cover(asked)
    best = numpy.argsort(-scores, kind="stable")[:_BEST]
    nearness = 0.0 if near is None else float(numpy.sort(near[best])[-_NEAREST:].mean())
    if voices is None and near is not None:
        try:
            return cover, certainty_of_chats(_held(field, question, word_of, counts, best, nearness, brought))
        except EmbedderError as error:  # what is wrong is shown, once; the words of the question still tell
            if error.message not in brought.troubles:
                brought.troubles.append(error.message)
    # Counted in the field: that only talk mentions something speaks for no chat.
    nowhere = ~counts.counts.any(0)
    grounds = Grounds(
        cover=float(cover[best].max(initial=0.0)),
        nearness=nearness,
        unmentioned=float(asked[nowhere].sum() / max(float(asked.sum()), 1e-9)),
        distance=float((scores.max() - scores.mean()) / max(float(scores.std()), 1e-6)),
        is_somebody_named=voices is not None and bool(voices.named),
    )
    if voices is None:
        return cover, certainty(grounds, "chats by words")
    return cover, certainty(grounds, "talk by words" if near is None else "talk")


def _held(
    field: Field,
    question: Question,
    word_of: Mapping[int, str],
    counts: lexical.Counts,
    best: Ints,
    nearness: float,
    brought: Brought,
) -> Held:
    weights = holding.rarity_weights(word_of, question.weights)
    return Held(
        nearness=nearness,
        said=holding.said([field.rows[place] for place in best], word_of, weights),
        missing=holding.missing(counts, field, int(best[0]), weights),
        is_name_missing=holding.is_name_missing(question.text, counts, best),
        alikeness=comparable(holding.alikeness(field), brought.unrelated),
    )


def _fresh(field: Field, asking: Asking) -> Floats:
    """Tell how fresh each message is: half as much after every half-life."""
    age = numpy.clip(asking.now.date().toordinal() - field.day, 0, None)
    return (0.5 ** (age / _HALF_LIFE_DAYS)).astype(numpy.float32)


def _people(
    field: Field,
    question: Question,
    voices: people.Voices,
    brought: Brought,
    model: Embedder | None,
    span: tuple[int, int] | None,
) -> dict[str, Floats]:
    word_of = _word_of_stems(voices.without_names)
    corpus = _corpus(field, tuple(word_of), brought)
    if model is None:
        return people.signals(field, question, voices, corpus, people.Meant(None, None), None, span)
    meant = people.Meant(_embedded(model, voices.each), word_vectors(list(word_of.values())))
    return people.signals(field, question, voices, corpus, meant, vocabulary(field), span)


def _chats(
    field: Field, question: Question, brought: Brought, span: tuple[int, int] | None, near: Floats | None
) -> dict[str, Floats]:
    stems = tuple({*question.weights, *(stem for part in question.parts for stem in part)})
    corpus = _corpus(field, stems, brought)
    if near is None:
        return chats.signals(field, question, corpus, None, None, None, span)
    gists = gists_of(field.rows)
    try:
        gist = None if gists is None else _gist(question, corpus)
    except EmbedderError as error:  # what is wrong is shown; the other signals go on
        brought.troubles.append(error.message)
        gist = None
    return chats.signals(field, question, corpus, near, gist, gists, span)


def _gist(question: Question, corpus: lexical.Corpus) -> Floats | None:
    """Add up the vectors of the question's words by how rare they are."""
    word_of = _word_of_stems(question.text)
    if not word_of:
        return None
    weights = numpy.array(
        [min(corpus.rarity(stem), _RAREST) * question.weights.get(stem, 1.0) for stem in word_of], numpy.float32
    )
    return unit(weights @ word_vectors(list(word_of.values())))


def _corpus(field: Field, stems: tuple[int, ...], brought: Brought) -> lexical.Corpus:
    if brought.is_whole:
        return lexical.field_corpus(field, stems)
    return lexical.Corpus(max(brought.messages, len(field)), brought.frequency)


def _word_of_stems(text: str) -> dict[int, str]:
    """Return one word for each stem of a text."""
    found = list(dict.fromkeys(content_words(text)))
    word_of: dict[int, str] = {}
    for word, number in zip(found, stem_numbers(found), strict=True):
        word_of.setdefault(number, word)
    return word_of


def _embedded(model: Embedder, texts: list[str]) -> Floats:
    """Embed each text once, however many speakers would put it so."""
    once = list(dict.fromkeys(texts))
    made = numpy.stack([model.embed_query(text) for text in once])
    return made[[once.index(text) for text in texts]]
