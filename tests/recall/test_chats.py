"""Chats with an assistant: who is asked for, what is wanted off the topic, and how words are shared."""

from datetime import date

import numpy
import pytest

from hermes_agent.embedders.local import DIMENSIONS
from hermes_agent.recall import chats, lexical
from hermes_agent.recall.field import Field, Floats, Passages
from hermes_agent.recall.loading import gists_of
from hermes_agent.recall.question import read
from hermes_agent.recall.scale import spread
from hermes_agent.store.passages import pack
from tests.recall.fields import DAY, chat, row

EXCHANGE = Field(
    [
        row(1, "Which clay should I buy for a bowl?", episode=1, size=2),
        row(2, "Buy stoneware clay with some grog in it.", episode=1, size=2, role="assistant"),
        row(3, "Always answer with metric units.", episode=2, number=1, size=2, follows=1),
        row(4, "Understood.", episode=2, number=1, size=2, follows=1, role="assistant"),
    ]
)


def signals(field: Field, said: str, span: tuple[date, date] | None = None) -> dict[str, Floats]:
    """Return the signals of a question without vectors."""
    question = read(said)
    stems = tuple({*question.weights, *(stem for part in question.parts for stem in part)})
    days = None if span is None else (span[0].toordinal(), span[1].toordinal())
    return chats.signals(field, question, lexical.field_corpus(field, stems), None, None, None, days)


@pytest.mark.parametrize(
    ("said", "role"),
    [("Which clay did I buy?", [1, 0, 1, 0]), ("Which clay did you recommend to me?", [0, 1, 0, 1])],
)
def test_what_the_user_said_counts_unless_the_answer_is_asked_for(said: str, role: list[int]) -> None:
    assert signals(EXCHANGE, said)["role"].tolist() == role


def test_a_standing_instruction_counts_off_the_topic_but_not_when_looking_back() -> None:
    assert signals(EXCHANGE, "How tall is the tower?")["instruction"].tolist() == [0, 0, 1, 0]
    assert not signals(EXCHANGE, "What you told me about clay")["instruction"].any()


@pytest.mark.parametrize(
    ("name", "text", "asking", "otherwise"),
    [
        ("preference", "I'd prefer clay pots.", "Can you suggest a pot?", "Where is the pot?"),
        ("count_past", "I visited Rome.", "How many cities did I see?", "Where is Rome?"),
        ("how_many", "The port is 6432.", "How much is the port?", "Where is the port?"),
        ("denial", "I haven't been to Rome.", "Have I been to Rome?", "Where is Rome?"),
        ("when", "We fired it last week.", "When did we fire it?", "Where is it?"),
    ],
)
def test_a_kind_of_thing_counts_where_it_is_asked_for(name: str, text: str, asking: str, otherwise: str) -> None:
    field = chat(text, "The sea.")
    assert signals(field, asking)[name].tolist() == [1, 0]
    assert not signals(field, otherwise)[name].any()


def test_words_are_scaled_to_the_best() -> None:
    found = signals(chat("kiln and yard", "kiln", "harbour"), "Where is the kiln in the yard?")
    assert found["own_words"][0] == found["passage_words"][0] == found["session_words"][0] == 1
    assert 0 < found["own_words"][1] < 1
    assert found["own_words"][2] == found["part_cover"][2] == 0
    assert found["part_cover"][0] == pytest.approx(1)


def test_who_holds_one_part_of_a_question_whole_covers_more_than_who_holds_a_bit_of_each() -> None:
    said = "Did the copper kiln break before the Vienna trip?"
    one, mixed = signals(chat("copper kiln break", "kiln trip", *["sea"] * 40), said)["part_cover"][:2]
    assert one > mixed > 0


def test_the_day_counts_whole_or_not_at_all() -> None:
    field = Field([row(1, "kiln"), row(2, "kiln", session="two", day=date(2026, 2, 1))])
    assert signals(field, "kiln", (DAY, DAY))["time"].tolist() == [1, 0]
    assert signals(field, "kiln")["time"].tolist() == [0, 0]


def test_the_nearest_passage_speaks_for_its_message_its_exchange_and_its_session() -> None:
    vectors = numpy.array([[0, 1], [1, 0], [0.6, 0.8]], numpy.float32)
    field = Field(EXCHANGE.rows, Passages(vectors, numpy.array([0, 0, 2]), numpy.array([True, False, True])))
    question = read("clay")
    near = field.nearness(numpy.array([1, 0], numpy.float32))
    found = chats.signals(
        field, question, lexical.field_corpus(field, tuple(question.weights)), near, None, None, None
    )
    # Messages 2 and 4 have no vectors and are neither near nor far.
    assert found["own_meaning"].tolist() == pytest.approx([1, 0.5, 0, 0.5])
    assert found["exchange_meaning"].tolist() == pytest.approx([1, 1, 0.5, 0.5])
    assert found["session_meaning"].tolist() == pytest.approx([2 / 3] * 4)


def test_a_message_without_a_gist_is_neutral_and_takes_nothing_from_the_others() -> None:
    question, near = read("clay"), numpy.zeros(4, numpy.float32)
    corpus = lexical.field_corpus(EXCHANGE, tuple(question.weights))
    asked = numpy.array([1, 0], numpy.float32)
    whole = numpy.array([[1, 0], [0.6, 0.8], [0.8, 0.6], [0, 1]], numpy.float32)
    for missing in range(4):
        gists = whole.copy()
        gists[missing] = numpy.nan
        found = chats.signals(EXCHANGE, question, corpus, near, asked, gists, None)
        others = [place for place in range(4) if place != missing]
        assert found["gist"][missing] == 0
        assert found["gist"][others].tolist() == spread(whole[others] @ asked).tolist()
        goes_on = 0 if missing in (1, 2) else 0.6 * 0.8 + 0.8 * 0.6
        assert found["goes_on"].tolist() == pytest.approx([0, 0, goes_on, 0])


def test_gists_are_read_for_those_that_have_one() -> None:
    made = numpy.zeros((2, DIMENSIONS), numpy.float32)
    made[0, 0], made[1, :2] = 1, (0.6, 0.8)
    rows = [row(1, "kiln"), row(2, "yard"), row(3, "clay")]
    assert gists_of([]) is None and gists_of(rows) is None
    packed = [rows[0]._replace(gist=pack(made[:1])), rows[1], rows[2]._replace(gist=pack(made[1:]))]
    found = gists_of(packed)
    assert found is not None
    assert found[[0, 2]] == pytest.approx(made, abs=0.01)
    assert numpy.isnan(found[1]).all()


@pytest.mark.parametrize("said", ["", "the of and", "🙂", "kiln"])
def test_every_signal_is_a_number_for_each_message(said: str) -> None:
    for field in (EXCHANGE, chat(""), chat("", "", "kiln")):
        for name, values in signals(field, said, (DAY, DAY)).items():
            assert values.shape == (len(field),), name
            assert numpy.isfinite(values).all(), name
