"""How a fact is changed and asked about: edit, pin, expire, history, conflicts, and the lists of other days."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from hermes_agent.config.paths import Home
from hermes_agent.memory.memory import Memory
from hermes_agent.store.sqlite import Sqlite
from hermes_agent.store.store import Store
from tests.conftest import Hermes
from tests.learning import learn
from tests.recall.conversations import talk


@pytest.fixture(autouse=True)
def in_utc(hermes: Hermes, monkeypatch: pytest.MonkeyPatch) -> None:
    """Times are shown in UTC, and nothing follows a command in the background."""
    monkeypatch.setenv("HERMES_NO_JOBS", "1")
    assert hermes("config", "set", "display.timeZone", "UTC").exit_code == 0


@pytest.fixture
def memory(own_home: Home) -> Iterator[Memory]:
    """The memory of the home that the commands work in; somebody lives in Lyon since 2 January 2026."""
    store = Store(Sqlite(own_home.state_db), "default")
    own_home.root.mkdir(exist_ok=True)
    made = Memory(store, "default")
    say(made, "first", "By the way, I live in Lyon.", day=1)
    yield made
    store.close()


def say(memory: Memory, session: str, text: str, day: int) -> None:
    talk(memory, session, text, day=day)
    learn(memory.store, session)


# Any: JSON as a program reads it.
def shown(hermes: Hermes, *arguments: str) -> Any:
    return json.loads(hermes("memory", *arguments, "--json").stdout)


@pytest.mark.usefixtures("memory")
def test_every_change_of_a_fact_can_be_printed_as_json(hermes: Hermes) -> None:
    changes = (("pin", "1"), ("unpin", "1"), ("expire", "1", "2999-06-30"), ("delete", "1"))
    told = [shown(hermes, "fact", *change) for change in changes]
    assert [one["id"] for one in told] == ["fact:001"] * len(changes)
    assert [one["is_pinned"] for one in told] == [True, False, False, False]
    assert told[2]["valid_to"] == "2999-07-01T00:00:00Z"
    assert told[3]["state"] == "retracted"


@pytest.mark.usefixtures("memory")
def test_json_names_the_words_a_fact_was_learned_from(hermes: Hermes) -> None:
    (told,) = shown(hermes, "facts", "list")
    source = told["source"]
    assert {key: told[key] for key in ("id", "text", "subject", "attribute", "value", "polarity")} == {
        "id": "fact:001",
        "text": "User lives in Lyon",
        "subject": "user",
        "attribute": "home",
        "value": "Lyon",
        "polarity": "is",
    }
    assert (told["said_at"], told["valid_from"], told["valid_to"]) == ("2026-01-02T00:00:01Z", None, None)
    assert (told["trust"], told["state"], told["confidence"]) == ("owner", "current", 0.9)
    assert (source["session"], source["quote"]) == ("first", "I live in Lyon")
    assert "By the way, I live in Lyon."[source["start"] : source["end"]] == source["quote"]
    opened = shown(hermes, "fact", "show", "1")["source"]
    assert {key: opened[key] for key in source} == source
    assert (opened["uid"], opened["content"]) == (source["message"], "By the way, I live in Lyon.")


@pytest.mark.usefixtures("memory")
def test_a_fact_whose_message_is_gone_says_so(hermes: Hermes) -> None:
    assert hermes("sessions", "delete", "first", "--yes").exit_code == 0
    (told,) = shown(hermes, "facts", "list")
    assert (told["source"]["session"], told["source"]["quote"]) == (None, None)
    assert "Source: gone\n" in hermes("memory", "fact", "show", "1").stdout


@pytest.mark.usefixtures("memory")
def test_an_edited_fact_is_shown_with_what_it_replaced(hermes: Hermes) -> None:
    edited = hermes("memory", "fact", "edit", "fact:001", "User", "lives in Oslo")
    assert (edited.exit_code, edited.stdout) == (0, "[fact:002] User lives in Oslo\n")
    assert edited.stderr == "In place of [fact:001] User lives in Lyon\n"
    assert hermes("memory", "facts", "list").stdout == "[fact:002] User lives in Oslo\n"
    everything = hermes("memory", "facts", "list", "--all").stdout.splitlines()
    assert everything[0] == "[fact:001] User lives in Lyon (confidence: high) (superseded)"
    assert "Instead of: [fact:001] User lives in Lyon\n" in hermes("memory", "fact", "show", "2").stdout
    again = shown(hermes, "fact", "edit", "2", "User lives in Bergen")
    assert (again["id"], again["supersedes"], again["value"]) == ("fact:003", ["fact:002"], "Bergen")


@pytest.mark.usefixtures("memory")
def test_a_pinned_fact_says_so(hermes: Hermes) -> None:
    assert hermes("memory", "fact", "pin", "1").stdout == "Pinned: [fact:001] User lives in Lyon\n"
    assert (
        hermes("memory", "facts", "list").stdout == "[fact:001] User lives in Lyon (confidence: high) (pinned)\n"
    )
    assert "Pinned: yes\n" in hermes("memory", "fact", "show", "1").stdout
    assert hermes("memory", "fact", "unpin", "1").stdout == "Not pinned: [fact:001] User lives in Lyon\n"
    assert hermes("memory", "facts", "list").stdout == "[fact:001] User lives in Lyon (confidence: high)\n"


@pytest.mark.usefixtures("memory")
def test_a_fact_is_true_on_the_last_day_it_was_given(hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "The fair is in Porto")
    later = hermes("memory", "fact", "expire", "2", "2999-06-30")
    assert later.stdout == "True until 2999-06-30: [fact:002] The fair is in Porto\n"
    assert "True until: 2999-06-30\n" in hermes("memory", "fact", "show", "2").stdout
    line = "[fact:002] The fair is in Porto (until 2999-06-30)\n"
    assert hermes("memory", "facts", "list", "--recent", "1").stdout == line
    assert hermes("memory", "facts", "list", "--recent", "1", "--as-of", "2999-06-30").stdout == line
    assert "Porto" not in hermes("memory", "facts", "list", "--as-of", "2999-07-01").stdout
    never = hermes("memory", "fact", "expire", "2", "never")
    assert never.stdout == "True without an end: [fact:002] The fair is in Porto\n"
    past = hermes("memory", "fact", "expire", "1", "2026-02-03")
    assert past.stdout == "Ended, true until 2026-02-03: [fact:001] User lives in Lyon\n"
    assert hermes("memory", "facts", "list").stdout == "[fact:002] The fair is in Porto\n"


@pytest.mark.usefixtures("memory")
def test_search_and_list_agree_on_what_is_true_on_a_day(hermes: Hermes) -> None:
    hermes("memory", "fact", "add", "The fair is in Porto")
    hermes("memory", "fact", "expire", "2", "2999-06-30")
    for day, is_true in (("2999-06-30", True), ("2999-07-01", False), ("2999-07-20", False)):
        listed = hermes("memory", "facts", "list", "--as-of", day).stdout
        found = hermes("memory", "search", "--type", "facts", "fair in Porto", "--as-of", day).stdout
        assert ("Porto" in listed, "Porto" in found) == (is_true, is_true)


def test_what_was_true_and_what_was_believed_on_a_day(hermes: Hermes, memory: Memory) -> None:
    say(memory, "second", "I moved to Oslo.", day=9)
    lyon = "[fact:001] User lives in Lyon (confidence: high) (superseded, until 2026-01-10)\n"
    oslo = "[fact:002] User lives in Oslo (confidence: high)\n"
    assert hermes("memory", "facts", "list").stdout == oslo
    assert hermes("memory", "facts", "list", "--as-of", "2026-01-05").stdout == lyon
    assert hermes("memory", "facts", "list", "--as-of", "2026-01-10").stdout == oslo
    assert hermes("memory", "facts", "list", "--believed", "2026-01-05").stdout == "No fact matches.\n"
    assert hermes("memory", "facts", "list", "--believed", "now").stdout == oslo
    assert hermes("memory", "facts", "list", "--all", "--about", "me").stdout == lyon + oslo
    assert hermes("memory", "facts", "list", "--about", "Ana").stdout == "No fact matches.\n"


def test_history_tells_each_fact_and_what_happened_to_it(hermes: Hermes, memory: Memory) -> None:
    say(memory, "second", "I moved to Oslo.", day=9)
    hermes("memory", "fact", "edit", "2", "User lives in Bergen")
    lines = hermes("memory", "fact", "history", "1").stdout.splitlines()
    kinds = [line if line.startswith("[") else line.split()[2] for line in lines]
    assert kinds == [
        "[fact:001] User lives in Lyon (confidence: high) (superseded, until 2026-01-10)",
        "fact.learned",
        "fact.superseded",
        "[fact:002] User lives in Oslo (confidence: high) (superseded)",
        "fact.learned",
        "fact.edited",
        "[fact:003] User lives in Bergen",
        "fact.edited",
    ]
    assert lines[-1].endswith("fact:002 was edited: fact:003 stands in its place. (hermes memory fact edit)")
    told = shown(hermes, "fact", "history", "3")
    assert [(one["id"], one["supersedes"], one["superseded_by"]) for one in told] == [
        ("fact:001", [], "fact:002"),
        ("fact:002", ["fact:001"], "fact:003"),
        ("fact:003", ["fact:002"], None),
    ]
    assert told[2]["entries"][0]["uid"] == told[2]["source"]["entry"]


def test_a_fact_that_replaced_several_names_them_all(hermes: Hermes, memory: Memory) -> None:
    hermes("memory", "fact", "pin", "1")
    say(memory, "second", "I moved to Oslo.", day=9)
    hermes("memory", "fact", "unpin", "1")
    say(memory, "third", "I moved to Rome.", day=12)
    told = shown(hermes, "fact", "history", "3")
    assert [(one["text"], one["supersedes"], one["superseded_by"]) for one in told] == [
        ("User lives in Lyon", [], "fact:003"),
        ("User lives in Oslo", [], "fact:003"),
        ("User lives in Rome", ["fact:001", "fact:002"], None),
    ]
    instead = "Instead of: [fact:001] User lives in Lyon, [fact:002] User lives in Oslo\n"
    assert instead in hermes("memory", "fact", "show", "3").stdout
    assert "Replaced by: [fact:003] User lives in Rome\n" in hermes("memory", "fact", "show", "1").stdout


def test_a_conflict_is_listed_until_it_is_settled(hermes: Hermes, memory: Memory) -> None:
    assert hermes("memory", "conflicts").stdout == "No facts contradict each other.\n"
    assert shown(hermes, "conflicts") == []
    hermes("memory", "fact", "pin", "1")
    say(memory, "second", "I moved to Oslo.", day=9)
    listed = hermes("memory", "conflicts")
    assert (listed.exit_code, listed.stdout.splitlines()) == (
        0,
        [
            "fact:001 and fact:002: the owner pinned what it contradicts.",
            "  [fact:001] User lives in Lyon (said 2026-01-02 00:00:01)",
            "  [fact:002] User lives in Oslo (said 2026-01-10 00:00:01)",
            'Settle it: hermes memory fact delete NUMBER or hermes memory fact edit NUMBER "…"',
        ],
    )
    (told,) = shown(hermes, "conflicts")
    assert [one["id"] for one in told["facts"]] == ["fact:001", "fact:002"]
    assert (told["reason"], told["settle"][0]) == (
        "the owner pinned what it contradicts",
        "hermes memory fact delete fact:001",
    )
    hermes("memory", "fact", "delete", "2")
    assert hermes("memory", "conflicts").stdout == "No facts contradict each other.\n"


@pytest.mark.usefixtures("memory")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("fact", "edit", "9", "x"), "There is no fact:009."),
        (("fact", "edit", "1", " "), "There is nothing to remember."),
        (("fact", "edit", "1", "User lives in Lyon"), "fact:001 says so already."),
        (("fact", "pin", "x"), "'x' is not the number of a fact."),
        (("fact", "expire", "1", "whenever"), "'whenever' is not a date."),
        (("fact", "history", "9"), "There is no fact:009."),
        (("facts", "list", "--all", "--as-of", "today"), "Of another day there is no list of all facts."),
        (("facts", "list", "--believed", "whenever"), "'whenever' is not a date."),
    ],
)
def test_what_cannot_be_done_is_said_with_a_hint(hermes: Hermes, arguments: tuple[str, ...], said: str) -> None:
    outcome = hermes("memory", *arguments)
    assert (outcome.exit_code, outcome.stdout) == (2, "")
    assert outcome.stderr.startswith(f"Error: {said}\nHint: ")


def test_a_wrong_merge_is_taken_apart(hermes: Hermes, memory: Memory) -> None:
    for session, day in (("one", 1), ("two", 5)):
        talk(memory, session, "Ana likes tea.", day=day)
        learn(memory.store, session)
    (tea,) = [
        fact for fact in json.loads(hermes("memory", "facts", "list", "--json").stdout) if "tea" in fact["text"]
    ]
    made = hermes("memory", "fact", "split", tea["id"])
    assert (made.exit_code, made.stderr) == (0, ""), made.stderr
    assert made.stdout.startswith("On its own: [fact:") and made.stdout.endswith("] Ana likes tea\n")
    refused = hermes("memory", "fact", "split", tea["id"])
    assert (refused.exit_code, refused.stderr.splitlines()[0]) == (
        2,
        f"Error: Nothing else was taken for {tea['id']}.",
    )
    assert hermes("memory", "undo").exit_code == 0
    assert json.loads(hermes("memory", "fact", "show", tea["id"], "--json").stdout)["corroborations"] == 1
