"""What an external memory was told by us comes back from it only where our own memory does not say it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from hermes_agent.app import App
from hermes_agent.config.load import load
from hermes_agent.config.paths import Home
from hermes_agent.memory.memory import Memory
from tests.conftest import Hermes
from tests.providers.ledger import Ledger
from tests.providers.test_custom import KEY, example

NOT_NOTED = "Kept in this conversation; I did not add it to the notes. Say “remember that …” if I should."


def lines_from_it(hermes: Hermes, question: str) -> list[str]:
    """Return the lines of the block that come from the ledger, without what stands in front of them."""
    block = hermes("memory", "context", question).stdout
    return [line.partition("from ledger): ")[2] for line in block.splitlines() if "from ledger): " in line]


@pytest.mark.parametrize(
    "line",
    [
        "User has dog Rex",
        "Has dog Rex",
        "the user has dog REX.",
        "2026-11-18 (trust 0.5): User has dog Rex",
        "User: has dog Rex Assistant: Noted.",
    ],
)
def test_a_fact_does_not_come_twice(ledger: Ledger, hermes: Hermes, line: str) -> None:
    hermes("memory", "fact", "add", "User has dog Rex")
    ledger.hold(line, "Rex likes apples")
    assert lines_from_it(hermes, "what about my dog Rex") == ["Rex likes apples"]
    told = hermes("memory", "context", "what about my dog Rex", "--explain").stdout
    assert "fact:001 says it already" in told


@pytest.mark.parametrize(
    "line",
    [
        "User: The cello of my aunt stands in the attic Assistant: All right.",
        "2026-11-18: User: The cello of my aunt stands in the attic. Assistant: All right.",
        "2026-11-18T09:30:00Z: user: the cello of my aunt stands in the attic",
        f"User: The cello of my aunt stands in the attic Assistant: {NOT_NOTED}",
    ],
)
def test_a_turn_that_stands_there_does_not_come_as_a_transcript(ledger: Ledger, hermes: Hermes, line: str) -> None:
    hermes("chat", "-q", "The cello of my aunt stands in the attic")
    ledger.hold(line, "The cello is 200 years old")
    assert lines_from_it(hermes, "where is the cello") == ["The cello is 200 years old"]


def test_a_transcript_of_several_lines_does_not_come_either(ledger: Ledger, hermes: Hermes) -> None:
    hermes("chat", "-q", "The cello of my aunt stands in the attic")
    ledger.hold(f"User: The cello of my aunt stands in the attic\n\nAssistant: {NOT_NOTED}", "The cello is old")
    assert lines_from_it(hermes, "where is the cello") == ["The cello is old"]


def test_a_transcript_that_was_cut_is_known_by_its_beginning(ledger: Ledger, hermes: Hermes) -> None:
    said = "The cello of my aunt stands in the attic, " + "between a chest of letters and an old clock, " * 12
    hermes("chat", "-q", said)
    ledger.hold(f"2026-11-18: User: {said[:300]}...")
    assert lines_from_it(hermes, "where is the cello") == []


def test_of_the_latest_words_our_own_stay(ledger: Ledger, hermes: Hermes) -> None:
    hermes("chat", "-q", "Figs grow on the terrace")
    ledger.hold("User: Figs grow on the terrace Assistant: Fine.", "Figs grow on the terrace", "xylem is a word")
    block = hermes("memory", "context", "xylem figs").stdout
    assert "Figs grow on the terrace" in block
    assert lines_from_it(hermes, "xylem figs") == ["xylem is a word"]


def test_what_only_it_knows_of_a_turn_comes_without_an_answer_that_says_nothing(
    ledger: Ledger, hermes: Hermes
) -> None:
    ledger.hold(f"2026-11-18: User: The cello is in the attic Assistant: {NOT_NOTED}")
    assert lines_from_it(hermes, "where is the cello") == ["2026-11-18: User: The cello is in the attic"]


@pytest.mark.parametrize(
    "line",
    [
        f"Assistant: {NOT_NOTED}",
        f"2026-11-18: User: Where are the notes? Assistant: {NOT_NOTED}",
        "User: Where are the notes? Assistant: Kept in this conversation; I did not...",
        "Kept in this conversation, not in the notes.",
    ],
)
def test_our_answers_that_say_nothing_are_not_its_knowledge(ledger: Ledger, hermes: Hermes, line: str) -> None:
    ledger.hold(line, "notes are yellow")
    assert lines_from_it(hermes, "user: assistant: 2026-11-18: kept notes") == ["notes are yellow"]


@pytest.mark.parametrize(
    "line", ["User likes C++", "User does not like C", "User: I like C", "User likes C a lot"]
)
def test_what_says_something_else_comes(ledger: Ledger, hermes: Hermes, line: str) -> None:
    hermes("memory", "fact", "add", "User likes C")
    ledger.hold(line)
    assert lines_from_it(hermes, "user: user like likes C") == [line]


def test_what_the_notes_say_does_not_come_from_it(ledger: Ledger, hermes: Hermes) -> None:
    hermes("chat", "-q", "Remember that I play the cello")
    assert ["note", "add", "user", "Plays the cello"] in [json.loads(line) for line in ledger.told()]
    ledger.hold("Plays the cello", "2026-11-18 (trust 0.5): plays the cello.", "The cello is old")
    assert lines_from_it(hermes, "who plays the cello") == ["The cello is old"]
    assert "USER.md says it already" in hermes("memory", "context", "who plays the cello", "--explain").stdout


def test_the_example_server_brings_nothing_that_we_told_it(
    hermes: Hermes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with example(tmp_path) as address:
        monkeypatch.setenv("CUSTOM_MEMORY_BASE_URL", address)
        monkeypatch.setenv("CUSTOM_MEMORY_API_KEY", KEY)
        assert hermes("memory", "setup", "custom", "--no-input").exit_code == 0
        hermes("config", "set", "memory.providerSeconds", "20")
        for said in ("I have a dog called Rex", "Rex met the new colleague"):
            hermes("chat", "-q", said)
        found = hermes("memory", "context", "what about my dog Rex", "--explain")
        back = hermes("memory", "migrate", "--from", "custom", "--to", "local", "--json")
    assert found.stdout.count("custom:") >= 3 and "from custom)" not in found.stdout, found.stdout
    assert json.loads(back.stdout)["new"] == 0


@pytest.fixture
def memory(ledger: Ledger, own_home: Home) -> Iterator[Memory]:
    app = App(own_home, load(own_home))
    yield app.memory
    app.close()


def test_what_was_sent_before_does_not_come_from_it_later(ledger: Ledger, hermes: Hermes, memory: Memory) -> None:
    hermes("memory", "fact", "add", "User has dog Rex")
    ledger.hold("Has dog Rex")
    first = memory.recall("what about my dog Rex", "s1")
    later = memory.recall("what about my dog Rex", "s1", without=[item.where for item in first.items])
    assert [item.text for item in first.items] == ["User has dog Rex"]
    assert later.items == []


def test_what_was_said_in_the_same_conversation_does_not_come_from_it(
    ledger: Ledger, hermes: Hermes, memory: Memory
) -> None:
    hermes("chat", "-q", "The cello of my aunt stands in the attic")
    (session,) = json.loads(hermes("sessions", "list", "--json").stdout)
    ledger.hold("User: The cello of my aunt stands in the attic Assistant: Fine.", "The cello is old")
    (item,) = memory.recall("where is the cello", session["id"]).items
    assert item.text == "The cello is old"
