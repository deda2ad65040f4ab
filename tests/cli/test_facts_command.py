"""`hermes memory fact` and `hermes memory facts`, as a person runs them."""

import json
from pathlib import Path

import pytest

from hermes_agent.config.paths import Home, ensure
from hermes_agent.records.archive import NewMessage, NewSession
from hermes_agent.records.memory import NewFact
from hermes_agent.store import facts, messages, sessions
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests.conftest import Hermes


@pytest.fixture(autouse=True)
def no_jobs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever follows a command in the background says so on stderr; here only the command itself counts."""
    monkeypatch.setenv("HERMES_NO_JOBS", "1")


def test_a_fact_is_added_listed_and_deleted(hermes: Hermes) -> None:
    first = hermes("memory", "fact", "add", "Atlas", "runs", "on docker")
    assert (first.exit_code, first.stdout, first.stderr) == (0, "[fact:001] Atlas runs on docker\n", "")
    hermes("memory", "fact", "add", "Deploys run on Fridays")
    listed = "[fact:001] Atlas runs on docker\n[fact:002] Deploys run on Fridays\n"
    assert hermes("memory", "facts", "list").stdout == listed
    assert hermes("memory", "fact", "list").stdout == listed
    assert hermes("memory", "facts", "list", "--recent", "1").stdout == "[fact:002] Deploys run on Fridays\n"
    gone = hermes("memory", "fact", "delete", "#1")
    assert (gone.exit_code, gone.stdout) == (0, "Deleted: [fact:001] Atlas runs on docker\n")
    assert hermes("memory", "facts", "list").stdout == "[fact:002] Deploys run on Fridays\n"
    everything = hermes("memory", "facts", "list", "--all").stdout
    assert everything.startswith("[fact:001] Atlas runs on docker (retracted)\n")


def test_all_facts_are_listed_when_all_are_asked_for(hermes: Hermes, own_home: Home) -> None:
    ensure(own_home)
    store = Store(Sqlite(own_home.state_db), "default")
    with store.write() as connection:
        for number in range(30):
            facts.add(connection, store.engine, NewFact(f"Box {number} is blue", "user", 1.0, "", 1))
    store.close()

    def listed(*more: str) -> tuple[int, int]:
        lines = hermes("memory", "facts", "list", *more).stdout.splitlines()
        return len(lines), len(json.loads(hermes("memory", "facts", "list", *more, "--json").stdout))

    assert (listed(), listed("--all"), listed("--all", "-n", "3")) == ((20, 20), (30, 30), (3, 3))


def test_the_same_fact_twice_is_told(hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "Atlas runs on docker")
    again = hermes("memory", "fact", "add", "atlas runs on Docker")
    assert (again.exit_code, again.stdout) == (0, "[fact:001] Atlas runs on docker\n")
    assert again.stderr == "fact:001 says so already.\n"


@pytest.mark.parametrize(
    ("known", "new", "is_kept"),
    [
        ("I have a cat", "I have cats", True),
        ("I have cats", "I have a cat", True),
        ("I have cats", "I have two cats", True),
        ("I have a cat", "I have 3 cats", True),
        ("I have two cats", "I have cats", False),
        ("I have a cat", "I have a cat.", False),
        ("I like cats", "I like cats", False),
        ("I live in Berlin", "I live in Berlin", False),
    ],
)
def test_another_number_is_another_fact(hermes: Hermes, known: str, new: str, is_kept: bool) -> None:
    hermes("memory", "fact", "add", known)
    again = hermes("memory", "fact", "add", new)
    assert again.stdout == (f"[fact:002] {new}\n" if is_kept else f"[fact:001] {known}\n")


def test_a_secret_is_told_and_not_kept(hermes: Hermes) -> None:
    outcome = hermes("memory", "fact", "add", "My password is Tr0ub4dor&3")
    assert "Tr0ub4dor" not in outcome.stdout
    assert outcome.stderr.startswith("Taken out before it was kept: ")


def test_json_holds_the_whole_fact(hermes: Hermes) -> None:
    added = json.loads(hermes("memory", "fact", "add", "Atlas runs on docker", "--json").stdout)
    assert (added["name"], added["text"], added["state"]) == ("fact:001", "Atlas runs on docker", "current")
    assert added["learned_at"].endswith("Z")
    assert json.loads(hermes("memory", "facts", "list", "--json").stdout) == [added]
    shown = json.loads(hermes("memory", "fact", "show", "1", "--json").stdout)
    source = shown.pop("source")
    assert added.pop("source") == {"entry": source["uid"]}
    assert shown == added
    assert (source["kind"], source["uid"]) == ("fact.added", added["source_entry"])
    told = ("id", "polarity", "trust", "confidence", "is_pinned", "supersedes", "corroborations")
    assert [added[key] for key in told] == ["fact:001", "is", "owner", 1.0, False, [], 0]


def test_show_opens_the_source(hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "Atlas runs on docker")
    lines = hermes("memory", "fact", "show", "fact:001").stdout.splitlines()
    assert lines[0] == "[fact:001] Atlas runs on docker"
    assert "State: current" in lines
    assert "Confidence: high (1.00): said by the owner" in lines
    assert lines[-1].startswith("Source: fact.added by owner, ")


def test_a_learned_fact_shows_how_sure_memory_is_and_its_words(hermes: Hermes, own_home: Home) -> None:
    store = Store(Sqlite(own_home.state_db), "default")
    own_home.root.mkdir()
    with store.write() as connection:
        session_id = sessions.create(connection, NewSession(id="talk"))
        said = NewMessage("user", "By the way, I like bullet points.", said_at=1)
        messages.append(connection, store.engine, session_id, [said])
        (message,) = messages.of_session(connection, session_id)
        for confidence in (0.9, 0.8, 0.5, 0.49):
            new = NewFact("User likes bullets", "user", confidence, "said once", 1, source_message=message.uid)
            facts.add(connection, store.engine, new)
        spanned = NewFact(
            "User likes", "user", 0.9, "x", 1, source_message=message.uid, span_start=12, span_end=32
        )
        facts.add(connection, store.engine, spanned)
    store.close()
    words = [
        line.rpartition(" (confidence: ")[2] for line in hermes("memory", "facts", "list").stdout.splitlines()
    ]
    assert words == ["high)", "high)", "medium)", "low)", "high)"]
    assert "“I like bullet points”" in hermes("memory", "fact", "show", "5").stdout


def test_an_empty_list_says_how_to_begin(hermes: Hermes) -> None:
    outcome = hermes("memory", "facts", "list")
    assert (outcome.exit_code, outcome.stdout) == (0, 'There are no facts. Add one: hermes memory fact add "…"\n')
    assert json.loads(hermes("memory", "facts", "list", "--json").stdout) == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("show", "x"), "'x' is not the number of a fact."),
        (("delete", "44"), "There is no fact:044."),
        (("add", "  "), "There is nothing to remember."),
        (("add", "x" * 3_000), "A fact has at most 2,000 characters; this one has 3,000."),
    ],
)
def test_what_cannot_be_done_is_said_with_a_hint(hermes: Hermes, arguments: tuple[str, ...], said: str) -> None:
    outcome = hermes("memory", "fact", *arguments)
    assert (outcome.exit_code, outcome.stdout) == (2, "")
    assert outcome.stderr.startswith(f"Error: {said}\nHint: ")


def test_a_fact_cannot_steer_the_terminal(hermes: Hermes) -> None:
    outcome = hermes("memory", "fact", "add", "red \x1b[31malert\x07 \u202eback")
    assert outcome.stdout == "[fact:001] red alert back\n"


def test_a_fact_of_an_import_says_so(hermes: Hermes, tmp_path: Path) -> None:
    said = [{"role": "user", "content": "I live in Lyon.", "timestamp": 1_790_000_000}]
    file = tmp_path / "chat.json"
    file.write_text(
        json.dumps({"id": "x", "started_at": 1_790_000_000, "ended_at": 1_790_000_009, "messages": said})
    )
    hermes("sessions", "import", str(file))
    hermes("jobs", "run")
    assert (
        hermes("memory", "facts", "list").stdout
        == "[fact:001] User lives in Lyon (confidence: high, from import)\n"
    )
    assert "Lives in Lyon  [fact:001] (confidence: high, from import)" in hermes("memory", "user").stdout
    assert "(0.90): stated in an imported conversation" in hermes("memory", "fact", "show", "1").stdout


def test_an_answer_that_states_a_deleted_fact_says_so_when_it_is_recalled(hermes: Hermes) -> None:
    hermes("chat", "-q", "My time zone is Europe/Oslo.")
    hermes("chat", "-q", "What is my time zone?")
    hermes("sessions", "end", "--all")
    hermes("jobs", "run")
    asked = ("memory", "context", "In which time zone is Europe/Oslo?")
    answers = [line for line in hermes(*asked).stdout.splitlines() if "] assistant (" in line]
    assert answers and not any("taken back" in line for line in answers)
    hermes("memory", "fact", "delete", "1")
    answers = [line for line in hermes(*asked).stdout.splitlines() if "] assistant (" in line]
    assert answers and all("taken back: User's time zone is Europe/Oslo)" in line for line in answers)
    hermes("memory", "undo")
    assert "taken back" not in hermes(*asked).stdout


def test_the_log_says_what_was_added(hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "Deploys run on Fridays")
    assert "fact.added  fact:001 was added: “Deploys run on Fridays”." in hermes("memory", "log").stdout


def test_a_token_without_a_day_to_come_is_told_how_to_name_one(hermes: Hermes) -> None:
    outcome = hermes("token", "create", "old", "--expires", "1s")
    assert (outcome.exit_code, "in 30 days" in outcome.stderr, "ago" in outcome.stderr) == (2, True, False)
