"""What is asked: the days it speaks of are read, and taken out of the words that are looked for."""

from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.recall.asking import Retrieval, ask, without_phrase

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
"""A Sunday."""


@pytest.mark.parametrize(
    ("said", "first", "last"),
    [
        ("What broke yesterday?", date(2026, 2, 28), date(2026, 2, 28)),
        ("What did I mend on 2026-02-03?", date(2026, 2, 3), date(2026, 2, 3)),
        ("What did I mend last Tuesday?", date(2026, 2, 24), date(2026, 2, 24)),
    ],
)
def test_the_days_of_a_question_are_read_and_taken_out(said: str, first: date, last: date) -> None:
    asking = ask(said, NOW)
    assert asking.span is not None
    start, end = asking.span
    assert start <= first and last <= end and (end - start).days <= 4, "the day, and a little slack"
    assert not {"yesterday", "2026", "02", "tuesday"} & set(asking.question.words)


def test_a_question_without_days_has_no_span() -> None:
    asking = ask("Where is the kiln?", NOW)
    assert asking.span is None and asking.question.text == "Where is the kiln?"


def test_a_date_without_a_year_lies_within_memory() -> None:
    asking = ask("What happened on 5 May?", NOW, known=(date(2021, 1, 1), date(2021, 12, 31)))
    assert asking.span is not None and asking.span[0].year == 2021


def test_what_is_left_out_is_carried_along() -> None:
    asking = ask("kiln", NOW, without_session="s", hidden_sources=("tool",), as_of=3, since=1, until=2)
    assert (asking.without_session, asking.hidden_sources) == ("s", ("tool",))
    assert (asking.as_of, asking.since, asking.until) == (3, 1, 2)


@pytest.mark.parametrize(
    ("said", "phrase", "left"),
    [
        ("What broke on the 5th of May?", "5th of May", "What broke ?"),
        ("What broke during last week at home?", "last week", "What broke at home?"),
        ("yesterday", "yesterday", "yesterday"),
        ("in 2023?", "2023", "in 2023?"),
    ],
)
def test_a_date_goes_with_what_led_up_to_it(said: str, phrase: str, left: str) -> None:
    assert without_phrase(said, phrase) == left


def test_the_limits_are_those_of_the_settings() -> None:
    assert Retrieval() == Retrieval(3, 5, 0.65, 20_000)


DATES = "yesterday last week on the 5th of May in 2023 -1 99999 ago 31/31/0000 since until"
PHRASES = st.sampled_from(DATES.split())
ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=200)


@given(
    ANY_TEXT | st.lists(PHRASES, max_size=30).map(" ".join), st.datetimes(datetime(1, 1, 3), datetime(9998, 1, 1))
)
def test_anything_can_be_asked_at_any_time(said: str, now: datetime) -> None:
    asking = ask(said, now.replace(tzinfo=UTC))
    assert asking.span is None or asking.span[0] <= asking.span[1]


@pytest.mark.parametrize("bomb", ["yesterday " * 100_000, "5 " * 500_000, "\x00" * 1_000_000, "last " * 200_000])
def test_a_huge_question_is_bounded(bomb: str) -> None:
    assert len(ask(bomb, NOW).question.text) <= 4_001
