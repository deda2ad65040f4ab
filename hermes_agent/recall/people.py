"""Signals of talk between people: who speaks of what, and when.

A question about somebody is compared with each message as its speaker would put it: "What did Ada paint?"
is "What did I paint?" to Ada. A message borrows from its neighbours and its session: a short answer's
topic stands in the question before it.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy

from hermes_agent.recall import kinds, lexical
from hermes_agent.recall.field import Field, Floats, Ints
from hermes_agent.recall.question import Cue, Question, is_topic
from hermes_agent.recall.scale import scaled, to_top, unit
from hermes_agent.text.marks import ADDRESSED, Mark
from hermes_agent.text.stems import content_words, stem_numbers

_K1, _B = 0.9, 0.4
_PRONOUN = re.compile(
    r"\b(his|her|their|hers|theirs|he|she|they|him|them|himself|herself|themselves)\b", re.IGNORECASE
)
_TO_ME = {
    "his": "my",
    "her": "my",
    "their": "my",
    "hers": "mine",
    "theirs": "mine",
    "he": "I",
    "she": "I",
    "they": "I",
    "him": "me",
    "them": "me",
    "himself": "myself",
    "herself": "myself",
    "themselves": "myself",
}
_TO_YOU = {"my": "your", "I": "you", "me": "you", "mine": "yours", "myself": "yourself"}
_ADDRESSED_TIMES, _MOSTLY, _OFTEN = 3, 0.8, 0.2
"""How often, and how surely, somebody must be addressed by a name for it to be theirs."""
_DAYS_AFTER, _DAYS_BEFORE = 3.0, 1.5
"""How many days away from what was asked a message counts half."""


class Voices:
    """The question as each speaker would put it, and without anybody's name."""

    def __init__(self, text: str, speakers: Sequence[str], aliases: Mapping[str, str]) -> None:
        names = dict(aliases)
        names |= {speaker.split()[0].lower(): speaker for speaker in speakers if speaker.split()}
        names |= {speaker.lower(): speaker for speaker in speakers}
        self._speaker_of = names
        self._name = re.compile(
            r"\b(" + "|".join(sorted(map(re.escape, names), key=len, reverse=True)) + r")('s)?\b", re.IGNORECASE
        )
        found = (names.get(each[1].lower()) for each in self._name.finditer(text)) if names else ()
        self.named = {speaker for speaker in found if speaker is not None}
        self.without_names = self._name.sub("", text).strip() if names else text
        self.each = [self._as(text, speaker) for speaker in speakers]

    def _as(self, text: str, speaker: str) -> str:
        def said(found: re.Match[str]) -> str:
            # "ſ" and "ı" are found as other cases of "s" and "i", but are not written small as these.
            is_own = self._speaker_of.get(found[1].lower()) == speaker
            if found[2]:
                return "my" if is_own else "your"
            return "I" if is_own else "you"

        voice = self._name.sub(said, text)
        if len(self.named) == 1:
            is_own = speaker in self.named
            voice = _PRONOUN.sub(lambda found: _pronoun(found[0], is_own=is_own), voice)
        return voice


def aliases(field: Field) -> dict[str, str]:
    """Learn other names of the speakers from how they are addressed: `deb` is Deborah."""
    said: defaultdict[str, Counter[str]] = defaultdict(Counter)
    plain: Counter[str] = Counter()
    for place, row in enumerate(field.rows):
        words = row.words.split(" ")
        plain.update(words)
        names = [word for word in words if word.startswith(ADDRESSED)]
        other = _other_speaker(field, place) if names else None
        if other is not None:
            for name in names:
                said[name.removeprefix(ADDRESSED)][other] += 1
    learned = {}
    for name, speakers in said.items():
        speaker, times = speakers.most_common(1)[0]
        is_name = times >= _OFTEN * plain[name]
        if times >= _ADDRESSED_TIMES and is_name and times >= _MOSTLY * speakers.total():
            learned[name] = speaker
    return learned


def _other_speaker(field: Field, place: int) -> str | None:
    """Return who spoke last before a message, or next after it, other than its own speaker."""
    before, after = int(field.before[place]), int(field.after[place])
    further = int(field.before[before]) if before >= 0 else -1
    for near in (before, after, further):
        if near >= 0 and field.rows[near].speaker not in (None, field.rows[place].speaker):
            return field.rows[near].speaker
    return None


def _pronoun(word: str, *, is_own: bool) -> str:
    own = _TO_ME.get(word.lower(), word)
    return own if is_own else _TO_YOU.get(own, own)


@dataclass(frozen=True, slots=True)
class Meant:
    """The vectors of the question: one for each voice (rows as the speakers), and of its single words."""

    voices: Floats | None
    words: Floats | None


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The vectors of the words in the field, centred: `ids` names the word at each place of `starts`' messages."""

    vectors: Floats
    mean: Floats
    ids: Ints
    starts: Ints


def signals(
    field: Field,
    question: Question,
    voices: Voices,
    corpus: lexical.Corpus,
    meant: Meant,
    vocabulary: Vocabulary | None,
    span: tuple[int, int] | None,
) -> dict[str, Floats]:
    """Return each signal for each message, on its own scale of 0…1."""
    found = {
        "first_person": field.has(Mark.FIRST_PERSON),
        "number": field.has(Mark.NUMBER),
        "asks": field.has(Mark.IS_QUESTION),
        "start": (1.0 / (1 + field.number)).astype(numpy.float32),
        "rarity": rarity_of_messages(field),
    }
    found |= _cues(field, question)
    found |= _time(field, span)
    found["speaker"] = speaker = _speaker(field, voices)
    # Of whom the question asks, things count; what others have says nothing.
    found["kind"] = kinds.named(field, question.things) * (speaker if speaker.any() else 1)
    stems = tuple(dict.fromkeys(stem_numbers(content_words(voices.without_names))))
    found["days_alone"] = found["day"] * (not any(is_topic(stem) for stem in stems))
    found |= _words(field, stems, corpus)
    if vocabulary is not None and meant.words is not None:
        found["soft_words"] = soft_words(field, stems, corpus, vocabulary, meant.words)
    if meant.voices is not None and field.passages is not None:
        found |= _meaning(field, meant.voices)
    return found


def rarity_of_messages(field: Field) -> Floats:
    """Tell how rare the words of a message are, in the field, on average."""
    _, inverse, held = numpy.unique(field.stems, return_inverse=True, return_counts=True)
    number = max(len(field), 1)
    rarity = numpy.log(1 + (number - numpy.minimum(held, number) + 0.5) / (held + 0.5)) / 6
    total = numpy.bincount(field.stem_row, rarity[inverse], minlength=len(field))
    mean: Floats = (total / numpy.maximum(field.length, 1)).astype(numpy.float32)
    return mean


def _cues(field: Field, question: Question) -> dict[str, Floats]:
    title = numpy.maximum(field.has(Mark.QUOTE), field.capitals)
    return {
        "when": field.has(Mark.TIME) * bool(question.cues & Cue.WHEN),
        "title": title * bool(question.cues & Cue.TITLE),
        "where": field.capitals * bool(question.cues & Cue.WHERE),
    }


def _time(field: Field, span: tuple[int, int] | None) -> dict[str, Floats]:
    """Compare the day a message was said, and the days it speaks of, with the days asked for."""
    nothing = numpy.zeros(len(field), numpy.float32)
    if span is None:
        return {"day": nothing, "told_day": nothing}
    first, last = span
    late = numpy.clip(field.day - last, 0, None) / _DAYS_AFTER
    early = numpy.clip(first - field.day, 0, None) / _DAYS_BEFORE
    said = (0.5**late * 0.5**early).astype(numpy.float32)
    told = told_within(field, first, last)
    return {"day": numpy.maximum(said, told), "told_day": told}


def told_within(field: Field, first: int, last: int) -> Floats:
    """Tell how well the days a message speaks of meet the days asked for: a long stretch says less."""
    told = numpy.zeros(len(field), numpy.float32)
    owners, start, end = field.told.T
    share = numpy.minimum(1.0, (last - first + 1) / numpy.maximum(end - start + 1, 1)) ** 0.5
    hit = numpy.where((start <= last) & (end >= first), share, 0.0).astype(numpy.float32)
    numpy.maximum.at(told, owners, hit)
    return told


def _speaker(field: Field, voices: Voices) -> Floats:
    named = [place for place, speaker in enumerate(field.speakers) if speaker in voices.named]
    if not 0 < len(named) < len(field.speakers):
        return numpy.zeros(len(field), numpy.float32)
    return numpy.isin(field.who, named).astype(numpy.float32)


def _words(field: Field, stems: tuple[int, ...], corpus: lexical.Corpus) -> dict[str, Floats]:
    weights = numpy.array([corpus.rarity(stem) for stem in stems], numpy.float32)
    counts = lexical.count(stems, field)
    window = lexical.windows(counts, field)
    alone = to_top(counts.bm25(weights, _K1, _B))
    session = to_top(lexical.sessions(counts, field).bm25(weights, _K1, _B))
    return {
        "window_words": window_words(window, numpy.ones(len(stems), numpy.float32)),
        "own_words": alone,
        "session_best_words": field.best_of(field.session, alone),
        "session_words": session[field.session] if len(field) else session,
        "cover": window.cover(weights),
        "asked_words": field.shifted(alone * field.has(Mark.ASKS)),
    }


def window_words(window: lexical.Counts, weights: Floats) -> Floats:
    """Score what stands around a message; how rare a word is, is counted in windows too."""
    return to_top(window.bm25(weights * window.rarity(), _K1, _B))


def soft_words(
    field: Field, stems: tuple[int, ...], corpus: lexical.Corpus, vocabulary: Vocabulary, words: Floats
) -> Floats:
    """Match each word of the question with the nearest word of a message and of its neighbours."""
    if not len(words) or not len(vocabulary.ids):
        return numpy.zeros(len(field), numpy.float32)
    near = vocabulary.vectors @ unit(words - vocabulary.mean).T
    best = numpy.maximum.reduceat(near[vocabulary.ids], vocabulary.starts, axis=0)
    around = [best, 0.8 * field.shifted(best), 0.6 * field.shifted(best, -1), 0.6 * field.shifted(best, 2)]
    weights = numpy.array([corpus.rarity(stem) for stem in stems], numpy.float32)
    weighed: Floats = numpy.maximum.reduce(around) @ (weights / max(float(weights.sum()), 1e-9))
    return weighed


def _meaning(field: Field, voices: Floats) -> dict[str, Floats]:
    assert field.passages is not None
    whole = numpy.zeros((len(field), field.passages.vectors.shape[1]), numpy.float32)
    chosen = field.passages.is_whole
    whole[field.passages.owners[chosen]] = field.passages.vectors[chosen]
    around = whole + 0.5 * field.shifted(whole) + 0.25 * field.shifted(whole, -1) + 0.25 * field.shifted(whole, 2)
    asked = voices[field.who]
    own = scaled(numpy.einsum("ij,ij->i", whole, asked))
    return {
        "own_meaning": own,
        "near_meaning": scaled(numpy.einsum("ij,ij->i", unit(around), asked)),
        "session_meaning": field.best_of(field.session, own),
        "asked_meaning": field.shifted(own * field.has(Mark.ASKS)),
    }
