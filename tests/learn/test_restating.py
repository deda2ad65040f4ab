"""What an edited sentence still says of the slot of a fact."""

import pytest

from hermes_agent.learn.restating import restated
from hermes_agent.learn.subjects import subject_of, who_named
from hermes_agent.records.statements import Statement


def slot(subject: str, attribute: str, value: str) -> Statement:
    return Statement(who_named(subject), attribute, value, 0, 1)


@pytest.mark.parametrize(
    ("subject", "attribute", "sentence", "value", "polarity"),
    [
        ("user", "home", "User lives in Oslo", "Oslo", "is"),
        ("user", "home", "I live in Oslo.", "Oslo", "is"),
        ("sister Ana", "home", "User's sister Ana lives in Milan", "Milan", "is"),
        ("sister Ana", "home", "Ana lives in Milan", "Milan", "is"),
        ("we", "uses", "User's team uses MySQL", "MySQL", "is"),
        ("user", "likes", "User does not like tea", "tea", "is not"),
        ("user", "instruction", "Always answer in German", "Always answer in German", "is"),
        ("user", "phone number", "User's phone number is 456", "456", "is"),
        ("user", "phone number", "User's phone number is not 123", "123", "is not"),
        ("user", "age", "User is 32 years old", "32", "is"),
        ("we", "note", "The door sticks in winter", "The door sticks in winter", "is"),
    ],
)
def test_the_slot_is_kept_with_its_new_value(
    subject: str, attribute: str, sentence: str, value: str, polarity: str
) -> None:
    known = slot(subject, attribute, "as it was")
    said = restated(sentence, known)
    assert said is not None
    assert (said.who, said.attribute, said.value, said.polarity) == (known.who, attribute, value, polarity)


@pytest.mark.parametrize(
    ("attribute", "sentence"),
    [
        ("home", "User likes tea"),
        ("home", "User no longer lives in Lyon"),
        ("home", "User's sister lives in Oslo"),
        ("home", "User lives in"),
        ("instruction", "User lives in Oslo"),
        ("is", "User is allergic to nuts"),
    ],
)
def test_a_sentence_about_something_else_is_not_of_the_slot(attribute: str, sentence: str) -> None:
    assert restated(sentence, slot("user", attribute, "as it was")) is None


def test_somebody_whose_name_is_corrected_is_called_so() -> None:
    said = restated("User's sister is called Ana", slot("sister Anna", "name", "Anna"))
    assert said is not None
    assert (subject_of(said.who), said.value, said.polarity) == ("sister Ana", "Ana", "is")
