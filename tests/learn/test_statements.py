"""What a message states, and what it does not: the sentences of `stated` and `unstated` are read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.learn.statements import read_statements
from hermes_agent.records.statements import Statement
from tests.learn.stated import SAID
from tests.learn.unstated import NOTHING, PASSING

ANY_STRING = st.text(st.characters(codec=None, exclude_categories=()), max_size=200)
WORDS = st.lists(
    st.sampled_from(
        [
            *(
                "my",
                "name",
                "is",
                "Ada",
                "I",
                "live",
                "in",
                "Oslo",
                "not",
                "no",
                ",",
                ".",
                ";",
                ":",
                "and",
                "but",
                "3",
            ),
            *(
                "sister",
                "Mia",
                "'s",
                "remember",
                "that",
                "always",
                "never",
                "we",
                "use",
                "if",
                "?",
                "!",
                '"',
                "“",
                "”",
            ),
            *(
                "ich",
                "heiße",
                "wohne",
                "je",
                "m'appelle",
                "me",
                "llamo",
                "I'm",
                "im",
                "don't",
                "like",
                "call",
                "when",
            ),
            *("say", "mean", "May", "actually"),
        ]
    ),
    max_size=25,
).map(" ".join)


def written(statement: Statement) -> str:
    who = statement.who
    name = f"{who.relation} {who.name}".strip() if who.kind == "person" else who.kind
    polarity = "" if statement.polarity == "is" else f"{statement.polarity.removeprefix('is ')} "
    passing = "" if statement.is_lasting else "passing "
    former = f" <- {statement.former}" if statement.former else ""
    return f"{passing}{polarity}{name}.{statement.attribute}={statement.value}{former}"


@pytest.mark.parametrize(("said", "slots"), SAID.items(), ids=list(SAID))
def test_a_statement_fills_its_slots(said: str, slots: list[str]) -> None:
    assert [written(statement) for statement in read_statements(said)] == slots


@pytest.mark.parametrize("said", NOTHING)
def test_what_states_nothing_fills_no_slot(said: str) -> None:
    assert [written(statement) for statement in read_statements(said)] == []


@pytest.mark.parametrize("said", PASSING)
def test_a_passing_remark_is_not_worth_a_note(said: str) -> None:
    assert [written(one) for one in read_statements(said) if one.is_lasting] == []


@pytest.mark.parametrize(
    ("said", "whose"),
    [
        ("My sister Jo is a doctor. Her cats are Milo and Otis, they are 3 years old", "they"),
        ("My brother Ben is a teacher. The new colleague is nice, he lives in Dublin", "he"),
        ("My brother Ben is a teacher. The new hire is nice, he lives in Dublin", "he"),
        ("My brother Ben met a colleague, he lives in Dublin", "he"),
        ("My brother Ben met Tom. He lives in Dublin", "he"),
        ("My sister Jo lives in Oslo. He works at Google", "he"),
        ("My friend Sam lives in Rome. They like tea.", "they"),
        ("My husband Raj and I are getting divorced. I've got twins, Asha and Dev, they turned 5", "they"),
    ],
)
def test_a_pronoun_that_may_mean_another_is_left_open(said: str, whose: str) -> None:
    last = [one for one in read_statements(said) if one.attribute in ("age", "home", "employer", "likes")][-1]
    assert (last.who.kind, last.who.name) == ("someone", whose)


def test_the_name_of_a_dog_is_not_its_owners() -> None:
    read = read_statements("My brother Ben has a dog, his name is Rex")
    assert not any(one.value == "Rex" for one in read)


def test_there_are_enough_sentences_of_each_kind() -> None:
    assert len(SAID) + len(NOTHING) + len(PASSING) >= 200
    assert len(NOTHING) >= 50


@pytest.mark.parametrize(
    ("said", "spans"),
    [
        ("My name is Ada and I prefer metric units.", ["My name is Ada", "I prefer metric units"]),
        ("Hello! I’m Ada. I live in Graz, by the way.", ["I’m Ada", "I live in Graz, by the way"]),
        ("remember that the gate code is 4711", ["the gate code is 4711"]),
        ("Ich heiße Ada und wohne in Graz.", ["Ich heiße Ada", "wohne in Graz"]),
    ],
)
def test_a_statement_knows_where_it_was_said(said: str, spans: list[str]) -> None:
    assert [said[one.start : one.end] for one in read_statements(said)] == spans


@pytest.mark.parametrize(
    "said", ["Actually, my name is Eve", "No. My name is Eve.", "I moved to Berlin", "my name isn't Ada, it's Eve"]
)
def test_a_correction_is_marked(said: str) -> None:
    assert read_statements(said)[-1].is_correction


def test_one_value_at_a_time_or_many() -> None:
    single = {one.attribute: one.is_single for said in SAID for one in read_statements(said)}
    assert single["name"] and single["home"] and single["favourite colour"] and single["staging server"]
    assert not single["likes"] and not single["uses"] and not single["instruction"]


@given(st.one_of(ANY_STRING, WORDS))
def test_any_string_is_read_without_a_word_that_is_not_in_it(said: str) -> None:
    for statement in read_statements(said):
        assert 0 <= statement.start < statement.end <= len(said)
        span = said[statement.start : statement.end].replace("’", "'").replace("‘", "'").casefold()
        assert statement.value.casefold() in span or statement.value.casefold() in said.casefold()
        assert statement.value.strip()
