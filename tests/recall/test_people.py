"""Talk between people: the question in each voice, names learned from how they are called, days and decay."""

from datetime import date, timedelta

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.recall import lexical, people
from hermes_agent.recall.field import Field, Floats, Passages, Row
from hermes_agent.recall.people import Meant, Voices
from hermes_agent.recall.question import read
from hermes_agent.text.stems import content_words, stem_numbers
from tests.recall.fields import DAY, lines, row, talk

SPEAKERS = ["Ada", "Ben Okri"]


@pytest.mark.parametrize(
    ("said", "to_ada", "to_ben"),
    [
        ("What did Ada paint?", "What did I paint?", "What did you paint?"),
        ("What is Ada's dog called?", "What is my dog called?", "What is your dog called?"),
        ("What did ada tell Ben?", "What did I tell you?", "What did you tell I?"),
        ("Did Ben Okri sell his boat?", "Did you sell your boat?", "Did I sell my boat?"),
        ("Did Ada hurt herself?", "Did I hurt myself?", "Did you hurt yourself?"),
        ("Is the boat Ada's or theirs?", "Is the boat my or mine?", "Is the boat your or yours?"),
        ("Did Ada and Ben sell their boat?", "Did I and you sell their boat?", "Did you and I sell their boat?"),
        ("Who sold his boat?", "Who sold his boat?", "Who sold his boat?"),
        ("Where is Adam?", "Where is Adam?", "Where is Adam?"),
    ],
)
def test_a_question_is_put_as_each_speaker_would(said: str, to_ada: str, to_ben: str) -> None:
    assert Voices(said, SPEAKERS, {}).each == [to_ada, to_ben]


def test_who_is_named_is_known_and_the_names_can_be_left_out() -> None:
    voices = Voices("What did Benny give Ada?", SPEAKERS, {"benny": "Ben Okri"})
    assert voices.named == {"Ada", "Ben Okri"}
    assert content_words(voices.without_names) == content_words("give")


def test_without_speakers_there_are_no_voices() -> None:
    voices = Voices("What did Ada paint?", [], {})
    assert (voices.each, voices.named, voices.without_names) == ([], set(), "What did Ada paint?")


@pytest.mark.parametrize("said", ["What did ſam do?", "Did Sam lose hıs boat?", "Did Sam see ſhe?", "KıM", "SAM"])
def test_letters_that_only_look_like_others_in_another_case_do_no_harm(said: str) -> None:
    assert len(Voices(said, ["Sam", "Kim"], {}).each) == 2


ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=60)


@given(ANY_TEXT, st.lists(ANY_TEXT, max_size=4, unique=True))
def test_any_name_can_be_a_speaker_and_be_asked_for(said: str, speakers: list[str]) -> None:
    for asked in (said, " ".join([said, *speakers]), "".join(speakers).upper()):
        assert len(Voices(asked, speakers, {}).each) == len(speakers)


def test_a_name_is_learned_from_how_somebody_is_addressed() -> None:
    said = [("Deborah", "I made a bowl."), ("Gina", "Thanks, Deb!")] * 3
    assert people.aliases(talk(*said)) == {"deb": "Deborah"}
    assert people.aliases(talk(*said[:4])) == {}, "twice is chance"


def test_a_name_for_two_people_is_nobodys() -> None:
    said = [("Deborah", "A bowl."), ("Gina", "Thanks, Love!"), ("Arun", "A cup."), ("Gina", "Thanks, Love!")] * 3
    assert people.aliases(talk(*said)) == {}


def test_a_word_that_is_mostly_no_name_is_no_alias() -> None:
    called = [("Deborah", "I made a bowl."), ("Gina", "Thanks, Clay!")] * 3
    plain = [("Gina", "clay clay clay clay clay clay")] * 3
    assert people.aliases(talk(*called, *plain)) == {}


def test_a_name_is_not_learned_over_the_end_of_a_session() -> None:
    rows: list[Row] = []
    for number in range(4):
        rows += lines(("Deborah", "A bowl."), session=f"{number}a", first=10 * number)
        rows += lines(("Gina", "Thanks, Deb!"), session=f"{number}b", first=10 * number + 5)
    assert people.aliases(Field(rows)) == {}


def signals(field: Field, said: str, span: tuple[date, date] | None = None) -> dict[str, Floats]:
    """Return the signals of a question without vectors."""
    question = read(said)
    voices = Voices(question.text, field.speakers, people.aliases(field))
    corpus = lexical.field_corpus(field, tuple(stem_numbers(content_words(voices.without_names))))
    days = None if span is None else (span[0].toordinal(), span[1].toordinal())
    return people.signals(field, question, voices, corpus, Meant(None, None), None, days)


def test_who_is_asked_for_counts_unless_it_is_everybody() -> None:
    field = talk(("Ada", "a bowl"), ("Ben", "a boat"))
    assert signals(field, "What did Ada make?")["speaker"].tolist() == [1, 0]
    assert signals(field, "What did Ada and Ben make?")["speaker"].tolist() == [0, 0]
    assert signals(field, "What was made?")["speaker"].tolist() == [0, 0]


def test_days_away_from_what_was_asked_count_less_and_less() -> None:
    away = (-3, -1, 0, 1, 3, 6)
    rows = [row(i, "kiln", speaker="Ada", day=DAY + timedelta(days=d)) for i, d in enumerate(away)]
    day = signals(Field(rows), "kiln", (DAY, DAY))["day"]
    assert day.tolist() == pytest.approx([0.25, 0.5 ** (1 / 1.5), 1, 0.5 ** (1 / 3), 0.5, 0.25])
    assert not signals(Field(rows), "kiln")["day"].any()


def test_a_message_counts_for_the_day_it_speaks_of() -> None:
    later = DAY + timedelta(days=30)
    field = Field(
        [row(1, "My kiln broke on 1 March 2026.", speaker="Ada", day=later), row(2, "hello", speaker="Ada")]
    )
    found = signals(field, "kiln", (DAY, DAY))
    assert found["told_day"].tolist() == [1, 0]
    assert found["day"].tolist() == [1, 1]


def test_a_long_stretch_says_less_than_a_day() -> None:
    field = Field([row(1, "We were in Rome in February 2026.", speaker="Ada")])
    first, last = date(2026, 2, 1).toordinal(), date(2026, 2, 28).toordinal()
    one_day = people.told_within(field, first + 9, first + 9)[0]
    assert 0 < one_day < people.told_within(field, first, last)[0] == 1
    assert people.told_within(field, last + 60, last + 61)[0] == 0


def test_an_answer_borrows_the_words_of_the_question_before_it() -> None:
    field = talk(
        ("Ada", "Which year is the motorcycle?"), ("Ben", "It is from 1974."), ("Ada", "The sea is cold.")
    )
    found = signals(field, "How old is the motorcycle?")
    assert found["asked_words"].tolist() == [0, 1, 0]
    assert found["own_words"].tolist() == [1, 0, 0]
    assert (found["window_words"] > 0).all()


def test_meaning_is_compared_with_the_voice_of_the_speaker() -> None:
    vectors = numpy.eye(2, dtype=numpy.float32)
    passages = Passages(vectors, numpy.array([0, 1]), numpy.ones(2, bool))
    field = talk(("Ada", "a bowl"), ("Ben", "a boat"), passages=passages)
    voices = Voices("What did Ada make?", field.speakers, {})
    meant = Meant(numpy.array([[1, 0], [1, 0]], numpy.float32), None)
    found = people.signals(field, read("What did Ada make?"), voices, lexical.Corpus(2, {}), meant, None, None)
    assert found["own_meaning"].tolist() == [1, 0]
    assert found["session_meaning"].tolist() == [1, 1]
