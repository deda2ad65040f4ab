"""Dates as people write them: each phrase becomes a stretch of time, or a clear refusal."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermes_agent import clock
from hermes_agent.errors import UsageError
from hermes_agent.text.dates import Span, read_span

LONDON = ZoneInfo("Europe/London")
NOW = datetime(2026, 4, 15, 12, 30, 45, tzinfo=LONDON)  # a Wednesday
ANY_STRING = st.text(st.characters(codec=None, exclude_categories=()), max_size=60)
PHRASE = st.lists(
    st.sampled_from(
        ["last", "this", "ago", "days", "week", "month", "3", "99999999", "2026", "-", ":", "12", "0001"]
        + ["9999", "monday", "yesterday", "UTC", "+14:00", "vor", "Tagen", "昨天", "T", "am", "in"]
    ),
    max_size=6,
).map(" ".join)


def days(start: str, end: str) -> Span:
    return Span(*(datetime.fromisoformat(day).replace(tzinfo=LONDON) for day in (start, end)))


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("2026-04-14", days("2026-04-14", "2026-04-15")),
        ("2024-02-29", days("2024-02-29", "2024-03-01")),
        ("2026-04", days("2026-04-01", "2026-05-01")),
        ("2026-12", days("2026-12-01", "2027-01-01")),
        ("2026", days("2026-01-01", "2027-01-01")),
        ("today", days("2026-04-15", "2026-04-16")),
        ("yesterday", days("2026-04-14", "2026-04-15")),
        ("  Yesterday ", days("2026-04-14", "2026-04-15")),
        ("last tuesday", days("2026-04-14", "2026-04-15")),
        ("tuesday", days("2026-04-14", "2026-04-15")),
        ("on monday", days("2026-04-13", "2026-04-14")),
        ("last wednesday", days("2026-04-08", "2026-04-09")),
        ("this week", days("2026-04-13", "2026-04-20")),
        ("last week", days("2026-04-06", "2026-04-13")),
        ("this month", days("2026-04-01", "2026-05-01")),
        ("last month", days("2026-03-01", "2026-04-01")),
        ("last year", days("2025-01-01", "2026-01-01")),
        ("3 days ago", days("2026-04-12", "2026-04-13")),
        ("a week ago", days("2026-04-08", "2026-04-09")),
        ("one day ago", days("2026-04-14", "2026-04-15")),
        ("0 days ago", days("2026-04-15", "2026-04-16")),
    ],
)
def test_a_day_week_month_or_year_is_a_range(typed: str, expected: Span) -> None:
    assert read_span(typed, NOW) == expected


@pytest.mark.parametrize("typed", ["March 2026", "march 2026", "März 2026", "mars 2026"])
def test_a_named_month_is_a_range_too(typed: str) -> None:
    assert read_span(typed, NOW) == days("2026-03-01", "2026-04-01")


def test_a_week_of_the_year_is_a_range_too() -> None:
    assert read_span("2026-W15", NOW) == days("2026-04-06", "2026-04-13")


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("now", NOW),
        ("3 hours ago", NOW - timedelta(hours=3)),
        ("an hour ago", NOW - timedelta(hours=1)),
        ("20 minutes ago", NOW - timedelta(minutes=20)),
        ("2026-04-14T09:30", datetime(2026, 4, 14, 9, 30, tzinfo=LONDON)),
        ("2026-04-14 09:30", datetime(2026, 4, 14, 9, 30, tzinfo=LONDON)),
        ("2026-04-14T09:30:15.5z", datetime(2026, 4, 14, 9, 30, 15, 500_000, tzinfo=UTC)),
        ("2026-04-14T09:30+02:00", datetime(2026, 4, 14, 7, 30, tzinfo=UTC)),
    ],
)
def test_a_time_is_a_moment(typed: str, expected: datetime) -> None:
    span = read_span(typed, NOW)
    assert span.start == span.end == expected


@pytest.mark.parametrize(
    ("typed", "away"),
    [
        ("5 min ago", timedelta(minutes=-5)),
        ("5 mins ago", timedelta(minutes=-5)),
        ("5 Min. ago", timedelta(minutes=-5)),
        ("5m ago", timedelta(minutes=-5)),
        ("5min ago", timedelta(minutes=-5)),
        ("a minute ago", timedelta(minutes=-1)),
        ("five minutes ago", timedelta(minutes=-5)),
        ("30 secs ago", timedelta(seconds=-30)),
        ("1 hr ago", timedelta(hours=-1)),
        ("2 hrs ago", timedelta(hours=-2)),
        ("2h ago", timedelta(hours=-2)),
        ("24 hours ago", timedelta(hours=-24)),
        ("1.5 hours ago", timedelta(minutes=-90)),
        ("half an hour ago", timedelta(minutes=-30)),
        ("an hour and a half ago", timedelta(minutes=-90)),
        ("1h30m ago", timedelta(minutes=-90)),
        ("2 hours and 5 min ago", timedelta(minutes=-125)),
        ("2 hours back", timedelta(hours=-2)),
        ("2 hours earlier", timedelta(hours=-2)),
        ("last 5 minutes", timedelta(minutes=-5)),
        ("the past hour", timedelta(hours=-1)),
        ("just now", timedelta()),
        ("10 minutes from now", timedelta(minutes=10)),
        ("in 10 min", timedelta(minutes=10)),
        ("1,000 minutes ago", timedelta(minutes=-1_000)),
        ("vor 5 Min", timedelta(minutes=-5)),
        ("vor 24 Stunden", timedelta(hours=-24)),
        ("il y a 5 min", timedelta(minutes=-5)),
        ("hace una hora", timedelta(hours=-1)),
    ],
)
def test_minutes_and_hours_from_now_are_never_a_day(typed: str, away: timedelta) -> None:
    span = read_span(typed, NOW)
    assert span.start == span.end == NOW + away


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("1,000 days ago", days("2023-07-20", "2023-07-21")),
        ("2 days back", days("2026-04-13", "2026-04-14")),
        ("2d ago", days("2026-04-13", "2026-04-14")),
        ("2 wks ago", days("2026-04-01", "2026-04-02")),
        ("a week and 2 days ago", days("2026-04-06", "2026-04-07")),
        ("2 yrs ago", days("2024-04-15", "2024-04-16")),
        ("in 2 days", days("2026-04-17", "2026-04-18")),
        ("couple of days ago", days("2026-04-13", "2026-04-14")),
    ],
)
def test_days_from_now_are_a_day_however_they_are_counted(typed: str, expected: Span) -> None:
    assert read_span(typed, NOW) == expected


@pytest.mark.parametrize(
    ("typed", "hour", "minute"), [("9am", 9, 0), ("at 9am", 9, 0), ("today 9:30", 9, 30), ("noon", 12, 0)]
)
def test_a_time_of_the_day_is_a_moment_of_today(typed: str, hour: int, minute: int) -> None:
    assert read_span(typed, NOW).start == NOW.replace(hour=hour, minute=minute, second=0)


@pytest.mark.parametrize(
    "typed",
    [
        "at 9",
        "at 13",
        "hour 2",
        "hour 13",
        "year 1",
        "minute 5",
        "day 2",
        "today 9",
        "today at 9",
        "yesterday at 9",
    ]
    + ["tuesday 9", "vor 1.000 Tagen", "a few minutes ago", "next 5 minutes", "5 apples ago", "5 min ago or so"]
    + ["since 5 minutes", "yesterday" + " " * 100 + "at 9"],
)
def test_a_phrase_understood_only_in_part_is_refused(typed: str) -> None:
    with pytest.raises(UsageError, match="is not a date"):
        read_span(typed, NOW)


@pytest.mark.parametrize(
    "typed",
    [
        "gestern",
        "hier",
        "ayer",
        "昨天",
        "вчера",
        "14.04.2026",
        "14 April 2026",
        "2026年4月14日",
        "4월 14일",
        "14 de abril",
        "le 14 avril",
    ],
)
def test_other_languages_and_forms_are_read(typed: str) -> None:
    assert read_span(typed, NOW) == days("2026-04-14", "2026-04-15")


def test_days_ago_in_german_is_a_day() -> None:
    assert read_span("vor 3 Tagen", NOW) == days("2026-04-12", "2026-04-13")


@pytest.mark.parametrize(
    "typed",
    ["", "   ", "garbage", "2026-02-30", "2026-04-32", "2026-13", "not a date", "docker", "\x00", "\ud800", "--"],
)
def test_what_is_no_date_is_refused_with_examples(typed: str) -> None:
    with pytest.raises(UsageError, match="is not a date") as caught:
        read_span(typed, NOW)
    assert caught.value.hint is not None and "yesterday" in caught.value.hint


@pytest.mark.parametrize("typed", ["a", "5", "-1", "1e5"])
def test_a_stray_letter_or_number_is_no_date(typed: str) -> None:
    with pytest.raises(UsageError, match="is not a date"):
        read_span(typed, NOW)


@pytest.mark.parametrize(
    "typed",
    ["9999-12", "9999-12-31", "9999", "0000", "००००", "0000-05", "0001", "0001-01-01", "99999 years ago"]
    + ["9" * 5_000 + " days ago", "9999-12-31T23:59", "0001-01-01T00:00+14:00", "10000-01-01"],
)
def test_the_ends_of_time_are_a_range_or_refused(typed: str) -> None:
    assert_is_span_or_refusal(typed)


@pytest.mark.parametrize("typed", ["0001-01-01", "0001", "9999-12-31", "9999", "9999-12-31T23:59"])
def test_a_date_beyond_what_can_be_kept_is_called_too_far_away(typed: str) -> None:
    with pytest.raises(UsageError, match="is too far away") as caught:
        read_span(typed, NOW)
    assert caught.value.hint == "Write a date of the years 2 to 9997."


@given(st.one_of(ANY_STRING, PHRASE))
def test_any_string_is_a_range_or_refused(typed: str) -> None:
    assert_is_span_or_refusal(typed)


def assert_is_span_or_refusal(typed: str) -> None:
    for zone in (LONDON, ZoneInfo("Asia/Tokyo"), ZoneInfo("America/Los_Angeles")):
        try:
            span = read_span(typed, NOW.astimezone(zone))
        except UsageError:
            continue
        # The store keeps moments as numbers: a date that cannot become one is no use.
        assert clock.from_datetime(span.start) <= clock.from_datetime(span.end)


def test_the_day_the_clocks_go_forward_has_23_hours() -> None:
    span = read_span("2026-03-29", NOW)
    assert span.end.astimezone(UTC) - span.start.astimezone(UTC) == timedelta(hours=23)
    assert read_span("yesterday", datetime(2026, 3, 30, 9, tzinfo=LONDON)) == span


def test_the_day_the_clocks_go_back_has_25_hours() -> None:
    span = read_span("2026-10-25", NOW)
    assert span.end.astimezone(UTC) - span.start.astimezone(UTC) == timedelta(hours=25)


@pytest.mark.parametrize("moment", ["2026-03-29T02:30", "2026-10-25T03:30"])
def test_hours_ago_are_real_hours_when_the_clocks_change(moment: str) -> None:
    now = datetime.fromisoformat(moment).replace(tzinfo=LONDON)
    span = read_span("3 hours ago", now)
    assert now.astimezone(UTC) - span.start.astimezone(UTC) == timedelta(hours=3)


def test_a_phrase_is_seen_from_the_zone_of_the_asker() -> None:
    late = datetime(2026, 4, 15, 23, 30, tzinfo=UTC)
    tokyo = late.astimezone(ZoneInfo("Asia/Tokyo"))
    assert read_span("today", tokyo).start - read_span("today", late).start == timedelta(hours=15)
