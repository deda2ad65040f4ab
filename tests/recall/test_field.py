"""The field: neighbours are found within sessions, and never over a gap."""

import numpy
import pytest

from hermes_agent.recall.field import Field
from hermes_agent.text.marks import Mark
from tests.recall.fields import chat, row, talk

ROWS = [
    row(1, "one", session="a", episode=10, number=0, size=4),
    row(2, "two", session="a", episode=10, number=0, size=4, role="assistant"),
    row(3, "three", session="a", episode=11, number=1, size=4, follows=10),
    row(7, "seven", session="a", episode=13, number=3, size=4, follows=12),
    row(8, "eight", session="b", episode=14, number=4, size=9, follows=9),
]


def test_the_message_before_is_of_the_same_or_the_episode_before() -> None:
    field = Field(ROWS)
    assert field.before.tolist() == [-1, 0, 1, -1, -1]
    assert field.after.tolist() == [1, 2, -1, -1, -1]


def test_values_are_shifted_along_the_conversation() -> None:
    field = Field(ROWS)
    values = numpy.array([1, 2, 3, 4, 5], numpy.float32)
    assert field.shifted(values).tolist() == [0, 1, 2, 0, 0]
    assert field.shifted(values, 2).tolist() == [0, 0, 1, 0, 0]
    assert field.shifted(values, -1).tolist() == [2, 3, 0, 0, 0]
    assert field.shifted(values, -2).tolist() == [3, 0, 0, 0, 0]


def test_rows_of_values_are_shifted_whole() -> None:
    pairs = numpy.array([[n, 10 * n] for n in range(1, 6)], numpy.float32)
    assert Field(ROWS).shifted(pairs).tolist() == [[0, 0], [1, 10], [2, 20], [0, 0], [0, 0]]


def test_the_best_of_a_group_is_given_to_each_of_it() -> None:
    field = Field(ROWS)
    values = numpy.array([1, 5, 2, -3, -4], numpy.float32)
    assert field.best_of(field.session, values).tolist() == [5, 5, 5, 5, -4]
    assert field.best_of(field.episode, values).tolist() == [5, 5, 2, -3, -4]


def test_stems_and_passages_know_their_message() -> None:
    long = "The kiln in the yard broke on a cold day, so nobody mended it. I bought a new one for the workshop."
    field = chat("", long, "the of and", "kiln")
    assert field.length.tolist() == [0, 11, 0, 1]
    assert field.stem_row.tolist() == [1] * 11 + [3]
    assert field.passage_row.tolist() == [1, 1, 2, 3]
    assert field.passage_length.tolist() == [7, 4, 0, 1]
    assert field.stem_passage.tolist() == [0] * 7 + [1] * 4 + [3]


def test_speakers_have_places_and_nobody_has_none() -> None:
    field = talk(("Gina", "hello"), ("", "a bell rings"), ("Arun", "hi"), ("Gina", "bye"))
    assert field.speakers == ["Arun", "Gina"]
    assert field.who.tolist() == [1, -1, 0, 1]


def test_marks_names_and_days_are_read_from_the_sketch() -> None:
    field = chat("Is it hot?", "we saw Rome, Oslo, Bonn, Kyiv, Lima, Cusco", "My kiln broke yesterday.")
    assert field.has(Mark.IS_QUESTION).tolist() == [1, 0, 0]
    assert field.capitals.tolist() == pytest.approx([0, 1, 0])
    assert field.names.tolist() == pytest.approx([0, 1, 0])
    yesterday = ROWS[0].day - 1
    assert field.told.tolist() == [[2, yesterday, yesterday]]


def test_an_empty_field_has_arrays_of_no_length() -> None:
    field = Field([])
    nothing = numpy.zeros(0, numpy.float32)
    assert len(field) == 0 and field.speakers == [] and field.told.shape == (0, 3)
    assert field.before.size == field.after.size == field.stems.size == field.who.size == 0
    assert field.best_of(field.session, nothing).size == field.shifted(nothing).size == 0
