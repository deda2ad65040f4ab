"""`hermes memory events`, as a person runs it."""

import json

import pytest

from hermes_agent.config.paths import Home, ensure
from hermes_agent.memory.memory import Memory
from hermes_agent.records.journal import NewEntry
from hermes_agent.store import journal
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests.conftest import Hermes
from tests.learning import learn
from tests.recall.conversations import DAY, FIRST_DAY, talk

EVENTS = ("memory", "events")


@pytest.fixture(autouse=True)
def calm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing follows a command in the background, and times are read in Berlin."""
    monkeypatch.setenv("HERMES_NO_JOBS", "1")
    monkeypatch.setenv("HERMES_DISPLAY_TIME_ZONE", "Europe/Berlin")


@pytest.fixture
def store(own_home: Home) -> Store:
    """A store with a decision of 4 January, a failure of 6 January and a deed of today."""
    ensure(own_home)
    store = Store(Sqlite(own_home.state_db), "default")
    memory = Memory(store, "default")
    talk(memory, "plans", "We decided to use Postgres because SQLite locked up.", day=3)
    talk(memory, "deploy", "The deploy failed.", day=5)
    for session in ("plans", "deploy"):
        learn(store, session)
    with store.write() as connection:
        journal.write(connection, NewEntry("tool.done", "shell", "Ran `make`.", "agent", session_id="deploy"))
    return store


DECIDED = "2026-01-04 01:00:01  decision.made  “We decided to use Postgres” (because SQLite locked up)  [plans]\n"
FAILED = "2026-01-06 01:00:01  failure.met  “The deploy failed”  [deploy]\n"


@pytest.mark.usefixtures("store")
def test_what_happened_is_listed_with_its_time_reason_and_session(hermes: Hermes) -> None:
    listed = hermes(*EVENTS)
    assert (listed.exit_code, listed.stderr) == (0, "")
    today, *before = listed.stdout.splitlines(keepends=True)
    assert today.endswith("  tool.done  Ran `make`.  [deploy]\n")
    assert before == [FAILED, DECIDED]


@pytest.mark.usefixtures("store")
def test_who_asks_for_some_days_is_told_that_memory_changed_on_them(hermes: Hermes) -> None:
    listed = hermes(*EVENTS, "--since", "today")
    assert len(listed.stdout.splitlines()) == 1
    assert listed.stderr == "1 change of memory is not listed: --all\n"
    assert "fact.learned" in hermes(*EVENTS, "--since", "today", "--all").stdout
    assert hermes(*EVENTS, "--since", "today", "--all").stderr == ""
    assert hermes(*EVENTS, "--until", "2026-01-05").stderr == ""


def test_the_requests_of_a_conversation_stand_in_one_line(hermes: Hermes, store: Store) -> None:
    with store.write() as connection:
        for request in ("one", "two", "three"):
            entry = NewEntry("turn.answered", "plans", f"“{request}” was answered.", "agent", session_id="plans")
            journal.write(connection, entry)
    first, *_ = hermes(*EVENTS).stdout.splitlines()
    assert first.endswith("turn.answered  “one” was answered. So were 2 more.  [plans]")
    begin = FIRST_DAY + 7 * DAY
    with store.write() as connection:
        for place, request in enumerate(("four", "five")):
            happened = begin + place * DAY
            text = f"“{request}” was answered."
            entry = NewEntry("turn.answered", "d", text, "agent", session_id="deploy", happened_at=happened)
            journal.write(connection, entry)
    line = "2026-01-08 01:00:00  turn.answered  “four” was answered. So was 1 more.  [deploy]"
    assert line in hermes(*EVENTS).stdout.splitlines(), "the time is that of the words"
    times = [line[:19] for line in hermes(*EVENTS).stdout.splitlines()]
    assert times == sorted(times, reverse=True)
    assert len(hermes(*EVENTS, "--kind", "turn").stdout.splitlines()) == 5
    assert [one["text"] for one in json.loads(hermes(*EVENTS, "--limit", "1", "--json").stdout)] == [
        "“three” was answered."
    ]


@pytest.mark.usefixtures("store")
def test_it_is_narrowed_by_time_kind_words_session_and_number(hermes: Hermes) -> None:
    assert hermes(*EVENTS, "--since", "4 january 2026", "--until", "2026-01-04").stdout == DECIDED
    assert hermes(*EVENTS, "--until", "2026-01-07").stdout == FAILED + DECIDED
    assert hermes(*EVENTS, "--kind", "decision").stdout == DECIDED
    assert hermes(*EVENTS, "--kind", "Failure.met").stdout == FAILED
    assert hermes(*EVENTS, "--about", "locked postgres").stdout == DECIDED
    assert hermes(*EVENTS, "--about", "deploys", "--limit", "1").stdout == FAILED
    assert hermes(*EVENTS, "--session", "plans").stdout == DECIDED
    assert hermes(*EVENTS, "--until", "2026-01-07", "-n", "1").stdout == FAILED


@pytest.mark.usefixtures("store")
def test_changes_of_memory_are_listed_only_when_asked_for(hermes: Hermes) -> None:
    assert "fact.learned" not in hermes(*EVENTS).stdout
    assert "fact.learned" in hermes(*EVENTS, "--all").stdout
    assert "fact.learned" in hermes(*EVENTS, "--kind", "fact").stdout
    assert "decision.made" not in hermes("memory", "log").stdout


@pytest.mark.usefixtures("store")
def test_json_holds_the_whole_event_in_utc(hermes: Hermes) -> None:
    (event,) = json.loads(hermes(*EVENTS, "--kind", "decision", "--json").stdout)
    told = ("kind", "text", "cause", "actor", "session_id", "happened_at")
    assert [event[key] for key in told] == [
        "decision.made",
        "“We decided to use Postgres”",
        "because SQLite locked up",
        "owner",
        "plans",
        "2026-01-04T00:00:01Z",
    ]
    assert event["at"] > event["happened_at"]


@pytest.mark.usefixtures("store")
def test_what_matches_nothing_and_what_is_no_date_is_told(hermes: Hermes) -> None:
    nothing = hermes(*EVENTS, "--about", "kafka")
    assert (nothing.exit_code, nothing.stdout) == (0, "Nothing that happened matches.\n")
    assert hermes(*EVENTS, "--about", "kafka", "--json").stdout == "[]\n"
    wrong = hermes(*EVENTS, "--since", "soonish")
    assert wrong.exit_code == 2
    assert wrong.stderr.startswith("Error: 'soonish' is not a date.\nHint: ")


def test_an_empty_journal_says_so(hermes: Hermes) -> None:
    assert hermes(*EVENTS).stdout == "The journal holds no events yet.\n"


def test_stored_words_cannot_steer_the_terminal_or_break_the_line(hermes: Hermes, store: Store) -> None:
    with store.write() as connection:
        hostile = "“\x1b[2Jclear\nturn.answered  forged\u202e” was answered."
        journal.write(connection, NewEntry("turn.answered", "s", hostile, happened_at=FIRST_DAY + 9 * DAY))
    (line,) = hermes(*EVENTS, "--kind", "turn").stdout.splitlines()
    assert line == "2026-01-10 01:00:00  turn.answered  “clear turn.answered forged” was answered."


def test_what_happened_on_a_day_that_the_words_name_stands_there(hermes: Hermes, own_home: Home) -> None:
    ensure(own_home)
    store = Store(Sqlite(own_home.state_db), "default")
    memory = Memory(store, "default")
    talk(memory, "told", "Yesterday the deploy failed because the disk was full.", day=5)
    learn(store, "told")
    assert hermes(*EVENTS, "--since", "2026-01-05", "--until", "2026-01-05").stdout.startswith("2026-01-05 ")
    assert hermes(*EVENTS, "--since", "2026-01-06").stdout == "Nothing that happened matches.\n"
    store.close()


@pytest.mark.usefixtures("store")
def test_a_kind_that_there_is_not_is_refused_with_those_there_are(hermes: Hermes) -> None:
    refused = hermes(*EVENTS, "--kind", "desicion")
    assert refused.exit_code == 2
    assert refused.stderr.startswith("Error: The journal knows no kind 'desicion'.\n")
    assert "decision, fact, failure, " in refused.stderr
    assert hermes(*EVENTS, "--kind", "remark").stdout == "Nothing that happened matches.\n"
