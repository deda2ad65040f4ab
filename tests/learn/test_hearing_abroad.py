"""What is learned of messages in German, Dutch, French, Spanish, Italian and Portuguese."""

from time import process_time

import pytest

from hermes_agent.learn.attributes import ENDED, LEARNED, TABLE
from hermes_agent.learn.candidates import candidates
from hermes_agent.learn.foreign_sentences import languages_of
from hermes_agent.learn.hearing_abroad import hear_abroad
from hermes_agent.learn.tongue import CODES, tongue
from hermes_agent.records.learning import Candidate, Heard
from tests.learn.heard_abroad import HEARD_ABROAD, UNHEARD_ABROAD
from tests.learn.test_hearing import learned, written


@pytest.mark.parametrize(("said", "facts"), HEARD_ABROAD.items(), ids=list(HEARD_ABROAD))
def test_a_message_in_another_language_tells_several_things(said: str, facts: list[str]) -> None:
    assert [written(one) for one in learned(said)] == facts


@pytest.mark.parametrize("said", UNHEARD_ABROAD)
def test_what_is_not_meant_in_another_language_tells_nothing(said: str) -> None:
    assert [written(one) for one in learned(said)] == []


@pytest.mark.parametrize("said", HEARD_ABROAD)
def test_the_words_of_every_fact_stand_in_the_message(said: str) -> None:
    for one in learned(said):
        assert one.statement.value.casefold() in said[one.statement.start : one.statement.end].casefold()


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("J'ai déménagé à Quimper.", "User lives in Quimper"),
        ("Sono infermiera a Parma.", "User works as an infermiera"),
        ("Mein Sohn ist allergisch gegen Erdnüsse.", "User's son is allergic to Erdnüsse"),
        ("Mi hermana no come cerdo.", "User's sister does not eat cerdo"),
        ("Ik heb twee katten.", "User has twee katten"),
        ("Quero aprender a nadar.", "User's goal: aprender a nadar"),
    ],
)
def test_a_fact_reads_like_one_that_was_said_in_english(said: str, text: str) -> None:
    assert [one.text for one in learned(said)] == [text]


@pytest.mark.parametrize(
    "said",
    [
        "Ich bin nach Bonn gezogen.",
        "Ik ben naar Bonn verhuisd.",
        "J'ai déménagé à Bonn.",
        "Me he mudado a Bonn.",
        "Mi sono trasferito a Bonn.",
        "Mudei-me para Bonn.",
    ],
)
def test_who_moved_lives_elsewhere_than_they_said_in_english(said: str) -> None:
    english, other = told("I live in Oslo.", said)
    assert (other.subject, other.statement.attribute) == (english.subject, english.statement.attribute)
    assert other.statement.value == "Bonn"
    assert other.statement.is_single


def told(*messages: str) -> list[Candidate]:
    return list(candidates([Heard(str(place), said, place) for place, said in enumerate(messages)]))


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("My sister Maëlle lives in the Rue de la Paix with la famille.", ""),
        ("I live in Den Haag and my wife works at Albert Heijn op de markt.", ""),
        ("I love La vie en rose and El Camino de Santiago.", ""),
        ("dont drink coffee anymore, only matcha", ""),
        ("im off sugar til easter", ""),
        ("Mia lives in Oslo.", ""),
        ("Mia moved to Bergen, forget Oslo", ""),
        ("Jack O'Neill", ""),
        ("Ich nutze Visual Studio Code und GitHub Copilot for work.", "de"),
        ("Je fais du running et du home office.", "fr"),
        ("Vendi o carro.", "pt"),
        ("Cresci em Aveiro.", "pt"),
        ("Abito a Torino.", "it"),
        ("Crecí en Lugo.", "es"),
        ("Mijn hond heet Bram.", "nl"),
    ],
)
def test_names_and_loan_words_do_not_change_the_language(said: str, code: str) -> None:
    assert languages_of(said) == ((code,) if code else ())


@pytest.mark.parametrize("code", CODES)
def test_every_verb_of_a_language_fills_a_slot_of_english(code: str) -> None:
    for forms in tongue(code).forms.values():
        for form in forms:
            assert form.line.attribute in TABLE or form.line.attribute in LEARNED or form.line.attribute == ENDED


@pytest.mark.parametrize("code", CODES)
def test_every_language_knows_the_same_kinds_of_words(code: str) -> None:
    assert tongue(code).words.keys() == tongue("de").words.keys()


@pytest.mark.parametrize("said", ["ich wohne in ", "mein Sohn, ", "a, ", "1. ", "nicht mehr ", "und "])
def test_a_very_long_message_takes_no_long_time(said: str) -> None:
    long = said * (100_000 // len(said))
    start = process_time()
    list(hear_abroad(long, long, "de"))
    assert process_time() - start < 2
