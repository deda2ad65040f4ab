"""A chat holds what is asked if it says it, not if it speaks of something of the same kind."""

from pathlib import Path

import numpy
import pytest

from hermes_agent.embedders.local import Local
from hermes_agent.recall import holding, lexical
from hermes_agent.recall.asking import Retrieval
from hermes_agent.recall.field import Field, Passages
from hermes_agent.text.stems import content_words, stem_numbers
from tests.recall import test_sqlite
from tests.recall.conversations import talk
from tests.recall.fields import chat, row
from tests.recall.remembering import read, recalled


def words_of(text: str) -> dict[int, str]:
    words = content_words(text)
    return dict(zip(stem_numbers(words), words, strict=True))


def said(text: str, *told: str, role: str = "user") -> float:
    word_of = words_of(text)
    weights = holding.rarity_weights(word_of, {})
    return holding.said([row(place, each, role=role) for place, each in enumerate(told)], word_of, weights)


def counts_of(text: str, field: Field) -> lexical.Counts:
    return lexical.count(tuple(words_of(text)), field)


def test_a_word_that_was_said_counts_whole_and_a_near_one_in_part() -> None:
    asked = "the dog trainer"
    near, other = said(asked, "The puppy has a coach."), said(asked, "The tax return is due.")
    assert other < near < said(asked, "My dog's trainer is Ines.") == pytest.approx(1)


def test_what_is_said_far_apart_is_not_held_together() -> None:
    far = "The cello is at home and needs new strings before the concert in the spring. " + "It rained a lot. " * 9
    assert said("the cello teacher", far + "A teacher called about the school trip.") < 1


def test_what_an_assistant_lists_is_not_held_by_the_user() -> None:
    assert said("the cello teacher", "Find a cello teacher near you.", role="assistant") == 0
    assert said("the of", "My cello teacher is Ines.") == said("the cello", "", "the of") == 0


def test_the_rarest_word_that_is_missing_beside_the_best_counts() -> None:
    asked, field = "trip to Sedona", chat("The trip was fine.", "We were in Sedona.")
    weights = holding.rarity_weights(words_of(asked), {})
    counts = counts_of(asked, field)
    assert holding.missing(counts, field, 0, weights) > holding.missing(counts, field, 1, weights) > 0
    together = chat("The trip to Sedona was fine.")
    assert holding.missing(counts_of(asked, together), together, 0, weights) == 0


@pytest.mark.parametrize(
    ("asked", "is_missing"),
    [
        ("How was my trip to Sedona?", True),
        ("How was my trip to Kyoto?", False),
        ("Did I pay 40 for it?", True),
        ("Did I pay 30 for it?", False),
        ("how was my trip to sedona?", False),
        ("Sedona?", False),
        ("May I go?", False),
    ],
)
def test_names_and_numbers_inside_a_question_are_looked_for(asked: str, is_missing: bool) -> None:
    field = chat("The trip to Kyoto was 30 euros.", "The tax return is due.")
    assert holding.is_name_missing(asked, counts_of(asked, field), numpy.array([0, 1])) is is_missing


def test_messages_of_one_session_do_not_make_a_memory_alike() -> None:
    vectors = numpy.eye(4, dtype=numpy.float32)[[0, 0, 0, 1]]

    def of(*sessions: str) -> Field:
        rows = [row(place, "word", session=session) for place, session in enumerate(sessions)]
        return Field(rows, Passages(vectors, numpy.arange(4), numpy.ones(4, bool)))

    assert holding.alikeness(of("a", "a", "a", "a")) == 0
    assert 0 < holding.alikeness(of("a", "a", "b", "c")) < holding.alikeness(of("a", "b", "c", "d")) < 1
    assert holding.alikeness(chat("no vectors")) == holding.alikeness(Field([])) == 0


def test_rare_words_of_the_language_count_more_whatever_memory_holds() -> None:
    common, rare, rarest = Local().rarities(["time", "cello", "Reykjavik"])
    assert 0 <= common < rare < rarest <= 7
    assert Local().rarities([]).tolist() == [] and Local().rarities(["", "a\ud800"])[0] == 0


def test_another_trip_is_not_the_trip_that_is_asked_for(tmp_path: Path) -> None:
    least = Retrieval().min_relevance
    for memory in test_sqlite.opened(tmp_path):
        talk(memory, "trip", "In Kyoto we stayed at a small inn by the river.", "How lovely.", day=2)
        talk(memory, "plans", "Can you suggest a hotel for a weekend by the sea?", "Try the harbour.", day=4)
        for day in range(5, 12):
            talk(memory, f"day {day}", f"The tax return {day} is due in July.", "Noted.", day=day)
        read(memory, Local())
        held = recalled(memory, "Where did we stay in Kyoto?", Local()).hits[0]
        assert held.text.startswith("In Kyoto") and held.relevance >= least
        other = recalled(memory, "Where did I stay on my trip to Sedona?", Local()).hits
        assert all(hit.relevance < least for hit in other)
