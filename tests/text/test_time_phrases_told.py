"""Days that statements speak of, before and after the day they were said."""

from datetime import date

import pytest

from hermes_agent.text.time_phrases import told_spans

SAID = date(2026, 11, 18)  # a Wednesday


def days(said: str) -> tuple[date, date]:
    """Read "2026-05-03" or "2026-05-03 2026-05-10"."""
    first, _, last = said.partition(" ")
    return date.fromisoformat(first), date.fromisoformat(last or first)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I saw her yesterday", ["2026-11-17"]),
        ("we met last night", ["2026-11-17"]),
        ("I had cooked the day before.", ["2026-11-17"]),
        ("it is today", ["2026-11-18"]),
        ("I fly tomorrow", ["2026-11-19"]),
        ("last Friday was fun", ["2026-11-13"]),
        ("this past Sunday", ["2026-11-15"]),
        ("we meet on Friday", ["2026-11-13", "2026-11-20"]),
        ("this Friday", ["2026-11-13", "2026-11-20"]),
        ("next Monday", ["2026-11-23"]),
        ("next Friday", ["2026-11-20 2026-11-27"]),
        ("last weekend", ["2026-11-14 2026-11-15"]),
        ("this weekend", ["2026-11-21 2026-11-22"]),
        ("next weekend", ["2026-11-21 2026-11-29"]),
        ("last week", ["2026-11-09 2026-11-15"]),
        ("next week", ["2026-11-23 2026-11-29"]),
        ("last month", ["2026-10-01 2026-10-31"]),
        ("next month", ["2026-12-01 2026-12-31"]),
        ("this month", ["2026-11-01 2026-11-30"]),
        ("last year", ["2025-01-01 2025-12-31"]),
        ("two days ago", ["2026-11-16"]),
        ("two weeks ago", ["2026-11-02 2026-11-06"]),
        ("three months back", ["2026-08-11 2026-08-27"]),
        ("in two weeks we fly", ["2026-11-30 2026-12-04"]),
        ("in January", ["2027-01-01 2027-01-31"]),
        ("in September", ["2026-09-01 2026-09-30"]),
        ("last May", ["2026-05-01 2026-05-31"]),
        ("next May", ["2027-05-01 2027-05-31"]),
        ("on the 3rd of December", ["2026-12-03"]),
        ("on October 3rd", ["2026-10-03"]),
        ("on 3 May 2019", ["2019-05-03"]),
        ("last summer", ["2026-06-01 2026-08-31"]),
        ("on Christmas", ["2026-12-24 2026-12-26"]),
        ("last Christmas", ["2025-12-24 2025-12-26"]),
        ("in 2019", ["2019-01-01 2019-12-31"]),
        ("yesterday and on 3 October", ["2026-10-03", "2026-11-17"]),
        ("yesterday, yes, yesterday", ["2026-11-17"]),
        ("wir fahren nächste Woche", ["2026-11-23 2026-11-29"]),
        ("nous partons demain", ["2026-11-19"]),
        ("nothing at all", []),
    ],
)
def test_a_statement_speaks_of_days(text: str, expected: list[str]) -> None:
    assert told_spans(text, SAID) == [days(each) for each in expected]
