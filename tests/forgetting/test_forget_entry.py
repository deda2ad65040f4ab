"""Forgetting an entry of the journal takes what it tells, and what tells the same; nothing that is only alike."""

import json
import re
from typing import Any

import pytest

from hermes_agent.config.paths import Home
from tests.conftest import Hermes

FORGOTTEN = "What this told was forgotten with its conversation."
Told = dict[str, dict[str, Any]]  # whatever JSON an entry has, by its name


@pytest.fixture
def told(hermes: Hermes) -> Hermes:
    """A home whose journal tells of several things, each in every way in which one is changed."""
    assert hermes("-q", "My name is Ada").exit_code == 0
    assert hermes("-q", "My cat is called Tom").exit_code == 0
    assert hermes("memory", "fact", "add", "My bicycle is green").exit_code == 0
    assert hermes("memory", "fact", "edit", "fact:001", "User's name is Ada Lovelace").exit_code == 0
    return hermes


def entries(hermes: Hermes) -> Told:
    """Return the journal as it is shown, without what forgetting itself writes there."""
    every = json.loads(hermes("memory", "log", "--json").stdout)
    own = ("memory.forgotten", "forgetting")
    return {f"entry:{one['id']}": one for one in every if one["kind"] not in own and one["actor"] not in own}


def named(hermes: Hermes, pattern: str) -> str:
    """Return the entry whose line in the journal looks so."""
    found = re.search(rf"(entry:\d+)  {pattern}", hermes("memory", "log").stdout)
    assert found is not None, pattern
    return found[1]


def changed(before: Told, after: Told) -> set[str]:
    return {name for name, one in before.items() if after[name] != one}


def test_forgetting_what_one_entry_tells_leaves_the_others_whole(told: Hermes) -> None:
    learned, before = named(told, r"fact\.learned +fact:002"), entries(told)
    done = told("memory", "forget", learned, "--yes")
    assert (done.exit_code, "Nothing is left of it" in done.stdout) == (0, True), done
    assert changed(before, entries(told)) == {learned}
    assert entries(told)[learned]["text"] == FORGOTTEN
    facts = told("memory", "facts", "list").stdout
    assert "Tom" not in facts and "Ada Lovelace" in facts and "bicycle" in facts
    assert told("memory", "verify-deletion", "receipt:1").exit_code == 0
    assert told("memory", "undo", named(told, r"note\.changed +Added to USER\.md: Bicycle")).exit_code == 0


@pytest.mark.parametrize(
    ("kind", "word"), (("fact.learned", "Tom"), ("fact.added", "bicycle"), ("fact.edited", "Ada"))
)
def test_an_entry_goes_with_what_undid_it_and_with_nothing_else(told: Hermes, kind: str, word: str) -> None:
    wanted = named(told, re.escape(kind))
    assert told("memory", "undo", wanted).exit_code == 0
    undone, before = named(told, r"fact\.undone"), entries(told)
    done = told("memory", "forget", wanted, "--yes")
    assert (done.exit_code, "Nothing is left of it" in done.stdout) == (0, True), done
    gone = changed(before, entries(told))
    assert {wanted, undone} <= gone
    assert [name for name in gone if word not in json.dumps(before[name])] == []
    assert told("memory", "verify-deletion", "receipt:1").exit_code == 0


def test_the_line_of_a_note_goes_with_the_entry_that_tells_it(told: Hermes, own_home: Home) -> None:
    noted, before = named(told, r"note\.changed +Added to USER\.md: Cat: Tom"), entries(told)
    shown = told("memory", "forget", noted, "--dry-run").stdout
    assert "“Cat: Tom”" in shown and "1  entry of notes" in shown
    done = told("memory", "forget", noted, "--yes")
    assert (done.exit_code, "Nothing is left of it" in done.stdout) == (0, True), done
    assert "Cat: Tom" not in own_home.user_note.read_text()
    assert "Name: Ada Lovelace" in own_home.user_note.read_text()
    assert "Cat: Tom" not in told("memory", "history").stdout
    assert changed(before, entries(told)) == {noted}
    assert told("memory", "verify-deletion", "receipt:1").exit_code == 0


def test_what_is_to_go_is_shown_in_its_own_words_and_what_stays_is_named(told: Hermes) -> None:
    shown = told("memory", "forget", named(told, r"fact\.learned +fact:002"), "--dry-run").stdout
    assert re.findall("“(.*)”", shown) == ["User's cat is called Tom"]
    assert "1  entry of the journal\n" in shown and "1  fact\n" in shown
    kept = re.search(r"What it follows from stays, .*: hermes memory forget (message:\d+)", shown)
    assert kept is not None, shown
    more = told("memory", "forget", kept[1], "--dry-run").stdout
    assert "My cat is called Tom" in more and "1  entry of notes" in more


def test_of_an_entry_that_tells_no_words_only_itself_goes(told: Hermes) -> None:
    assert told("doctor", "--rebuild").exit_code == 0
    rebuilt, before = named(told, r"index\.rebuilt"), entries(told)
    shown = told("memory", "forget", rebuilt, "--dry-run").stdout.splitlines()
    alone = "It tells nothing that could be looked for elsewhere: only the entry goes."
    assert shown[1:] == ["       1  entry of the journal", alone]
    done = told("memory", "forget", rebuilt, "--yes")
    assert (done.exit_code, "Nothing is left of it" in done.stdout) == (0, True), done
    assert changed(before, entries(told)) == {rebuilt}
    assert "keeps nothing to look by" in told("memory", "verify-deletion", "receipt:1").stderr


def test_of_a_free_text_only_what_the_entry_changed_goes(hermes: Hermes, own_home: Home) -> None:
    first, second = "Be kind to everybody who asks for it.", "Answer a carpenter with woodworking examples."
    for paragraph in (first, second):
        assert hermes("notes", "add", "-t", "soul", paragraph).exit_code == 0
    latest, before = named(hermes, r"note\.changed"), entries(hermes)
    assert hermes("memory", "forget", latest, "--yes").exit_code == 0
    assert first in own_home.soul.read_text() and second not in own_home.soul.read_text()
    assert changed(before, entries(hermes)) == {latest}
    assert hermes("memory", "verify-deletion", "receipt:1").exit_code == 0


def test_a_line_stays_away_and_the_fact_behind_it_is_named(told: Hermes, own_home: Home) -> None:
    noted = named(told, r"note\.changed +Added to USER\.md: Bicycle: green")
    shown = told("memory", "forget", noted, "--dry-run").stdout
    (fact,) = re.findall(r"To forget that, too: hermes memory forget (fact:\d+)", shown)
    assert "My bicycle is green" in told("memory", "fact", "show", fact).stdout
    assert told("memory", "forget", noted, "--yes").exit_code == 0
    told("-q", "My favourite colour is turquoise")
    assert told("jobs", "run").exit_code == 0
    assert "turquoise" in own_home.user_note.read_text() and "Bicycle" not in own_home.user_note.read_text()
    assert told("memory", "verify-deletion", "receipt:1").exit_code == 0


def test_what_took_the_place_of_a_fact_keeps_its_entry(hermes: Hermes) -> None:
    for said in ("I live in Ulm", "I moved to Paris"):
        assert hermes("-q", said).exit_code == 0
    former, latter = (named(hermes, rf"fact\.learned +fact:00{number}") for number in (1, 2))
    before = entries(hermes)
    assert "superseded_by" in json.dumps(before[latter]["before"]), "it tells how the former ended"
    assert hermes("memory", "forget", former, "--yes").exit_code == 0
    assert before[latter]["text"] == entries(hermes)[latter]["text"]
    assert "fact:001" not in json.dumps(entries(hermes)[latter])
    assert hermes("memory", "undo", latter).exit_code == 0
    assert "Ulm" not in hermes("memory", "facts", "list").stdout
    assert hermes("memory", "verify-deletion", "receipt:1").exit_code == 0
