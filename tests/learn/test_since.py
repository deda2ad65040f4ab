"""Since when something is so, by the words that say it: said on Tuesday, 12 May 2026."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from hermes_agent import clock
from hermes_agent.learn.candidates import candidates
from hermes_agent.records.learning import Heard

SAID = clock.from_datetime(datetime(2026, 5, 12, 15, tzinfo=UTC))


def since(said: str) -> str:
    """Return the first day on which the first thing that is stated holds; empty if the words do not say."""
    first, *_ = candidates([Heard("1", said, SAID)], UTC)
    return "" if first.valid_from is None else clock.to_datetime(first.valid_from).date().isoformat()


@pytest.mark.parametrize(
    ("said", "day"),
    [
        ("I've lived in Leeds since March.", "2026-03-01"),
        ("I have lived in Leeds since 3 March 2024.", "2024-03-03"),
        ("We use PostgreSQL since last week.", "2026-05-04"),
        ("Since Monday I work at Bosch.", "2026-05-11"),
        ("I moved to Leeds last month.", "2026-04-01"),
        ("I moved to Leeds two weeks ago.", "2026-04-28"),
        ("I moved to Leeds in 2021.", "2021-01-01"),
        ("I moved to Leeds in November.", "2025-11-01"),
        ("I moved to Leeds yesterday.", "2026-05-11"),
        ("My sister Mia moved to Oslo in May.", "2026-05-01"),
        ("We switched to PostgreSQL in January.", "2026-01-01"),
        ("I started learning Spanish in 2021.", "2021-01-01"),
        ("I've been using vim for three years.", "2023-05-13"),
        ("I'm working at Bosch from 1 June.", "2026-06-01"),
        ("I start at Bosch on 1 June.", "2026-06-01"),
        ("I'm starting at Bosch next Monday.", "2026-05-18"),
        ("My sister starts at Bosch in July.", "2026-07-01"),
        ("Ich wohne seit 2019 in Ulm.", "2019-01-01"),
        ("Abito a Lecce dal 2019.", "2019-01-01"),
        ("J'habite à Lyon depuis 2019.", "2019-01-01"),
        ("My mother Birgitta turns 70 on 2 February 2027.", "2027-02-02"),
        ("My dad turns 60 next month.", "2026-06-01"),
        ("My brother Nils turns 30 on 12 May.", "2026-05-12"),
        ("My daughter will be 6 on 2 June.", "2026-06-02"),
        ("My daughter will be 6 on 2 March.", "2027-03-02"),
        ("I turn 42 on Friday.", "2026-05-15"),
        ("My mother turned 70 yesterday.", ""),
        # No beginning is spoken of.
        ("I start work at six.", ""),
        ("I live in Leeds.", ""),
        ("I work at Bosch from Monday to Friday.", ""),
        ("The demo has moved to 5 June.", ""),
        ("My birthday is 3 May.", ""),
        ("I live in Leeds, see you in March.", ""),
        ("I moved to March.", ""),
        ("Always answer in German from now on.", ""),
    ],
)
def test_the_words_say_since_when(said: str, day: str) -> None:
    assert since(said) == day


@pytest.mark.parametrize("said", ["My son turns 5.", "I turn 42 this summer.", "My sister is turning 30 soon."])
def test_an_age_to_come_on_no_day_is_nobody_s_age(said: str) -> None:
    assert not [one for one in candidates([Heard("1", said, SAID)], UTC) if one.statement.attribute == "age"]


def test_a_birthday_to_come_is_not_in_the_year_of_birth() -> None:
    told = candidates([Heard("1", "My mother Birgitta turns 70 on 2 February 2027.", SAID)], UTC)
    assert "User's mother Birgitta's birthday is 2 February" in [one.text for one in told]


def test_a_day_begins_where_the_owner_lives() -> None:
    late = clock.from_datetime(datetime(2026, 5, 12, 23, 30, tzinfo=UTC))
    (found,) = candidates([Heard("1", "I moved to Leeds yesterday.", late)], ZoneInfo("Asia/Tokyo"))
    assert found.valid_from == clock.from_datetime(datetime(2026, 5, 11, 15, tzinfo=UTC)), "12 May in Tokyo"
