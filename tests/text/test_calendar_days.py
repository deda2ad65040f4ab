"""Dates that no calendar has are told from those that some year has."""

import pytest

from hermes_agent.text.calendar_days import names_no_day


@pytest.mark.parametrize(
    "text",
    ["31 February 0000", "31 February", "February 30th, 1985", "the 31st of June", "31 April 1990", "30.02.1990"]
    + [
        "2026-02-31",
        "29 February 2023",
        "12 May 0000",
        "31. Februar",
        "31 de junio",
        "13/13/2020",
        "May 32",
        "0 May",
    ],
)
def test_a_day_that_does_not_exist_is_told(text: str) -> None:
    assert names_no_day(text)


@pytest.mark.parametrize(
    "text",
    [
        "29 February",
        "29 February 2024",
        "31 May",
        "May 31st, 1985",
        "02/13/2020",
        "13/02/2020",
        "2026-02-28",
        "May",
    ]
    + ["3.14.15", "1.20.33", "31 people", "", "march 2020", "the 3rd of may", "a party on 31 June for two"],
)
def test_other_days_and_other_words_are_left_alone(text: str) -> None:
    assert not names_no_day(text)
