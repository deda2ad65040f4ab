"""The kind a question asks for, and the things of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.text.kinds import asked_things, listed
from hermes_agent.text.words import WORD_CAP


@pytest.mark.parametrize(
    ("question", "thing", "other"),
    [
        ("Which instruments does Ada play?", "banjo", "pizza"),
        ("What kind of food does she like?", "lasagna", "banjo"),
        ("What are Ada's hobbies other than fixing cars?", "pottery", "truck"),
        ("In which countries has he been?", "morocco", "violin"),
        ("How many pets do I have?", "hamsters", "oslo"),
        ("What colour is the door?", "purple", "violin"),
        ("What was her favourite dessert?", "tiramisu", "trumpet"),
        ("what yoga class did I join", "yoga", "lasagna"),
        ("What did Ada cook on Sunday?", "soup", "trumpet"),
        ("How does Ben unwind?", "gardening", "lasagna"),
    ],
)
def test_a_question_asks_for_the_things_of_a_kind(question: str, thing: str, other: str) -> None:
    things = asked_things(question)
    assert thing in things
    assert other not in things


@pytest.mark.parametrize(
    "question",
    [
        "",
        "what",
        "what which whose how many",
        "Which of these instruments is mine?",
        "Who tuned the piano?",
        "My instruments are in the attic.",
        "How long did the soup cook?",
        "What is the name of her dog?",
        "Welche Instrumente spielt Ada?",
        "她会什么乐器?",
        "What did we decide about the release?",
    ],
)
def test_most_of_what_is_said_asks_for_no_kind(question: str) -> None:
    assert asked_things(question) == frozenset()


def test_two_kinds_are_asked_for_together() -> None:
    things = asked_things("What food and what music does Ada like?")
    assert {"lasagna", "reggae"} <= things


CUES = "what which how many kind of is are the food play cook s"
ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=200)


@given(ANY_TEXT | st.lists(st.sampled_from(CUES.split())).map(" ".join))
def test_any_text_can_be_asked(said: str) -> None:
    assert asked_things(said) == asked_things(said)


def test_a_text_of_nothing_but_question_words_is_read_to_its_end() -> None:
    assert asked_things("what " * WORD_CAP) == frozenset()
    assert "banjo" in asked_things("what " * 1_000 + "instruments do I play")


def test_every_kind_has_names_and_things_in_plain_words() -> None:
    for kind in listed():
        assert kind.names, kind.things
        assert kind.things, kind.names
        assert all(word.isascii() and word.isalpha() and word.islower() for word in kind.things), kind.names
        assert not set(kind.names) & kind.things
