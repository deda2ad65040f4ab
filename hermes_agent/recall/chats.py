"""Signals of chats between a user and an assistant.

What a user said counts more than what was answered, unless the question asks for the answer. A standing
instruction or a stated preference is wanted even when it is off the topic.
"""

import numpy

from hermes_agent.recall import kinds, lexical
from hermes_agent.recall.field import Field, Floats
from hermes_agent.recall.people import told_within, window_words
from hermes_agent.recall.question import FRAME_WEIGHT, Cue, Question, is_frame, is_topic
from hermes_agent.recall.scale import scaled, spread, to_top
from hermes_agent.text.marks import Mark

_K1, _B = 1.2, 0.75
_FULL_PART = 6.0
"""The rarity that a part of a question must hold together to count whole."""
_BEST_OF_SESSION = 3


def signals(
    field: Field,
    question: Question,
    corpus: lexical.Corpus,
    near: Floats | None,
    gist: Floats | None,
    gists: Floats | None,
    span: tuple[int, int] | None,
) -> dict[str, Floats]:
    """Return each signal for each message.

    `near` is how near each message is to what the question is about, NaN where that is unknown; `gist` is the
    sum of the question's words' vectors by rarity, to be compared with `gists`, those of the whole messages,
    NaN likewise.
    """
    found = _words(field, question, corpus)
    found["kind"] = kinds.named(field, question.things)
    if near is not None:
        found |= _meaning(field, near)
    if gists is not None:
        found["goes_on"] = _goes_on(field, gists)
        found["gist"] = _alike(gists @ gist) if gist is not None else numpy.zeros(len(field), numpy.float32)
    return found | _kinds(field) | _wanted(field, question) | _time(field, question, span)


def _words(field: Field, question: Question, corpus: lexical.Corpus) -> dict[str, Floats]:
    stems = tuple(question.weights)
    weights = numpy.array([question.weights[stem] * corpus.rarity(stem) for stem in stems], numpy.float32)
    counts = lexical.count(stems, field)
    in_passages = lexical.count_passages(stems, field).bm25(weights, _K1, _B)
    best = numpy.zeros(len(field), numpy.float32)
    numpy.maximum.at(best, field.passage_row, in_passages)
    asked = numpy.array(list(question.weights.values()), numpy.float32)
    return {
        "passage_words": to_top(best),
        "part_cover": _part_cover(field, question, corpus, counts, weights),
        "window_words": window_words(lexical.windows(counts, field), asked),
        "own_words": to_top(counts.bm25(weights, _K1, _B)),
        "session_words": _session_words(field, counts, weights),
    }


def _session_words(field: Field, counts: lexical.Counts, weights: Floats) -> Floats:
    if not len(field):
        return numpy.zeros(0, numpy.float32)
    return to_top(lexical.sessions(counts, field).bm25(weights, _K1, _B))[field.session]


def _part_cover(
    field: Field, question: Question, corpus: lexical.Corpus, counts: lexical.Counts, weights: Floats
) -> Floats:
    """Tell how much a message holds of the question, or of the part of it that it holds best."""
    if not question.parts:
        return counts.cover(weights)
    cover = numpy.zeros(len(field), numpy.float32)
    for part in question.parts:
        stems = tuple(part)
        rarity = sum(corpus.rarity(stem) for stem in stems if not is_frame(stem))
        weighed = numpy.array(
            [corpus.rarity(stem) * (FRAME_WEIGHT if is_frame(stem) else 1.0) for stem in stems], numpy.float32
        )
        held = lexical.count(stems, field).cover(weighed)
        cover = numpy.maximum(cover, held * min(1.0, rarity / _FULL_PART))
    return cover


def _meaning(field: Field, near: Floats) -> dict[str, Floats]:
    # What has no vector yet is neither near nor far.
    near = numpy.where(numpy.isnan(near), numpy.nanmean(near), near).astype(numpy.float32)
    near = scaled(near)
    return {
        "own_meaning": near,
        "exchange_meaning": field.best_of(field.episode, near),
        "session_meaning": _session_top(field, near),
    }


def _session_top(field: Field, near: Floats) -> Floats:
    """Add up the nearest three of each session."""
    order = numpy.lexsort((-near, field.session))
    session = field.session[order]
    starts = numpy.flatnonzero(numpy.diff(session, prepend=-1))
    rank = numpy.arange(len(order)) - numpy.repeat(starts, numpy.diff([*starts, len(order)]))
    among = rank < _BEST_OF_SESSION
    total = numpy.bincount(session[among], near[order][among], minlength=int(field.session.max(initial=0)) + 1)
    return (total[field.session] / _BEST_OF_SESSION).astype(numpy.float32)


def _goes_on(field: Field, gists: Floats) -> Floats:
    """Tell how near what a user says is to what was said just before."""
    near: Floats = numpy.nan_to_num((gists * field.shifted(gists)).sum(1)) * ~field.is_answer
    return near


def _alike(near: Floats) -> Floats:
    """Tell how far each is from the mean; what has no gist is where the mean is."""
    alike = numpy.zeros(len(near), numpy.float32)
    is_known = ~numpy.isnan(near)
    alike[is_known] = spread(near[is_known])
    return alike


def _kinds(field: Field) -> dict[str, Floats]:
    said = (~field.is_answer).astype(numpy.float32)
    place = (field.number / numpy.maximum(field.size, 1)).astype(numpy.float32)
    return {
        "answer_length": (numpy.log1p(field.length) / 5 * field.is_answer).astype(numpy.float32),
        "place": place,
        "names": field.names,
        "news": field.has(Mark.NEWS) * said,
        "first_person": field.has(Mark.FIRST_PERSON) * said,
    }


def _wanted(field: Field, question: Question) -> dict[str, Floats]:
    cues = question.cues
    answer = field.is_answer.astype(numpy.float32)
    is_looking_back = bool(cues & (Cue.FROM_ASSISTANT | Cue.SUMMARY | Cue.ORDER))
    return {
        "role": answer if cues & Cue.FROM_ASSISTANT else 1 - answer,
        "summary_answer": answer * bool(cues & Cue.SUMMARY),
        "order_answer": answer * bool(cues & Cue.ORDER),
        "instruction": field.has(Mark.INSTRUCTION) * (not is_looking_back),
        "preference": field.has(Mark.PREFERENCE) * bool(cues & Cue.REQUEST),
        "count_past": field.has(Mark.PAST) * bool(cues & Cue.COUNT),
        "how_many": field.has(Mark.NUMBER) * bool(cues & Cue.HOW_MANY),
        "denial": field.has(Mark.DENIAL) * bool(cues & Cue.YES_NO),
        "when": field.has(Mark.TIME) * (1 - answer) * bool(cues & Cue.WHEN),
    }


def _time(field: Field, question: Question, span: tuple[int, int] | None) -> dict[str, Floats]:
    nothing = numpy.zeros(len(field), numpy.float32)
    if span is None:
        return {"time": nothing, "told_day": nothing, "days_alone": nothing}
    first, last = span
    said = ((field.day >= first) & (field.day <= last)).astype(numpy.float32)
    asks_for_nothing_else = not any(is_topic(stem) for stem in question.weights)
    return {
        "time": said,
        "told_day": told_within(field, first, last),
        "days_alone": said * asks_for_nothing_else,
    }
