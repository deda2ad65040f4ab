"""Words compared: the numbers of three tiny messages, worked out by hand."""

import math

import numpy
import pytest

from hermes_agent.recall import lexical
from hermes_agent.recall.field import Field
from hermes_agent.recall.lexical import Corpus
from hermes_agent.text.stems import stem_numbers
from tests.recall.fields import chat, row, talk

KILN, BOWL, GHOST = stem_numbers(["kiln", "bowl", "ghost"])
STEMS = (KILN, BOWL)
THREE = ("kiln kilns yard", "bowl", "harbour tower")
"""3, 1 and 2 stems: on average 2."""


def test_stems_are_counted_by_message() -> None:
    counts = lexical.count((KILN, BOWL, GHOST), chat(*THREE))
    assert counts.counts.tolist() == [[2, 0, 0], [0, 1, 0], [0, 0, 0]]
    assert counts.length.tolist() == [3, 1, 2]


def test_bm25_is_what_the_formula_says() -> None:
    counts = lexical.count(STEMS, chat(*THREE))
    scores = counts.bm25(numpy.array([2.0, 3.0], numpy.float32), 1.2, 0.75)
    # k1 × (1 - b + b × length / mean): 1.2 × 1.375 = 1.65 and 1.2 × 0.625 = 0.75
    assert scores.tolist() == pytest.approx([2 * 2 * 2.2 / (2 + 1.65), 3 * 1 * 2.2 / (1 + 0.75), 0])


def test_cover_is_the_share_of_the_weights() -> None:
    counts = lexical.count(STEMS, chat(*THREE))
    assert counts.cover(numpy.array([1.0, 3.0], numpy.float32)).tolist() == [0.25, 0.75, 0]
    assert counts.cover(numpy.zeros(2, numpy.float32)).tolist() == [0, 0, 0]


def test_a_rare_word_counts_more_and_an_unknown_one_most() -> None:
    corpus = lexical.field_corpus(chat("kiln bowl", "kiln", "kiln"), (KILN, BOWL, GHOST))
    assert corpus == Corpus(3, {KILN: 3, BOWL: 1, GHOST: 0})
    assert corpus.rarity(BOWL) == pytest.approx(math.log(1 + 2.5 / 1.5))
    assert 0 < corpus.rarity(KILN) < corpus.rarity(BOWL) < corpus.rarity(GHOST)


def test_a_word_counted_more_often_than_there_are_messages_is_still_a_number() -> None:
    assert Corpus(3, {KILN: 50}).rarity(KILN) == Corpus(3, {KILN: 3}).rarity(KILN) > 0
    assert math.isfinite(Corpus(0, {}).rarity(KILN))


def test_rarity_among_units() -> None:
    counts = lexical.count(STEMS, chat("kiln", "kiln", "bowl"))
    assert counts.rarity().tolist() == pytest.approx([math.log(1 + 1.5 / 2.5), math.log(1 + 2.5 / 1.5)])


def test_passages_are_counted_apart() -> None:
    long = "The kiln in the yard broke on a cold day, so nobody mended it. I bought a new bowl for the workshop."
    counts = lexical.count_passages(STEMS, chat(long, "bowl"))
    assert counts.counts.tolist() == [[1, 0], [0, 1], [0, 1]]


def test_a_window_reaches_two_messages_either_way() -> None:
    field = talk(*(("Ada", text) for text in ("kiln", "one", "two", "three", "bowl")))
    window = lexical.windows(lexical.count(STEMS, field), field)
    assert window.counts.tolist() == [[1, 0], [1, 0], [1, 1], [0, 1], [0, 1]]


def test_a_window_ends_with_its_session() -> None:
    field = Field([row(1, "kiln", session="a"), row(2, "bowl", session="b")])
    window = lexical.windows(lexical.count(STEMS, field), field)
    assert window.counts.tolist() == [[1, 0], [0, 1]]


def test_sessions_are_put_together() -> None:
    field = Field([row(1, "kiln yard", session="a"), row(2, "kiln", session="a"), row(3, "bowl", session="b")])
    together = lexical.sessions(lexical.count(STEMS, field), field)
    assert together.counts.tolist() == [[2, 0], [0, 1]]
    assert together.length.tolist() == [3, 1]


@pytest.mark.parametrize("stems", [(), STEMS])
def test_nothing_compared_with_nothing_is_nothing(stems: tuple[int, ...]) -> None:
    weights = numpy.ones(len(stems), numpy.float32)
    for field in (Field([]), chat(""), chat("", "kiln")):
        counts = lexical.count(stems, field)
        for units in (counts, lexical.windows(counts, field), lexical.sessions(counts, field)):
            assert numpy.isfinite(units.bm25(weights, 1.2, 0.75)).all()
            assert numpy.isfinite(units.cover(weights)).all()
