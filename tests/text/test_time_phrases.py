"""Days that questions ask for and statements speak of: every time phrase of the five documents, and many more."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from hermes_agent.text.time_days import FIRST_DAY
from hermes_agent.text.time_phrases import asked_span, told_spans

NOW = datetime(2026, 11, 18, 10, 30, tzinfo=UTC)  # a Wednesday
TODAY = NOW.date()
MEMORY = (date(2023, 3, 27), date(2023, 11, 22))


def days(said: str) -> tuple[date, date]:
    """Read "2026-05-03" or "2026-05-03 2026-05-10"."""
    first, _, last = said.partition(" ")
    return date.fromisoformat(first), date.fromisoformat(last or first)


def asked(text: str, now: datetime = NOW) -> tuple[date, date] | None:
    found = asked_span(text, now)
    return None if found is None else (found.start, found.end)


@pytest.mark.parametrize(
    ("text", "phrase", "expected"),
    [
        ("lets the agent tell you what it did last Tuesday,", "last Tuesday", "2026-11-17"),
        ("why it made a particular call three weeks ago.", "three weeks ago", "2026-10-25 2026-10-31"),
        ("When you come back tomorrow", "tomorrow", "2026-11-19"),
        ("When you come back next week", "next week", "2026-11-23 2026-11-29"),
        ("or six months from now", "six months from now", "2027-05-09 2027-05-29"),
        ("I told it that ten minutes ago, why", "ten minutes ago", "2026-11-18"),
        ("the decisions you made together three Tuesdays ago.", "three Tuesdays ago", "2026-11-03"),
        ("Last updated: 2026-04-06", "2026-04-06", "2026-04-06"),
        ("# [fact:045] Deadline for Q2 report: 2026-06-30", "2026-06-30", "2026-06-30"),
        ("# Last vacuum: 2026-04-01", "2026-04-01", "2026-04-01"),
        ("# Last compression: 2026-04-05", "2026-04-05", "2026-04-05"),
        ("Hermes OS team, 14 April 2026, 12 min read", "14 April 2026", "2026-04-14"),
        ("6 min read, March 12, 2026", "March 12, 2026", "2026-03-12"),
        ("'I told my AI agent something last week — why did it forget?'", "last week", "2026-11-04 2026-11-18"),
        ("'What did I tell you about the auth service last month?'", "last month", "2026-09-19 2026-11-18"),
        ("questions like 'what were we working on last month?'", "last month", "2026-09-19 2026-11-18"),
        ("'What should I add to your memory from today?'", "today", "2026-11-18"),
    ],
)
def test_a_time_phrase_of_the_documents_becomes_days(text: str, phrase: str, expected: str) -> None:
    found = asked_span(text, NOW)
    assert found is not None
    assert ((found.start, found.end), found.phrase) == (days(expected), phrase)


@pytest.mark.parametrize(
    "text",
    [
        "It compounds into wasted hours.",
        "resets to zero when you start a new session",
        "useful over months of agent use",
        "genuinely useful over time",
        "Daily encrypted backups run automatically.",
        "export your complete memory store at any time",
        "How long does persistent memory last on Hermes OS?",
        "Typical agent memory after months of active use",
        "Deploy in 5 minutes.",
        "7-day money-back guarantee. From $9.99/mo.",
        "Start Now",
        "something you want to work with for weeks",
        "Let's take them one at a time.",
        "stays frozen until the next session",
        "the next request starts cold",
        "read the messages just before and after it",
        "Browse recent sessions",
        "Summaries for the everyday; the full archive when it needs to dig.",
        "for now, just know the door exists",
        "New writes land on disk now, appear in the header next session.",
        "a moment later it still uses your full name",
        "a database that grows across months",
        "Full fidelity for 30 days, then compressed",
        "Immediately after a session, new episodes are marked as raw.",
        "Within an hour of a session ending, Hermes runs a job",
        "hermes memory facts list --recent 20",
        "After 30 days, raw episodes are compressed.",
        "A 6-month episodic log typically compresses",
        "After each task completes, Hermes runs a reflection pass",
        '"vacuumSchedule": "weekly",',
        "e.g. postgres://user:password@localhost:5432/hermes",
        "Always include the last 3 episodes regardless of relevance",
        "For complex projects with months of history",
        '"dimensions": 1536,',
        "User's timezone is Europe/London (UTC+1 in summer)",
        "useful before a big task to ensure retrieval is optimal",
        "may take a few minutes for large stores",
        "the moment a session ends",
        "before any task context, before memory, before tools",
        "Changes to SOUL.md take effect from the next session.",
        "you configured it once and later search for it",
        "at the end of a productive session, ask the agent",
        "Hermes OS handles nightly automated backups.",
        "we spend hours building up context",
        "The next conversation starts from absolute zero",
        "a one-night stand with our AI tools",
        "Later sessions - agent remembers",
        "Agent may have created a custom skill",
        "building up domain knowledge over weeks or months",
    ],
)
def test_a_duration_or_habit_of_the_documents_is_no_span(text: str) -> None:
    assert asked(text) is None
    assert told_spans(text, TODAY) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("what happened on 2026-05-03?", "2026-05-03"),
        ("notes of 2026/05/03", "2026-05-03"),
        ("log 2026-05-03T09:30", "2026-05-03"),
        ("the report of 2026-04", "2026-04-01 2026-04-30"),
        ("what was on 7.5.2023?", "2023-05-07"),
        ("what was on 5/7/2023?", "2023-05-07"),
        ("what was on 17/5/2023?", "2023-05-17"),
        ("what was on 07-05-2023?", "2023-05-07"),
        ("am 3.12.24 war was?", "2024-12-03"),
        ("was war am 12.04.?", "2026-04-12"),
        ("7 May 2023", "2023-05-07"),
        ("the 7th of May, 2023", "2023-05-07"),
        ("on May 7th", "2026-05-07"),
        ("on May 7, 2023", "2023-05-07"),
        ("what did we do may 7", "2026-05-07"),
        ("Dec. 3", "2025-12-03"),
        ("on 29 February", "2024-02-29"),
        ("the twenty-third of June", "2026-06-23"),
        ("what came on the 3rd?", "2026-11-03"),
        ("what came on the 20th?", "2026-10-20"),
        ("3-10 May 2023", "2023-05-03 2023-05-10"),
        ("May 3-10", "2026-05-03 2026-05-10"),
        ("between 3 and 10 May", "2026-05-03 2026-05-10"),
        ("between 3 May and 10 May", "2026-05-03 2026-05-10"),
        ("5 May – 9 May", "2026-05-05 2026-05-09"),
        ("2026-01-03 to 2026-01-05", "2026-01-03 2026-01-05"),
        ("from March to May", "2026-03-01 2026-05-31"),
        ("from November to February", "2025-11-01 2026-02-28"),
        ("from March to May 2023", "2023-03-01 2023-05-31"),
        ("March–May 2024", "2024-03-01 2024-05-31"),
        ("between August and November 2023", "2023-08-01 2023-11-30"),
        ("between Monday and Wednesday", "2026-11-09 2026-11-11"),
        ("from yesterday to today", "2026-11-17 2026-11-18"),
        ("first weekend of August 2023", "2023-08-01 2023-08-08"),
        ("second week of May", "2026-05-08 2026-05-15"),
        ("last week of May 2023", "2023-05-25 2023-06-01"),
        ("first week of 2024", "2024-01-01 2024-01-08"),
        ("the week of 3 May", "2026-04-27 2026-05-03"),
        ("the week of May 3, 2023", "2023-05-01 2023-05-07"),
        ("in March", "2026-03-01 2026-03-31"),
        ("in december", "2025-12-01 2025-12-31"),
        ("in November", "2026-11-01 2026-11-30"),
        ("in mid-July", "2026-07-01 2026-07-31"),
        ("in early May", "2026-05-01 2026-05-31"),
        ("during may", "2026-05-01 2026-05-31"),
        ("in March of 2023", "2023-03-01 2023-03-31"),
        ("the sales of May 2023", "2023-05-01 2023-05-31"),
        ("last March", "2026-03-01 2026-03-31"),
        ("last November", "2025-11-01 2025-11-30"),
        ("next March", "2027-03-01 2027-03-31"),
        ("by June", "2026-06-01 2026-06-30"),
        ("until March", "2026-03-01 2026-03-31"),
        ("this October", "2026-10-01 2026-10-31"),
        ("at the beginning of May", "2026-05-01 2026-05-10"),
        ("in the middle of May", "2026-05-11 2026-05-20"),
        ("at the end of February 2024", "2024-02-21 2024-02-29"),
        ("summer 2022", "2022-06-01 2022-08-31"),
        ("the winter of 2023", "2023-12-01 2024-02-29"),
        ("last summer", "2026-06-01 2026-08-31"),
        ("over the summer", "2026-06-01 2026-08-31"),
        ("last winter", "2025-12-01 2026-02-28"),
        ("next spring", "2027-03-01 2027-05-31"),
        ("in 2019", "2019-01-01 2019-12-31"),
        ("at the end of 2024", "2024-09-01 2024-12-31"),
        ("the numbers of Q2 2026", "2026-04-01 2026-06-30"),
        ("the first half of 2025", "2025-01-01 2025-06-30"),
        ("two days ago", "2026-11-16"),
        ("a couple of days ago", "2026-11-16"),
        ("a week ago", "2026-11-08 2026-11-14"),
        ("a fortnight ago", "2026-11-01 2026-11-07"),
        ("2 months ago", "2026-09-09 2026-09-29"),
        ("4 years ago", "2022-09-20 2023-01-18"),
        ("an hour ago", "2026-11-18"),
        ("12 hours ago", "2026-11-17"),
        ("a Friday ago", "2026-11-13"),
        ("last week", "2026-11-04 2026-11-18"),
        ("the past month", "2026-09-19 2026-11-18"),
        ("last year", "2025-01-01 2025-12-31"),
        ("in the last year", "2025-11-18 2026-11-18"),
        ("the week before last", "2026-11-02 2026-11-08"),
        ("this week", "2026-11-16 2026-11-22"),
        ("this month", "2026-11-01 2026-11-30"),
        ("this year", "2026-01-01 2026-12-31"),
        ("earlier this year", "2026-01-01 2026-11-18"),
        ("later this month", "2026-11-18 2026-11-30"),
        ("next month", "2026-12-01 2026-12-31"),
        ("the past few weeks", "2026-10-26 2026-11-18"),
        ("in the last 10 days", "2026-11-06 2026-11-18"),
        ("the last 24 hours", "2026-11-17 2026-11-18"),
        ("the next three days", "2026-11-18 2026-11-21"),
        ("last Friday", "2026-11-13"),
        ("last Wednesday", "2026-11-11"),
        ("what did we say on Monday?", "2026-11-16"),
        ("what did we say Tuesday?", "2026-11-17"),
        ("the call of Tuesday morning", "2026-11-17"),
        ("this Friday", "2026-11-20"),
        ("next Friday", "2026-11-20 2026-11-27"),
        ("next Monday", "2026-11-23"),
        ("Tuesday of last week", "2026-11-10"),
        ("last week on Friday", "2026-11-13"),
        ("last weekend", "2026-11-14 2026-11-15"),
        ("this weekend", "2026-11-21 2026-11-22"),
        ("yesterday", "2026-11-17"),
        ("last night", "2026-11-17"),
        ("the day before yesterday", "2026-11-16"),
        ("the day after tomorrow", "2026-11-20"),
        ("this morning", "2026-11-18"),
        ("the other day", "2026-11-11 2026-11-18"),
        ("since Tuesday", "2026-11-17 2026-11-18"),
        ("since 3 May", "2026-05-03 2026-11-18"),
        ("since March", "2026-03-01 2026-11-18"),
        ("since 2019", "2019-01-01 2026-11-18"),
        ("after 3 May 2026", "2026-05-04 2026-11-18"),
        ("after June", "2026-07-01 2026-11-18"),
        ("on the Monday before July 24, 2023", "2023-07-17"),
        ("a week before 24 July 2023", "2023-07-14 2023-07-20"),
        ("the day after 3 May", "2026-05-04"),
        ("shortly before 7 Jan 2024", "2023-12-31 2024-01-06"),
        ("a week before Christmas", "2025-12-14 2025-12-20"),
    ],
)
def test_a_question_asks_for_days(text: str, expected: str) -> None:
    assert asked(text) == days(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Was war gestern?", "2026-11-17"),
        ("Was war vorgestern?", "2026-11-16"),
        ("Was haben wir vor drei Wochen besprochen?", "2026-10-25 2026-10-31"),
        ("Was haben wir vor ein paar Tagen besprochen?", "2026-11-15"),
        ("Was war letzte Woche?", "2026-11-04 2026-11-18"),
        ("Was war letzten Montag?", "2026-11-16"),
        ("Was war am Montag?", "2026-11-16"),
        ("Was war letztes Wochenende?", "2026-11-14 2026-11-15"),
        ("Was war im März?", "2026-03-01 2026-03-31"),
        ("Was war Ma\u0308rz 2024?", "2024-03-01 2024-03-31"),
        ("Was war Ende Mai?", "2026-05-21 2026-05-31"),
        ("Was war am 3. Mai 2024?", "2024-05-03"),
        ("Was war seit Montag?", "2026-11-16 2026-11-18"),
        ("Was war zwischen dem 3. Mai und dem 10. Mai?", "2026-05-03 2026-05-10"),
        ("Was war letzten Sommer?", "2026-06-01 2026-08-31"),
        ("Qu'avons-nous fait hier ?", "2026-11-17"),
        ("Qu'avons-nous dit il y a deux jours ?", "2026-11-16"),
        ("la semaine dernière", "2026-11-04 2026-11-18"),
        ("l'an dernier", "2025-01-01 2025-12-31"),
        ("lundi dernier", "2026-11-16"),
        ("en mars", "2026-03-01 2026-03-31"),
        ("le 1er août 2024", "2024-08-01"),
        ("depuis lundi", "2026-11-16 2026-11-18"),
        ("¿Qué hicimos ayer?", "2026-11-17"),
        ("hace dos semanas", "2026-11-01 2026-11-07"),
        ("la semana pasada", "2026-11-04 2026-11-18"),
        ("el lunes pasado", "2026-11-16"),
        ("en marzo", "2026-03-01 2026-03-31"),
        ("el 3 de mayo de 2024", "2024-05-03"),
        ("Cosa abbiamo fatto ieri?", "2026-11-17"),
        ("due settimane fa", "2026-11-01 2026-11-07"),
        ("lunedì scorso", "2026-11-16"),
        ("il 3 maggio 2024", "2024-05-03"),
        ("O que fizemos ontem?", "2026-11-17"),
        ("há três dias", "2026-11-15"),
        ("na segunda-feira passada", "2026-11-16"),
        ("em março", "2026-03-01 2026-03-31"),
        ("no mês passado", "2026-09-19 2026-11-18"),
        ("３ Ｍａｙ ２０２４", "2024-05-03"),
    ],
)
def test_other_languages_name_days_too(text: str, expected: str) -> None:
    assert asked(text) == days(expected)


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "may I ask?", "you may", "this may be right", "only 3 may enter", "the second may be better"),
        *("may 15 people come?", "march on", "march 20 miles", "the march of time", "what did you do", "do"),
        *("mar", "in mar", "second", "a second ago it worked", "sun", "the sun is out", "sat down", "I sat"),
        *(
            "I will be in",
            "recently",
            "lately",
            "life in Mars",
            "Marco said in Marco's house",
            "Was ist hier los?",
        ),
        *("guten Morgen", "every Monday", "on Mondays", "Black Friday", "in the 90s", "on the 3rd floor"),
        *("Python 3.12.10", "v3.12.2024", "10.0.0.1", "1/2", "31.02.2023", "2026-13-45", "0000-01-01", "3:30"),
        *(
            "at last an answer",
            "for weeks",
            "a few days",
            "in 2000 episodes",
            "the 4 corners",
            "$20.26",
            "before lunch",
        ),
        *("last but not least", "the past", "next to the door", "since then", "two weeks before the release"),
        *("from here to there", "between us", "fall asleep", "spring cleaning", "the estate", "April said so"),
    ],
)
def test_ordinary_words_name_no_day(text: str) -> None:
    assert asked(text) is None


@pytest.mark.parametrize(
    ("text", "now", "expected"),
    [
        ("in March", "2026-11-15", "2026-03-01 2026-03-31"),
        ("in March", "2026-02-15", "2025-03-01 2025-03-31"),
        ("in March", "2026-03-01", "2026-03-01 2026-03-31"),
        ("last March", "2026-03-31", "2025-03-01 2025-03-31"),
        ("on 20 May", "2026-05-19", "2025-05-20"),
        ("last month", "2024-03-31", "2024-01-31 2024-03-31"),
        ("this weekend", "2026-11-22", "2026-11-21 2026-11-22"),
        ("this weekend", "2026-11-16", "2026-11-14 2026-11-15"),
        ("on 29 February", "1903-01-01", "1896-02-29"),
        ("New Year 2025", "2026-11-18", "2024-12-31 2025-01-02"),
    ],
)
def test_the_past_is_preferred(text: str, now: str, expected: str) -> None:
    assert asked(text, datetime.fromisoformat(now)) == days(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("in March", "2023-03-01 2023-03-31"),
        ("on 20 May", "2023-05-20"),
        ("on 24 December", "2023-12-24"),
        ("in January", "2024-01-01 2024-01-31"),
        ("in February", "2023-02-01 2023-02-28"),
        ("on Halloween", "2023-10-31"),
        ("what was on 11/12/2023?", "2023-11-12"),
        ("what was on 12/11/2023?", "2023-12-11"),
        ("what was on 12/3/2023?", "2023-12-03"),
        ("what was on 1/6/2023?", "2023-06-01"),
        ("in March 2020", "2020-03-01 2020-03-31"),
        ("before 3 May 2023", "2023-03-27 2023-05-02"),
    ],
)
def test_a_date_without_a_year_lies_in_the_memory(text: str, expected: str) -> None:
    found = asked_span(text, NOW, known=MEMORY)
    assert found is not None and (found.start, found.end) == days(expected)


def test_before_a_date_is_all_that_came_before() -> None:
    assert asked("before June") == (FIRST_DAY, date(2026, 5, 31))


def test_the_phrase_stands_in_the_text_as_it_was_written() -> None:
    for text in ("What  did we\n do LAST \t Tuesday?", "Was war im MÄRZ?", "ﬁnd it: İn  May’s days, last Tuesday"):
        found = asked_span(text, NOW)
        assert found is not None and found.phrase and found.phrase in text


def test_the_name_of_a_feast_stays_in_the_question() -> None:
    found = asked_span("What did Anna give me last Christmas?", NOW)
    assert found is not None and found.phrase == "" and found.start == date(2025, 12, 24)


def test_a_day_is_the_day_of_the_asker() -> None:
    late = datetime(2026, 11, 18, 23, 30, tzinfo=UTC)
    there = late.astimezone(ZoneInfo("Asia/Tokyo"))
    today, tomorrow = asked("today", late), asked("today", there)
    assert today and tomorrow and tomorrow[0] - today[0] == timedelta(days=1)


@pytest.mark.parametrize("day", ["2026-03-29", "2026-10-25"])
def test_the_night_the_clocks_change_moves_no_day(day: str) -> None:
    now = datetime.fromisoformat(day).replace(hour=3, tzinfo=ZoneInfo("Europe/Berlin"))
    assert asked("yesterday", now) == (now.date() - timedelta(days=1),) * 2
