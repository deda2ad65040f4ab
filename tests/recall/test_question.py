"""Questions are read: their frame taken off, their parts told apart, their cues seen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.recall.question import FRAME_WEIGHT, LONGEST_QUESTION, Cue, is_frame, read, topic_of
from hermes_agent.text.stems import stem_numbers
from tests.counts import count


@pytest.mark.parametrize(
    ("said", "topic"),
    [
        ("Can you remind me what we discussed about the Atlas release?", "about the Atlas release"),
        ("Could you please tell me about the kiln?", "the kiln"),
        ("Hey, do you remember the name of the potter?", "the name of the potter"),
        ("I was wondering if the kiln is hot", "the kiln is hot"),
        ("Can you give me a complete summary of the harbour plans?", "the harbour plans"),
        ("Where is the kiln?", "Where is the kiln"),
    ],
)
def test_the_frame_is_taken_off(said: str, topic: str) -> None:
    assert topic_of(said) == topic
    assert read(said).topic == topic


@pytest.mark.parametrize("said", ["Can you remind me what you told me?", "do you remember", "", "?!"])
def test_a_question_of_nothing_but_frame_is_its_own_topic(said: str) -> None:
    assert read(said).topic == said


def test_a_topic_word_counts_more_than_a_word_of_the_frame() -> None:
    question = read("Can you recall the kiln you mentioned?")
    kiln, mentioned, recall = stem_numbers(["kiln", "mentioned", "recall"])
    assert question.weights == {kiln: 1.0, mentioned: FRAME_WEIGHT, recall: FRAME_WEIGHT}
    assert is_frame(mentioned) and not is_frame(kiln)


def test_words_stand_once_and_without_stop_words() -> None:
    assert read("The kiln, the other kiln and the yard").words == ("kiln", "yard")


def test_a_question_about_two_things_has_two_parts() -> None:
    question = read("Did I buy the kiln before or after the trip to Vienna?")
    kiln, vienna = stem_numbers(["kiln", "vienna"])
    holding = [[part for part in question.parts if stem in part] for stem in (kiln, vienna)]
    assert all(len(parts) == 1 for parts in holding) and holding[0] != holding[1]
    assert read("Where is the kiln?").parts == ()
    assert read("Please tell me, and remind me: where is the kiln?").parts == (), "a part of frame words is none"


@pytest.mark.parametrize(
    ("said", "cue"),
    [
        ("What was it you told me about clay?", Cue.FROM_ASSISTANT),
        ("What did you say about clay?", Cue.FROM_ASSISTANT),
        ("What was in your previous answer?", Cue.FROM_ASSISTANT),
        ("Give me an overview of the harbour plans", Cue.SUMMARY),
        ("In what order of my trips did I go?", Cue.ORDER),
        ("Can you suggest a museum?", Cue.REQUEST),
        ("How should I store clay?", Cue.REQUEST),
        ("How many bowls did I make?", Cue.COUNT | Cue.HOW_MANY),
        ("Have I ever been to Rome?", Cue.YES_NO),
        ("How old is the kiln?", Cue.HOW_MANY),
        ("When did the kiln break?", Cue.WHEN),
        ("Which city did I visit?", Cue.WHERE),
        ("Which books did Ada read?", Cue.TITLE),
    ],
)
def test_cues_are_seen(said: str, cue: Cue) -> None:
    assert cue in read(said).cues
    assert not read("kiln").cues


def test_an_apostrophe_is_an_apostrophe() -> None:
    assert read("What’s the best clay?").cues == read("What's the best clay?").cues != Cue(0)


def test_of_a_pasted_file_both_ends_are_read() -> None:
    question = read("Mend the kiln: " + "import nothing; " * 100_000 + "and tell me of Vienna")
    assert {"kiln", "vienna"} <= set(question.words)
    assert len(question.text) <= LONGEST_QUESTION + 1


@pytest.mark.parametrize(
    "bomb",
    [
        "order " * 100_000,
        "which " * 100_000,
        "you " * 100_000 + "told",
        "i am just " * 100_000,
        " " * 1_000_000,
        "(" * 1_000_000,
        "the order " * 100_000,
        "in all our previous " * 50_000,
    ],
)
def test_repeated_cues_are_read_in_no_time(bomb: str) -> None:
    assert len(read(bomb).text) <= LONGEST_QUESTION + 1


CUES = "you told me the order of my kiln and or ( ) ? , which first last how many"
WORDS = st.sampled_from(CUES.split())
ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=300)


@given(ANY_TEXT | st.lists(WORDS, max_size=60).map(" ".join))
def test_any_text_can_be_asked(said: str) -> None:
    question = read(said)
    assert set(question.weights) == set(stem_numbers(question.words))
    assert set(question.weights.values()) <= {1.0, FRAME_WEIGHT}
    assert len(question.parts) != 1
    assert read(said) == question


def test_reading_takes_as_long_for_a_megabyte_as_its_ends_need() -> None:
    for length in (1_000, count(200_000, 1_000_000)):
        assert len(read("Łódź 東京 kiln? " * (length // 15)).text) <= LONGEST_QUESTION + 1
