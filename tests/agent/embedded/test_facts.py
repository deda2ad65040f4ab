"""The embedded model answers from facts: the current one with its day, former ones when asked about the past."""

from datetime import timedelta

import pytest

from hermes_agent import clock
from hermes_agent.memory import fact_changes, facts
from tests.agent.embedded.house import House
from tests.conftest import Hermes
from tests.learning import learn

EARLY, LATE = 60, 20


@pytest.fixture
def moved(house: House) -> House:
    """Somebody who lived and worked elsewhere two months ago."""
    learned(house, EARLY, "I live in Lyon.", "I work at Siemens.", "My sister Mia lives in Oslo.")
    learned(house, LATE, "I moved to Leeds.", "I work at Bosch now.", "My sister Mia moved to Bergen.")
    return house


def learned(house: House, days_ago: int, *said: str) -> str:
    """Keep a session of some days ago and learn from it; return its id."""
    session_id = house.said_before(days_ago, *said)
    learn(house.app.store, session_id, zone=house.app.zone)
    return session_id


def day(days_ago: int) -> str:
    at = clock.to_datetime(clock.now(), None) - timedelta(days=days_ago)
    return f"{at.day} {at:%B %Y}"


@pytest.mark.parametrize(
    ("asked", "has", "lacks"),
    [
        ("Where do I live?", f"You live in Leeds. You told me on {day(LATE)} (fact:004).", "fact:001"),
        ("Where do I work?", f"You work at Bosch. You told me on {day(LATE)} (fact:005).", "fact:002"),
        ("Where does Mia live?", f"lives in Bergen. You told me on {day(LATE)} (fact:006).", "fact:003"),
        ("Who is Mia?", "Your sister Mia lives in Bergen.", "Oslo"),
        ("Where did I live before?", f"“User lives in Lyon” (fact:001, said {day(EARLY)}, until", "Leeds"),
        ("Where did I use to live?", "“User lives in Lyon” (fact:001, said", "Leeds"),
        ("Where did I live before Leeds?", "“User lives in Lyon” (fact:001, said", "fact:004"),
        ("Where did I work before Bosch?", "“User works at Siemens” (fact:002, said", "fact:005"),
        ("Where did Mia live before?", "“User's sister Mia lives in Oslo” (fact:003, said", "Bergen"),
        (f"Where did I live on {day(40)}?", f"“User lives in Lyon” (fact:001, said {day(EARLY)}, until", "Leeds"),
        (f"Where did I live on {day(10)}?", f"“User lives in Leeds” (fact:004, said {day(LATE)})", "Lyon"),
        (f"Where did I live on {day(400)}?", "I know nothing of where you live", "Lyon"),
        ("Did I ever live in Lyon?", "Yes, before: “User lives in Lyon” (fact:001, said", "No"),
        ("Did I use to work at Siemens?", "Yes, before: “User works at Siemens” (fact:002, said", "No"),
        ("Do I live in Leeds?", "Yes: “User lives in Leeds” (fact:004, said", "Lyon"),
        ("Do I live in Lyon?", "No: you live in Leeds.", "Yes"),
    ],
)
def test_an_answer_cites_the_fact_and_the_day(moved: House, asked: str, has: str, lacks: str) -> None:
    (answer,) = moved.talk(asked)
    assert has in answer
    assert lacks not in answer


def test_what_the_owner_wrote_wins_over_what_was_said_before(moved: House) -> None:
    facts.add(moved.app.store, "User lives in Berlin")
    (answer,) = moved.talk("Where do I live?")
    assert answer.startswith(f"You live in Berlin. You told me on {day(0)} (fact:007).")


def test_what_was_said_since_is_newer_than_the_fact(moved: House) -> None:
    moved.talk("I moved to Porto.")
    (answer,) = moved.talk("Where do I live?")
    assert answer.startswith("You live in Porto.") and "fact:" not in answer


def test_a_fact_that_begins_on_a_day_says_so(house: House) -> None:
    learned(house, EARLY, "I live in Lyon.")
    learned(house, LATE, f"I moved to Leeds on {day(LATE + 10)}.")
    (then, before) = house.talk(f"Where did I live on {day(LATE + 5)}?", f"Where did I live on {day(LATE + 15)}?")
    assert f"“User lives in Leeds” (fact:002, said {day(LATE)}, since {day(LATE + 10)})" in then
    assert f"“User lives in Lyon” (fact:001, said {day(EARLY)}, until {day(LATE + 11)})" in before


def test_a_fact_whose_last_day_is_to_come_is_so(house: House) -> None:
    learned(house, EARLY, "I live in Lyon.")
    fact_changes.expire(house.app.store, "1", clock.now() + 300 * 86_400 * clock.MICROSECONDS)
    asked, before = house.talk("Where do I live?", "Where did I live before?")
    assert asked.startswith("You live in Lyon.") and "fact:001" in asked
    assert "You live in" not in before


def test_a_fact_that_has_not_begun_is_no_answer_of_today(house: House) -> None:
    learned(house, EARLY, "I live in Lyon.")
    learned(house, 1, "From March 2090 on I live in Oslo.")
    (answer,) = house.talk("Where do I live?")
    assert answer.startswith("You live in Lyon.") and "Oslo" not in answer
    _, answer = house.talk("From March 2090 on I live in Bern.", "Where do I live?")
    assert answer.startswith("You live in Lyon.") and "Bern" not in answer


@pytest.mark.parametrize(
    "said",
    [
        "I work at Siemens... no wait, at Bosch",
        "I work at Siemens. No wait, Bosch.",
        "I work at Siemens, sorry, I mean Bosch.",
    ],
)
def test_a_second_thought_in_one_breath_is_the_one_that_counts(house: House, said: str) -> None:
    (told,) = house.talk(said)
    assert "you work at Bosch" in told and "Siemens" not in told
    assert house.note("user") == ["Works at Bosch"]
    learn(house.app.store, house.session_id)
    assert [fact.text for fact in facts.recent(house.app.store, 9)] == ["User works at Bosch"]
    assert house.talk("Where do I work?")[0].startswith("You work at Bosch.")


def test_a_forgotten_fact_is_named_and_not_told(moved: House) -> None:
    moved.talk("Forget where I live.")
    (answer,) = moved.talk("Where do I live?")
    assert "`hermes memory fact delete fact:004`" in answer and "Leeds" not in answer


def test_what_was_deleted_or_corrected_is_not_told_from_the_archive(house: House) -> None:
    learned(house, EARLY, "I live in Lyon.", "I use Firefox.")
    facts.delete(house.app.store, "1")
    fact_changes.edit(house.app.store, "2", "User uses Vivaldi")
    lives, browser, did = house.talk("Where do I live?", "Which browser do I use?", "Do I use Firefox?")
    assert "Lyon" not in lives
    assert "Firefox" not in browser
    assert "“I use Firefox”" not in did


def test_a_birthday_on_a_day_that_does_not_exist_is_not_noted(hermes: Hermes) -> None:
    for said in (
        "My birthday is 31 February 0000.",
        "I was born on 31 April 1990.",
        "Ada's birthday is 2026-02-31.",
    ):
        assert not hermes("-q", said).stdout.startswith("Noted")
    assert hermes("jobs", "run").exit_code == 0
    assert hermes("memory", "facts", "list").stdout.startswith("There are no facts.")
    assert hermes("-q", "My birthday is 29 February.").stdout.startswith("Noted: your birthday is 29 February.")


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("I work at Nordlicht in Bergen.", "User works at Nordlicht in Bergen"),
        ("I work at a bakery in Bergen.", "User works at a bakery in Bergen"),
        ("I work in Bergen.", "User works in Bergen"),
        ("I'm a teacher in Bergen.", "User works as a teacher in Bergen"),
        ("I'm a nurse at Haukeland in Bergen.", "User works as a nurse; User works at Haukeland in Bergen"),
        ("I study at UiB in Bergen.", "User studies UiB in Bergen"),
        ("I study physics in Bergen.", "User studies physics in Bergen"),
        ("I study in Bergen.", "User studies in Bergen"),
        ("We met at Nordlicht in Bergen.", ""),
        ("My sister works at Nordlicht in Bergen.", "User's sister works at Nordlicht in Bergen"),
        ("I teach German in Bergen.", "User teaches German in Bergen"),
        ("I run a bakery in Bergen.", "User runs a bakery in Bergen"),
        ("I'm in Bergen now and I teach German.", "User is in Bergen; User teaches German"),
        ("Ich arbeite bei Nordlicht in Bergen.", "User works at Nordlicht"),
        ("I'm in Bergen now and I work at Nordlicht.", "User is in Bergen; User works at Nordlicht"),
    ],
)
def test_the_town_of_a_firm_is_not_where_somebody_is(house: House, said: str, text: str) -> None:
    learned(house, LATE, "I live in Oslo.", said)
    told = [fact.text for fact in facts.recent(house.app.store, 9)]
    assert sorted(one for one in told if one != "User lives in Oslo") == sorted(filter(None, text.split("; ")))


def test_one_sentence_makes_no_history(house: House) -> None:
    house.talk("I work at Nordlicht in Bergen.")
    learn(house.app.store, house.session_id)
    asked, before = house.talk("Where do I work?", "Where did I work before?")
    assert asked.startswith("You work at Nordlicht in Bergen.") and "Before that" not in asked
    assert "from before" in before


def test_a_firm_that_is_told_without_its_town_is_the_same_one(house: House) -> None:
    learned(house, EARLY, "I work at Nordlicht in Bergen.")
    (_, asked) = house.talk("I work at Nordlicht.", "Where do I work?")
    assert asked.startswith("You work at Nordlicht in Bergen.") and "Before that" not in asked


@pytest.mark.parametrize(
    ("said", "again", "over"),
    [
        ("I work at Nordlicht in Bergen.", "I work at Nordlicht.", "I no longer work at Nordlicht."),
        ("I study physics in Bergen.", "I study physics.", "I no longer study physics."),
        ("My brother is a cook in Bergen.", "My brother is a cook.", "My brother no longer works as a cook."),
    ],
)
def test_a_town_stays_noted_until_what_is_done_there_is_over(
    house: House, said: str, again: str, over: str
) -> None:
    house.talk(said)
    (noted,) = house.note("user")
    house.talk(again)
    assert "Bergen" in noted and house.note("user") == [noted]
    house.talk(over)
    assert house.note("user") == []


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("Project Atlas runs on Postgres 15.", "The project atlas uses Postgres 15"),
        ("Our tests run on Node 20 now.", "The tests use Node 20"),
        ("Staging is on 3.2.", "The staging's version: 3.2"),
    ],
)
def test_what_a_thing_runs_on_is_no_version_of_it(house: House, said: str, text: str) -> None:
    learned(house, LATE, said)
    assert [fact.text for fact in facts.recent(house.app.store, 9)] == [text]
