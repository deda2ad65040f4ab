"""The embedded model answers from the journal: what happened when, and why; and makes up nothing."""

from datetime import timedelta

from hermes_agent import clock
from tests.agent.embedded.house import House
from tests.learning import learn

POSTGRES = "We decided to use Postgres because SQLite locked up under load."


def learned(house: House, days_ago: int, *said: str) -> str:
    """Keep a session of some days ago and learn from it; return its id."""
    session_id = house.said_before(days_ago, *said)
    learn(house.app.store, session_id)
    return session_id


def day(days_ago: int) -> str:
    at = clock.to_datetime(clock.now(), None) - timedelta(days=days_ago)
    return f"{at.day} {at:%B %Y}"


def test_a_day_is_told_from_the_journal_with_its_sessions(house: House) -> None:
    session = learned(
        house,
        5,
        "The deploy failed because the migration timed out.",
        "We fixed the deploy by raising the timeout.",
    )
    learned(house, 6, POSTGRES)
    lead, failed, fixed = house.talk("What did you do 5 days ago?")[0].splitlines()
    assert lead == f"From the journal, {day(5)}:"
    assert failed.endswith(f": failure: “The deploy failed”, because the migration timed out (session {session}).")
    assert fixed.endswith(f": result: “We fixed the deploy by raising the timeout” (session {session}).")
    weekday = clock.to_datetime(clock.now() - 5 * 86_400 * clock.MICROSECONDS, None)
    assert house.talk(f"What happened on {weekday.day} {weekday:%B}?")[0].splitlines() == [lead, failed, fixed]
    assert house.talk(f"What did we do last {weekday:%A}?")[0].splitlines()[1:] == [failed, fixed]


def test_turns_of_today_are_told_with_how_they_ended(house: House) -> None:
    house.talk("My name is Ada")
    (answer,) = house.talk("What did you do today?")
    assert "“My name is Ada” was answered, with 1 tool call (session " in answer


def test_a_day_without_events_names_its_conversations(house: House) -> None:
    session = learned(house, 3, "My sister Mia lives in Oslo.")
    (answer,) = house.talk("What happened 3 days ago?")
    assert answer.startswith("The journal holds nothing from 3 days ago. We talked 3 days ago:")
    assert session in answer


def test_a_day_without_anything_is_said_to_hold_nothing(house: House) -> None:
    learned(house, 3, POSTGRES)
    (answer,) = house.talk("What happened on 3 March 2020?")
    assert answer.startswith("The journal holds nothing from 3 March 2020. ")
    assert "Postgres" not in answer
    assert house.talk("What failed last week?") == ["The journal holds no failure from last week."]


def test_why_something_was_decided_is_told_with_its_day_and_session(house: House) -> None:
    session = learned(house, 21, POSTGRES, "We chose weekly releases.")
    postgres, weekly, then = house.talk(
        "Why did we decide to use Postgres?",
        "Why did we choose weekly releases?",
        "Why did you decide that three weeks ago?",
    )
    assert postgres.startswith(f"{day(21)}, ")
    assert postgres.endswith(
        f": decision: “We decided to use Postgres”, because SQLite locked up under load (session {session})."
    )
    assert weekly.endswith(f"“We chose weekly releases” (session {session}). No reason was given.")
    assert set(then.splitlines()) == {postgres, weekly}


def test_why_something_failed_is_told(house: House) -> None:
    learned(house, 2, "The deploy failed because the migration timed out.")
    assert "because the migration timed out" in house.talk("Why did the deploy fail?")[0]


def test_a_reason_of_this_conversation_is_quoted_before_it_is_learned(house: House) -> None:
    _, asked, again = house.talk(POSTGRES, "Why did we decide to use Postgres?", "why did we decide that?")
    assert asked == again == f"Earlier in this conversation you said “{POSTGRES[:-1]}”."


def test_a_decision_nobody_made_has_no_reason(house: House) -> None:
    learned(house, 2, POSTGRES)
    (answer,) = house.talk("Why do we use Kafka?")
    assert answer == "The journal holds no decision about Kafka, and you gave me no reason for it."


def test_why_the_last_thing_was_done_is_what_was_asked(house: House) -> None:
    nothing, _, why = house.talk("Why did you do that?", "My name is Ada", "Why did you do that?")
    assert nothing == "The journal holds nothing of this conversation yet, so I know no reason."
    assert "“My name is Ada” was answered, with 1 tool call" in why
    assert "The journal gives no other reason" in why


def test_that_is_the_day_that_was_asked_for_before(house: House) -> None:
    learned(house, 4, POSTGRES)
    _, why = house.talk("What did you do 4 days ago?", "Why did you do that?")
    assert "“We decided to use Postgres”, because SQLite locked up under load" in why


def test_what_was_asked_to_be_forgotten_is_not_told(house: House) -> None:
    house.talk("My phone number is 555 0100", "forget my phone number")
    (answer,) = house.talk("What did you do today?")
    assert "555 0100" not in answer
