"""Any text at any time: days come out in order and within bounds, in time that grows with the text."""

from datetime import date, datetime
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent.text.time_anchors import anchored_phrase, around
from hermes_agent.text.time_days import FIRST_DAY, LAST_DAY
from hermes_agent.text.time_phrases import asked_span, told_spans, whole_span
from hermes_agent.text.time_text import READ_CAP

ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=200)
WORDS = """
    last this next in on since before after between from to and the of first day days week weeks month months year
    years ago Tuesday Tuesdays monday March may May 3 3rd 31 29 February 2026 0001 9999 9998 2 9999-12-31
    0002-01-01 31.12.9998 1/1/02 Christmas New Year summer winter yesterday tomorrow two couple a an
    weekend hier vor drei
    Wochen im März l'an dernier hour hours 9999 - , ? ’ İ ﬁ release beginning end Q1 from now before
    """
PHRASES = st.lists(st.sampled_from(WORDS.split()), max_size=12).map(" ".join)
TEXTS = st.one_of(ANY_TEXT, PHRASES)
DAYS = st.dates(date(2, 1, 1), date(9997, 12, 31))


@given(TEXTS, st.datetimes(datetime(2, 1, 1), datetime(9997, 12, 31)), st.one_of(st.none(), st.tuples(DAYS, DAYS)))
def test_any_question_gives_days_in_order_or_none(
    text: str, now: datetime, memory: tuple[date, date] | None
) -> None:
    known = None if memory is None else (min(memory), max(memory))
    found = asked_span(text, now, known)
    if found is not None:
        assert FIRST_DAY <= found.start <= found.end <= LAST_DAY
        assert found.phrase in text


@given(TEXTS, DAYS)
def test_any_statement_gives_days_in_order(text: str, said: date) -> None:
    spans = told_spans(text, said)
    assert len(spans) == len(set(spans))
    assert all(FIRST_DAY <= start <= end <= LAST_DAY for start, end in spans)


@given(TEXTS, DAYS)
def test_any_phrase_gives_days_in_order_or_none(text: str, today: date) -> None:
    days = whole_span(text, today)
    assert days is None or FIRST_DAY <= days.start <= days.end <= LAST_DAY


@given(TEXTS, DAYS)
def test_any_event_gives_days_in_order(text: str, day: date) -> None:
    anchored = anchored_phrase(text)
    if anchored is not None:
        span = around(anchored, day)
        assert FIRST_DAY <= span.start <= span.end <= LAST_DAY
        assert anchored.event and anchored.phrase in text and anchored.event in anchored.phrase


@pytest.mark.alone
@pytest.mark.parametrize(
    "piece",
    [
        "a",
        "1",
        " ",
        "1 ",
        "in ",
        "from ",
        "between 3 May and ",
        "last ",
        "two weeks before the ",
        "May ",
        "3 may ",
        "-",
    ]
    + ["the day before ", "vor drei ", "2026-", "3.", "ä", "\u0308", "’", "week of ", "first of ", "monday "],
)
def test_time_grows_with_the_text_and_not_faster(piece: str) -> None:
    text = (piece * READ_CAP)[:READ_CAP]
    started = process_time()
    asked_span(text, datetime(2026, 11, 18))
    told_spans(text, date(2026, 11, 18))
    anchored_phrase(text)
    assert process_time() - started < 2


def test_only_the_beginning_of_a_huge_text_is_read() -> None:
    text = "word " * READ_CAP
    assert asked_span(text + "yesterday", datetime(2026, 11, 18)) is None
    assert asked_span("yesterday " + text, datetime(2026, 11, 18)) is not None
